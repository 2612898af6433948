// SPDX-License-Identifier: Apache-2.0
// Part of kernels.inl.h: comparisons. The total order of floats is -NaN < -inf < ... < -0 < +0 <
// ... < inf < NaN, found by comparing the bits as integers.
#pragma once

#include "program/kernels/complex.inl.h"

namespace understudy::program::kernels {
namespace {

template <Direction kDirection>
struct Comparison {
  template <class T>
  static u8 apply(T a, T b) {
    switch (kDirection) {
      case Direction::eq:
        return a == b;
      case Direction::ne:
        return a != b;
      case Direction::ge:
        return a >= b;
      case Direction::gt:
        return a > b;
      case Direction::le:
        return a <= b;
      case Direction::lt:
        return a < b;
    }
    return 0;
  }
};

template <Direction kDirection>
struct TotalComparison {
  // Flips the magnitude bits of negative values: two's complement order of the key is then the
  // total order of the floats (IEEE 754, totalOrder).
  static i32 key(float x) {
    const i32 bits = __builtin_bit_cast(i32, x);
    return bits ^ ((bits >> 31) & 0x7fffffff);
  }
  static i64 key(double x) {
    const i64 bits = __builtin_bit_cast(i64, x);
    return bits ^ ((bits >> 63) & 0x7fffffffffffffff);
  }
  template <class T>
  static u8 apply(T a, T b) {
    return Comparison<kDirection>::apply(key(a), key(b));
  }
};

template <bool kEqual>
struct ComplexEquality {
  template <class T>
  static u8 apply(Complex<T> a, Complex<T> b) {
    return (a.re == b.re && a.im == b.im) == kEqual;
  }
};

// Small floats compare as f32: widening is exact and keeps the order.
template <class Tag, Direction kDirection>
constexpr BinaryKernel compare_kernel(bool total) {
  if constexpr (Tag::family == Family::complex) {
    if (kDirection == Direction::eq) return &map_two<Tag, PredTag, ComplexEquality<true>>;
    if (kDirection == Direction::ne) return &map_two<Tag, PredTag, ComplexEquality<false>>;
    return nullptr;
  } else if constexpr (Tag::family == Family::small_float) {
    return total ? &test_two_small<Tag, &map_two<F32, PredTag, TotalComparison<kDirection>>>
                 : &test_two_small<Tag, &map_two<F32, PredTag, Comparison<kDirection>>>;
  } else if constexpr (Tag::family == Family::floating) {
    return total ? &map_two<Tag, PredTag, TotalComparison<kDirection>>
                 : &map_two<Tag, PredTag, Comparison<kDirection>>;
  } else {
    constexpr bool kEquality = kDirection == Direction::eq || kDirection == Direction::ne;
    using Compared = typename Either<kEquality, PlainTag<Tag>, BytesTag<Tag>>::type;
    return &map_two<Compared, PredTag, Comparison<kDirection>>;
  }
}

template <class Tag>
BinaryKernel compare_of(Direction direction, bool total) noexcept {
  switch (direction) {
    case Direction::eq:
      return compare_kernel<Tag, Direction::eq>(total);
    case Direction::ne:
      return compare_kernel<Tag, Direction::ne>(total);
    case Direction::ge:
      return compare_kernel<Tag, Direction::ge>(total);
    case Direction::gt:
      return compare_kernel<Tag, Direction::gt>(total);
    case Direction::le:
      return compare_kernel<Tag, Direction::le>(total);
    case Direction::lt:
      return compare_kernel<Tag, Direction::lt>(total);
  }
  return nullptr;
}

}  // namespace
}  // namespace understudy::program::kernels
