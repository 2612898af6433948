// SPDX-License-Identifier: Apache-2.0
// Part of kernels.inl.h: sums and products of as many rows as a vector has lanes, the minimum or
// maximum of as many rows of 3 to 16 floats, or of up to 16 integers of 32 bits, and functions of
// the bits of these. The tree of each fold joins vectors that hold lanes of several rows, so that
// no lane is idle and the results of all rows end in one vector. The bits of fold().
#pragma once

#include <utility>

#include "program/kernels/bf16_vectors.inl.h"
#include "program/kernels/f16_vectors.inl.h"
#include "program/kernels/running_lanes.inl.h"

namespace understudy::program::kernels {
namespace {

template <class Tag>
constexpr bool kIsWord = (__is_same(typename Tag::Value, u32) &&
                          __is_same(typename Tag::Stored, u32)) ||
                         (__is_same(typename Tag::Value, i32) &&
                          __is_same(typename Tag::Stored, i32));

template <class Tag>
constexpr bool kHasSideBySide = __is_same(Tag, F32) || __is_same(Tag, F64) ||
                                __is_same(Tag, Bf16Tag) || (kWidensF16 && __is_same(Tag, F16Tag));

template <class Tag, Reduction kReduction>
constexpr bool kFoldsSideBySide = kIsWord<Tag> || (kHasSideBySide<Tag> && !kIsBitwise<kReduction>);

template <class Tag, Reduction kReduction>
struct SideBySide {
  using Stored = typename Tag::Stored;
  using Wide = typename AccumulatorOf<Tag>::type;
  using Real = typename Wide::Value;
  using Lanes = Vector<Real>;
  using Index = typename VectorOf<Real>::index;
  static constexpr std::size_t kWidth = kVectorSize<Real>;
  static constexpr bool kFloatExtreme = kIsExtreme<kReduction> && kIsFloat<Real>;

  static UNDERSTUDY_INLINE Lanes load(const Stored* x) {
    if constexpr (__is_same(Tag, Bf16Tag)) {
      return widened_bf16(x);
#if defined(__F16C__)
    } else if constexpr (__is_same(Tag, F16Tag)) {
      return widened_f16(x);
#endif
    } else {
      return vector_at(x);
    }
  }
  static UNDERSTUDY_INLINE Lanes apply(Lanes a, Lanes b) {
    if constexpr (kReduction == Reduction::sum) return a + b;
    if constexpr (kReduction == Reduction::product) return a * b;
    if constexpr (kReduction == Reduction::logical_and) return a & b;
    if constexpr (kReduction == Reduction::logical_or) return a | b;
    if constexpr (kReduction == Reduction::logical_xor) return a ^ b;
    if constexpr (kIsExtreme<kReduction>) return better_lanes<kReduction, Index>(a, b);
  }
  // Integers of the order of the floats, -0 below +0, where none is a NaN; and back.
  static UNDERSTUDY_INLINE Lanes numbers_as_keys(Lanes v) {
    constexpr int kSign = 8 * sizeof(Real) - 1;
    const Index bits = __builtin_bit_cast(Index, v);
    const Index magnitude = static_cast<decltype(bits[0] + 0)>((u64{1} << kSign) - 1) - Index{};
    return __builtin_bit_cast(Lanes, bits ^ ((bits >> kSign) & magnitude));
  }
  template <bool kKeys>
  static UNDERSTUDY_INLINE Lanes step(Lanes a, Lanes b) {
    if constexpr (!kKeys) {
      return apply(a, b);
    } else {
      const Index x = __builtin_bit_cast(Index, a), y = __builtin_bit_cast(Index, b);
      return __builtin_bit_cast(
          Lanes, kReduction == Reduction::maximum ? (x > y ? x : y) : (x < y ? x : y));
    }
  }

  // Two vectors have kGroup lanes of each row, the second one those of later rows. Where lane
  // `lane` of the lower (or higher) halves of all groups, row after row, comes from.
  template <std::size_t kGroup, bool kHigh>
  static constexpr int source_of(std::size_t lane) {
    constexpr std::size_t kHalf = kGroup / 2;
    return static_cast<int>(lane / kHalf * kGroup + lane % kHalf + (kHigh ? kHalf : 0));
  }
  template <std::size_t kGroup, bool kHigh, std::size_t... kLane>
  static UNDERSTUDY_INLINE Lanes halves(Lanes a, Lanes b, std::index_sequence<kLane...> /*all*/) {
    return __builtin_shufflevector(a, b, source_of<kGroup, kHigh>(kLane)...);
  }
  // kCount vectors with kGroup lanes of each row to one. kKeys: of numbers_as_keys().
  template <std::size_t kGroup, bool kKeys = false, std::size_t kCount = kGroup>
  static UNDERSTUDY_INLINE Lanes join(Lanes (&x)[kWidth]) {
    if constexpr (kGroup > 1) {
      constexpr std::make_index_sequence<kWidth> kAll{};
      constexpr std::size_t kHalf = (kCount + 1) / 2;
#pragma GCC unroll 8
      for (std::size_t i = 0; i < kHalf; ++i) {
        // One vector alone: its lanes twice.
        const Lanes a = x[2 * i], b = kCount == 1 ? a : x[2 * i + 1];
        x[i] = step<kKeys>(halves<kGroup, false>(a, b, kAll), halves<kGroup, true>(a, b, kAll));
      }
      return join<kGroup / 2, kKeys, kHalf>(x);
    } else {
      return x[0];
    }
  }

  // The first steps of the tree, as far as they join whole vectors: kCount elements from x on, and
  // the `more` others in steps of kCount.
  template <std::size_t kCount>
  static UNDERSTUDY_INLINE Lanes lanes_of(const Stored* x, std::size_t more) {
    constexpr std::size_t kParts = kCount / kWidth;
    Lanes parts[kParts];
    for (std::size_t p = 0; p < kParts; ++p) parts[p] = load(x + p * kWidth);
    for (std::size_t i = kCount; i < kCount + more; i += kCount)
      for (std::size_t p = 0; p < kParts; ++p) parts[p] = apply(parts[p], load(x + i + p * kWidth));
    return joined_parts(parts);
  }
  template <std::size_t kParts>
  static UNDERSTUDY_INLINE Lanes joined_parts(Lanes (&parts)[kParts]) {
#pragma GCC unroll 4
    for (std::size_t half = kParts / 2; half > 0; half /= 2)
#pragma GCC unroll 8
      for (std::size_t p = 0; p < half; ++p) parts[p] = apply(parts[p], parts[p + half]);
    return parts[0];
  }

  // kWidth rows of kCount elements, or of `more` more.
  template <std::size_t kCount>
  static UNDERSTUDY_INLINE Lanes fold(const Stored* x, std::size_t stride, std::size_t more) {
    Lanes all[kWidth];
    if constexpr (kCount >= kWidth) {
      for (std::size_t r = 0; r < kWidth; ++r) all[r] = lanes_of<kCount>(x + r * stride, more);
      return join<kWidth>(all);
    } else {
      for (std::size_t i = 0; i < kCount; ++i) all[i] = load(x + i * kWidth);
      return join<kCount>(all);
    }
  }

  // kWidth rows of at most kLanes elements: lanes from `n` on are neutral. Each row is read up to a
  // whole number of vectors, also where the next ones or none are behind it.
  static UNDERSTUDY_INLINE Lanes fold_few(const Stored* x, std::size_t stride, std::size_t n) {
    constexpr std::size_t kParts = kLanes / kWidth;
    const Lanes neutral = identity<Wide, kReduction>() - Lanes{};
    Index used[kParts];
    for (std::size_t p = 0; p < kParts; ++p)
      for (std::size_t l = 0; l < kWidth; ++l) used[p][l] = p * kWidth + l < n ? -1 : 0;
    Lanes all[kWidth];
    // A part without elements would change nothing.
    const auto has = [n](std::size_t part) { return part * kWidth < n; };
    for (std::size_t r = 0; r < kWidth; ++r) {
      Lanes parts[kParts];
      for (std::size_t p = 0; p < kParts; ++p)
        if (has(p)) parts[p] = used[p] ? load(x + r * stride + p * kWidth) : neutral;
      for (std::size_t half = kParts / 2; half > 0; half /= 2)
        for (std::size_t p = 0; p < half; ++p)
          if (has(p + half)) parts[p] = apply(parts[p], parts[p + half]);
      all[r] = parts[0];
    }
    return join<kWidth>(all);
  }

  // kGroup elements of each of kRows rows.
  template <std::size_t kCount>
  struct Some {
    typedef Real type __attribute__((vector_size(kCount * sizeof(Real))));
  };
  template <class V, std::size_t... kLane>
  static UNDERSTUDY_INLINE auto joined(V a, V b, std::index_sequence<kLane...> /*all*/) {
    return __builtin_shufflevector(a, b, static_cast<int>(kLane)...);
  }
  template <std::size_t kGroup, std::size_t kRows>
  static UNDERSTUDY_INLINE typename Some<kGroup * kRows>::type rows_at(const Stored* x,
                                                                       std::size_t stride) {
    if constexpr (kRows == 1) {
      typename Some<kGroup>::type row;
      __builtin_memcpy(&row, x, sizeof(row));
      return row;
    } else {
      return joined(rows_at<kGroup, kRows / 2>(x, stride),
                    rows_at<kGroup, kRows / 2>(x + kRows / 2 * stride, stride),
                    std::make_index_sequence<kGroup * kRows>{});
    }
  }
  // kWidth rows of at most kGroup elements, which is at most kWidth: several rows in each vector,
  // and neutral elements behind them. What is read is that of fold_few().
  template <std::size_t kGroup>
  static UNDERSTUDY_INLINE Lanes fold_padded(const Stored* x, std::size_t stride, std::size_t n) {
    constexpr std::size_t kRows = kWidth / kGroup;
    constexpr bool kKeys = kFloatExtreme;
    const Lanes neutral = identity<Wide, kReduction>() - Lanes{};
    Index used;
    for (std::size_t l = 0; l < kWidth; ++l) used[l] = l % kGroup < n ? -1 : 0;
    Lanes all[kWidth], sum = {};  // a NaN if there is one among the elements, or two infinities
    for (std::size_t i = 0; i < kGroup; ++i) {
      const Lanes rows = rows_at<kGroup, kRows>(x + i * kRows * stride, stride);
      if constexpr (kKeys) sum += rows;
      all[i] = used ? rows : neutral;
      if constexpr (kKeys) all[i] = numbers_as_keys(all[i]);
    }
    if constexpr (kKeys) {
      if (any_lane(sum != sum)) return fold_few(x, stride, n);
      return numbers_as_keys(join<kGroup, true>(all));
    }
    return join<kGroup>(all);
  }
  // kWidth rows of 5 to 8 numbers whose order cannot be seen, and which may be taken twice: the
  // first four and the last four of each row.
  static UNDERSTUDY_INLINE Lanes fold_overlapping(const Stored* x, std::size_t stride,
                                                  std::size_t n) {
    constexpr std::size_t kGroup = 4, kRows = kWidth / kGroup;
    Lanes all[kWidth];
    for (std::size_t i = 0; i < kGroup; ++i, x += kRows * stride)
      all[i] =
          apply(rows_at<kGroup, kRows>(x, stride), rows_at<kGroup, kRows>(x + n - kGroup, stride));
    return join<kGroup>(all);
  }
  // kWidth rows of more than kWidth and at most 2 kWidth numbers, which may be taken twice: the
  // first vector and the last one of each row. Floats as keys, unless there may be a NaN.
  static UNDERSTUDY_INLINE Lanes fold_two_vectors(const Stored* x, std::size_t stride,
                                                  std::size_t n) {
    Lanes all[kWidth], sum = {};
    for (std::size_t r = 0; r < kWidth; ++r) {
      const Lanes first = load(x + r * stride), last = load(x + r * stride + n - kWidth);
      if constexpr (kFloatExtreme) {
        sum += first + last;
        all[r] = step<true>(numbers_as_keys(first), numbers_as_keys(last));
      } else {
        all[r] = apply(first, last);
      }
    }
    if constexpr (kFloatExtreme) {
      if (any_lane(sum != sum)) return fold_few(x, stride, n);
      return numbers_as_keys(join<kWidth, true>(all));
    } else {
      return join<kWidth>(all);
    }
  }
  // Element `element` of kWidth dense rows of three, which are in three vectors.
  template <std::size_t kElement, std::size_t... kLane>
  static UNDERSTUDY_INLINE Lanes one_of_three(const Lanes (&x)[3],
                                              std::index_sequence<kLane...> /*all*/) {
    const Lanes first = __builtin_shufflevector(
        x[0], x[1], static_cast<int>((3 * kLane + kElement) % (2 * kWidth))...);
    return __builtin_shufflevector(
        first, x[2],
        static_cast<int>(3 * kLane + kElement < 2 * kWidth ? kLane
                                                           : 3 * kLane + kElement - kWidth)...);
  }
  static UNDERSTUDY_INLINE Lanes fold_three(const Stored* x) {
    constexpr std::make_index_sequence<kWidth> kAll{};
    const Lanes all[3] = {load(x), load(x + kWidth), load(x + 2 * kWidth)};
    return apply(apply(one_of_three<0>(all, kAll), one_of_three<2>(all, kAll)),
                 one_of_three<1>(all, kAll));
  }
  static UNDERSTUDY_INLINE Lanes fold_short(const Stored* x, std::size_t stride, std::size_t n) {
    if (n == 3 && stride == 3) return fold_three(x);
    if constexpr (!kIsFloat<Real> && kIsExtreme<kReduction>) {
      if (n > 4 && n <= 8) return fold_overlapping(x, stride, n);
    }
    if constexpr (sizeof(Stored) == sizeof(Real)) {
      if constexpr (kWidth >= 4)
        if (n <= 4) return fold_padded<4>(x, stride, n);
      if constexpr (kWidth >= 8)
        if (n <= 8) return fold_padded<8>(x, stride, n);
      if constexpr (kWidth >= 16)
        if (n <= 16) return fold_padded<16>(x, stride, n);
    }
    if constexpr (kIsExtreme<kReduction>) {
      if (n > kWidth && n <= 2 * kWidth) return fold_two_vectors(x, stride, n);
    }
    return fold_few(x, stride, n);
  }

  // Whether rows fill a vector together, or each of them whole vectors.
  static bool fills(std::size_t stride, std::size_t n) {
    if (kFloatExtreme) return false;
    if (n >= kLongFold) return false;
    return n >= kLanes ? n % kLanes == 0 : stride == n && (n == 2 || n == 4 || n == 8);
  }
  // How many of so many rows run() takes, kWidth at a time.
  static std::size_t takes(std::size_t rows, std::size_t stride, std::size_t n) {
    if (fills(stride, n)) return rows;
    if (n < 3 || n > kLanes || stride == 0) return 0;
    const std::size_t read = (n + kWidth - 1) / kWidth * kWidth;
    const std::size_t beyond = (read - n + stride - 1) / stride;  // rows that are read as well
    return rows > beyond ? rows - beyond : 0;
  }
  // Fewer than kWidth rows of 3 to kLanes elements, or such behind which nothing may be read.
  static void run_rest(const Stored* x, std::size_t rows, std::size_t stride, std::size_t n,
                       Real* y) {
    Stored some[(kWidth + 1) * kLanes] = {};
    Real results[kWidth] = {};
    for (std::size_t r = 0; r < rows; ++r)
      __builtin_memcpy(some + r * n, x + r * stride, n * sizeof(Stored));
    __builtin_memcpy(results, y, rows * sizeof(Real));
    run(some, n, n, results);
    __builtin_memcpy(y, results, rows * sizeof(Real));
  }
  static void run(const Stored* x, std::size_t stride, std::size_t n, Real* y) {
    const Lanes sums = !fills(stride, n) ? fold_short(x, stride, n)
                       : n == 2          ? fold<2>(x, stride, 0)
                       : n == 4          ? fold<4>(x, stride, 0)
                       : n == 8          ? fold<8>(x, stride, 0)
                                         : fold<kLanes>(x, stride, n - kLanes);
    finish_all(y, sums);
  }
  static UNDERSTUDY_INLINE void finish_all(Real* y, Lanes sums) {
    const Lanes total = apply(vector_at(y), sums);
    if constexpr (kIsFloat<Real>) {
      put_vector(y, total == total ? total : Lanes{} + Real(kNan64));
    } else {
      put_vector(y, total);
    }
  }
};

}  // namespace
}  // namespace understudy::program::kernels
