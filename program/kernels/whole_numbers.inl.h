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
// Of 32 bits by the exponent of a float: without the bit below the highest one, the number is not
// rounded to the next power of two. A number with the highest bit is negative.
inline u32 leading_zeros(u32 x) {
  const float size = static_cast<float>(static_cast<i32>(x & ~(x >> 1)));
  const i32 zeros = 158 - static_cast<i32>(__builtin_bit_cast(u32, size) >> 23);
  return static_cast<u32>(zeros < 0 ? 0 : zeros > 32 ? 32 : zeros);
}
// With all bits below the highest one set, the others are the leading zeros.
template <class Tag>
struct CountLeadingZeros {
  static typename Tag::Value apply(typename Tag::Value x) {
    using U = typename UnsignedOf<sizeof(x)>::type;
    if constexpr (sizeof(U) == 4)
      return static_cast<typename Tag::Value>(leading_zeros(static_cast<U>(x)));
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

// There is no instruction that makes doubles of unsigned numbers, or the reverse: they are the low
// bits of doubles from 2^52 on.
constexpr double kUnits = 4503599627370496.0;
inline double widened(u32 whole) {
  return __builtin_bit_cast(double, u64{whole} | 0x4330000000000000ULL) - kUnits;
}
inline u32 whole_part(double x) {
  const double near = (x + kUnits) - kUnits;
  const double below = near > x ? near - 1.0 : near;
  return static_cast<u32>(__builtin_bit_cast(u64, below + kUnits));
}

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
    return whole_part(widened(a) / widened(divisor));
  }
}

// A divisor of 32 bits that many elements share. Its reciprocal is larger than the exact one by up
// to 2^-51 of it: a product with it is never below a quotient that is an integer, and further from
// the next integer than it is above the exact quotient.
template <class T>
struct Divisor {
  static constexpr bool kSigned = T(-1) < T(0);
  explicit Divisor(T number) : value(number) {
    const double exact = kSigned ? static_cast<double>(value) : widened(static_cast<u32>(value));
    reciprocal = __builtin_bit_cast(double, __builtin_bit_cast(u64, 1.0 / exact) + 1);
  }
  // The quotient by 0 or -1 is not a product with the reciprocal.
  static bool fits(T number) { return number != T(0) && !(kSigned && number == T(-1)); }
  T quotient_of(T a) const {
    if constexpr (kSigned) return static_cast<T>(static_cast<double>(a) * reciprocal);
    return static_cast<T>(whole_part(widened(static_cast<u32>(a)) * reciprocal));
  }
  T value;
  double reciprocal = 0;
};

// Divisions of 32-bit integers by F, a block with one divisor by its reciprocal.
template <class Tag, class F>
UNDERSTUDY_ONCE void map_divisions(const void* a, const void* b, void* out,
                                   std::size_t n) noexcept {
  using T = typename Tag::Value;
  const auto* x = static_cast<const T*>(a);
  const auto* y = static_cast<const T*>(b);
  auto* z = static_cast<T*>(out);
  for (std::size_t start = 0; start < n; start += kBlock) {
    const std::size_t count = n - start < kBlock ? n - start : kBlock;
    const T first = y[start];
    T others = 0;
    for (std::size_t i = start; i < start + count; ++i) others |= static_cast<T>(y[i] ^ first);
    if (others != T(0) || !Divisor<T>::fits(first)) {
      for (std::size_t i = start; i < start + count; ++i) z[i] = F::apply(x[i], y[i]);
      continue;
    }
    const Divisor<T> divisor(first);
    for (std::size_t i = start; i < start + count; ++i) z[i] = F::apply(x[i], divisor);
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

// Shifts of a byte by a number below 8, bit by bit of it: vectors have no shifts of bytes by
// different numbers.
inline u8 byte_shifted_left(u8 x, u8 by) {
  x = static_cast<u8>((by & 4U) != 0 ? x << 4 : x);
  x = static_cast<u8>((by & 2U) != 0 ? x << 2 : x);
  return static_cast<u8>((by & 1U) != 0 ? x << 1 : x);
}
inline u8 byte_shifted_right(u8 x, u8 by) {
  x = static_cast<u8>((by & 4U) != 0 ? x >> 4 : x);
  x = static_cast<u8>((by & 2U) != 0 ? x >> 2 : x);
  return static_cast<u8>((by & 1U) != 0 ? x >> 1 : x);
}

// Others are computed in 32 bits where the type has no more.
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
    if constexpr (sizeof(a) == 1) {
      const u8 by = static_cast<u8>(bits_of<Tag>(b));
      const u8 moved = byte_shifted_left(static_cast<u8>(bits_of<Tag>(a)), by);
      return static_cast<typename Tag::Value>(by >= Tag::bits ? 0 : moved);
    }
    using Width = ShiftWidth<Tag>;
    const auto by = Width::of(b);
    const auto moved = Width::of(a) << (by & (Width::bits - 1));
    return static_cast<typename Tag::Value>(by >= Tag::bits ? 0 : moved);
  }
};
template <class Tag>
struct ShiftRightLogical {
  static typename Tag::Value apply(typename Tag::Value a, typename Tag::Value b) {
    if constexpr (sizeof(a) == 1) {
      const u8 by = static_cast<u8>(bits_of<Tag>(b));
      const u8 moved = byte_shifted_right(static_cast<u8>(bits_of<Tag>(a)), by);
      return static_cast<typename Tag::Value>(by >= Tag::bits ? 0 : moved);
    }
    using Width = ShiftWidth<Tag>;
    const auto by = Width::of(b);
    const auto moved = Width::of(a) >> (by & (Width::bits - 1));
    return static_cast<typename Tag::Value>(by >= Tag::bits ? 0 : moved);
  }
};
template <class Tag>
struct ShiftRightArithmetic {
  static typename Tag::Value apply(typename Tag::Value a, typename Tag::Value b) {
    if constexpr (sizeof(a) == 1) {
      // Of a negative number, its complement is shifted.
      const u8 bits = static_cast<u8>(bits_of<Tag>(a)), by = static_cast<u8>(bits_of<Tag>(b));
      constexpr u8 kAll = static_cast<u8>((1U << Tag::bits) - 1U);
      const u8 flip = static_cast<u8>((bits & (1U << (Tag::bits - 1))) != 0 ? kAll : 0);
      const u8 moved = byte_shifted_right(static_cast<u8>(bits ^ flip), by);
      return static_cast<typename Tag::Value>((by >= Tag::bits ? 0 : moved) ^ flip);
    }
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
