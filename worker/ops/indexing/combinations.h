// SPDX-License-Identifier: Apache-2.0
// How a scatter combines one number with another, as program/kernels does: one NaN pattern, -0
// below +0. Operations as types, for loops over single elements. Pure functions.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "program/ir/kinds.h"
#include "worker/chip/numbers.h"

namespace understudy::worker::ops::combinations {

using program::Reduction;

struct Overwrite {
  static constexpr auto reduction = Reduction::none;
  template <class T>
  [[gnu::always_inline]] static void apply(T& a, T b) {
    a = b;
  }
};
// Writes the one pattern of NaN. A branch is faster than a selection, as it is rarely taken.
template <class T>
[[gnu::always_inline]] inline void put_settled(T& a, T value) {
  a = value;
  if (value != value) [[unlikely]]
    a = settled(value);
}
struct Sum {
  static constexpr auto reduction = Reduction::sum;
  template <class T>
  [[gnu::always_inline]] static void apply(T& a, T b) {
    put_settled(a, static_cast<T>(a + b));
  }
};
// Parts of a complex number, and bf16 and f16: the sum in f32 is rounded to them.
struct ComplexParts {
  typedef float Both __attribute__((vector_size(8)));
  Both parts;
};
struct Bf16Number {
  std::uint16_t bits;
};
struct F16Number {
  std::uint16_t bits;
};
[[gnu::always_inline]] inline void add_to(ComplexParts& a, ComplexParts b) {
  ComplexParts::Both sum = a.parts + b.parts;
  if (__builtin_bit_cast(std::uint64_t, sum != sum) != 0) [[unlikely]]
    for (int i = 0; i < 2; ++i) sum[i] = settled(sum[i]);
  a.parts = sum;
}
[[gnu::always_inline]] inline void add_to(Bf16Number& a, Bf16Number b) {
  const float sum = float_of_bf16(a.bits) + float_of_bf16(b.bits);
  const auto bits = __builtin_bit_cast(std::uint32_t, settled(sum));
  const std::uint32_t nearest = bits + 0x7FFFU + ((bits >> 16) & 1U);
  a.bits = static_cast<std::uint16_t>((sum == sum ? nearest : bits) >> 16);
}
[[gnu::always_inline]] inline void add_to(F16Number& a, F16Number b) {
  a.bits = f16_of(settled(float_of_f16(a.bits) + float_of_f16(b.bits)));
}
#if defined(__x86_64__)
// With the instructions of CPUs that convert them: the same bits, as settled() makes the one NaN.
struct HardwareF16 {
  std::uint16_t bits;
};
[[gnu::always_inline]] inline float widened(HardwareF16 x) {
  float wide;
  asm("vmovd %1, %0\n\tvcvtph2ps %0, %0" : "=x"(wide) : "r"(static_cast<std::uint32_t>(x.bits)));
  return wide;
}
[[gnu::always_inline]] inline void add_to(HardwareF16& a, HardwareF16 b) {
  float sum = settled(widened(a) + widened(b));
  std::uint32_t bits;
  asm("vcvtps2ph $0, %1, %1\n\tvmovd %1, %0" : "=r"(bits), "+x"(sum));
  a.bits = static_cast<std::uint16_t>(bits);
}
#endif
struct SumOfParts {
  static constexpr auto reduction = Reduction::sum;
  template <class T>
  [[gnu::always_inline]] static void apply(T& a, T b) {
    add_to(a, b);
  }
};
struct Product {
  static constexpr auto reduction = Reduction::product;
  template <class T>
  [[gnu::always_inline]] static void apply(T& a, T b) {
    // Products of small integers would be signed, which does not wrap.
    using Wide =
        std::conditional_t<std::is_integral_v<T> && sizeof(T) < sizeof(int), std::uint32_t, T>;
    put_settled(a, static_cast<T>(static_cast<Wide>(a) * static_cast<Wide>(b)));
  }
};
// Of integers and preds.
template <Reduction kReduction>
struct Bitwise {
  static constexpr auto reduction = kReduction;
  template <class T>
  [[gnu::always_inline]] static void apply(T& a, T b) {
    a = static_cast<T>(kReduction == Reduction::logical_and  ? a & b
                       : kReduction == Reduction::logical_or ? a | b
                                                             : a ^ b);
  }
};
// Returns a where it compares as better, else b. Compilers turn a selection of floats into a
// branch, which random numbers mispredict, and intrinsics of one number into moves to other
// registers and back; these instructions are just that.
#if defined(__x86_64__)
template <bool kLargest>
[[gnu::always_inline]] inline float better_of(float a, float b) {
  if constexpr (kLargest) {
    asm("maxss %1, %0" : "+x"(a) : "x"(b));
  } else {
    asm("minss %1, %0" : "+x"(a) : "x"(b));
  }
  return a;
}
template <bool kLargest>
[[gnu::always_inline]] inline double better_of(double a, double b) {
  if constexpr (kLargest) {
    asm("maxsd %1, %0" : "+x"(a) : "x"(b));
  } else {
    asm("minsd %1, %0" : "+x"(a) : "x"(b));
  }
  return a;
}
#endif
template <bool kLargest, class T>
T better_of(T a, T b) {
  return (kLargest ? a > b : a < b) ? a : b;
}
// Of equal numbers, which differ at most in the sign of a zero.
template <bool kLargest, class T>
[[gnu::always_inline]] inline T better_zero(T a, T b) {
#if defined(__x86_64__)
  if constexpr (kLargest) {
    asm("andps %1, %0" : "+x"(a) : "x"(b));
  } else {
    asm("orps %1, %0" : "+x"(a) : "x"(b));
  }
  return a;
#else
  return std::signbit(a) == kLargest ? b : a;
#endif
}
// kBranches: expects that numbers differ.
template <bool kLargest, bool kBranches = true>
struct Extreme {
  static constexpr auto reduction = kLargest ? Reduction::maximum : Reduction::minimum;
  using OfEqual = Extreme<kLargest, false>;
  template <class T>
  [[gnu::always_inline]] static void apply(T& a, T b) {
    const T old = a;
    a = better_of<kLargest>(old, b);
    if constexpr (std::is_floating_point_v<T>) {
      if constexpr (kBranches) {
        // Equal numbers, which may be zeros of both signs, and NaN.
        if (__builtin_islessgreater(old, b)) [[likely]]
          return;
      }
      // In the other order equal operands give the other one.
      a = better_zero<kLargest>(a, better_of<kLargest>(b, old));
      if (__builtin_isunordered(old, b)) [[unlikely]]
        a = std::numeric_limits<T>::quiet_NaN();
    }
  }
};

}  // namespace understudy::worker::ops::combinations
