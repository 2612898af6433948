// SPDX-License-Identifier: Apache-2.0
// Part of kernels.inl.h: reductions of many rows at once, to one element each;
// accumulate_rows.inl.h reduces them to one row. Both give the bits of fold() and accumulate(): the
// order within a result stays, and only where it cannot be seen (integers, minimum, maximum) there
// are more lanes.
#pragma once

#include "program/kernels/fold_long_rows.inl.h"
#include "program/kernels/fold_words.inl.h"
#include "program/kernels/running_lanes.inl.h"

namespace understudy::program::kernels {
namespace {

// Types with kernels for many rows: the others are rare.
template <class Tag>
constexpr bool has_rows() {
  if constexpr (Tag::family == Family::integer) {
    return Tag::bits >= 8;
  } else {
    return !kByteFloat<Tag>;
  }
}

// Whether the order of the steps has no influence on the result.
template <class Tag, Reduction kReduction>
constexpr bool kHasNoOrder =
    Tag::family == Family::integer || Tag::family == Family::pred || kIsExtreme<kReduction>;

// Lanes start with the identity, so the tail needs no special case: lane l takes elements l, l +
// 16, ..., or those in steps of kLongLanes. The accumulator joins last.
template <class Tag, Reduction kReduction>
void fold(const void* in, std::size_t n, void* accumulator) noexcept {
  using Wide = typename AccumulatorOf<Tag>::type;
  const auto* x = static_cast<const typename Tag::Stored*>(in);
  auto* y = static_cast<typename Wide::Stored*>(accumulator);
  if constexpr (kFoldsLongRows<Tag, kReduction>)
    if (n > kLanes) return LongRows<Tag, kReduction>::run(x, 1, n, n, y);
  auto all = Wide::load(*y);
  if constexpr (kUsesKeys<Tag, kReduction>) {
    using Vectors = ExtremeVectors<Tag, kReduction>;
    if (n >= Vectors::kWidth) {
      const auto best = __builtin_bit_cast(typename Tag::Stored, Vectors::fold(x, n));
      *y = finish<Wide>(Step<Wide, kReduction>::apply(all, Tag::load(best)));
      return;
    }
  } else if (n >= kLongFold) {
    FourRegisters<Tag, kReduction, kRegister<Wide>> lanes;
    lanes.start();
    const std::size_t done = lanes.steps(x, n);
    lanes.tail(x + done, n - done);
    *y = finish<Wide>(Step<Wide, kReduction>::apply(all, lanes.join()));
    return;
  }
  RunningOf<Tag, kReduction, kLanes> lanes;
  lanes.start();
  std::size_t i = 0;
  for (; i + kLanes <= n; i += kLanes) lanes.step(x + i);
  if (i < n) lanes.tail(x + i, n - i);
  *y = finish<Wide>(Step<Wide, kReduction>::apply(all, lanes.join()));
}

// fold() of an 8-bit float: one loop for all such types, over f32 blocks.
template <Reduction kReduction>
UNDERSTUDY_ONCE float fold_by_blocks(UnaryKernel widen, const u8* in, std::size_t n, float all) {
  Running<F32, kReduction, kLanes> lanes;
  lanes.start();
  float wide[kBlock];
  for (std::size_t i = 0; i < n; i += kBlock) {
    const std::size_t count = n - i < kBlock ? n - i : kBlock;
    widen(in + i, wide, count);
    std::size_t k = 0;
    for (; k + kLanes <= count; k += kLanes) lanes.step(wide + k);
    if (k < count) lanes.tail(wide + k, count - k);
  }
  return settle(Step<F32, kReduction>::apply(all, lanes.join()));
}
template <class Tag, Reduction kReduction>
void fold_small(const void* in, std::size_t n, void* accumulator) noexcept {
  auto* y = static_cast<u8*>(accumulator);
  *y = Tag::store(
      fold_by_blocks<kReduction>(&widen<Tag>, static_cast<const u8*>(in), n, Tag::load(*y)));
}

// Rows of at most kLanes elements, kLanes rows at once: element l of each row is lane l of its
// fold, and the tree joins whole registers of rows.
template <class Tag, Reduction kReduction>
void fold_short_rows(const typename Tag::Stored* x, std::size_t stride, std::size_t n,
                     typename AccumulatorOf<Tag>::type::Stored* y) {
  using Wide = typename AccumulatorOf<Tag>::type;
  using Value = typename Wide::Value;
  Value lanes[kLanes][kLanes];
  for (std::size_t l = 0; l < n; ++l)
    for (std::size_t r = 0; r < kLanes; ++r) lanes[l][r] = Tag::load(x[r * stride + l]);
  std::size_t count = n;
  // A lane without a partner meets the identity, which changes no bit but those of a NaN.
  for (std::size_t half = kLanes / 2; half > 0; half /= 2) {
    for (std::size_t l = half; l < count; ++l)
      for (std::size_t r = 0; r < kLanes; ++r)
        lanes[l - half][r] = Step<Wide, kReduction>::apply(lanes[l - half][r], lanes[l][r]);
    count = count < half ? count : half;
  }
  for (std::size_t r = 0; r < kLanes; ++r)
    y[r] = finish<Wide>(Step<Wide, kReduction>::apply(Wide::load(y[r]), lanes[0][r]));
}

// Four rows at once, of types that LongRows does not take: a sum waits for the one before it.
template <class Tag, Reduction kReduction>
void fold_four_rows(const typename Tag::Stored* x, std::size_t stride, std::size_t n,
                    typename AccumulatorOf<Tag>::type::Stored* y) {
  using Wide = typename AccumulatorOf<Tag>::type;
  RunningOf<Tag, kReduction, kLanes> a, b, c, d;
  a.start(), b.start(), c.start(), d.start();
  std::size_t i = 0;
  for (; i + kLanes <= n; i += kLanes) {
    a.step(x + i);
    b.step(x + i + stride);
    c.step(x + i + 2 * stride);
    d.step(x + i + 3 * stride);
  }
  const auto end = [&](auto& lanes, std::size_t row) {
    if (i < n) lanes.tail(x + row * stride + i, n - i);
    y[row] = finish<Wide>(Step<Wide, kReduction>::apply(Wide::load(y[row]), lanes.join()));
  };
  end(a, 0), end(b, 1), end(c, 2), end(d, 3);
}

// Dense rows of integers that are one number of 2, 4 or 8 bytes together: its halves are joined,
// and so on. Sums of neighbours have room for their carries.
template <class Tag, Reduction kReduction>
constexpr bool folds_in_numbers() {
  if constexpr (Tag::family == Family::integer) {
    const bool joins = kReduction == Reduction::sum || kIsBitwise<kReduction>;
    return joins && (Tag::bits == 8 || Tag::bits == 16);
  } else {
    return false;
  }
}

// Joins numbers of kBits with their neighbours; the result is the lowest one.
template <Reduction kReduction, unsigned kBits, class Row>
UNDERSTUDY_INLINE Row join_neighbours(Row row) {
  if constexpr (kBits == 8 * sizeof(Row)) {
    return row;
  } else {
    const Row other = static_cast<Row>(row >> kBits);
    Row both;
    if constexpr (kReduction == Reduction::sum) {
      // The lower half of each pair: 0x00ff00ff... of bytes.
      constexpr u64 kAll = ~u64{0} >> (64 - 8 * sizeof(Row));
      constexpr auto kLower = static_cast<Row>(kAll / ((u64{1} << kBits) + 1));
      both = static_cast<Row>((row & kLower) + (other & kLower));
    } else if constexpr (kReduction == Reduction::logical_and) {
      both = static_cast<Row>(row & other);
    } else if constexpr (kReduction == Reduction::logical_or) {
      both = static_cast<Row>(row | other);
    } else {
      both = static_cast<Row>(row ^ other);
    }
    return join_neighbours<kReduction, 2 * kBits>(both);
  }
}
template <class Tag, Reduction kReduction, class Row>
void fold_numbers(const typename Tag::Stored* x, std::size_t rows, typename Tag::Stored* y) {
  using Stored = typename Tag::Stored;
  // Pieces, so that the compiler sees that nothing overlaps.
  constexpr std::size_t kSome = 64;
  Stored some[kSome];
  for (std::size_t r = 0; r < rows; r += kSome) {
    const std::size_t n = rows - r < kSome ? rows - r : kSome;
    for (std::size_t i = 0; i < n; ++i) {
      Row row;
      __builtin_memcpy(&row, x + (r + i) * (sizeof(Row) / sizeof(Stored)), sizeof(row));
      some[i] = static_cast<Stored>(join_neighbours<kReduction, Tag::bits>(row));
    }
    for (std::size_t i = 0; i < n; ++i)
      y[r + i] = finish<Tag>(Step<Tag, kReduction>::apply(Tag::load(y[r + i]), Tag::load(some[i])));
  }
}
// False where they are none.
template <class Tag, Reduction kReduction>
bool fold_in_numbers(const typename Tag::Stored* x, std::size_t rows, std::size_t stride,
                     std::size_t n, typename Tag::Stored* y) {
  if (stride != n || n < 2) return false;
  if (n * sizeof(*x) == 2) return fold_numbers<Tag, kReduction, u16>(x, rows, y), true;
  if (n * sizeof(*x) == 4) return fold_numbers<Tag, kReduction, u32>(x, rows, y), true;
  if (n * sizeof(*x) == 8) return fold_numbers<Tag, kReduction, u64>(x, rows, y), true;
  return false;
}

template <class Tag, Reduction kReduction>
UNDERSTUDY_ONCE void fold_rows(const void* in, std::size_t rows, std::size_t stride, std::size_t n,
                               void* accumulators) noexcept {
  const auto* x = static_cast<const typename Tag::Stored*>(in);
  auto* y = static_cast<typename AccumulatorOf<Tag>::type::Stored*>(accumulators);
  if constexpr (folds_in_numbers<Tag, kReduction>()) {
    if (fold_in_numbers<Tag, kReduction>(x, rows, stride, n, y)) return;
  }
  if constexpr (folds_words<Tag, kReduction>()) {
    using Kernel = FoldWords<Tag, kReduction>;
    if (Kernel::takes(n)) return Kernel::run(x, rows, stride, n, y);
  }
  std::size_t r = 0;
  if constexpr (kFoldsSideBySide<Tag, kReduction>) {
    using Kernel = SideBySide<Tag, kReduction>;
    const std::size_t taken = Kernel::takes(rows, stride, n);
    for (; r + Kernel::kWidth <= taken; r += Kernel::kWidth)
      Kernel::run(x + r * stride, stride, n, y + r);
    if (n >= 3 && n <= kLanes)
      for (; r < rows; r += Kernel::kWidth) {
        const std::size_t rest = rows - r;
        Kernel::run_rest(x + r * stride, rest < Kernel::kWidth ? rest : Kernel::kWidth, stride, n,
                         y + r);
      }
  }
  if constexpr (kFoldsLongRows<Tag, kReduction>) {
    using Kernel = LongRows<Tag, kReduction>;
    for (; n > kLanes && r < rows; r += Kernel::kWidth) {
      const std::size_t rest = rows - r;
      Kernel::run(x + r * stride, rest < Kernel::kWidth ? rest : Kernel::kWidth, stride, n, y + r);
    }
  }
  // 1 + 0i is not neutral: a product with it may change the sign of a zero.
  if constexpr (Tag::family != Family::complex) {
    if (n > 0 && n <= kLanes)
      for (; r + kLanes <= rows; r += kLanes)
        fold_short_rows<Tag, kReduction>(x + r * stride, stride, n, y + r);
  }
  if constexpr (!kHasNoOrder<Tag, kReduction>) {
    if (n > kLanes && n < kLongFold)
      for (; r + 4 <= rows; r += 4)
        fold_four_rows<Tag, kReduction>(x + r * stride, stride, n, y + r);
  }
  for (; r < rows; ++r) fold<Tag, kReduction>(x + r * stride, n, y + r);
}

}  // namespace
}  // namespace understudy::program::kernels
