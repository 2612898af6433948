// SPDX-License-Identifier: Apache-2.0
// Literals of HLO text: 1.5, {1, 2, 3}, { { (1, 2) }, { (nan, -inf) } }, nan(0x7fc1), {...}.
#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <fmt/format.h>

#include "configs/base/characters.h"
#include "program/hlo/text_parts.h"
#include "program/ir/dense.h"
#include "program/ir/literal.h"
#include "program/text/decimal.h"

namespace understudy::program::hlo {
namespace {

// Bits of a significand field: what the bits of NaN are shifted into.
struct FloatFormat {
  ElementType type;
  int significand;
};
// Formats whose NaN has bits that text can print. Types of 8 bits and fewer have one or two NaNs,
// which bits_of_float() chooses.
constexpr FloatFormat kWide[] = {
    {ElementType::bf16, 7}, {ElementType::f16, 10}, {ElementType::f32, 23}, {ElementType::f64, 52}};

class LiteralText {
 public:
  LiteralText(Scanner& in, const TensorType& type) : in_(in), type_(type) {}

  // Nesting of braces follows the dimensions; only the number of elements is checked, as the
  // elements of any nesting are in row-major order.
  std::vector<std::byte> read() {
    const auto count = static_cast<std::size_t>(type_.elements());
    if (type_.shape.empty())
      element();
    else
      braces();
    if (seen_ != count)
      in_.fail(
          fmt::format("the literal has {} elements, but {} has {}", seen_, text_of(type_), count));
    return std::move(data_);
  }

 private:
  void braces() {
    // A loop, not recursion: nesting of a hostile file costs no stack.
    in_.expect("{", "before the elements");
    for (int depth = 1; depth > 0;) {
      if (in_.accept("{"))
        ++depth;
      else if (in_.accept("}"))
        --depth;
      else if (!in_.accept(","))
        element();
    }
  }

  void element() {
    ++seen_;
    if (!is_complex(type_.element)) return scalar(type_.element);
    const ElementType part =
        type_.element == ElementType::c64 ? ElementType::f32 : ElementType::f64;
    in_.expect("(", "before the real part");
    scalar(part);
    in_.expect(",", "before the imaginary part");
    scalar(part);
    in_.expect(")", "after the imaginary part");
  }

  void scalar(ElementType element) {
    const std::uint64_t begin = in_.at();
    const bool negative = in_.accept("-");
    if (!negative) in_.accept("+");
    // The sign is read apart, because -nan and -0 differ from nan and 0 in bits only.
    const auto bits =
        is_float(element) ? float_bits(element, negative) : integer_bits(element, negative);
    if (!bits) in_.fail_at(begin, fmt::format("expected a number of type {}", hlo_name(element)));
    append_bits(element, *bits, data_);
  }

  std::optional<std::uint64_t> integer_bits(ElementType element, bool negative) {
    if (in_.accept_word("true")) return 1;
    if (in_.accept_word("false")) return 0;
    const std::string_view word = in_.name("a number");
    std::uint64_t magnitude = 0;
    const auto read = std::from_chars(word.data(), word.data() + word.size(), magnitude);
    if (read.ec != std::errc{} || read.ptr != word.data() + word.size()) return std::nullopt;
    // pred is printed as 0 and 1 in arrays and as words alone.
    if (is_pred(element))
      return magnitude <= 1 && !negative ? std::optional(magnitude) : std::nullopt;
    return bits_of_integer(element, negative, magnitude);
  }

  std::optional<std::uint64_t> float_bits(ElementType element, bool negative) {
    const std::uint64_t begin = in_.at();
    if (in_.accept_word("inf")) return with_sign(element, HUGE_VAL, negative);
    if (in_.accept_word("nan")) return nan_bits(element, negative);
    const std::string_view rest = in_.source().text().substr(begin);
    if (rest.empty() || !is_digit(rest[0])) return std::nullopt;
    // A name's characters hold all of a number but the sign of its exponent.
    // Decimal text goes through one correctly rounded conversion to f64 and a second rounding to
    // the type.
    const Decimal number = read_decimal(rest);
    in_.skip(number.length);
    return with_sign(element, number.value, negative);
  }

  static std::uint64_t with_sign(ElementType element, double value, bool negative) {
    return bits_of_float(element, negative ? -value : value);
  }

  // nan, or nan(0x200000) with the bits of its significand.
  std::optional<std::uint64_t> nan_bits(ElementType element, bool negative) {
    std::uint64_t payload = 0;
    const bool given = in_.accept("(0x");
    if (given) {
      const std::string_view digits = in_.name("hexadecimal digits");
      const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), payload, 16);
      if (read.ec != std::errc{} || read.ptr != digits.data() + digits.size()) return std::nullopt;
      in_.expect(")", "after the bits of NaN");
    }
    for (const FloatFormat& format : kWide) {
      if (format.type != element) continue;
      // The highest bit of the significand makes a NaN quiet; the default NaN has this bit alone.
      const std::uint64_t quiet = std::uint64_t{1} << (format.significand - 1);
      const int width = bit_width(element);
      const std::uint64_t exponent = ((std::uint64_t{1} << (width - 1 - format.significand)) - 1)
                                     << format.significand;
      const std::uint64_t sign = std::uint64_t{negative} << (width - 1);
      return sign | exponent | (given ? payload & (quiet * 2 - 1) : quiet);
    }
    return with_sign(element, std::bit_cast<double>(std::uint64_t{0x7FF8000000000000}), negative);
  }

  Scanner& in_;
  const TensorType& type_;
  std::vector<std::byte> data_;
  std::size_t seen_ = 0;
};

}  // namespace

bool literals_in(Scanner& in, const HloShape& shape, std::vector<DenseAttribute>& out) {
  if (shape.kind == HloShape::Kind::tuple) {
    in.expect("(", "before the parts of a tuple");
    for (std::size_t i = 0; i < shape.parts.size(); ++i) {
      if (i > 0) in.expect(",", "between the parts of a tuple");
      if (!literals_in(in, shape.parts[i], out)) return false;
    }
    in.expect(")", "after the parts of a tuple");
    return true;
  }
  if (in.accept("{...}")) return false;
  if (shape.kind != HloShape::Kind::array || !shape.text.empty()) {
    in.raw();  // kept out: no element type holds it
    return false;
  }
  const TensorType type{shape.element, shape.dimensions};
  out.push_back(dense_of(type, LiteralText(in, type).read()));
  return true;
}

}  // namespace understudy::program::hlo
