// SPDX-License-Identifier: Apache-2.0
#include "worker/chip/mxu/mxu_narrow.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "configs/base/error.h"
#include "worker/chip/mxu/mxu_places.h"
#include "worker/chip/numbers.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace understudy::worker {

#if defined(__x86_64__)
namespace narrow {
namespace {

using program::ElementType;

#define UNDERSTUDY_NARROW __attribute__((target("avx2,fma")))

constexpr std::int64_t kLanes = 8;
// With longer sums, or more columns, packing takes a small part of the time.
constexpr std::int64_t kLongest = 16, kMostColumns = 2 * kLanes;
constexpr std::int64_t kRowsAtOnce = 256;  // of at most 16 KiB

struct Rows {
  std::int64_t k, n;
  const float* left;   // dense rows
  const float* right;  // rows of whole vectors
};

// kTall rows of the result in whole vectors: what is stored beyond the end of a row is overwritten
// by the next.
template <std::int64_t kTall, std::int64_t kVectors>
UNDERSTUDY_NARROW void rows_tile(const Rows& of, const float* left, float* out) {
  __m256 sums[kTall][kVectors];
#pragma GCC unroll 4
  for (std::int64_t i = 0; i < kTall; ++i)
#pragma GCC unroll 2
    for (std::int64_t v = 0; v < kVectors; ++v) sums[i][v] = _mm256_setzero_ps();
  const float* right = of.right;
  for (std::int64_t k = 0; k < of.k; ++k, right += kVectors * kLanes)
#pragma GCC unroll 2
    for (std::int64_t v = 0; v < kVectors; ++v) {
      const __m256 columns = _mm256_loadu_ps(right + v * kLanes);
#pragma GCC unroll 4
      for (std::int64_t i = 0; i < kTall; ++i)
        sums[i][v] = _mm256_fmadd_ps(_mm256_broadcast_ss(left + i * of.k + k), columns, sums[i][v]);
    }
#pragma GCC unroll 4
  for (std::int64_t i = 0; i < kTall; ++i)
#pragma GCC unroll 2
    for (std::int64_t v = 0; v < kVectors; ++v)
      _mm256_storeu_ps(out + i * of.n + v * kLanes, sums[i][v]);
}

// `rows` rows, with `room` elements of the result from the first of them on.
template <std::int64_t kVectors>
UNDERSTUDY_NARROW void multiply_rows(const Rows& of, std::int64_t rows, float* out,
                                     std::int64_t room) {
  constexpr std::int64_t kTall = 4, kWidth = kVectors * kLanes;
  const float* left = of.left;
  std::int64_t i = 0;
  for (; i + kTall <= rows && room >= (kTall - 1) * of.n + kWidth; i += kTall) {
    rows_tile<kTall, kVectors>(of, left, out);
    left += kTall * of.k;
    out += kTall * of.n;
    room -= kTall * of.n;
  }
  for (; i < rows; ++i, left += of.k, out += of.n) {
    float beside[kWidth];
    rows_tile<1, kVectors>(of, left, beside);
    std::copy_n(beside, of.n, out);
  }
}

// `n` elements as f32, rounded to bf16.
void read_numbers(ElementType element, const std::byte* from, std::int64_t n, float* to) {
  if (element == ElementType::f32)
    return round_to_bf16(reinterpret_cast<const float*>(from), to, n);
  const auto* const halves = reinterpret_cast<const std::uint16_t*>(from);
  for (std::int64_t i = 0; i < n; ++i) to[i] = float_of_bf16(halves[i]);
}

class Narrow {
 public:
  Narrow(const Product& p, const std::byte* lhs, const std::byte* rhs, std::byte* out, Vmem& vmem)
      : p_(p),
        lhs_(lhs),
        out_(reinterpret_cast<float*>(out)),
        width_((p.n + kLanes - 1) / kLanes * kLanes),
        left_(vmem.take_as<float>(static_cast<std::uint64_t>(kRowsAtOnce * p.k))),
        right_(vmem.take_as<float>(static_cast<std::uint64_t>(p.k * width_))) {
    const auto bytes = static_cast<std::int64_t>(program::byte_size(p.rhs.element));
    std::fill_n(right_, p.k * width_, 0.0F);
    for (std::int64_t k = 0; k < p.k; ++k)
      for (std::int64_t j = 0; j < p.n; ++j)
        read_numbers(p.rhs.element, rhs + (k * p.rhs.row_stride + j * p.rhs.column_stride) * bytes,
                     1, right_ + k * width_ + j);
  }

  void run() {
    for (std::int64_t first = 0; first < p_.m; first += kRowsAtOnce) {
      const std::int64_t rows = std::min(kRowsAtOnce, p_.m - first);
      read_rows(first, rows);
      float* const out = out_ + first * p_.n;
      const Rows of{p_.k, p_.n, left_, right_};
      const std::int64_t room = (p_.m - first) * p_.n;
      if (width_ == kLanes)
        multiply_rows<1>(of, rows, out, room);
      else
        multiply_rows<2>(of, rows, out, room);
    }
  }

 private:
  void read_rows(std::int64_t first, std::int64_t rows) {
    const auto bytes = static_cast<std::int64_t>(program::byte_size(p_.lhs.element));
    const std::byte* const from = lhs_ + first * p_.lhs.row_stride * bytes;
    if (p_.lhs.row_stride == p_.k) return read_numbers(p_.lhs.element, from, rows * p_.k, left_);
    for (std::int64_t i = 0; i < rows; ++i)
      read_numbers(p_.lhs.element, from + i * p_.lhs.row_stride * bytes, p_.k, left_ + i * p_.k);
  }

  const Product& p_;
  const std::byte* lhs_;
  float* out_;
  std::int64_t width_;
  float *left_, *right_;
};

bool is_taken(ElementType element) {
  return element == ElementType::f32 || element == ElementType::bf16;
}

}  // namespace
}  // namespace narrow

bool multiply_narrow(const Product& p, const std::byte* lhs, const std::byte* rhs, std::byte* out,
                     Vmem& vmem) {
  constexpr std::uint64_t kRoom = 1 << 16;
  if (p.k > narrow::kLongest || p.n > narrow::kMostColumns || p.lhs.column_stride != 1 ||
      !narrow::is_taken(p.lhs.element) || !narrow::is_taken(p.rhs.element) ||
      p.out != narrow::ElementType::f32 || vmem.left() < kRoom)
    return false;
  const Vmem::Scope scope(vmem);
  narrow::Narrow(p, lhs, rhs, out, vmem).run();
  return true;
}
#else
bool multiply_narrow(const Product&, const std::byte*, const std::byte*, std::byte*, Vmem&) {
  return false;
}
#endif

}  // namespace understudy::worker
