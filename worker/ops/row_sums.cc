// SPDX-License-Identifier: Apache-2.0
#include "worker/ops/row_sums.h"

#include <algorithm>

#include "configs/base/error.h"
#include "program/kernels/row_tree.h"
#include "worker/ops/operands.h"

namespace understudy::worker::ops {

using program::Reduction;
using program::kernels::kTreeRows;

namespace {

// Sums of kTreeRows rows each that are made side by side, where rows are so short that the sums of
// one would wait for each other.
constexpr std::size_t kLeaves = 4, kFewColumns = 63;
constexpr std::size_t kMostBytes = 16;  // of an accumulator

}  // namespace

RowSums RowSums::of(const program::kernels::KernelTable& kernels, Reduction reduction,
                    program::ElementType element, std::size_t rows) {
  const auto wide = program::kernels::accumulator_type(element);
  RowSums sums;
  sums.accumulate = kernels.accumulate(reduction, element);
  sums.accumulate_rows = kernels.accumulate_rows(reduction, element);
  sums.merge = kernels.accumulate(reduction, wide);
  sums.identity = kernels.identity(reduction, wide);
  sums.bytes = program::byte_size(element);
  sums.wide_bytes = program::byte_size(wide);
  UNDERSTUDY_ASSERT(sums.accumulate != nullptr && sums.merge != nullptr &&
                    sums.identity != nullptr);
  // A complex product with 1 may change signs of zeros, and makes NaN of an infinite part.
  const bool has_order = program::is_float(wide)
                             ? reduction == Reduction::sum || reduction == Reduction::product
                             : program::is_complex(wide) && reduction == Reduction::sum;
  if (has_order) sums.levels = program::kernels::tree_levels(rows);
  return sums;
}

void RowSums::add_blocks(const std::byte* in, const program::kernels::RowBlocks& blocks,
                         std::byte* accumulators) const {
  if (accumulate_rows != nullptr) return accumulate_rows(in, blocks, accumulators);
  for (std::size_t b = 0; b < blocks.count; ++b) {
    std::byte* const to = accumulators + b * blocks.columns * wide_bytes;
    for (std::size_t r = 0; r < blocks.rows; ++r)
      accumulate(to, in + (b * blocks.block_stride + r * blocks.row_stride) * bytes, to,
                 blocks.columns);
  }
}

void RowSums::clear(std::byte* accumulators, std::size_t columns) const {
  alignas(16) std::byte neutral[16];
  identity(neutral);
  replicate(neutral, wide_bytes, accumulators, columns);
}

void RowSums::begin(const RowLevels& at, const std::byte* start) const {
  for (std::size_t l = 0; l + 1 < levels; ++l) clear(level(at, l), at.columns);
  replicate(start, wide_bytes, at.last, at.columns);
}

void RowSums::add(const RowLevels& at, const std::byte* in, std::size_t rows, std::size_t stride,
                  std::size_t done) const {
  while (rows > 0) {
    constexpr std::size_t kSome = kLeaves * kTreeRows;
    if (levels > 1 && at.columns <= kFewColumns && done % kTreeRows == 0 && rows >= kSome) {
      add_leaves(at, in, stride, done);
      in += kSome * stride * bytes;
      rows -= kSome;
      done += kSome;
      continue;
    }
    const std::size_t count = levels == 1 ? rows : std::min(rows, kTreeRows - done % kTreeRows);
    add_blocks(in, {1, 0, count, stride, at.columns}, level(at, 0));
    in += count * stride * bytes;
    rows -= count;
    done += count;
    carry(at, 0, done);
  }
}

void RowSums::carry(const RowLevels& at, std::size_t from, std::size_t full) const {
  for (std::size_t l = from; l + 1 < levels && full % kTreeRows == 0; ++l, full /= kTreeRows) {
    merge(level(at, l + 1), level(at, l), level(at, l + 1), at.columns);
    clear(level(at, l), at.columns);
  }
}

void RowSums::add_leaves(const RowLevels& at, const std::byte* in, std::size_t stride,
                         std::size_t done) const {
  alignas(64) std::byte leaves[kLeaves * kFewColumns * kMostBytes];
  clear(leaves, kLeaves * at.columns);
  add_blocks(in, {kLeaves, kTreeRows * stride, kTreeRows, stride, at.columns}, leaves);
  for (std::size_t l = 0; l < kLeaves; ++l) {
    merge(level(at, 1), leaves + l * at.columns * wide_bytes, level(at, 1), at.columns);
    done += kTreeRows;
    carry(at, 1, done / kTreeRows);
  }
}

void RowSums::end(const RowLevels& at) const {
  for (std::size_t l = 0; l + 1 < levels; ++l)
    merge(level(at, l + 1), level(at, l), level(at, l + 1), at.columns);
}

}  // namespace understudy::worker::ops
