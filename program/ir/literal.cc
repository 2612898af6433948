// SPDX-License-Identifier: Apache-2.0
#include "program/ir/literal.h"

#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>
#include <fmt/format.h>
#include <limits>

namespace understudy::program {
namespace {

// The meaning of the largest exponent.
enum class Style : std::uint8_t {
  ieee,      // infinity and NaN
  fn,        // all ones is NaN, no infinity
  fnuz,      // NaN is the bits of -0, no infinity
  finite,    // neither
  exponent,  // f8E8M0FNU: no sign, no mantissa, no zero; all ones is NaN
};

struct Format {
  int exponent_bits, mantissa_bits, bias;
  Style style;
};

// Bits of exponent and mantissa, bias, and the style of special values, as in ml_dtypes.
Format format_of(ElementType element) {
  switch (element) {
    case ElementType::f4e2m1fn:
      return {2, 1, 1, Style::finite};
    case ElementType::f6e2m3fn:
      return {2, 3, 1, Style::finite};
    case ElementType::f6e3m2fn:
      return {3, 2, 3, Style::finite};
    case ElementType::f8e3m4:
      return {3, 4, 3, Style::ieee};
    case ElementType::f8e4m3:
      return {4, 3, 7, Style::ieee};
    case ElementType::f8e4m3b11fnuz:
      return {4, 3, 11, Style::fnuz};
    case ElementType::f8e4m3fn:
      return {4, 3, 7, Style::fn};
    case ElementType::f8e4m3fnuz:
      return {4, 3, 8, Style::fnuz};
    case ElementType::f8e5m2:
      return {5, 2, 15, Style::ieee};
    case ElementType::f8e5m2fnuz:
      return {5, 2, 16, Style::fnuz};
    case ElementType::f8e8m0fnu:
      return {8, 0, 127, Style::exponent};
    case ElementType::bf16:
      return {8, 7, 127, Style::ieee};
    case ElementType::f16:
      return {5, 10, 15, Style::ieee};
    // f32. The callers handle f64.
    default:
      return {8, 23, 127, Style::ieee};
  }
}

std::uint64_t ones(int count) { return (std::uint64_t{1} << count) - 1; }

// Special codes of a format, without the sign bit. Formats differ in what lies beyond the largest
// finite value: IEEE has infinities, "fn" one NaN, "fnuz" uses the code of -0 as NaN, "finite" has
// nothing and saturates.
std::uint64_t nan_bits(const Format& format) {
  const int m = format.mantissa_bits;
  if (format.style == Style::ieee) {
    // The quiet NaN: exponent all ones, highest mantissa bit set.
    return (ones(format.exponent_bits) << m) | (std::uint64_t{1} << (m - 1));
  }
  if (format.style == Style::fnuz) return std::uint64_t{1} << (format.exponent_bits + m);
  return ones(format.exponent_bits + m);
}
std::uint64_t largest_bits(const Format& format) {
  const std::uint64_t all = ones(format.exponent_bits + format.mantissa_bits);
  // One below infinity.
  if (format.style == Style::ieee) {
    return (ones(format.exponent_bits) << format.mantissa_bits) - 1;
  }
  return format.style == Style::fn || format.style == Style::exponent ? all - 1 : all;
}
std::uint64_t overflow_bits(const Format& format) {
  if (format.style == Style::ieee) return ones(format.exponent_bits) << format.mantissa_bits;
  return format.style == Style::finite ? largest_bits(format) : nan_bits(format);
}

// Magnitude bits of the value nearest to a finite magnitude.
std::uint64_t magnitude_bits(const Format& format, double magnitude) {
  // f8E8M0FNU.
  if (format.style == Style::exponent) {
    // The nearest power of two; a tie rounds up. There is no zero: what is too small becomes
    // the smallest power.
    int exponent = 0;
    const double mantissa = std::frexp(magnitude, &exponent);  // in [0.5, 1)
    const int power = exponent - (mantissa >= 0.75 ? 0 : 1) + format.bias;
    if (magnitude == 0 || power < 0) return 0;
    return power > 254 ? nan_bits(format) : static_cast<std::uint64_t>(power);
  }
  constexpr int kDoubleMantissa = 52;
  constexpr int kDoubleBias = 1023;
  const auto whole = std::bit_cast<std::uint64_t>(magnitude);
  const auto field = static_cast<int>(whole >> kDoubleMantissa);
  // Zero, or a subnormal double.
  if (field == 0) return 0;  // far below what any of these types has
  const std::uint64_t mantissa = (whole & ones(kDoubleMantissa)) | std::uint64_t{1}
                                                                       << kDoubleMantissa;
  const int lowest = 1 - format.bias;
  // Below the lowest exponent values are subnormal: the exponent stays, and more bits are dropped.
  const int exponent = std::max(field - kDoubleBias, lowest);
  const int dropped = kDoubleMantissa - format.mantissa_bits + exponent - (field - kDoubleBias);
  // Two bits beyond the mantissa: less than half of the smallest step.
  if (dropped > kDoubleMantissa + 2) return 0;
  const std::uint64_t rest = mantissa & ones(dropped);
  const std::uint64_t half = std::uint64_t{1} << (dropped - 1);
  std::uint64_t steps = mantissa >> dropped;
  // To nearest, ties to even.
  if (rest > half || (rest == half && (steps & 1) != 0)) ++steps;
  // `steps` includes the implicit bit of a normal value. Adding it to the exponent field, instead
  // of combining bit fields, lets a carry out of rounding reach the exponent.
  const auto above = static_cast<std::uint64_t>(exponent - lowest);
  const std::uint64_t bits = (above << format.mantissa_bits) + steps;
  return bits > largest_bits(format) ? overflow_bits(format) : bits;
}

double magnitude_of(const Format& format, std::uint64_t bits) {
  const int m = format.mantissa_bits;
  const auto exponent = static_cast<int>(bits >> m);
  const auto mantissa = static_cast<double>(bits & ones(m));
  if (format.style == Style::exponent) return std::ldexp(1.0, exponent - format.bias);
  if (exponent == 0) return std::ldexp(mantissa, 1 - format.bias - m);
  return std::ldexp(mantissa + static_cast<double>(std::uint64_t{1} << m),
                    exponent - format.bias - m);
}

// The shortest text that reads back as the same value, always with a point: a float literal without
// one would be read as bits.
template <class T>
std::string shortest(T value) {
  std::array<char, 64> buffer{};
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value,
                                 std::chars_format::scientific);
  std::string text(buffer.data(), end.ptr);
  if (text.find('.') == std::string::npos) text.insert(text.find('e'), ".0");
  return text;
}

}  // namespace

std::uint64_t bits_of_float(ElementType element, double value) {
  if (element == ElementType::f64) return std::bit_cast<std::uint64_t>(value);
  // The conversion of the hardware: to nearest even by default.
  if (element == ElementType::f32) return std::bit_cast<std::uint32_t>(static_cast<float>(value));
  const Format format = format_of(element);
  const int sign_at = format.exponent_bits + format.mantissa_bits;
  const bool has_sign = format.style != Style::exponent;
  const std::uint64_t sign = std::uint64_t{has_sign && std::signbit(value)} << sign_at;
  if (std::isnan(value)) return nan_bits(format) | (format.style == Style::fnuz ? 0 : sign);
  const std::uint64_t bits =
      std::isinf(value) ? overflow_bits(format) : magnitude_bits(format, std::fabs(value));
  // Formats without a sign have no negative values: they become NaN, except what rounds to zero.
  if (!has_sign && std::signbit(value) && bits != 0) return nan_bits(format);
  // These types have one zero, and one NaN.
  const bool no_sign = format.style == Style::fnuz && (bits == 0 || bits == nan_bits(format));
  return no_sign ? bits : bits | sign;
}

// Every value of every type up to f32 is exact in a double.
double float_of_bits(ElementType element, std::uint64_t bits) {
  if (element == ElementType::f64) return std::bit_cast<double>(bits);
  if (element == ElementType::f32) {
    return static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
  }
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  const Format format = format_of(element);
  const int sign_at = format.exponent_bits + format.mantissa_bits;
  const bool has_sign = format.style != Style::exponent;
  const double sign = has_sign && ((bits >> sign_at) & 1) != 0 ? -1.0 : 1.0;
  const std::uint64_t magnitude = bits & ones(sign_at);
  if (format.style == Style::fnuz && bits == nan_bits(format)) return kNan;
  if (format.style == Style::ieee && magnitude > largest_bits(format)) {
    const bool infinite = magnitude == overflow_bits(format);
    return infinite ? sign * std::numeric_limits<double>::infinity() : std::copysign(kNan, sign);
  }
  const bool nan = (format.style == Style::fn || format.style == Style::exponent) &&
                   magnitude == nan_bits(format);
  return nan ? kNan : sign * magnitude_of(format, magnitude);
}

double rounded(ElementType element, double value) {
  return float_of_bits(element, bits_of_float(element, value));
}

void append_bits(ElementType element, std::uint64_t bits, std::vector<std::byte>& out) {
  const std::size_t width = byte_size(element);
  const std::size_t at = out.size();
  out.resize(at + width);
  std::memcpy(out.data() + at, &bits, width);
}

std::uint64_t stored_bits(ElementType element, std::span<const std::byte> data, std::size_t index) {
  const std::size_t width = byte_size(element);
  std::uint64_t bits = 0;
  std::memcpy(&bits, data.data() + index * width, width);
  return bits;
}

std::optional<std::uint64_t> bits_of_integer(ElementType element, bool negative,
                                             std::uint64_t magnitude) {
  const int width = bit_width(element);
  if (is_pred(element)) return magnitude <= 1 ? std::optional(magnitude) : std::nullopt;
  if (is_unsigned_integer(element)) {
    const bool fits = width == 64 || magnitude <= ones(width);
    return fits && (!negative || magnitude == 0) ? std::optional(magnitude) : std::nullopt;
  }
  // Like MLIR, a positive literal may use the sign bit: 255 : i8 is -1.
  // Signed types: one more negative number than positive ones.
  const std::uint64_t most = negative      ? std::uint64_t{1} << (width - 1)
                             : width == 64 ? ~std::uint64_t{0}
                                           : ones(width);
  if (magnitude > most) return std::nullopt;
  std::uint64_t bits = negative ? std::uint64_t{0} - magnitude : magnitude;
  // Stored values repeat their sign in the unused bits, which kernels rely on.
  if (width < 64 && ((bits >> (width - 1)) & 1) != 0) bits |= ~ones(width);
  return bits;
}

// The shortest decimal that reads back as the same bits; hexadecimal where no decimal does (NaNs,
// infinities).
std::string text_of_bits(ElementType element, std::uint64_t bits) {
  if (is_pred(element)) return bits != 0 ? "true" : "false";
  if (is_unsigned_integer(element)) return fmt::format("{}", bits);
  if (is_integer(element)) {
    const int unused = 64 - 8 * static_cast<int>(byte_size(element));
    // Shifted up and down again, which extends the sign.
    return fmt::format("{}", static_cast<std::int64_t>(bits << unused) >> unused);
  }
  const double value = float_of_bits(element, bits);
  if (std::isfinite(value)) {
    const std::string text =
        // An f32 needs at most nine digits; a double's text would show digits that the type does
        // not have.
        element == ElementType::f64 ? shortest(value) : shortest(static_cast<float>(value));
    double again = 0;
    std::from_chars(text.data(), text.data() + text.size(), again);
    // Narrow types round again: text is used only if it gives the same bits.
    if (bits_of_float(element, again) == bits) return text;
  }
  return fmt::format("0x{:0{}X}", bits, (bit_width(element) + 3) / 4);
}

}  // namespace understudy::program
