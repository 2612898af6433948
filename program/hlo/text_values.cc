// SPDX-License-Identifier: Apache-2.0
#include "program/hlo/text_values.h"

#include <algorithm>
#include <fmt/format.h>

#include "program/text/decimal.h"

namespace understudy::program::hlo {
namespace {

// One side of dim_labels: the letters stand for batch, feature, input and output feature; digits
// number the spatial dimensions.
void side_in(std::string_view text, std::string_view letters, Scanner& in, Rows& out) {
  // -1 marks a spatial dimension that has no position yet.
  Ints first, second, spatial(text.size(), -1);
  std::size_t dimensions = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto position = static_cast<std::int64_t>(i);
    if (text[i] == letters[0])
      first.push_back(position);
    else if (text[i] == letters[1])
      second.push_back(position);
    // Digits beyond the number of letters cannot be spatial dimensions. More than nine do not
    // occur: each has one digit.
    else if (text[i] >= '0' && static_cast<std::size_t>(text[i] - '0') < text.size()) {
      spatial[static_cast<std::size_t>(text[i] - '0')] = position;
      ++dimensions;
    } else {
      in.fail(fmt::format("dim_labels: '{}' is not a label of '{}'", text[i], text));
    }
  }
  spatial.resize(dimensions);
  const bool good = first.size() == 1 && second.size() == 1 &&
                    std::find(spatial.begin(), spatial.end(), -1) == spatial.end();
  if (!good) in.fail(fmt::format("dim_labels: '{}' must name each dimension once", text));
  out.insert(out.end(), {std::move(first), std::move(second), std::move(spatial)});
}

}  // namespace

Ints ints_in(Scanner& in) {
  Ints out;
  in.expect("{", "before the numbers");
  while (!in.accept("}")) {
    if (!out.empty()) in.expect(",", "between numbers");
    out.push_back(in.integer("a number"));
  }
  return out;
}

bool flag_in(Scanner& in) {
  if (in.accept_word("true")) return true;
  if (in.accept_word("false")) return false;
  in.unexpected("true or false");
}

double real_in(Scanner& in) {
  const bool negative = in.accept("-");
  // The decimal parser needs the text, not a name: names have no '+' of an exponent.
  const std::string_view rest = in.text();
  if (rest.empty() || rest[0] < '0' || rest[0] > '9') in.unexpected("a number");
  const Decimal number = read_decimal(rest);
  in.skip(number.length);
  return negative ? -number.value : number.value;
}

// {{0,1},{2,3}}
Rows pairs_in(Scanner& in) {
  Rows out;
  in.expect("{", "before the pairs");
  while (!in.accept("}")) {
    if (!out.empty()) in.expect(",", "between pairs");
    out.push_back(ints_in(in));
    if (out.back().size() != 2) in.fail("expected a pair of numbers");
  }
  return out;
}

// {[0:4], [0:6:2]}
Rows slice_in(Scanner& in) {
  Rows out;
  in.expect("{", "before the slices");
  while (!in.accept("}")) {
    if (!out.empty()) in.expect(",", "between slices");
    in.expect("[", "before a slice");
    const std::int64_t start = in.integer("the start");
    in.expect(":", "after the start");
    const std::int64_t limit = in.integer("the limit");
    const std::int64_t stride = in.accept(":") ? in.integer("the stride") : 1;
    out.push_back({start, limit, stride});
    in.expect("]", "after a slice");
  }
  return out;
}

// 0_1x2_2_1: low, high and maybe interior padding of each dimension.
Rows padding_in(Scanner& in) {
  // XLA prints an empty padding for scalars.
  Rows out;
  if (in.done()) return out;
  do {
    const std::int64_t low = in.integer("the low padding");
    in.expect("_", "after the low padding");
    const std::int64_t high = in.integer("the high padding");
    out.push_back({low, high, in.accept("_") ? in.integer("the interior padding") : 0});
  } while (in.accept("x"));
  return out;
}

// {size=3x3 stride=2x2 pad=1_1x1_1 lhs_dilate=1x2 rhs_dilate=2x2 rhs_reversal=1x1}
Rows window_in(Scanner& in) {
  struct Part {
    std::string_view word;
    std::size_t column;
  };
  // Column 3 (high padding) has no word of its own: "pad" sets both.
  constexpr Part kParts[] = {{"size", 0},       {"stride", 1},     {"pad", 2},
                             {"rhs_dilate", 4}, {"lhs_dilate", 5}, {"rhs_reversal", 6}};
  Rows out;
  in.expect("{", "before the window");
  while (!in.accept("}")) {
    const std::uint64_t begin = in.at();
    const std::string_view word = in.name("a property of the window");
    in.expect("=", "after the property");
    const Part* part = std::find_if(std::begin(kParts), std::end(kParts),
                                    [&](const Part& each) { return each.word == word; });
    if (part == std::end(kParts))
      in.fail_at(begin, fmt::format("'{}' is not a property of a window", word));
    for (std::size_t d = 0; d == 0 || in.accept("x"); ++d) {
      // Properties may come in any order; the first one creates the rows with the values that mean
      // "no window".
      if (d == out.size()) out.push_back({1, 1, 0, 0, 1, 1, 0});
      out[d][part->column] = in.integer("a number");
      if (word == "pad") {
        in.expect("_", "after the low padding");
        out[d][3] = in.integer("the high padding");
      }
    }
  }
  return out;
}

// b01f_01io->b01f
Rows labels_in(Scanner& in) {
  const std::string_view all = in.text();
  const std::size_t under = all.find('_'), arrow = all.find("->");
  if (under == std::string_view::npos || arrow == std::string_view::npos || arrow < under)
    in.fail("expected labels such as b01f_01io->b01f");
  Rows out;
  side_in(all.substr(0, under), "bf", in, out);
  side_in(all.substr(under + 1, arrow - under - 1), "io", in, out);
  side_in(all.substr(arrow + 2), "bf", in, out);
  in.skip(all.size());
  return out;
}

// {{0}: (1, {}), {}: (0, {1}, may-alias)}
Rows aliasing_in(Scanner& in) {
  Rows out;
  in.expect("{", "before the aliases");
  while (!in.accept("}")) {
    if (!out.empty()) in.expect(",", "between aliases");
    const Ints result = ints_in(in);
    in.expect(":", "after the output");
    in.expect("(", "before the operand");
    const std::int64_t operand = in.integer("an operand");
    in.expect(",", "after the operand");
    const Ints inside = ints_in(in);
    // may-alias or must-alias; a custom call's aliasing is the same for both.
    if (in.accept(",")) in.name("the kind of the alias");
    in.expect(")", "after the operand");
    Ints row{static_cast<std::int64_t>(result.size())};
    row.insert(row.end(), result.begin(), result.end());
    row.push_back(operand);
    row.insert(row.end(), inside.begin(), inside.end());
    out.push_back(std::move(row));
  }
  return out;
}

}  // namespace understudy::program::hlo
