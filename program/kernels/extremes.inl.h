// SPDX-License-Identifier: Apache-2.0
// Part of kernels.inl.h: minimum and maximum of many floats side by side, without a comparison of
// floats. The bits of a float, read as an integer, are in its order while it is positive, and in
// the opposite one while it is negative. So three integers tell all: the largest as a signed one,
// and the largest and smallest as unsigned ones. A NaN is beyond an infinity of its sign. bf16 and
// f16 stay as they are stored, two to an f32.
#pragma once

#include "program/kernels/fold.inl.h"

namespace understudy::program::kernels {
namespace {

template <std::size_t kBytes>
struct KeysOf;
template <>
struct KeysOf<2> {
  using Bits = u16;
  using Key = i16;
};
template <>
struct KeysOf<4> {
  using Bits = u32;
  using Key = i32;
};
template <>
struct KeysOf<8> {
  using Bits = u64;
  using Key = i64;
};

template <class Tag>
constexpr bool kHasKeys = Tag::family == Family::floating ||
                          (Tag::family == Family::small_float && !kByteFloat<Tag>);

template <class Tag, Reduction kReduction, std::size_t kCount>
struct RunningExtreme {
  using Value = typename Tag::Value;
  using Stored = typename Tag::Stored;
  using Bits = typename KeysOf<sizeof(Stored)>::Bits;
  using Key = typename KeysOf<sizeof(Stored)>::Key;
  static constexpr bool kLarge = kReduction == Reduction::maximum;
  static constexpr Bits kSign = static_cast<Bits>(Bits{1} << (8 * sizeof(Bits) - 1));
  static constexpr Bits infinity() {
    if constexpr (Tag::type == ElementType::bf16) return 0x7f80;
    if constexpr (Tag::type == ElementType::f16) return 0x7c00;
    if constexpr (Tag::family == Family::floating)
      return __builtin_bit_cast(Bits, static_cast<Stored>(kInf64));
  }
  static constexpr Bits kInfinity = infinity();
  static constexpr Bits kNan = [] {
    if constexpr (Tag::type == ElementType::bf16) return Bits{0x7fc0};
    if constexpr (Tag::type == ElementType::f16) return Bits{0x7e00};
    if constexpr (Tag::family == Family::floating)
      return __builtin_bit_cast(Bits, static_cast<Stored>(kNan64));
  }();
  static constexpr bool kIsAccumulator = AccumulatorOf<Tag>::type::type == Tag::type;

  Key top[kCount];
  Bits high[kCount];
  Bits low[kCount];

  template <class T>
  static T larger(T a, T b) {
    return a > b ? a : b;
  }
  template <class T>
  static T smaller(T a, T b) {
    return a < b ? a : b;
  }

  void start() {
    constexpr Bits kNeutral = kLarge ? static_cast<Bits>(kInfinity | kSign) : kInfinity;
    for (std::size_t l = 0; l < kCount; ++l) {
      top[l] = static_cast<Key>(kNeutral);
      high[l] = kNeutral;
      low[l] = kNeutral;
    }
  }
  // As after start() and one step on accumulators, where these have the type.
  void resume(const typename AccumulatorOf<Tag>::type::Stored* y) {
    if constexpr (kIsAccumulator) {
      for (std::size_t l = 0; l < kCount; ++l) {
        const Bits bits = __builtin_bit_cast(Bits, y[l]);
        top[l] = static_cast<Key>(bits);
        high[l] = bits;
        low[l] = bits;
      }
    } else {
      start();
    }
  }
  void step(const Stored* x) {
    for (std::size_t l = 0; l < kCount; ++l) one(l, x[l]);
  }
  void tail(const Stored* x, std::size_t n) {
    for (std::size_t l = 0; l < n; ++l) one(l, x[l]);
  }
  void one(std::size_t l, Stored x) {
    const Bits bits = __builtin_bit_cast(Bits, x);
    top[l] = larger(top[l], static_cast<Key>(bits));
    high[l] = larger(high[l], bits);
    low[l] = smaller(low[l], bits);
  }
  template <std::size_t kHalf = kCount / 2>
  Value join() {
    if constexpr (kHalf > 0) {
      for (std::size_t l = 0; l < kHalf; ++l) merge_lane(l, *this, l + kHalf);
      return join<kHalf / 2>();
    } else {
      return Tag::load(__builtin_bit_cast(Stored, best(0)));
    }
  }
  // The accumulators after all; `y` is what they were.
  void put(typename AccumulatorOf<Tag>::type::Stored* y) const {
    Bits bits[kCount];
    for (std::size_t l = 0; l < kCount; ++l) bits[l] = best(l);
    if constexpr (kIsAccumulator) {
      __builtin_memcpy(y, bits, sizeof(bits));
    } else {
      Value values[kCount];
      for (std::size_t l = 0; l < kCount; ++l)
        values[l] = Tag::load(__builtin_bit_cast(Stored, bits[l]));
      for (std::size_t l = 0; l < kCount; ++l)
        y[l] = Step<typename AccumulatorOf<Tag>::type, kReduction>::apply(y[l], values[l]);
    }
  }

 private:
  Bits best(std::size_t l) const {
    const Bits bits = kLarge ? (top[l] >= 0 ? static_cast<Bits>(top[l]) : low[l])
                             : (high[l] >= kSign ? high[l] : low[l]);
    const bool has_nan =
        (top[l] > static_cast<Key>(kInfinity)) | (high[l] > static_cast<Bits>(kInfinity | kSign));
    return has_nan ? kNan : bits;
  }

  void merge_lane(std::size_t l, const RunningExtreme& other, std::size_t from) {
    top[l] = larger(top[l], other.top[from]);
    high[l] = larger(high[l], other.high[from]);
    low[l] = smaller(low[l], other.low[from]);
  }
};

}  // namespace
}  // namespace understudy::program::kernels
