// SPDX-License-Identifier: Apache-2.0
// Products of a matrix of int8 and a vector without VNNI: the matrix is read once, in place. Pairs
// of neighbours in k are multiplied as 16-bit numbers and summed in 32 bits by one instruction of
// AVX2, exactly. Sums wrap, so their order has no influence.
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <vector>

#include "worker/chip/mxu/mxu_tile.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace understudy::worker {
#if defined(__x86_64__)
namespace int8_vector {
namespace {

#define UNDERSTUDY_INT8_VECTOR __attribute__((target("avx2")))

constexpr std::int64_t kLanes = 16;

// The vector is multiplied with `count` lines of the matrix, which are `line` elements apart.
struct Lines {
  const std::int8_t* matrix;
  std::int64_t count, line, k;
  const std::int16_t* vector;  // of k numbers, with a zero behind an odd number of them
};

UNDERSTUDY_INT8_VECTOR __m256i sixteen(const std::int8_t* at) {
  return _mm256_cvtepi8_epi16(_mm_loadu_si128(reinterpret_cast<const __m128i*>(at)));
}
UNDERSTUDY_INT8_VECTOR __m256i sums_of_pairs(const std::int8_t* line, const std::int16_t* vector) {
  const __m256i numbers = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(vector));
  return _mm256_madd_epi16(sixteen(line), numbers);
}

// out[i] = the sum over k of line i; dense along k.
UNDERSTUDY_INT8_VECTOR void add_along(const Lines& of, std::uint32_t* out, std::int64_t step,
                                      bool adds) {
  for (std::int64_t i = 0; i < of.count; ++i) {
    const std::int8_t* const line = of.matrix + i * of.line;
    __m256i even = _mm256_setzero_si256(), odd = even;
    std::int64_t k = 0;
    for (; k + 2 * kLanes <= of.k; k += 2 * kLanes) {
      even = _mm256_add_epi32(even, sums_of_pairs(line + k, of.vector + k));
      odd = _mm256_add_epi32(odd, sums_of_pairs(line + k + kLanes, of.vector + k + kLanes));
    }
    std::uint32_t lanes[8];
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(lanes), _mm256_add_epi32(even, odd));
    std::uint32_t sum = adds ? out[i * step] : 0;
    for (const std::uint32_t lane : lanes) sum += lane;
    for (; k < of.k; ++k) sum += static_cast<std::uint32_t>(line[k] * of.vector[k]);
    out[i * step] = sum;
  }
}

// Sixteen results += the products of two lines that are side by side, `pair` in each lane.
UNDERSTUDY_INT8_VECTOR void add_two(const std::int8_t* first, const std::int8_t* second,
                                    __m256i pair, __m256i& low, __m256i& high) {
  const __m128i a = _mm_loadu_si128(reinterpret_cast<const __m128i*>(first)),
                b = _mm_loadu_si128(reinterpret_cast<const __m128i*>(second));
  const auto products = [&](__m128i pairs) UNDERSTUDY_INT8_VECTOR {
    return _mm256_madd_epi16(_mm256_cvtepi8_epi16(pairs), pair);
  };
  low = _mm256_add_epi32(low, products(_mm_unpacklo_epi8(a, b)));
  high = _mm256_add_epi32(high, products(_mm_unpackhi_epi8(a, b)));
}

// Two numbers of the vector in each lane.
UNDERSTUDY_INT8_VECTOR __m256i pair_at(const std::int16_t* vector) {
  std::int32_t pair;
  std::memcpy(&pair, vector, sizeof(pair));
  return _mm256_set1_epi32(pair);
}

// out[j] += the sum over `lines` lines from line k on of element first + j of each, for whole
// vectors below n. Of one line alone the other numbers are zeros.
template <std::int64_t kCount>
UNDERSTUDY_INT8_VECTOR void add_lines(const Lines& of, std::int64_t k, std::int64_t first,
                                      std::int64_t n, std::uint32_t* out) {
  constexpr std::int64_t kPairs = (kCount + 1) / 2;
  const std::int8_t* const at = of.matrix + k * of.line + first;
  __m256i pairs[kPairs];
#pragma GCC unroll 4
  for (std::int64_t p = 0; p < kPairs; ++p) pairs[p] = pair_at(of.vector + k + 2 * p);
  for (std::int64_t j = 0; j + kLanes <= n; j += kLanes) {
    auto* const to = reinterpret_cast<__m256i*>(out + j);
    __m256i low = _mm256_loadu_si256(to), high = _mm256_loadu_si256(to + 1);
#pragma GCC unroll 4
    for (std::int64_t p = 0; p < kPairs; ++p) {
      const std::int8_t* const line = at + 2 * p * of.line + j;
      add_two(line, kCount == 1 ? line : line + of.line, pairs[p], low, high);
    }
    _mm256_storeu_si256(to, low);
    _mm256_storeu_si256(to + 1, high);
  }
}

// All lines, eight at a time.
void add_all_lines(const Lines& of, std::int64_t first, std::int64_t n, std::uint32_t* out) {
  std::int64_t k = 0;
  for (; k + 8 <= of.k; k += 8) add_lines<8>(of, k, first, n, out);
  for (; k + 2 <= of.k; k += 2) add_lines<2>(of, k, first, n, out);
  if (k < of.k) add_lines<1>(of, k, first, n, out);
}

// out[j] = the sum over the lines of element j of each; dense across k, at least a vector of them.
void add_across(const Lines& of, std::uint32_t* out, bool adds) {
  constexpr std::int64_t kBlock = 1024;  // results that stay in the first-level cache
  if (!adds) std::fill(out, out + of.count, 0U);
  const std::int64_t whole = of.count / kLanes * kLanes;
  for (std::int64_t first = 0; first < whole; first += kBlock)
    add_all_lines(of, first, std::min(kBlock, whole - first), out + first);
  if (whole == of.count) return;
  // The last vector has results before, too, which must not be added again.
  std::uint32_t last[kLanes] = {};
  add_all_lines(of, of.count - kLanes, kLanes, last);
  for (std::int64_t j = whole; j < of.count; ++j) out[j] += last[j - (of.count - kLanes)];
}

bool multiply(const MxuTile& t) {
  if (t.element != program::ElementType::i8 || (t.m != 1 && t.n != 1) ||
      __builtin_cpu_supports("avx2") == 0)
    return false;
  // `matrix` is a, or b with the roles of rows and columns exchanged.
  const bool is_left = t.n == 1;
  const std::int64_t step = is_left ? t.a_column : t.b_row;  // along k
  const std::int64_t line = is_left ? t.a_row : t.b_column;  // across
  const std::int64_t count = is_left ? t.m : t.n, c_step = is_left ? t.c_row : 1;
  const bool goes_along = step == 1;
  if (!goes_along && (line != 1 || c_step != 1 || count < kLanes)) return false;
  const auto* const source = static_cast<const std::int8_t*>(is_left ? t.b : t.a);
  const std::int64_t source_step = is_left ? t.b_row : t.a_column;
  std::vector<std::int16_t> vector(static_cast<std::size_t>(t.k + 1));
  for (std::int64_t k = 0; k < t.k; ++k)
    vector[static_cast<std::size_t>(k)] = source[k * source_step];
  const Lines lines{static_cast<const std::int8_t*>(is_left ? t.a : t.b), count,
                    goes_along ? line : step, t.k, vector.data()};
  auto* const out = static_cast<std::uint32_t*>(t.c);
  if (goes_along)
    add_along(lines, out, c_step, t.add);
  else
    add_across(lines, out, t.add);
  return true;
}

}  // namespace
}  // namespace int8_vector

bool multiply_int8_vector(const MxuTile& tile) { return int8_vector::multiply(tile); }
#else
bool multiply_int8_vector(const MxuTile&) { return false; }
#endif

}  // namespace understudy::worker
