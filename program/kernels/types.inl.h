// SPDX-License-Identifier: Apache-2.0
// Part of kernels.inl.h: how each element type is stored and computed. A tag names a type. `Stored`
// is the type in memory, `Value` the type that functions compute in; load() and store() convert.
#pragma once

#include <cstddef>
#include <cstdint>

#include "program/ir/kinds.h"

namespace understudy::program::kernels {
namespace {

using i8 = std::int8_t;
using i16 = std::int16_t;
using i32 = std::int32_t;
using i64 = std::int64_t;
using u8 = std::uint8_t;
using u16 = std::uint16_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;

// One pattern for every NaN that a computation creates. IEEE leaves the payload and sign of NaN
// results open, and x86 takes them from the first operand, so the order of operands or the
// instruction set would show in the bits.
constexpr float kNan32 = __builtin_nanf("");
constexpr double kNan64 = __builtin_nan("");
constexpr float kInf32 = __builtin_inff();
constexpr double kInf64 = __builtin_inf();

inline float settle(float x) { return x != x ? kNan32 : x; }
inline double settle(double x) { return x != x ? kNan64 : x; }

template <class T>
struct Complex {
  T re;
  T im;
};

enum class Family { pred, integer, floating, small_float, complex };

template <bool kSame, class A, class B>
struct Either {
  using type = A;
};
template <class A, class B>
struct Either<false, A, B> {
  using type = B;
};

// Integers of `kBits` bits in a T. Narrow integers occupy a byte; the upper bits are copies of the
// sign (or zero), so that loads need no masking.
template <ElementType kType, class T, int kBits>
struct IntegerTag {
  static constexpr ElementType type = kType;
  static constexpr Family family = Family::integer;
  static constexpr int bits = kBits;
  static constexpr bool is_signed = T(-1) < T(0);
  using Stored = T;
  using Value = T;
  static T load(T x) { return x; }
  // Wraps to the width. (low ^ sign) - sign extends the sign without a branch.
  static T store(T x) {
    if constexpr (kBits == 8 * sizeof(T)) {
      return x;
    } else {
      const u8 low = static_cast<u8>(static_cast<u8>(x) & ((1U << kBits) - 1U));
      const u8 sign = static_cast<u8>(1U << (kBits - 1));
      return is_signed ? static_cast<T>(static_cast<u8>((low ^ sign) - sign)) : static_cast<T>(low);
    }
  }
};

struct PredTag {
  static constexpr ElementType type = ElementType::pred;
  static constexpr Family family = Family::pred;
  using Stored = u8;
  using Value = u8;
  static u8 load(u8 x) { return x; }
  static u8 store(u8 x) { return x; }
};

template <ElementType kType, class T>
struct FloatTag {
  static constexpr ElementType type = kType;
  static constexpr Family family = Family::floating;
  using Stored = T;
  using Value = T;
  static T load(T x) { return x; }
  static T store(T x) { return x; }
};

template <ElementType kType, class T>
struct ComplexTag {
  static constexpr ElementType type = kType;
  static constexpr Family family = Family::complex;
  using Stored = Complex<T>;
  using Value = Complex<T>;
  using Real = T;
  using RealTag = FloatTag<sizeof(T) == 4 ? ElementType::f32 : ElementType::f64, T>;
  static Value load(Value x) { return x; }
  static Value store(Value x) { return x; }
};

struct Bf16Tag {
  static constexpr ElementType type = ElementType::bf16;
  static constexpr Family family = Family::small_float;
  using Stored = u16;
  using Value = float;
  static float load(u16 x) { return __builtin_bit_cast(float, static_cast<u32>(x) << 16); }
  // Round to nearest even: adding 0x7fff plus the lowest kept bit carries exactly when the
  // dropped half is above, or at, a tie with an odd result. NaN is truncated instead, with the
  // quiet bit set, as the addition could carry it into infinity or -0.
  static u16 store(float x) {
    const u32 bits = __builtin_bit_cast(u32, x);
    const u32 rounded = (bits + 0x7fffU + ((bits >> 16) & 1U)) >> 16;
    const u32 quiet = (bits >> 16) | 0x40U;
    return static_cast<u16>(x != x ? quiet : rounded);
  }
  static float largest() { return load(0x7f7f); }
};

using I2 = IntegerTag<ElementType::i2, i8, 2>;
using I4 = IntegerTag<ElementType::i4, i8, 4>;
using I8 = IntegerTag<ElementType::i8, i8, 8>;
using I16 = IntegerTag<ElementType::i16, i16, 16>;
using I32 = IntegerTag<ElementType::i32, i32, 32>;
using I64 = IntegerTag<ElementType::i64, i64, 64>;
using U2 = IntegerTag<ElementType::ui2, u8, 2>;
using U4 = IntegerTag<ElementType::ui4, u8, 4>;
using U8 = IntegerTag<ElementType::ui8, u8, 8>;
using U16 = IntegerTag<ElementType::ui16, u16, 16>;
using U32 = IntegerTag<ElementType::ui32, u32, 32>;
using U64 = IntegerTag<ElementType::ui64, u64, 64>;
using F32 = FloatTag<ElementType::f32, float>;
using F64 = FloatTag<ElementType::f64, double>;
using C64 = ComplexTag<ElementType::c64, float>;
using C128 = ComplexTag<ElementType::c128, double>;

template <class A, class B>
constexpr bool kIsSame = false;
template <class A>
constexpr bool kIsSame<A, A> = true;

// The kernels of one type serve another where both give the same bits; it saves the time to
// compile a third of the integer kernels. BytesTag: narrow integers and pred hold the byte that has
// their value, so that whatever leaves the range of the type may see that byte alone. BitsTag:
// integers that wrap, and comparisons with ==, do not see the sign.
template <class Tag>
struct SameBytes {
  using type = Tag;
};
template <class Tag>
struct SameBits {
  using type = Tag;
};
#define UNDERSTUDY_SAME(Which, Tag, Other) \
  template <>                              \
  struct Which<Tag> {                      \
    using type = Other;                    \
  };
UNDERSTUDY_SAME(SameBytes, PredTag, U8)
UNDERSTUDY_SAME(SameBytes, I2, I8)
UNDERSTUDY_SAME(SameBytes, I4, I8)
UNDERSTUDY_SAME(SameBytes, U2, U8)
UNDERSTUDY_SAME(SameBytes, U4, U8)
UNDERSTUDY_SAME(SameBits, I8, U8)
UNDERSTUDY_SAME(SameBits, I16, U16)
UNDERSTUDY_SAME(SameBits, I32, U32)
UNDERSTUDY_SAME(SameBits, I64, U64)
#undef UNDERSTUDY_SAME
template <class Tag>
using BytesTag = typename SameBytes<Tag>::type;
template <class Tag>
using BitsTag = typename SameBits<Tag>::type;
// Of a function whose result is in the range of its operands and does not see the sign.
template <class Tag>
using PlainTag = BitsTag<BytesTag<Tag>>;
// The unsigned type of a number of bytes.
template <std::size_t kBytes>
struct UnsignedOf {
  using type = u64;
};
template <>
struct UnsignedOf<1> {
  using type = u8;
};
template <>
struct UnsignedOf<2> {
  using type = u16;
};
template <>
struct UnsignedOf<4> {
  using type = u32;
};

// Loops and long bodies are not inlined: templates instantiate them for dozens of element types,
// and inlining would multiply the code size for no speed.
#define UNDERSTUDY_ONCE __attribute__((noinline))

// ---- loops ------------------------------------------------------------------------------------

template <class In, class Out, class F>
UNDERSTUDY_ONCE void map_one(const void* in, void* out, std::size_t n) noexcept {
  const auto* x = static_cast<const typename In::Stored*>(in);
  auto* y = static_cast<typename Out::Stored*>(out);
  for (std::size_t i = 0; i < n; ++i) y[i] = Out::store(F::apply(In::load(x[i])));
}

template <class In, class Out, class F>
UNDERSTUDY_ONCE void map_two(const void* a, const void* b, void* out, std::size_t n) noexcept {
  const auto* x = static_cast<const typename In::Stored*>(a);
  const auto* y = static_cast<const typename In::Stored*>(b);
  auto* z = static_cast<typename Out::Stored*>(out);
  for (std::size_t i = 0; i < n; ++i) z[i] = Out::store(F::apply(In::load(x[i]), In::load(y[i])));
}

}  // namespace
}  // namespace understudy::program::kernels
