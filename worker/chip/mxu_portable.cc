// SPDX-License-Identifier: Apache-2.0
// Portable matrix product. The k loop is outside of the n loop: each element of c is summed over k
// in order with one rounding per product and sum (-ffp-contract=off), and the inner loop runs along
// c's dense rows, which compilers vectorise.
#include <cstddef>
#include <type_traits>

#include "configs/base/error.h"
#include "worker/chip/mxu_tile.h"

namespace understudy::worker {
namespace {

struct Bf16 {
  std::uint16_t bits;
};
template <class T>
// std::complex multiplies with checks for infinities; the plain formula vectorises.
struct Pair {
  T re, im;
};

// bf16 is the upper half of an f32: the conversion is exact.
inline float value_of(Bf16 x) {
  return __builtin_bit_cast(float, static_cast<std::uint32_t>(x.bits) << 16);
}
template <class T>
T value_of(T x) {
  return x;
}

template <class T>
void add_product(T& sum, T a, T b) {
  sum = static_cast<T>(sum + a * b);
}
template <class T>
void add_product(Pair<T>& sum, Pair<T> a, Pair<T> b) {
  sum.re += a.re * b.re - a.im * b.im;
  sum.im += a.re * b.im + a.im * b.re;
}

template <class In, class Out>
void multiply_as(const MxuTile& t) {
  const auto* a = static_cast<const In*>(t.a);
  const auto* b = static_cast<const In*>(t.b);
  auto* c = static_cast<Out*>(t.c);
  for (std::int64_t m = 0; m < t.m; ++m) {
    Out* const row = c + m * t.c_row;
    if (!t.add) {
      for (std::int64_t n = 0; n < t.n; ++n) row[n] = Out{};
    }
    for (std::int64_t k = 0; k < t.k; ++k) {
      const Out left = value_of(a[m * t.a_row + k * t.a_column]);
      const In* const right = b + k * t.b_row;
      if (t.b_column == 1) {
        for (std::int64_t n = 0; n < t.n; ++n) add_product(row[n], left, Out(value_of(right[n])));
      } else {
        for (std::int64_t n = 0; n < t.n; ++n) {
          add_product(row[n], left, Out(value_of(right[n * t.b_column])));
        }
      }
    }
  }
}

}  // namespace

void multiply_portably(const MxuTile& tile) {
  using program::ElementType;
  switch (tile.element) {
    case ElementType::bf16:
      return multiply_as<Bf16, float>(tile);
    case ElementType::f32:
      return multiply_as<float, float>(tile);
    case ElementType::f64:
      return multiply_as<double, double>(tile);
    case ElementType::i32:  // unsigned: it wraps
      return multiply_as<std::uint32_t, std::uint32_t>(tile);
    case ElementType::i64:
      return multiply_as<std::uint64_t, std::uint64_t>(tile);
    case ElementType::c64:
      return multiply_as<Pair<float>, Pair<float>>(tile);
    default:
      UNDERSTUDY_ASSERT(tile.element == ElementType::c128);
      return multiply_as<Pair<double>, Pair<double>>(tile);
  }
}

}  // namespace understudy::worker
