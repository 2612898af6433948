// SPDX-License-Identifier: Apache-2.0
// Part of kernels.inl.h: conversions between all pairs of element types. Integers wrap. Floats
// truncate towards zero to integers and saturate; NaN gives 0. Everything else rounds once, to
// nearest even. Conversion to pred is x != 0.
#pragma once

#include "program/kernels/compare.inl.h"

namespace understudy::program::kernels {
namespace {

// Rounds a double to f32 "to odd": towards zero, with the lowest bit set if anything was lost.
// Rounding the result again, to 22 bits or fewer, then gives what rounding the double directly
// gives. (Two roundings to nearest could turn a value just beside a tie into a tie.)
inline float to_odd(double x) {
  const float near = static_cast<float>(x);
  const double back = double{near};
  const u32 bits = __builtin_bit_cast(u32, near);
  const bool beyond = magnitude_of(back) > magnitude_of(x);
  const u32 below = beyond ? bits - 1 : bits;
  const u32 odd = back == x || x != x ? bits : below | 1U;
  return __builtin_bit_cast(float, odd);
}

// An integer as a float that keeps a sticky bit: the upper bits, with the lowest of them set if any
// other bit was. Rounding it later to a shorter format rounds the integer once.
inline float sticky_float(u32 size) {
  const u32 far = (size >> 8) | ((size & 0xffU) != 0 ? 1U : 0U);
  const bool is_near = size < (1U << 24);
  const float whole = static_cast<float>(static_cast<i32>(is_near ? size : far));
  return is_near ? whole : whole * 256.0F;
}
template <class T>
inline float sticky_float(T x) {
  if constexpr (sizeof(T) < 8) {
    const u32 bits = static_cast<u32>(x);
    const float size = sticky_float(x < T(0) ? 0U - bits : bits);
    return x < T(0) ? -size : size;
  } else {
    const bool negative = x < T(0);
    const u64 size = negative ? u64{0} - static_cast<u64>(x) : static_cast<u64>(x);
    const u64 kept = size < (u64{1} << 53)
                         ? size
                         : (size & ~u64{0xfff}) | ((size & 0xfff) != 0 ? u64{0x800} : 0);
    const double y = static_cast<double>(kept);
    return to_odd(negative ? -y : y);
  }
}

template <class Tag, class F>
inline typename Tag::Value saturate(F x) {
  using T = typename Tag::Value;
  constexpr int kDigits = Tag::bits - (Tag::is_signed ? 1 : 0);
  constexpr u64 kTop = ~u64{0} >> (64 - kDigits);
  // 2^kDigits is exact in F; the largest integer itself may not be.
  constexpr F kBeyond = static_cast<F>(kTop / 2 + 1) * F(2);  // 2^kDigits, exactly
  constexpr T kMost = static_cast<T>(kTop);
  constexpr T kLeast = Tag::is_signed ? static_cast<T>(~kTop) : T(0);
  if constexpr (sizeof(T) <= 2) {
    // As floats: of a comparison with NaN, the second operand.
    const F above = x > F(kLeast) ? x : F(kLeast);
    const i32 near = static_cast<i32>(above < F(kMost) ? above : F(kMost));
    return static_cast<T>(Tag::is_signed && x != x ? 0 : near);
  }
  if (x != x) return T(0);
  if (x >= kBeyond) return kMost;
  if (Tag::is_signed ? x <= -kBeyond : x <= F(0)) return kLeast;
  return static_cast<T>(x);
}

// From any real value to the value of a target's tag.
template <class From, class To>
struct Conversion {
  static typename To::Value apply(typename From::Value x) {
    if constexpr (To::family == Family::pred) {
      return x != typename From::Value(0);
    } else if constexpr (To::family == Family::small_float) {
      return narrowed(x);
    } else if constexpr (To::family == Family::integer && kIsFloat<typename From::Value>) {
      return saturate<To>(x);
    } else {
      return static_cast<typename To::Value>(x);
    }
  }

 private:
  static float narrowed(typename From::Value x) {
    if constexpr (sizeof(x) == 8 && kIsFloat<typename From::Value>) {
      return to_odd(x);
    } else if constexpr (sizeof(x) >= 4 && !kIsFloat<typename From::Value>) {
      return sticky_float(x);
    } else {
      return static_cast<float>(x);
    }
  }
};

struct MakeComplex {
  template <class T>
  static Complex<T> apply(T x) {
    return {x, 0};
  }
};
template <class T>
struct CastComplex {
  template <class From>
  static Complex<T> apply(Complex<From> x) {
    return {static_cast<T>(x.re), static_cast<T>(x.im)};
  }
};

// An f32 on its way to a smaller float: rounded to odd.
struct OddF32 : F32 {
  static constexpr Family family = Family::small_float;
};

template <class Tag>
void copy(const void* in, void* out, std::size_t n) noexcept {
  if (in != out && n != 0) __builtin_memcpy(out, in, n * sizeof(typename Tag::Stored));
}

// Pairs without a loop of their own convert block by block through a type of at most 8 bytes that
// loses nothing that matters. That keeps the number of compiled loops linear in the number of
// types.
struct Half {
  UnaryKernel kernel;
  std::size_t bytes;  // of its type that is not the middle
};
UNDERSTUDY_ONCE void convert_by_blocks(Half first, Half second, const void* in, void* out,
                                       std::size_t n) noexcept {
  u64 middle[kBlock];
  for (std::size_t i = 0; i < n; i += kBlock) {
    const std::size_t count = n - i < kBlock ? n - i : kBlock;
    first.kernel(static_cast<const u8*>(in) + i * first.bytes, middle, count);
    second.kernel(middle, static_cast<u8*>(out) + i * second.bytes, count);
  }
}
template <UnaryKernel kFirst, UnaryKernel kSecond, std::size_t kIn, std::size_t kOut>
void convert_through(const void* in, void* out, std::size_t n) noexcept {
  convert_by_blocks({kFirst, kIn}, {kSecond, kOut}, in, out, n);
}

template <class Tag>
constexpr bool kByteFloat = Tag::family == Family::small_float && sizeof(typename Tag::Stored) == 1;

// A small float in memory, not OddF32.
template <class Tag>
constexpr bool kIsNarrowed = Tag::family == Family::small_float&& Tag::type != ElementType::f32;

template <class Tag>
concept NarrowsBf16 = kByteFloat<Tag> && Tag::Format::narrows_bf16;

// The bits of a bf16 from codes of a format of few denormal numbers, lanes of 16 bits with a sign:
// comparisons have one, as the instructions of AVX2. The bits of Format::widen_bits(), with quiet
// NaN.
template <class Format>
struct WidenedCodes {
  static constexpr i16 kMask = Format::all & ~Format::infinity;  // of the mantissa
  static constexpr int kShift = 7 - __builtin_popcount(kMask);
  static constexpr i16 bits_of(u32 code) {
    return static_cast<i16>(Format::widen_bits(code) >> 16);
  }

  // Sums of steps from each denormal number to the next one.
  template <i16 kCode = 1, class Signed>
  static UNDERSTUDY_INLINE Signed denormal(Signed code) {
    if constexpr (kCode > kMask) {
      return Signed{};
    } else {
      constexpr i16 kStep = bits_of(kCode) - bits_of(kCode - 1);
      return denormal<kCode + 1>(code) + ((code > i16{kCode - 1}) & kStep);
    }
  }
  template <class Signed>
  static UNDERSTUDY_INLINE Signed apply(Signed stored) {
    constexpr i16 kAll = Format::all, kSign = Format::sign, kInfinity = Format::infinity;
    constexpr i16 kNormal = bits_of(kMask + 1) - ((kMask + 1) << kShift);
    constexpr i16 kInfinite = 0x7f80, kNan = 0x7fc0, kQuiet = 0x40;
    const Signed code = stored & kAll;
    const Signed flip = (stored & kSign) << (16 - Format::width);
    Signed size = code > kMask ? (code << kShift) + kNormal : denormal(code);
    if constexpr (Format::largest == Format::infinity - 1) {
      const Signed special =
          (((code - kInfinity) << kShift) + kInfinite) | ((code > kInfinity) & kQuiet);
      size = code < kInfinity ? size : special;
    } else if constexpr (Format::largest == Format::all - 1) {
      size = code == kAll ? kNan - Signed{} : size;
    } else if constexpr (Format::overflow == Format::sign) {
      return (stored & i16{kAll | kSign}) == kSign ? kNan - Signed{} : size | flip;
    }
    return size | flip;
  }
};

// bf16 has all values of a float of a byte; a NaN is made quiet.
template <class Tag>
UNDERSTUDY_ONCE void byte_float_to_bf16(const void* in, void* out, std::size_t n) noexcept {
  const auto* x = static_cast<const u8*>(in);
  auto* y = static_cast<u16*>(out);
  std::size_t i = 0;
#if defined(__AVX2__)
  if constexpr (NarrowsBf16<Tag>) {
    typedef i16 Signed __attribute__((vector_size(kVectorBytes)));
    typedef u8 Bytes __attribute__((vector_size(kVectorBytes / 2)));
    for (; i + kVectorSize<u16> <= n; i += kVectorSize<u16>) {
      Bytes bytes;
      __builtin_memcpy(&bytes, x + i, sizeof(bytes));
      const Signed bits =
          WidenedCodes<typename Tag::Format>::apply(__builtin_convertvector(bytes, Signed));
      __builtin_memcpy(y + i, &bits, sizeof(bits));
    }
  }
#endif
  for (; i < n; ++i) {
    const u32 bits = __builtin_bit_cast(u32, Tag::load(x[i]));
    const u32 quiet = (bits & 0x7fffffffU) > 0x7f800000U ? 0x400000U : 0U;
    y[i] = static_cast<u16>((bits | quiet) >> 16);
  }
}

template <class Tag>
UNDERSTUDY_ONCE void bf16_to_byte_float(const void* in, void* out, std::size_t n) noexcept {
  const auto* x = static_cast<const u16*>(in);
  auto* y = static_cast<u8*>(out);
  std::size_t i = 0;
#if defined(__AVX2__)
  typedef i16 Signed __attribute__((vector_size(kVectorBytes)));
  typedef u16 Unsigned __attribute__((vector_size(kVectorBytes)));
  typedef u8 Bytes __attribute__((vector_size(kVectorBytes / 2)));
  for (; i + kVectorSize<u16> <= n; i += kVectorSize<u16>) {
    Unsigned v;
    __builtin_memcpy(&v, x + i, sizeof(v));
    const Signed codes = Tag::Format::template narrow_bf16_vector<Signed>(v);
    const Bytes bytes = __builtin_convertvector(codes, Bytes);
    __builtin_memcpy(y + i, &bytes, sizeof(bytes));
  }
#endif
  for (; i < n; ++i) y[i] = static_cast<u8>(Tag::Format::narrow_bf16(x[i]));
}

template <class From, class To>
constexpr UnaryKernel conversion();

template <class From, class To>
constexpr UnaryKernel integer_conversion() {
  if constexpr (kIsSame<From, To>) return &copy<From>;
  return &map_one<From, To, Conversion<From, To>>;
}

template <class From, class Middle, class To>
constexpr UnaryKernel through() {
  static_assert(sizeof(typename Middle::Stored) <= sizeof(u64));
  return &convert_through<conversion<From, Middle>(), conversion<Middle, To>(),
                          sizeof(typename From::Stored), sizeof(typename To::Stored)>;
}

// Between complex and real numbers only the real part converts; the imaginary part is dropped, or
// 0.
template <class From, class To>
constexpr UnaryKernel complex_conversion() {
  if constexpr (From::family == To::family) {
    return &map_one<From, To, CastComplex<typename To::Real>>;
  } else if constexpr (From::family == Family::complex) {
    if constexpr (To::type == From::RealTag::type) {
      return &map_one<From, To, RealOf>;
    } else {
      return through<From, typename From::RealTag, To>();
    }
  } else if constexpr (From::type == To::RealTag::type) {
    return &map_one<From, To, MakeComplex>;
  } else {
    return through<From, typename To::RealTag, To>();
  }
}

// Small floats convert through f32, which holds all their values: one rounding, in the second half.
// Integers that wrap give the same bits whether they are signed or not, where the value does not
// become longer.
template <class From, class To>
constexpr UnaryKernel conversion() {
  if constexpr (From::type == To::type && From::family == To::family) {
    return &copy<From>;
  } else if constexpr (From::family == Family::complex || To::family == Family::complex) {
    return complex_conversion<From, To>();
  } else if constexpr (From::type == ElementType::f32 && kIsNarrowed<To>) {
    return &narrow<To>;
  } else if constexpr (kIsNarrowed<From> && To::type == ElementType::f32) {
    return &widen<From>;
  } else if constexpr (kByteFloat<From> && To::type == ElementType::bf16) {
    return &byte_float_to_bf16<From>;
  } else if constexpr (From::type == ElementType::bf16 && NarrowsBf16<To>) {
    return &bf16_to_byte_float<To>;
  } else if constexpr (kIsNarrowed<From>) {
    return through<From, F32, To>();
  } else if constexpr (kIsNarrowed<To>) {
    return through<From, OddF32, To>();
  } else if constexpr (From::family == Family::integer && !kIsSame<From, BytesTag<From>>) {
    // A narrow integer is stored as the byte that has its value.
    return conversion<BytesTag<From>, To>();
  } else if constexpr (From::family == Family::integer && To::family == Family::integer) {
    constexpr bool kLonger = sizeof(typename To::Stored) > sizeof(typename From::Stored);
    using Source = typename Either<kLonger, From, BitsTag<From>>::type;
    return integer_conversion<Source, BitsTag<To>>();
  } else {
    return &map_one<From, To, Conversion<From, To>>;
  }
}

}  // namespace
}  // namespace understudy::program::kernels
