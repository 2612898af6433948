// SPDX-License-Identifier: Apache-2.0
// Part of kernels.inl.h: f16 and the f8, f6 and f4 families. Narrowing rounds to nearest even in
// integer arithmetic. Values beyond the largest finite one become what the format has for them
// (infinity, NaN, or the largest value), as in XLA's converters; the tests compare every code with
// ml_dtypes.
#pragma once

#include "program/kernels/f16_vectors.inl.h"
#include "program/kernels/kernel_table.h"
#include "program/kernels/types.inl.h"

namespace understudy::program::kernels {
namespace {

// What a format has beyond its finite values.
enum class Beyond {
  ieee,           // infinities and NaNs, exponent all ones
  nan_only,       // "fn": one NaN, all ones; overflow gives it
  negative_zero,  // "fnuz": the NaN is the pattern of -0; no negative zero
  nothing,        // saturates; NaN becomes -0
};

template <int kExponent, int kMantissa, int kBias, Beyond kBeyond>
struct Format {
  static constexpr int width = 1 + kExponent + kMantissa;
  static constexpr u32 sign = 1U << (width - 1);
  static constexpr u32 all = sign - 1;  // every bit but the sign
  static constexpr u32 infinity = all & ~((1U << kMantissa) - 1U);
  static constexpr u32 largest = kBeyond == Beyond::ieee       ? infinity - 1
                                 : kBeyond == Beyond::nan_only ? all - 1
                                                               : all;
  // The code that a too large value becomes.
  static constexpr u32 overflow = kBeyond == Beyond::ieee            ? infinity
                                  : kBeyond == Beyond::negative_zero ? sign
                                                                     : all;
  static constexpr u32 nan = kBeyond == Beyond::ieee       ? infinity | (1U << (kMantissa - 1))
                             : kBeyond == Beyond::nan_only ? all
                                                           : sign;

  // Every value of these formats is exact in f32. No step has a denormal f32, which processors take
  // long for.
  static constexpr u32 widen_bits(u32 stored) {
    const u32 code = stored & all;
    const u32 flip = (stored & sign) != 0 ? 0x80000000U : 0U;
    // A denormal code has the exponent of the smallest normal value, which adds just that.
    constexpr u32 kLeast = (128U - kBias) << 23;
    const u32 placed = code << (23 - kMantissa);
    const float beyond = __builtin_bit_cast(float, placed + kLeast);
    const u32 denormal = __builtin_bit_cast(u32, beyond - __builtin_bit_cast(float, kLeast));
    const u32 normal = placed + (kLeast - (1U << 23));
    const u32 finite = flip | (code < (1U << kMantissa) ? denormal : normal);
    // Infinity and NaN: the payload is kept at the top of the f32 mantissa.
    if constexpr (kBeyond == Beyond::ieee) {
      const u32 special = flip | 0x7f800000U | ((code - infinity) << (23 - kMantissa));
      return code >= infinity ? special : finite;
    }
    if constexpr (kBeyond == Beyond::nan_only) return code == all ? flip | 0x7fc00000U : finite;
    if constexpr (kBeyond == Beyond::negative_zero) return stored == sign ? 0x7fc00000U : finite;
    return finite;
  }

  // Normal results keep the upper bits of the f32, to which just less than half a unit is added
  // (half of one where the result is odd); a carry goes into the exponent. Of denormal results the
  // unit is fixed: it is that of a float to which the number is added, which rounds it.
  static u32 narrow(float x) {
    const u32 bits = __builtin_bit_cast(u32, x);
    const u32 magnitude = bits & 0x7fffffffU;
    const u32 flip = (bits >> 31) << (width - 1);
    constexpr u32 kShift = 23 - kMantissa;
    constexpr u32 kLeast = (128U - kBias) << 23;  // the smallest normal value as an f32
    constexpr u32 kFixed = kLeast + (kShift << 23);
    const u32 odd = (magnitude >> kShift) & 1U;
    const u32 normal =
        (magnitude - (kLeast - (1U << 23)) + ((1U << (kShift - 1U)) - 1U) + odd) >> kShift;
    const float sum = __builtin_bit_cast(float, magnitude) + __builtin_bit_cast(float, kFixed);
    const u32 denormal = __builtin_bit_cast(u32, sum) - kFixed;
    const u32 finite = magnitude < kLeast ? denormal : normal;
    return settle_code<u32>(finite, magnitude, 0x7f800000U, flip);
  }

  // The same of a bf16, in 16 bits. Denormal results are the number of middles between two of them
  // that are exceeded: few, and all of them bf16.
  static constexpr bool narrows_bf16 = kMantissa <= 3;
  static u16 narrow_bf16(u16 x) {
    constexpr u32 kShift = 7 - kMantissa;
    constexpr u16 kLeast = (128U - kBias) << 7;
    // Modulo 2^16.
    constexpr u16 kAdded = static_cast<u16>(((1U << (kShift - 1U)) - 1U) - (kLeast - (1U << 7)));
    const u16 magnitude = x & 0x7fffU;
    const u16 flip = (x >> (16 - width)) & sign;
    const u16 odd = (magnitude >> kShift) & 1U;
    const u16 normal = static_cast<u16>(magnitude + kAdded + odd) >> kShift;
    const u16 finite = magnitude < kLeast ? middles_below(magnitude) : normal;
    return settle_code<u16>(finite, magnitude, 0x7f80, flip);
  }

  // The same of a vector. Comparisons have a sign, as the instructions of AVX2.
  template <class Signed, class Unsigned>
  static UNDERSTUDY_INLINE Signed narrow_bf16_vector(Unsigned x) {
    constexpr u32 kShift = 7 - kMantissa;
    constexpr i16 kLeast = (128 - kBias) << 7, kInfinite = 0x7f80;
    constexpr i16 kAdded = (1 << (kShift - 1)) - 1 - (kLeast - (1 << 7));
    constexpr i16 kLargest = largest, kOverflow = overflow, kNan = nan, kSign = sign;
    const Unsigned bits = x & u16{0x7fff};
    const Signed magnitude = (Signed)bits;
    const Signed flip = (Signed)((x >> (16 - width)) & static_cast<u16>(sign));
    // Modulo 2^16.
    const Unsigned rounded = bits + static_cast<u16>(kAdded) + ((bits >> kShift) & u16{1});
    const Signed normal = (Signed)(rounded >> kShift);
    const Signed finite = magnitude < kLeast ? middles_below_vector(magnitude) : normal;
    const Signed code =
        (finite > kLargest) | (magnitude == kInfinite) ? kOverflow - Signed{} : finite;
    const Signed settled = magnitude > kInfinite ? kNan - Signed{} : code;
    if constexpr (kBeyond == Beyond::negative_zero)
      return (settled == i16{0}) | (settled == kSign) ? settled : settled | flip;
    if constexpr (kBeyond == Beyond::nothing)
      return magnitude > kInfinite ? settled : settled | flip;
    return settled | flip;
  }

 private:
  template <u32 kCode = 0, class Signed>
  static UNDERSTUDY_INLINE Signed middles_below_vector(Signed magnitude) {
    if constexpr (kCode == 1U << kMantissa) {
      return Signed{};
    } else {
      // A comparison that holds is -1.
      return middles_below_vector<kCode + 1>(magnitude) - (magnitude > i16{kMost<kCode>});
    }
  }
  // The largest bf16 that becomes at most the code: a number in the middle becomes the even one.
  template <u32 kCode>
  static constexpr i16 most() {
    constexpr float kHalfUnit = __builtin_bit_cast(float, (127U - kBias - kMantissa) << 23);
    constexpr u16 kMiddle = __builtin_bit_cast(u32, (2 * kCode + 1) * kHalfUnit) >> 16;
    return static_cast<i16>(kMiddle - kCode % 2);
  }
  template <u32 kCode>
  static constexpr i16 kMost = most<kCode>();
  template <u32 kCode = 0>
  static u16 middles_below(u16 magnitude) {
    if constexpr (kCode == 1U << kMantissa) {
      return 0;
    } else {
      return static_cast<u16>((magnitude > kMost<kCode> ? 1 : 0) +
                              middles_below<kCode + 1>(magnitude));
    }
  }

  // "fnuz" formats have no negative zero: its code is the NaN. Formats with no NaN give -0 for
  // NaN.
  template <class Bits>
  static Bits settle_code(Bits finite, Bits magnitude, Bits infinite, Bits flip) {
    constexpr Bits kNan = nan, kOverflow = overflow, kSign = sign;
    const bool is_nan = magnitude > infinite;
    const Bits code = finite > largest || magnitude == infinite ? kOverflow : finite;
    const Bits flipped = code | flip;
    if constexpr (kBeyond == Beyond::negative_zero) {
      return is_nan ? kNan : (code == 0 || code == kSign) ? code : flipped;
    } else if constexpr (kBeyond == Beyond::nothing) {
      return is_nan ? kNan : flipped;
    } else {
      return (is_nan ? kNan : code) | flip;
    }
  }
};

using F16Format = Format<5, 10, 15, Beyond::ieee>;

struct F16Tag {
  static constexpr ElementType type = ElementType::f16;
  static constexpr Family family = Family::small_float;
  using Stored = u16;
  using Value = float;
  static float load(u16 x) { return __builtin_bit_cast(float, F16Format::widen_bits(x)); }
  static u16 store(float x) { return static_cast<u16>(F16Format::narrow(x)); }
  static float largest() { return load(static_cast<u16>(F16Format::largest)); }
};

template <ElementType kType, class F>
struct SmallTag {
  using Format = F;
  static constexpr ElementType type = kType;
  static constexpr Family family = Family::small_float;
  using Stored = u8;
  using Value = float;
  static float load(u8 x) {
    return __builtin_bit_cast(float, F::widen_bits(x & (F::sign | F::all)));
  }
  static u8 store(float x) { return static_cast<u8>(F::narrow(x)); }
  static float largest() { return load(static_cast<u8>(F::largest)); }
};

// Exponents only, with bias 127 and no sign: code x is 2^(x - 127); 255 is NaN. Code 0 is 2^-127, a
// denormal f32. Zero and negative values cannot be represented and become NaN.
struct F8E8M0Tag {
  static constexpr ElementType type = ElementType::f8e8m0fnu;
  static constexpr Family family = Family::small_float;
  using Stored = u8;
  using Value = float;
  static float load(u8 x) {
    const u32 bits = x == 0 ? 0x400000U : x == 255 ? 0x7fc00000U : static_cast<u32>(x) << 23;
    return __builtin_bit_cast(float, bits);
  }
  static u8 store(float x) {
    const u32 bits = __builtin_bit_cast(u32, x);
    const u32 up = (bits & 0x7fffffU) > 0x400000U || ((bits & 0x400000U) != 0 && bits >= 0x800000U);
    const u32 code = (bits >> 23) + up;
    return static_cast<u8>(x > 0.0F && code < 255 ? code : 255);
  }
  static float largest() { return load(254); }
};

using F4E2M1FN = SmallTag<ElementType::f4e2m1fn, Format<2, 1, 1, Beyond::nothing>>;
using F6E2M3FN = SmallTag<ElementType::f6e2m3fn, Format<2, 3, 1, Beyond::nothing>>;
using F6E3M2FN = SmallTag<ElementType::f6e3m2fn, Format<3, 2, 3, Beyond::nothing>>;
using F8E3M4 = SmallTag<ElementType::f8e3m4, Format<3, 4, 3, Beyond::ieee>>;
using F8E4M3 = SmallTag<ElementType::f8e4m3, Format<4, 3, 7, Beyond::ieee>>;
using F8E4M3B11 = SmallTag<ElementType::f8e4m3b11fnuz, Format<4, 3, 11, Beyond::negative_zero>>;
using F8E4M3FN = SmallTag<ElementType::f8e4m3fn, Format<4, 3, 7, Beyond::nan_only>>;
using F8E4M3FNUZ = SmallTag<ElementType::f8e4m3fnuz, Format<4, 3, 8, Beyond::negative_zero>>;
using F8E5M2 = SmallTag<ElementType::f8e5m2, Format<5, 2, 15, Beyond::ieee>>;
using F8E5M2FNUZ = SmallTag<ElementType::f8e5m2fnuz, Format<5, 2, 16, Beyond::negative_zero>>;

// ---- loops of small floats ----------------------------------------------------------------------

// Elements per block of the two-step kernels: two f32 blocks fit the L1 cache and amortise the
// calls.
constexpr std::size_t kBlock = 256;

template <class Tag>
UNDERSTUDY_ONCE void widen(const void* in, void* out, std::size_t n) noexcept {
  const auto* x = static_cast<const typename Tag::Stored*>(in);
  auto* y = static_cast<float*>(out);
  std::size_t i = 0;
#if defined(__F16C__)
  constexpr std::size_t kSize = kVectorSize<float>;
  if constexpr (Tag::type == ElementType::f16) {
    for (; i + kSize <= n; i += kSize) {
      const Vector<float> wide = widened_f16(x + i);
      put_vector(y + i, wide);
      if (!has_nan(wide)) continue;
      for (std::size_t v = i; v < i + kSize; ++v) y[v] = Tag::load(x[v]);
    }
  }
#endif
  for (; i < n; ++i) y[i] = Tag::load(x[i]);
}

template <class Tag>
UNDERSTUDY_ONCE void narrow(const void* in, void* out, std::size_t n) noexcept {
  const auto* x = static_cast<const float*>(in);
  auto* y = static_cast<typename Tag::Stored*>(out);
  std::size_t i = 0;
#if defined(__F16C__)
  constexpr std::size_t kSize = kVectorSize<float>;
  if constexpr (Tag::type == ElementType::f16)
    for (; i + kSize <= n; i += kSize) put_f16(y + i, vector_at(x + i));
#endif
  for (; i < n; ++i) y[i] = Tag::store(x[i]);
}

// What a loop over blocks must know of a small float. The loops below are compiled once, not once
// per type and operation, of which there are 850: each of these is a call with constants.
struct SmallFloat {
  UnaryKernel widen, narrow;
  std::size_t bytes;
};
template <class Tag>
constexpr SmallFloat kSmallFloat{&widen<Tag>, &narrow<Tag>, sizeof(typename Tag::Stored)};

// What the f32 kernel of a block gives: a result to be rounded, or a pred.
enum class BlockResult { number, pred };

// Small floats widen a block to f32, run the f32 kernel on it and round the result once. That is
// one rounding per operation, as XLA does for bf16 and f16.
UNDERSTUDY_ONCE void one_by_blocks(const SmallFloat& type, BlockResult result, UnaryKernel kernel,
                                   const void* in, void* out, std::size_t n) noexcept {
  float wide[kBlock];
  for (std::size_t i = 0; i < n; i += kBlock) {
    const std::size_t count = n - i < kBlock ? n - i : kBlock;
    type.widen(static_cast<const u8*>(in) + i * type.bytes, wide, count);
    if (result == BlockResult::pred) {
      kernel(wide, static_cast<u8*>(out) + i, count);
    } else {
      kernel(wide, wide, count);
      type.narrow(wide, static_cast<u8*>(out) + i * type.bytes, count);
    }
  }
}

// As one_by_blocks, for two operands. A number overwrites the left block.
UNDERSTUDY_ONCE void two_by_blocks(const SmallFloat& type, BlockResult result, BinaryKernel kernel,
                                   const void* a, const void* b, void* out,
                                   std::size_t n) noexcept {
  float left[kBlock];
  float right[kBlock];
  for (std::size_t i = 0; i < n; i += kBlock) {
    const std::size_t count = n - i < kBlock ? n - i : kBlock;
    type.widen(static_cast<const u8*>(a) + i * type.bytes, left, count);
    type.widen(static_cast<const u8*>(b) + i * type.bytes, right, count);
    if (result == BlockResult::pred) {
      kernel(left, right, static_cast<u8*>(out) + i, count);
    } else {
      kernel(left, right, left, count);
      type.narrow(left, static_cast<u8*>(out) + i * type.bytes, count);
    }
  }
}

template <class Tag, UnaryKernel kKernel>
void map_one_small(const void* in, void* out, std::size_t n) noexcept {
  one_by_blocks(kSmallFloat<Tag>, BlockResult::number, kKernel, in, out, n);
}
template <class Tag, BinaryKernel kKernel>
void map_two_small(const void* a, const void* b, void* out, std::size_t n) noexcept {
  two_by_blocks(kSmallFloat<Tag>, BlockResult::number, kKernel, a, b, out, n);
}
template <class Tag, UnaryKernel kKernel>
void test_one_small(const void* in, void* out, std::size_t n) noexcept {
  one_by_blocks(kSmallFloat<Tag>, BlockResult::pred, kKernel, in, out, n);
}
template <class Tag, BinaryKernel kKernel>
void test_two_small(const void* a, const void* b, void* out, std::size_t n) noexcept {
  two_by_blocks(kSmallFloat<Tag>, BlockResult::pred, kKernel, a, b, out, n);
}

}  // namespace
}  // namespace understudy::program::kernels
