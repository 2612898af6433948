// SPDX-License-Identifier: Apache-2.0
#include "program/text/hex.h"

#include <algorithm>
#include <array>
#include <cstdint>
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace understudy::program {
namespace {

// Its upper nibble is set, so the OR of all digits tells whether one was bad.
constexpr std::uint8_t kNoDigit = 0xFF;

constexpr std::array<std::uint8_t, 256> kDigits = [] {
  std::array<std::uint8_t, 256> table{};
  table.fill(kNoDigit);
  for (int i = 0; i < 10; ++i) table[static_cast<std::size_t>('0' + i)] = static_cast<uint8_t>(i);
  for (int i = 0; i < 6; ++i) {
    table[static_cast<std::size_t>('a' + i)] = static_cast<std::uint8_t>(10 + i);
    table[static_cast<std::size_t>('A' + i)] = static_cast<std::uint8_t>(10 + i);
  }
  return table;
}();

std::uint8_t digit(char c) { return kDigits[static_cast<unsigned char>(c)]; }

// Bytes [0, count) from digits; false where a character is no digit.
bool decode_plainly(const char* digits, std::size_t count, std::byte* out) {
  std::uint8_t bad = 0;
  for (std::size_t i = 0; i < count; ++i) {
    // No branch per digit: the check is done once for the whole run.
    const std::uint8_t high = digit(digits[2 * i]);
    const std::uint8_t low = digit(digits[2 * i + 1]);
    bad |= static_cast<std::uint8_t>(high | low);  // values stay below 16 but for kNoDigit
    out[i] = static_cast<std::byte>(high << 4 | (low & 15));
  }
  return bad < 16;
}

#if defined(__SSE2__)
// Converts 16 digits to 16 values. Bit 0x20 turns letters to lower case; the low nibble of '0' to
// '9' is the value, that of 'a' to 'f' is the value minus 9. Bytes that are not digits set bytes of
// `bad`.
__m128i values_of(__m128i text, __m128i& bad) {
  // No character other than 'A' to 'F' becomes 'a' to 'f' by this bit.
  const __m128i lower = _mm_or_si128(text, _mm_set1_epi8(0x20));
  const auto between = [](__m128i x, char first, char last) {
    return _mm_and_si128(_mm_cmpgt_epi8(x, _mm_set1_epi8(static_cast<char>(first - 1))),
                         _mm_cmplt_epi8(x, _mm_set1_epi8(static_cast<char>(last + 1))));
  };
  const __m128i is_digit = between(text, '0', '9');
  const __m128i is_letter = between(lower, 'a', 'f');
  bad = _mm_or_si128(bad, _mm_cmpeq_epi8(_mm_or_si128(is_digit, is_letter), _mm_setzero_si128()));
  const __m128i nine = _mm_and_si128(is_letter, _mm_set1_epi8(9));
  return _mm_add_epi8(_mm_and_si128(text, _mm_set1_epi8(15)), nine);
}

// Joins each pair of values to a byte, the first one as the high nibble, in the low half of 16
// bits.
__m128i paired(__m128i values) {
  // Little-endian: the first character of a pair is in the low byte of the 16-bit lane.
  const __m128i both = _mm_or_si128(_mm_slli_epi16(values, 4), _mm_srli_epi16(values, 8));
  return _mm_and_si128(both, _mm_set1_epi16(0xFF));
}

bool decode(const char* digits, std::size_t count, std::byte* out) {
  __m128i bad = _mm_setzero_si128();
  std::size_t i = 0;
  for (; i + 16 <= count; i += 16) {
    const auto* from = reinterpret_cast<const __m128i*>(digits + 2 * i);
    const __m128i first = paired(values_of(_mm_loadu_si128(from), bad));
    const __m128i second = paired(values_of(_mm_loadu_si128(from + 1), bad));
    // Both halves are at most 0xFF, so packing with saturation changes nothing.
    _mm_storeu_si128(reinterpret_cast<__m128i*>(out + i), _mm_packus_epi16(first, second));
  }
  // The rest of fewer than 16 bytes; all errors are found again, one by one, by append_hex().
  return _mm_movemask_epi8(bad) == 0 && decode_plainly(digits + 2 * i, count - i, out + i);
}
#else
bool decode(const char* digits, std::size_t count, std::byte* out) {
  return decode_plainly(digits, count, out);
}
#endif

}  // namespace

std::optional<std::size_t> append_hex(std::string_view digits, std::vector<std::byte>& bytes) {
  // Decodes through a small buffer, so that the pages of `bytes` are touched once, and not zeroed
  // first by a resize.
  // 16 KiB: half of a usual L1 data cache.
  std::array<std::byte, 16384> buffer;
  const std::size_t all = digits.size() / 2;
  bytes.reserve(bytes.size() + all);
  for (std::size_t at = 0; at < all; at += buffer.size()) {
    const std::size_t count = std::min(buffer.size(), all - at);
    if (!decode(digits.data() + 2 * at, count, buffer.data())) {
      std::size_t wrong = 2 * at;
      // Decoding said only that there is a bad digit; this loop finds it for the message.
      while (digit(digits[wrong]) != kNoDigit && digit(digits[wrong + 1]) != kNoDigit) wrong += 2;
      return wrong;
    }
    bytes.insert(bytes.end(), buffer.begin(), buffer.begin() + static_cast<std::ptrdiff_t>(count));
  }
  return std::nullopt;
}

void append_hex_digits(const std::vector<std::byte>& bytes, std::string& text) {
  static constexpr std::string_view kText = "0123456789ABCDEF";
  text.reserve(text.size() + 2 * bytes.size());
  for (const std::byte byte : bytes) {
    text += kText[std::to_integer<std::size_t>(byte) >> 4];
    text += kText[std::to_integer<std::size_t>(byte) & 15];
  }
}

}  // namespace understudy::program
