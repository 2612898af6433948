// SPDX-License-Identifier: Apache-2.0
// Attributes of the stablehlo, chlo and sdy dialects; those of others are kept as text.
#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <optional>
#include <utility>

#include "program/text/dialect_attribute.h"
#include "program/text/given_names.h"
#include "program/text/mhlo_names.h"
#include "program/text/parser.h"

namespace understudy::program {
namespace {

// Structured attributes "key = value, ..." whose fields are read. Other attributes with angle
// brackets are kept as text.
// New structures of the specification are added here; until then they survive as text, and the
// verifier tells whether they matter.
constexpr std::array<std::string_view, 8> kStructures = {
    "dot",        "gather",        "scatter",        "channel_handle", "output_operand_alias",
    "ragged_dot", "dot_algorithm", "result_accuracy"};

Attribute numbers(const std::vector<std::int64_t>& values) {
  std::vector<Attribute> elements;
  for (const std::int64_t value : values) elements.push_back(i64_attribute(value));
  return attribute_of(std::move(elements));
}

struct DimensionList {
  const char *first, *second, *spatial;
  std::string_view first_letter, second_letter;
};
constexpr std::array<DimensionList, 3> kDimensionLists = {
    {{"input_batch_dimension", "input_feature_dimension", "input_spatial_dimensions", "b", "f"},
     {"kernel_input_feature_dimension", "kernel_output_feature_dimension",
      "kernel_spatial_dimensions", "i", "o"},
     {"output_batch_dimension", "output_feature_dimension", "output_spatial_dimensions", "b",
      "f"}}};

// Dimensions by their spatial numbers, from (number, dimension); nullopt where the numbers are not
// 0, 1, ... once each.
std::optional<std::vector<std::int64_t>> in_order(
    std::vector<std::pair<std::int64_t, std::int64_t>> spatial) {
  std::sort(spatial.begin(), spatial.end());
  std::vector<std::int64_t> dimensions;
  // Sorted by spatial number, the position in the result is the number itself.
  for (const auto& [number, dimension] : spatial) {
    if (number != static_cast<std::int64_t>(dimensions.size())) return std::nullopt;
    dimensions.push_back(dimension);
  }
  return dimensions;
}

}  // namespace

// After "#dialect.mnemonic".
Attribute Parser::dialect_attribute(std::string dialect, std::string mnemonic) {
  const bool shardy = dialect == "sdy";
  // Shardy's attributes have grammars of their own.
  if (shardy && mnemonic == "manual_axes") return axes();
  if (shardy && mnemonic == "mesh" && token_.is("<")) return mesh_attribute();
  if (!token_.is("<")) return attribute_of({std::move(dialect), std::move(mnemonic), {}});
  if (shardy && mnemonic == "sharding") return sharding();
  if (shardy && mnemonic == "sharding_per_value") {
    advance();
    Attribute out = sharding_list();
    expect(">", "after the shardings");
    return out;
  }
  if (mnemonic == "conv") return convolution_attribute();
  if (mnemonic == "result_accuracy_mode") {
    advance();
    Attribute out{EnumAttribute{std::string(word("a mode"))}};
    expect(">", "after the mode");
    return out;
  }
  const bool known =
      (dialect == "stablehlo" || dialect == "mhlo" || dialect == "chlo") &&
      std::find(kStructures.begin(), kStructures.end(), mnemonic) != kStructures.end();
  if (known) return struct_attribute(dialect_without_mhlo(std::move(dialect)), std::move(mnemonic));
  advance();
  DialectAttribute out{std::move(dialect), std::move(mnemonic), {}};
  out.parameters.emplace_back("", Attribute{StringAttribute{raw_until(">")}});
  return attribute_of(std::move(out));
}

// <precision HIGHEST>, after #stablehlo
Attribute Parser::enum_attribute(std::string dialect) {
  // "<precision HIGHEST>": the enumeration is known from the attribute's place, so its name is not
  // kept.
  expect("<", "after the dialect");
  word("the name of an enumeration");
  Attribute out{EnumAttribute{std::string(word("a value of the enumeration")),
                              dialect_without_mhlo(std::move(dialect))}};
  expect(">", "after the value");
  return out;
}

// Grammar: '<' (key '=' attribute),* '>'.
Attribute Parser::struct_attribute(std::string dialect, std::string mnemonic) {
  const Nest nest(*this);
  DialectAttribute out{std::move(dialect), std::move(mnemonic), {}};
  GivenNames given(out.parameters);
  expect("<", "before the fields");
  if (accept(">")) return attribute_of(std::move(out));
  do {
    std::string key(word("a field name"));
    if (given.has(key)) fail(fmt::format("duplicate field '{}'", key));
    expect("=", fmt::format("after field '{}'", key));
    // A nested structure has no name: its field decides what it is.
    Attribute value = token_.is("<") ? struct_attribute("", "") : attribute();
    out.parameters.emplace_back(std::move(key), std::move(value));
  } while (accept(","));
  expect(">", "after the fields");
  return attribute_of(std::move(out));
}

// <[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]> or <raw input_batch_dimension = 0, ...>
Attribute Parser::convolution_attribute() {
  expect("<", "before the dimension numbers");
  DialectAttribute out{"stablehlo", "conv", {}};
  // The raw form is what MLIR prints where the letters would not be readable.
  if (accept_word("raw")) {
    do {
      std::string key(word("a field name"));
      expect("=", fmt::format("after field '{}'", key));
      out.parameters.emplace_back(std::move(key), attribute());
    } while (accept(","));
  } else {
    out.parameters = convolution_dimensions();
  }
  expect(">", "after the dimension numbers");
  return attribute_of(std::move(out));
}

// The three lists: position k holds a letter or the spatial number that tensor dimension k has.
std::vector<NamedAttribute> Parser::convolution_dimensions() {
  std::vector<NamedAttribute> out;
  for (std::size_t which = 0; which < kDimensionLists.size(); ++which) {
    const DimensionList& list = kDimensionLists[which];
    if (which == 1) expect_word("x", "between the dimension lists");
    if (which == 2) expect("->", "between the dimension lists");
    const std::uint64_t begin = token_.offset;
    std::int64_t first = -1;
    std::int64_t second = -1;
    std::vector<std::pair<std::int64_t, std::int64_t>> spatial;  // (spatial number, dimension)
    expect("[", "before the dimensions");
    for (std::int64_t dimension = 0; !accept("]"); ++dimension) {
      if (dimension > 0) expect(",", "between the dimensions");
      if (accept_word(list.first_letter)) {
        first = dimension;
      } else if (accept_word(list.second_letter)) {
        second = dimension;
      } else if (accept("?")) {
        fail("unknown dimensions are not supported");
      } else {
        spatial.emplace_back(integer(fmt::format("{}, {} or a spatial dimension", list.first_letter,
                                                 list.second_letter)),
                             dimension);
      }
    }
    if (first < 0 || second < 0) {
      fail_at(begin, fmt::format("these dimensions lack '{}'",
                                 first < 0 ? list.first_letter : list.second_letter));
    }
    const auto dimensions = in_order(std::move(spatial));
    if (!dimensions) fail_at(begin, "the spatial dimensions must be numbered 0, 1, ... once each");
    out.emplace_back(list.first, i64_attribute(first));
    out.emplace_back(list.second, i64_attribute(second));
    out.emplace_back(list.spatial, numbers(*dimensions));
  }
  return out;
}

}  // namespace understudy::program
