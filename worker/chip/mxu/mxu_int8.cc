// SPDX-License-Identifier: Apache-2.0
// Products of int8 matrices without VNNI: pairs of neighbours in k are multiplied as 16-bit numbers
// and summed in 32 bits by one instruction of AVX2, exactly (2 * 128 * 128 < 2^31). Sums wrap.
#include <algorithm>
#include <array>
#include <cstring>
#include <vector>

#include "worker/chip/mxu/mxu_tile.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace understudy::worker {
#if defined(__x86_64__)
namespace {

#define UNDERSTUDY_AVX2 __attribute__((target("avx2")))

constexpr std::int64_t kInt8Columns = 16, kTallestInt8 = 6;  // of the sums in registers
constexpr std::int64_t kInt8Pairs = 256;                     // of a panel of b: 16 KiB
constexpr std::int64_t kInt8RowsAtOnce = 16 * kTallestInt8;  // of a: 96 KiB

// Sums of kTall rows and 16 columns, added to c if `adds`. a: pairs, its rows `a_row` numbers
// apart.
template <std::int64_t kTall>
UNDERSTUDY_AVX2 void int8_tile(const std::int16_t* a, std::int64_t a_row, const std::int16_t* b,
                               std::int64_t pairs, std::int32_t* c, std::int64_t c_row, bool adds) {
  __m256i low[kTall], high[kTall];
#pragma GCC unroll 6
  for (std::int64_t i = 0; i < kTall; ++i) {
    const auto* const from = reinterpret_cast<const __m256i*>(c + i * c_row);
    low[i] = adds ? _mm256_loadu_si256(from) : _mm256_setzero_si256();
    high[i] = adds ? _mm256_loadu_si256(from + 1) : _mm256_setzero_si256();
  }
  for (std::int64_t k = 0; k < pairs; ++k, a += 2, b += 2 * kInt8Columns) {
    const auto* const right = reinterpret_cast<const __m256i*>(b);
    const __m256i first = _mm256_loadu_si256(right), second = _mm256_loadu_si256(right + 1);
#pragma GCC unroll 6
    for (std::int64_t i = 0; i < kTall; ++i) {
      std::int32_t pair;
      std::memcpy(&pair, a + i * a_row, sizeof(pair));
      const __m256i left = _mm256_set1_epi32(pair);
      low[i] = _mm256_add_epi32(low[i], _mm256_madd_epi16(left, first));
      high[i] = _mm256_add_epi32(high[i], _mm256_madd_epi16(left, second));
    }
  }
#pragma GCC unroll 6
  for (std::int64_t i = 0; i < kTall; ++i) {
    auto* const to = reinterpret_cast<__m256i*>(c + i * c_row);
    _mm256_storeu_si256(to, low[i]);
    _mm256_storeu_si256(to + 1, high[i]);
  }
}

using Int8Tile = void (*)(const std::int16_t*, std::int64_t, const std::int16_t*, std::int64_t,
                          std::int32_t*, std::int64_t, bool);
constexpr std::array<Int8Tile, kTallestInt8> kInt8Tiles = {
    &int8_tile<1>, &int8_tile<2>, &int8_tile<3>, &int8_tile<4>, &int8_tile<5>, &int8_tile<6>};

UNDERSTUDY_AVX2 void widen(const std::int8_t* in, std::int64_t step, std::int16_t* out,
                           std::int64_t n) {
  std::int64_t i = 0;
  for (; step == 1 && i + 16 <= n; i += 16)
    _mm256_storeu_si256(
        reinterpret_cast<__m256i*>(out + i),
        _mm256_cvtepi8_epi16(_mm_loadu_si128(reinterpret_cast<const __m128i*>(in + i))));
  for (; i < n; ++i) out[i] = in[i * step];
}
UNDERSTUDY_AVX2 void interleave(const std::int8_t* first, const std::int8_t* second,
                                std::int16_t* out) {
  static_assert(kInt8Columns == 16);
  const __m128i a = _mm_loadu_si128(reinterpret_cast<const __m128i*>(first)),
                b = _mm_loadu_si128(reinterpret_cast<const __m128i*>(second));
  auto* const to = reinterpret_cast<__m256i*>(out);
  _mm256_storeu_si256(to, _mm256_cvtepi8_epi16(_mm_unpacklo_epi8(a, b)));
  _mm256_storeu_si256(to + 1, _mm256_cvtepi8_epi16(_mm_unpackhi_epi8(a, b)));
}

class Int8Product {
 public:
  explicit Int8Product(const MxuTile& tile)
      : t_(tile), panels_((tile.n + kInt8Columns - 1) / kInt8Columns) {}

  void run() {
    const std::int64_t deepest = std::min(2 * kInt8Pairs, (t_.k + 1) / 2 * 2);
    left_.resize(static_cast<std::size_t>(std::min(kInt8RowsAtOnce, t_.m) * deepest));
    right_.resize(static_cast<std::size_t>(panels_ * kInt8Columns * deepest));
    for (std::int64_t k = 0; k < t_.k; k += 2 * kInt8Pairs) {
      depth_ = std::min(2 * kInt8Pairs, t_.k - k);
      even_ = (depth_ + 1) / 2 * 2;
      for (std::int64_t panel = 0; panel < panels_; ++panel) pack_right(k, panel);
      for (std::int64_t m = 0; m < t_.m; m += kInt8RowsAtOnce)
        multiply_rows(m, std::min(kInt8RowsAtOnce, t_.m - m), k);
    }
  }

 private:
  void pack_left(std::int64_t m, std::int64_t rows, std::int64_t k) {
    const auto* const a = static_cast<const std::int8_t*>(t_.a) + m * t_.a_row + k * t_.a_column;
    for (std::int64_t i = 0; i < rows; ++i) {
      widen(a + i * t_.a_row, t_.a_column, left_.data() + i * even_, depth_);
      if (depth_ < even_) left_[static_cast<std::size_t>(i * even_ + depth_)] = 0;
    }
  }

  // [pair][column][2], with zeros beyond the last column and the last number.
  void pack_right(std::int64_t k, std::int64_t panel) {
    const std::int64_t first = panel * kInt8Columns, columns = std::min(kInt8Columns, t_.n - first);
    const auto* const b =
        static_cast<const std::int8_t*>(t_.b) + k * t_.b_row + first * t_.b_column;
    std::int16_t* to = right_.data() + panel * kInt8Columns * even_;
    const bool has_rows = t_.b_column == 1 && columns == kInt8Columns;
    for (std::int64_t i = 0; i < depth_; i += 2, to += 2 * kInt8Columns) {
      const std::int8_t* const from = b + i * t_.b_row;
      if (has_rows && i + 1 < depth_) {
        interleave(from, from + t_.b_row, to);
        continue;
      }
      std::fill_n(to, 2 * kInt8Columns, std::int16_t{0});
      for (std::int64_t odd = 0; odd < std::min<std::int64_t>(2, depth_ - i); ++odd)
        for (std::int64_t n = 0; n < columns; ++n)
          to[2 * n + odd] = from[odd * t_.b_row + n * t_.b_column];
    }
  }

  void multiply_rows(std::int64_t m, std::int64_t rows, std::int64_t k) {
    pack_left(m, rows, k);
    const bool adds = t_.add || k > 0;
    for (std::int64_t panel = 0; panel < panels_; ++panel) {
      const std::int64_t first = panel * kInt8Columns,
                         columns = std::min(kInt8Columns, t_.n - first);
      const std::int16_t* const b = right_.data() + panel * kInt8Columns * even_;
      for (std::int64_t i = 0; i < rows; i += kTallestInt8)
        multiply_tile(i, std::min(kTallestInt8, rows - i), b,
                      static_cast<std::int32_t*>(t_.c) + (m + i) * t_.c_row + first, columns, adds);
    }
  }

  // Sums of a part of a panel are kept beside: the registers hold whole ones.
  void multiply_tile(std::int64_t row, std::int64_t tall, const std::int16_t* b, std::int32_t* c,
                     std::int64_t columns, bool adds) {
    const auto bytes = static_cast<std::size_t>(columns) * sizeof(std::int32_t);
    const Int8Tile tile = kInt8Tiles[static_cast<std::size_t>(tall - 1)];
    const std::int16_t* const a = left_.data() + row * even_;
    if (columns == kInt8Columns) return tile(a, even_, b, even_ / 2, c, t_.c_row, adds);
    std::int32_t beside[kTallestInt8 * kInt8Columns] = {};
    for (std::int64_t i = 0; i < tall && adds; ++i)
      std::memcpy(beside + i * kInt8Columns, c + i * t_.c_row, bytes);
    tile(a, even_, b, even_ / 2, beside, kInt8Columns, adds);
    for (std::int64_t i = 0; i < tall; ++i)
      std::memcpy(c + i * t_.c_row, beside + i * kInt8Columns, bytes);
  }

  const MxuTile& t_;
  std::int64_t panels_, depth_ = 0, even_ = 0;
  std::vector<std::int16_t> left_, right_;
};

}  // namespace

bool multiply_int8(const MxuTile& tile) {
  if (__builtin_cpu_supports("avx2") == 0) return false;
  Int8Product(tile).run();
  return true;
}
#else
bool multiply_int8(const MxuTile&) { return false; }
#endif

}  // namespace understudy::worker
