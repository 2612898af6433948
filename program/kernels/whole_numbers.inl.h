// SPDX-License-Identifier: Apache-2.0
// Part of kernels.inl.h: functions of integers by operations that vectors have.
#pragma once

#include "program/kernels/unary.inl.h"

namespace understudy::program::kernels {
namespace {

// The number of ones, by sums of neighbouring fields: vectorises, which the instruction does not.
template <class U>
inline U ones_in(U x) {
  constexpr U kAll = static_cast<U>(~U{0});
  const U pairs = static_cast<U>(x - ((x >> 1) & (kAll / 3)));
  const U fours = static_cast<U>((pairs & (kAll / 5)) + ((pairs >> 2) & (kAll / 5)));
  U sum = static_cast<U>((fours + (fours >> 4)) & (kAll / 17));
  if constexpr (sizeof(U) > 1) sum = static_cast<U>(sum + (sum >> 8));
  if constexpr (sizeof(U) > 2) sum = static_cast<U>(sum + (sum >> 16));
  if constexpr (sizeof(U) > 4) sum = static_cast<U>(sum + (sum >> 32));
  return static_cast<U>(sum & 0x7f);
}
template <class Tag>
struct Popcnt {
  static typename Tag::Value apply(typename Tag::Value x) {
    using U = typename UnsignedOf<sizeof(x)>::type;
    return static_cast<typename Tag::Value>(ones_in(static_cast<U>(bits_of<Tag>(x))));
  }
};
// With all bits below the highest one set, the others are the leading zeros.
template <class Tag>
struct CountLeadingZeros {
  static typename Tag::Value apply(typename Tag::Value x) {
    using U = typename UnsignedOf<sizeof(x)>::type;
    U bits = static_cast<U>(bits_of<Tag>(x));
    bits = static_cast<U>(bits | (bits >> 1));
    bits = static_cast<U>(bits | (bits >> 2));
    bits = static_cast<U>(bits | (bits >> 4));
    if constexpr (sizeof(U) > 1) bits = static_cast<U>(bits | (bits >> 8));
    if constexpr (sizeof(U) > 2) bits = static_cast<U>(bits | (bits >> 16));
    if constexpr (sizeof(U) > 4) bits = static_cast<U>(bits | (bits >> 32));
    return static_cast<typename Tag::Value>(Tag::bits - ones_in(bits));
  }
};

// a / b of integers up to 32 bits, by floats, as vectors have no division of integers. A quotient
// that is no integer is further from the next one than half a unit of the float, so that rounding
// never reaches that. Any number for b = 0. The smallest integer by -1 wraps to itself.
template <class T>
inline T quotient(T a, T b) {
  const T divisor = b == T(0) ? T(1) : b;
  if constexpr (sizeof(T) <= 2) {
    return static_cast<T>(static_cast<i32>(static_cast<float>(a) / static_cast<float>(divisor)));
  } else if constexpr (T(-1) < T(0)) {
    const T inside = b == T(-1) ? T(1) : divisor;
    const T q = static_cast<T>(static_cast<double>(a) / static_cast<double>(inside));
    return b == T(-1) ? static_cast<T>(0U - static_cast<u32>(q)) : q;
  } else {
    // There is no instruction for unsigned numbers: they are the low bits of doubles from 2^52 on.
    constexpr double kUnits = 4503599627370496.0;
    const auto widened = [](u32 whole) {
      return __builtin_bit_cast(double, u64{whole} | 0x4330000000000000ULL) - kUnits;
    };
    const double exact = widened(a) / widened(divisor);
    const double near = (exact + kUnits) - kUnits;
    const double below = near > exact ? near - 1.0 : near;
    return static_cast<u32>(__builtin_bit_cast(u64, below + kUnits));
  }
}

// By squaring, all elements of a block at once. A negative exponent gives the reciprocal truncated
// to an integer: 0 but for bases 1 and -1.
template <class Tag>
UNDERSTUDY_ONCE void power_whole(const void* a, const void* b, void* out, std::size_t n) noexcept {
  using T = typename Tag::Value;
  using U = typename Either<sizeof(T) == 8, u64, u32>::type;
  const auto* x = static_cast<const T*>(a);
  const auto* y = static_cast<const T*>(b);
  auto* z = static_cast<T*>(out);
  for (std::size_t start = 0; start < n; start += kBlock) {
    const std::size_t count = n - start < kBlock ? n - start : kBlock;
    U square[kBlock], left[kBlock], product[kBlock];
    U any = 0;
    for (std::size_t i = 0; i < count; ++i) {
      const T base = x[start + i];
      const T exponent = y[start + i];
      const bool negative = exponent < T(0);
      const bool unit = base == T(1) || base == static_cast<T>(-1);
      square[i] = static_cast<U>(base);
      // A unit's sign depends on the lowest bit alone; other reciprocals are 0.
      left[i] = static_cast<U>(negative ? exponent & T(1) : exponent);
      product[i] = negative && !unit ? 0U : 1U;
      any |= left[i];
    }
    while (any != 0) {
      any = 0;
      for (std::size_t i = 0; i < count; ++i) {
        product[i] *= (left[i] & 1U) != 0 ? square[i] : U{1};
        square[i] *= square[i];
        left[i] >>= 1;
        any |= left[i];
      }
    }
    for (std::size_t i = 0; i < count; ++i) z[start + i] = Tag::store(static_cast<T>(product[i]));
  }
}

// Shifts are computed in 32 bits where the type has no more.
template <class Tag>
struct ShiftWidth {
  static constexpr int bits = Tag::bits <= 32 ? 32 : 64;
  using Unsigned = typename Either<bits == 32, u32, u64>::type;
  using Signed = typename Either<bits == 32, i32, i64>::type;
  static Unsigned of(typename Tag::Value x) { return static_cast<Unsigned>(bits_of<Tag>(x)); }
};
template <class Tag>
struct ShiftLeft {
  static typename Tag::Value apply(typename Tag::Value a, typename Tag::Value b) {
    using Width = ShiftWidth<Tag>;
    const auto by = Width::of(b);
    const auto moved = Width::of(a) << (by & (Width::bits - 1));
    return static_cast<typename Tag::Value>(by >= Tag::bits ? 0 : moved);
  }
};
template <class Tag>
struct ShiftRightLogical {
  static typename Tag::Value apply(typename Tag::Value a, typename Tag::Value b) {
    using Width = ShiftWidth<Tag>;
    const auto by = Width::of(b);
    const auto moved = Width::of(a) >> (by & (Width::bits - 1));
    return static_cast<typename Tag::Value>(by >= Tag::bits ? 0 : moved);
  }
};
template <class Tag>
struct ShiftRightArithmetic {
  static typename Tag::Value apply(typename Tag::Value a, typename Tag::Value b) {
    using Width = ShiftWidth<Tag>;
    using Signed = typename Width::Signed;
    const auto by = Width::of(b);
    // The value's own sign bit fills, for unsigned types too.
    constexpr int kFree = Width::bits - Tag::bits;
    const auto value = static_cast<Signed>(Width::of(a) << kFree) >> kFree;
    const auto capped = by >= Tag::bits ? Tag::bits - 1 : by;
    return static_cast<typename Tag::Value>(value >> capped);
  }
};

}  // namespace
}  // namespace understudy::program::kernels
