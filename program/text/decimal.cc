// SPDX-License-Identifier: Apache-2.0
#include "program/text/decimal.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <limits>
#include <system_error>

#include "configs/base/characters.h"

namespace understudy::program {
namespace {

// All powers of ten that a double represents exactly: 10^22 = 2^22 * 5^22, and 5^22 has 52 bits.
constexpr std::array<double, 23> kPowersOfTen = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                                 1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                                 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
constexpr int kMostDigits = 18;  // fit 64 bits
// Far beyond the range of a double. Cut off here, so that the sum of exponents cannot overflow.
constexpr std::int64_t kLargestExponent = 100000;

struct Parts {
  std::uint64_t digits = 0;  // all digits as one number, where there are at most kMostDigits
  int count = 0;             // significant digits
  std::int64_t exponent = 0;
  std::size_t length = 0;
};

// Splits a decimal into its digits as one integer and a power of ten. Leading zeros are not
// significant; more digits than fit are counted, which sends the number to the slow path.
Parts parts_of(std::string_view text) {
  Parts out;
  const char* at = text.data();
  const char* const end = at + text.size();
  const auto digits = [&] {
    const char* const begin = at;
    for (; at < end && is_digit(*at); ++at) {
      out.digits = out.digits * 10 + static_cast<std::uint64_t>(*at - '0');
      // A leading zero leaves `digits` at 0 and is not counted.
      out.count += out.digits != 0;
    }
    return at - begin;
  };
  digits();
  if (at < end && *at == '.') {
    ++at;
    // Each digit behind the point divides by ten.
    out.exponent = -digits();
  }
  if (at < end && (*at == 'e' || *at == 'E')) {
    const char* power = at + 1;
    const bool negative = power < end && *power == '-';
    if (power < end && (*power == '+' || *power == '-')) ++power;
    // "1e" without a digit is the number 1, followed by a word.
    if (power < end && is_digit(*power)) {
      std::int64_t value = 0;
      for (; power < end && is_digit(*power); ++power) {
        value = std::min(value * 10 + (*power - '0'), kLargestExponent);
      }
      out.exponent += negative ? -value : value;
      // The exponent counts only where it has digits; `at` is behind what was read.
      at = power;
    }
  }
  out.length = static_cast<std::size_t>(at - text.data());
  return out;
}

}  // namespace

Decimal read_decimal(std::string_view text) {
  const Parts parts = parts_of(text);
  // Clinger, "How to Read Floating Point Numbers Accurately" (1990), fast path: a significand
  // below 2^53 and a power of ten that a double holds exactly (up to 10^22) need one operation,
  // which rounds once and so correctly. Nearly all literals qualify; the rest use
  // std::from_chars.
  const bool exact = parts.count <= kMostDigits && parts.digits < (std::uint64_t{1} << 53) &&
                     parts.exponent >= -22 && parts.exponent <= 22;
  if (exact) {
    const auto whole = static_cast<double>(parts.digits);
    const double power = kPowersOfTen[static_cast<std::size_t>(
        parts.exponent < 0 ? -parts.exponent : parts.exponent)];
    return {parts.exponent < 0 ? whole / power : whole * power, parts.length};
  }
  double value = 0;
  const auto read = std::from_chars(text.data(), text.data() + parts.length, value);
  if (read.ec == std::errc::result_out_of_range) {
    // from_chars does not say whether the value overflowed or underflowed. The exponent plus
    // the length of the text has the same sign as the true decimal exponent near either end of
    // the range.
    const bool large = parts.exponent + static_cast<std::int64_t>(parts.length) > 0;
    value = large && parts.count > 0 ? std::numeric_limits<double>::infinity() : 0.0;
  }
  return {value, parts.length};
}

}  // namespace understudy::program
