// SPDX-License-Identifier: Apache-2.0
// Part of kernels.inl.h: minimum and maximum of many floats by the keys of extremes.inl.h, in
// vectors. Two of the three integers are enough while a lane has an element of the sign that wins:
// the largest of one kind is the result, that of the other kind tells of NaNs. The third, the
// smallest one, is found in a second pass where no element had that sign.
#pragma once

#include <utility>

#if defined(__AVX2__)
#include <immintrin.h>
#endif

#include "program/kernels/extremes.inl.h"
#include "program/kernels/vectors.inl.h"

namespace understudy::program::kernels {
namespace {

// Whether a lane of a comparison holds.
template <class Mask>
UNDERSTUDY_INLINE bool any_lane(Mask mask) {
#if defined(__AVX512F__)
  return _mm512_movepi8_mask(__builtin_bit_cast(__m512i, mask)) != 0;
#elif defined(__AVX2__)
  return _mm256_movemask_epi8(__builtin_bit_cast(__m256i, mask)) != 0;
#else
  typedef u64 Words __attribute__((vector_size(kVectorBytes)));
  const Words words = __builtin_bit_cast(Words, mask);
  u64 any = 0;
  for (std::size_t i = 0; i < kVectorSize<u64>; ++i) any |= words[i];
  return any != 0;
#endif
}

// The larger, or smaller, of each lane: a NaN before all numbers; of equal zeros the sign that
// wins. Index: integers of the size of the lanes.
template <Reduction kReduction, class Index, class Lanes>
UNDERSTUDY_INLINE Lanes better_lanes(Lanes a, Lanes b) {
  constexpr bool kLarge = kReduction == Reduction::maximum;
  if constexpr (!kIsFloat<decltype(a[0] + 0)>) return kLarge ? (a > b ? a : b) : (a < b ? a : b);
  const auto bits_of = [](Lanes v) __attribute__((always_inline)) {
    return __builtin_bit_cast(Index, v);
  };
  const Index best = kLarge ? bits_of(a > b ? a : b) & bits_of(b > a ? b : a)
                            : bits_of(a < b ? a : b) | bits_of(b < a ? b : a);
  const Lanes of_numbers = __builtin_bit_cast(Lanes, best);
  return (a == a) & (b == b) ? of_numbers : a + b;
}

template <class Tag, Reduction kReduction>
struct ExtremeVectors {
  using Stored = typename Tag::Stored;
  using Bits = typename KeysOf<sizeof(Stored)>::Bits;
  using Key = typename KeysOf<sizeof(Stored)>::Key;
  using Scalar = RunningExtreme<Tag, kReduction, 1>;
  static constexpr bool kLarge = kReduction == Reduction::maximum;
  static constexpr std::size_t kWidth = kVectorSize<Stored>;
  using Main = typename Either<kLarge, Key, Bits>::type;
  using Other = typename Either<kLarge, Bits, Key>::type;
  typedef Main MainVector __attribute__((vector_size(kVectorBytes)));
  typedef Other OtherVector __attribute__((vector_size(kVectorBytes)));
  typedef Bits BitVector __attribute__((vector_size(kVectorBytes)));
  static constexpr Bits kSign = Scalar::kSign;
  static constexpr Bits kInfinity = Scalar::kInfinity;
  static constexpr Bits kNegativeInfinity = static_cast<Bits>(kInfinity | kSign);
  // The largest numbers of either kind: what is beyond is a NaN.
  static constexpr Main kMainTop = static_cast<Main>(kLarge ? kInfinity : kNegativeInfinity);
  static constexpr Other kOtherTop = static_cast<Other>(kLarge ? kNegativeInfinity : kInfinity);
  static constexpr Bits kNeutral = kLarge ? kNegativeInfinity : kInfinity;
  // Main integers from here on are of the sign that wins.
  static constexpr Main kDecided = static_cast<Main>(kLarge ? Bits{0} : kSign);

  static UNDERSTUDY_INLINE BitVector at(const Stored* x) {
    BitVector v;
    __builtin_memcpy(&v, x, sizeof(v));
    return v;
  }
  template <class V>
  static UNDERSTUDY_INLINE V larger(V a, V b) {
    return a > b ? a : b;
  }
  template <class V>
  static UNDERSTUDY_INLINE V smaller(V a, V b) {
    return a < b ? a : b;
  }

  static UNDERSTUDY_INLINE void step(MainVector& main, OtherVector& other, BitVector x) {
    main = larger(main, __builtin_bit_cast(MainVector, x));
    other = larger(other, __builtin_bit_cast(OtherVector, x));
  }

  // The largest (or smallest) lane, by halves.
  template <bool kLargest, std::size_t kHalf, class V, std::size_t... kLane>
  static UNDERSTUDY_INLINE V joined(V v, std::index_sequence<kLane...> all) {
    const V other = __builtin_shufflevector(v, v, static_cast<int>((kLane + kHalf) % kWidth)...);
    const V both = kLargest ? larger(v, other) : smaller(v, other);
    if constexpr (kHalf > 1) return joined<kLargest, kHalf / 2>(both, all);
    return both;
  }
  template <bool kLargest, class V>
  static UNDERSTUDY_INLINE auto lane_of(V v) {
    return joined<kLargest, kWidth / 2>(v, std::make_index_sequence<kWidth>{})[0];
  }

  // Calls f(x + i) so that all elements are covered; the last vector may overlap. n >= kWidth.
  template <std::size_t kStep, class Four, class One>
  static UNDERSTUDY_INLINE void each(const Stored* x, std::size_t n, const Four& four,
                                     const One& one) {
    std::size_t i = 0;
    for (; i + kStep * kWidth <= n; i += kStep * kWidth) four(x + i);
    for (; i + kWidth <= n; i += kWidth) one(x + i);
    if (i < n) one(x + n - kWidth);
  }

  static UNDERSTUDY_INLINE BitVector smallest(const Stored* x, std::size_t n, BitVector low) {
    BitVector a = low, b = low;
    each<2>(
        x, n,
        [&](const Stored* p) __attribute__((always_inline)) {
          a = smaller(a, at(p));
          b = smaller(b, at(p + kWidth));
        },
        [&](const Stored* p) __attribute__((always_inline)) { a = smaller(a, at(p)); });
    return smaller(a, b);
  }

  // The extreme of at least kWidth elements, as its bits.
  static UNDERSTUDY_INLINE Bits fold(const Stored* x, std::size_t n) {
    // A block stays in the first cache for the second pass.
    constexpr std::size_t kBytes = 8192, kBlockSize = kBytes / sizeof(Stored);
    MainVector a = static_cast<Main>(kNeutral) - MainVector{}, b = a, c = a, d = a;
    OtherVector e = static_cast<Other>(kNeutral) - OtherVector{}, f = e, g = e, h = e;
    BitVector low = kNeutral - BitVector{};
    for (;;) {
      const std::size_t count = n < kBlockSize + kWidth ? n : kBlockSize;
      each<4>(
          x, count,
          [&](const Stored* p) __attribute__((always_inline)) {
            step(a, e, at(p));
            step(b, f, at(p + kWidth));
            step(c, g, at(p + 2 * kWidth));
            step(d, h, at(p + 3 * kWidth));
          },
          [&](const Stored* p) __attribute__((always_inline)) { step(a, e, at(p)); });
      const MainVector most = larger(larger(a, b), larger(c, d));
      if (!any_lane(most >= kDecided)) low = smallest(x, count, low);
      n -= count;
      x += count;
      if (n == 0) break;
    }
    const Main main = lane_of<true>(larger(larger(a, b), larger(c, d)));
    const Other other = lane_of<true>(larger(larger(e, f), larger(g, h)));
    if (main > kMainTop || other > kOtherTop) return Scalar::kNan;
    return main >= kDecided ? static_cast<Bits>(main) : lane_of<false>(low);
  }

  // Columns whose accumulators stay in registers over all rows, about 256 bytes.
  static constexpr std::size_t kTiles = 256 / kVectorBytes < 8 ? 256 / kVectorBytes : 8;
  static constexpr bool kIsAccumulator = Scalar::kIsAccumulator;
  using Accumulator = typename AccumulatorOf<Tag>::type::Stored;

  template <std::size_t kCount>
  static UNDERSTUDY_INLINE void second_pass(const Stored* x, std::size_t rows, std::size_t stride,
                                            const Accumulator* y, MainVector (&main)[kCount]) {
    for (std::size_t t = 0; t < kCount; ++t) {
      if (!any_lane(main[t] < kDecided)) continue;
      BitVector low = kNeutral - BitVector{};
      if constexpr (kIsAccumulator) low = at(y + t * kWidth);
      const Stored* at_row = x + t * kWidth;
      for (std::size_t r = 0; r < rows; ++r, at_row += stride) low = smaller(low, at(at_row));
      main[t] = main[t] >= kDecided ? main[t] : __builtin_bit_cast(MainVector, low);
    }
  }

  // Steps of `rows` rows, at least one, on the accumulators of kCount vectors of columns. False,
  // and nothing done, where a NaN is among them.
  template <std::size_t kCount>
  static UNDERSTUDY_INLINE bool accumulate(const Stored* x, std::size_t rows, std::size_t stride,
                                           Accumulator* y) {
    MainVector main[kCount];
    OtherVector other = static_cast<Other>(kNeutral) - OtherVector{};
    MainVector top = static_cast<Main>(kNeutral) - MainVector{};
#pragma GCC unroll 8
    for (std::size_t t = 0; t < kCount; ++t) {
      if constexpr (kIsAccumulator) {
        main[t] = __builtin_bit_cast(MainVector, at(y + t * kWidth));
        step(main[t], other, at(y + t * kWidth));
      } else {
        main[t] = top;
      }
    }
    const Stored* at_row = x;
    for (std::size_t r = 0; r < rows; ++r, at_row += stride) {
#pragma GCC unroll 8
      for (std::size_t t = 0; t < kCount; ++t) {
        step(main[t], other, at(at_row + t * kWidth));
      }
    }
    MainVector least = main[0];
#pragma GCC unroll 8
    for (std::size_t t = 0; t < kCount; ++t) {
      top = larger(top, main[t]);
      least = smaller(least, main[t]);
    }
    if (any_lane(top > kMainTop) || any_lane(other > kOtherTop)) return false;
    if (any_lane(least < kDecided)) second_pass(x, rows, stride, y, main);
#pragma GCC unroll 8
    for (std::size_t t = 0; t < kCount; ++t) put(y + t * kWidth, main[t]);
    return true;
  }

  static UNDERSTUDY_INLINE void put(Accumulator* y, MainVector main) {
    if constexpr (kIsAccumulator) {
      __builtin_memcpy(y, &main, sizeof(main));
    } else {
      Stored stored[kWidth];
      __builtin_memcpy(stored, &main, sizeof(main));
      constexpr std::size_t kFloats = kVectorSize<float>;
      for (std::size_t i = 0; i < kWidth; i += kFloats) {
        Vector<float> wide;
        if constexpr (Tag::type == ElementType::bf16) {
          wide = widened_bf16(stored + i);
        } else {
          for (std::size_t l = 0; l < kFloats; ++l) wide[l] = Tag::load(stored[i + l]);
        }
        put_vector(y + i, joined_floats(vector_at(y + i), wide));
      }
    }
  }
  // Of equal zeros the sign that wins. x has no NaN.
  static UNDERSTUDY_INLINE Vector<float> joined_floats(Vector<float> y, Vector<float> x) {
    const auto bits_of = [](Vector<float> v) __attribute__((always_inline)) {
      return __builtin_bit_cast(WordVector, v);
    };
    const WordVector best = kLarge ? bits_of(y > x ? y : x) & bits_of(x > y ? x : y)
                                   : bits_of(y < x ? y : x) | bits_of(x < y ? x : y);
    return y == y ? __builtin_bit_cast(Vector<float>, best) : Vector<float>{} + kNan32;
  }
};

}  // namespace
}  // namespace understudy::program::kernels
