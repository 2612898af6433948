// SPDX-License-Identifier: Apache-2.0
// Part of kernels.inl.h: reductions of many rows to one row, with the bits of accumulate().
#pragma once

#include "program/kernels/fold_rows.inl.h"

namespace understudy::program::kernels {
namespace {

// One tile of columns: its accumulators stay in registers over all rows.
template <class Tag, Reduction kReduction, std::size_t kCount>
void accumulate_tile(const typename Tag::Stored* x, std::size_t rows, std::size_t stride,
                     typename AccumulatorOf<Tag>::type::Stored* y) {
  ResumedOf<Tag, kReduction, kCount> lanes;
  lanes.resume(y);
  for (std::size_t r = 0; r < rows; ++r, x += stride) lanes.step(x);
  lanes.put(y);
}
// Four tiles, each some elements after the one before.
template <class Tag, Reduction kReduction, std::size_t kCount>
void accumulate_four_tiles(const typename Tag::Stored* x, std::size_t x_step, std::size_t rows,
                           std::size_t stride, typename AccumulatorOf<Tag>::type::Stored* y,
                           std::size_t y_step) {
  ResumedOf<Tag, kReduction, kCount> a, b, c, d;
  a.resume(y), b.resume(y + y_step);
  c.resume(y + 2 * y_step), d.resume(y + 3 * y_step);
  for (std::size_t r = 0; r < rows; ++r, x += stride) {
    a.step(x);
    b.step(x + x_step);
    c.step(x + 2 * x_step);
    d.step(x + 3 * x_step);
  }
  a.put(y), b.put(y + y_step);
  c.put(y + 2 * y_step), d.put(y + 3 * y_step);
}

// Whole vectors of columns; the number of columns. Those with a NaN take the general steps.
template <class Tag, Reduction kReduction>
std::size_t accumulate_extremes(const typename Tag::Stored* x, std::size_t rows, std::size_t stride,
                                typename AccumulatorOf<Tag>::type::Stored* y, std::size_t n) {
  using Vectors = ExtremeVectors<Tag, kReduction>;
  constexpr std::size_t kOne = Vectors::kWidth, kMany = Vectors::kTiles * kOne;
  std::size_t i = 0;
  const auto general = [&] {
    accumulate_tile<Tag, kReduction, kOne>(x + i, rows, stride, y + i);
    i += kOne;
  };
  while (i + kMany <= n) {
    if (Vectors::template accumulate<Vectors::kTiles>(x + i, rows, stride, y + i)) {
      i += kMany;
    } else {
      for (std::size_t t = 0; t < Vectors::kTiles; ++t) general();
    }
  }
  while (i + kOne <= n) {
    if (Vectors::template accumulate<1>(x + i, rows, stride, y + i)) {
      i += kOne;
    } else {
      general();
    }
  }
  return i;
}

// Some rows at a time: as many streams as the prefetchers follow, or rows that are short.
template <class Tag, Reduction kReduction>
UNDERSTUDY_INLINE void accumulate_block(const typename Tag::Stored* x, const RowBlocks& of,
                                        typename AccumulatorOf<Tag>::type::Stored* y) {
  constexpr std::size_t kMany = kRegister<typename AccumulatorOf<Tag>::type>;
  // Also where the accumulators are converted each time: more streams lose more than that costs.
  constexpr std::size_t kStreams = 8, kElements = 4096;
  const std::size_t n = of.columns, stride = of.row_stride;
  const std::size_t most = n * kStreams < kElements ? kElements / (n + 1) : kStreams;
  for (std::size_t r = 0; r < of.rows; r += most, x += most * stride) {
    const std::size_t count = of.rows - r < most ? of.rows - r : most;
    std::size_t i = 0;
    if constexpr (kUsesKeys<Tag, kReduction>) {
      i = accumulate_extremes<Tag, kReduction>(x, count, stride, y, n);
    } else {
      for (; i + 4 * kMany <= n; i += 4 * kMany)
        accumulate_four_tiles<Tag, kReduction, kMany>(x + i, kMany, count, stride, y + i, kMany);
      for (; i + kMany <= n; i += kMany)
        accumulate_tile<Tag, kReduction, kMany>(x + i, count, stride, y + i);
    }
    for (; i + 4 <= n; i += 4) accumulate_tile<Tag, kReduction, 4>(x + i, count, stride, y + i);
    for (; i < n; ++i) accumulate_tile<Tag, kReduction, 1>(x + i, count, stride, y + i);
  }
}

// Four blocks of few columns side by side: the sums of one would wait for each other.
template <class Tag, Reduction kReduction>
UNDERSTUDY_INLINE void accumulate_four_blocks(const typename Tag::Stored* x, const RowBlocks& of,
                                              typename AccumulatorOf<Tag>::type::Stored* y) {
  constexpr std::size_t kMany = kRegister<typename AccumulatorOf<Tag>::type>;
  const std::size_t n = of.columns;
  std::size_t i = 0;
  for (; i + kMany <= n; i += kMany)
    accumulate_four_tiles<Tag, kReduction, kMany>(x + i, of.block_stride, of.rows, of.row_stride,
                                                  y + i, n);
  for (; i + 4 <= n; i += 4)
    accumulate_four_tiles<Tag, kReduction, 4>(x + i, of.block_stride, of.rows, of.row_stride, y + i,
                                              n);
  for (; i < n; ++i)
    accumulate_four_tiles<Tag, kReduction, 1>(x + i, of.block_stride, of.rows, of.row_stride, y + i,
                                              n);
}

template <class Tag, Reduction kReduction>
UNDERSTUDY_ONCE void accumulate_rows(const void* in, const RowBlocks& blocks,
                                     void* accumulators) noexcept {
  const auto* x = static_cast<const typename Tag::Stored*>(in);
  auto* y = static_cast<typename AccumulatorOf<Tag>::type::Stored*>(accumulators);
  const RowBlocks of = blocks;
  std::size_t b = 0;
  if constexpr (!kUsesKeys<Tag, kReduction>) {
    constexpr std::size_t kFew = 4 * kRegister<typename AccumulatorOf<Tag>::type>;
    for (; of.columns < kFew && b + 4 <= of.count;
         b += 4, x += 4 * of.block_stride, y += 4 * of.columns)
      accumulate_four_blocks<Tag, kReduction>(x, of, y);
  }
  for (; b < of.count; ++b, x += of.block_stride, y += of.columns)
    accumulate_block<Tag, kReduction>(x, of, y);
}

}  // namespace
}  // namespace understudy::program::kernels
