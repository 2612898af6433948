// SPDX-License-Identifier: Apache-2.0
// Part of kernels.inl.h: element-wise functions of two real arguments. Integers wrap: they are
// computed as u64, where overflow is defined. StableHLO leaves integer division by zero open; as in
// XLA it gives -1, and the remainder is the dividend. Shifts by the width or more give 0, or the
// sign.
#pragma once

#include "program/kernels/whole_numbers.inl.h"

namespace understudy::program::kernels {
namespace {

template <class T>
constexpr bool kIsFloat = false;
template <>
constexpr bool kIsFloat<float> = true;
template <>
constexpr bool kIsFloat<double> = true;

template <class T>
struct BitsOf {
  using type = u64;
};
template <>
struct BitsOf<float> {
  using type = u32;
};

struct Add {
  template <class T>
  static T apply(T a, T b) {
    if constexpr (kIsFloat<T>) {
      return settle(a + b);
    } else {
      return static_cast<T>(static_cast<u64>(a) + static_cast<u64>(b));
    }
  }
};
struct Subtract {
  template <class T>
  static T apply(T a, T b) {
    if constexpr (kIsFloat<T>) {
      return settle(a - b);
    } else {
      return static_cast<T>(static_cast<u64>(a) - static_cast<u64>(b));
    }
  }
};
struct Multiply {
  template <class T>
  static T apply(T a, T b) {
    if constexpr (kIsFloat<T>) {
      return settle(a * b);
    } else {
      return static_cast<T>(static_cast<u64>(a) * static_cast<u64>(b));
    }
  }
};
struct Divide {
  template <class T>
  static T apply(T a, T b) {
    if constexpr (kIsFloat<T>) {
      return settle(a / b);
    } else if constexpr (sizeof(T) <= 4) {
      return b == T(0) ? static_cast<T>(~T(0)) : quotient(a, b);
    } else {
      if (b == T(0)) return static_cast<T>(~T(0));
      // The smallest integer divided by -1 overflows, which traps on x86.
      if (T(-1) < T(0) && b == static_cast<T>(-1)) return Negate::apply(a);
      return static_cast<T>(a / b);
    }
  }
  template <class T>
  static T apply(T a, const Divisor<T>& b) {
    return b.quotient_of(a);
  }
};
struct Remainder {
  static float apply(float a, float b) { return settle(__builtin_fmodf(a, b)); }
  static double apply(double a, double b) { return settle(__builtin_fmod(a, b)); }
  template <class T>
  static T apply(T a, T b) {
    if constexpr (sizeof(T) <= 4) {
      // The dividend, for a divisor of 0.
      return static_cast<T>(static_cast<u32>(a) -
                            static_cast<u32>(quotient(a, b)) * static_cast<u32>(b));
    } else {
      if (b == T(0)) return a;
      if (T(-1) < T(0) && b == static_cast<T>(-1)) return T(0);
      return static_cast<T>(a % b);
    }
  }
  template <class T>
  static T apply(T a, const Divisor<T>& b) {
    return static_cast<T>(static_cast<u32>(a) -
                          static_cast<u32>(b.quotient_of(a)) * static_cast<u32>(b.value));
  }
};

// IEEE 754-2019 maximum: NaN wins, and -0 < +0. Equal operands differ at most in the sign bit, so
// AND gives the larger zero; minimum uses OR.
struct Maximum {
  template <class T>
  static T apply(T a, T b) {
    if constexpr (kIsFloat<T>) {
      using Bits = typename BitsOf<T>::type;
      const T both =
          __builtin_bit_cast(T, __builtin_bit_cast(Bits, a) & __builtin_bit_cast(Bits, b));
      const T larger = a > b ? a : b;
      const T y = a == b ? both : larger;
      return a != a || b != b ? T(kNan64) : y;
    } else {
      return a > b ? a : b;
    }
  }
};
struct Minimum {
  template <class T>
  static T apply(T a, T b) {
    if constexpr (kIsFloat<T>) {
      using Bits = typename BitsOf<T>::type;
      const T both =
          __builtin_bit_cast(T, __builtin_bit_cast(Bits, a) | __builtin_bit_cast(Bits, b));
      const T smaller = a < b ? a : b;
      const T y = a == b ? both : smaller;
      return a != a || b != b ? T(kNan64) : y;
    } else {
      return a < b ? a : b;
    }
  }
};
// The same of bf16, by integers in the order of the numbers.
template <bool kLarge>
struct Bf16Extreme {
  static u16 apply(u16 a, u16 b) {
    const i16 x = key(a), y = key(b);
    const i16 larger = x > y ? x : y, smaller = x < y ? x : y;
    // A NaN is beyond an infinity of its sign; -0 is the one before +0.
    const bool has_nan = (larger > i16{0x7f80}) | (smaller < i16{-0x7f81});
    return has_nan ? u16{0x7fc0}
                   : static_cast<u16>(key(static_cast<u16>(kLarge ? larger : smaller)));
  }

 private:
  // Its own inverse.
  static i16 key(u16 x) {
    const i16 bits = static_cast<i16>(x);
    return static_cast<i16>(bits ^ ((bits >> 15) & 0x7fff));
  }
};
struct And {
  template <class T>
  static T apply(T a, T b) {
    return static_cast<T>(a & b);
  }
};
struct Or {
  template <class T>
  static T apply(T a, T b) {
    return static_cast<T>(a | b);
  }
};
struct Xor {
  template <class T>
  static T apply(T a, T b) {
    return static_cast<T>(a ^ b);
  }
};

struct Power {
  static double apply(double a, double b) { return settle(__builtin_pow(a, b)); }
  static float apply(float a, float b) {
    return settle(static_cast<float>(__builtin_pow(double{a}, double{b})));
  }
};

// f32 remainders in double, exact where the quotient has at most 28 bits, as its product with the
// divisor then has 52; libm for the rest.
UNDERSTUDY_ONCE void remainder_f32(const void* a, const void* b, void* out,
                                   std::size_t n) noexcept {
  const auto* x = static_cast<const float*>(a);
  const auto* y = static_cast<const float*>(b);
  auto* z = static_cast<float*>(out);
  const auto is_plain = [](float dividend, float divisor) {
    const float reach = magnitude_of(divisor) * 268435456.0F;  // 2^28
    return (magnitude_of(dividend) < reach) & ((divisor - divisor) == 0.0F);
  };
  for (std::size_t start = 0; start < n; start += kBlock) {
    const std::size_t count = n - start < kBlock ? n - start : kBlock;
    float fast[kBlock];
    u32 rare = 0;
    for (std::size_t i = 0; i < count; ++i) {
      const bool plain = is_plain(x[start + i], y[start + i]);
      const double dividend = magnitude_of(double{plain ? x[start + i] : 0.0F});
      const double divisor = magnitude_of(double{plain ? y[start + i] : 1.0F});
      const double near = (dividend / divisor + kShift64) - kShift64;
      const double rest = dividend - near * divisor;
      const double y0 = rest < 0.0 ? rest + divisor : rest;
      fast[i] = with_sign_of(static_cast<float>(y0), x[start + i]);
      rare |= plain ? 0U : 1U;
    }
    for (std::size_t i = 0; rare != 0 && i < count; ++i) {
      if (!is_plain(x[start + i], y[start + i]))
        fast[i] = Remainder::apply(x[start + i], y[start + i]);
    }
    __builtin_memcpy(z + start, fast, count * sizeof(float));
  }
}

#define UNDERSTUDY_DOUBLE_FUNCTION(Name, core)                             \
  struct Name {                                                            \
    static double apply(double a, double b) { return settle(core(a, b)); } \
    static float apply(float a, float b) {                                 \
      return settle(static_cast<float>(core(double{a}, double{b})));       \
    }                                                                      \
  };
UNDERSTUDY_DOUBLE_FUNCTION(Zeta, zeta_core)
UNDERSTUDY_DOUBLE_FUNCTION(Polygamma, polygamma_core)
#undef UNDERSTUDY_DOUBLE_FUNCTION

struct Atan2 {
  static float apply(float a, float b) {
    return settle(static_cast<float>(atan2_core(double{a}, double{b})));
  }
  static double apply(double a, double b) { return settle(__builtin_atan2(a, b)); }
};

struct NextAfter {
  // The number of a float in their order, both zeros being 0; its own inverse but for a zero's
  // sign.
  static i32 ordered(i32 code) {
    const i32 sign = code >> 31;
    return ((code & 0x7fffffff) ^ sign) - sign;
  }
  // Selects without a branch; compilers do not turn it into one.
  static u32 pick(bool first, u32 a, u32 b) { return b ^ ((a ^ b) & (0U - u32{first})); }
  static float apply(float a, float b) {
    const u32 from = __builtin_bit_cast(u32, a);
    const u32 to = __builtin_bit_cast(u32, b);
    const i32 x = ordered(static_cast<i32>(from));
    const i32 y = ordered(static_cast<i32>(to));
    const i32 next = x + i32{y > x} - i32{y < x};
    // A zero beside the smallest number has its sign.
    const u32 sign = pick(next == 0, from, static_cast<u32>(next)) & 0x80000000U;
    const u32 code = sign | static_cast<u32>(next < 0 ? -next : next);
    const u32 moved = pick(x == y, to, code);
    constexpr i32 kInfinity = 0x7f800000;
    const bool is_nan = ((x < 0 ? -x : x) > kInfinity) | ((y < 0 ? -y : y) > kInfinity);
    return __builtin_bit_cast(float, pick(is_nan, __builtin_bit_cast(u32, kNan32), moved));
  }
  static double apply(double a, double b) { return settle(__builtin_nextafter(a, b)); }
};

// nextafter of a small float. Codes of one sign are ordered by magnitude, so the neighbour is the
// code plus or minus one.
template <class Tag>
void next_after_small(const void* a, const void* b, void* out, std::size_t n) noexcept {
  using Stored = typename Tag::Stored;
  constexpr Stored kSign = static_cast<Stored>(Stored(1) << (8 * sizeof(Stored) - 1));
  const auto* x = static_cast<const Stored*>(a);
  const auto* y = static_cast<const Stored*>(b);
  for (std::size_t i = 0; i < n; ++i) {
    const float from = Tag::load(x[i]);
    const float to = Tag::load(y[i]);
    const Stored least = static_cast<Stored>(1 | (to < 0 ? kSign : 0));
    const bool away = (to > from) == (from > 0);
    const Stored next = static_cast<Stored>(away ? x[i] + 1 : x[i] - 1);
    const Stored moved = from == to ? y[i] : from == 0 ? least : next;
    static_cast<Stored*>(out)[i] = from != from || to != to ? Tag::store(kNan32) : moved;
  }
}

}  // namespace
}  // namespace understudy::program::kernels
