// SPDX-License-Identifier: Apache-2.0
#include "worker/ops/fused/fused_folds.h"

#include <algorithm>
#include <cstring>

#include "configs/base/error.h"
#include "program/executable/tile.h"
#include "program/kernels/chain/chain_kernels.h"
#include "program/kernels/kernels.h"
#include "worker/ops/operands.h"

namespace understudy::worker::ops {
namespace {

// What the last levels of the tree join.
constexpr std::size_t kJoinedLanes = 16;

bool is_in_chains(program::ElementType element) {
  return program::kernels::is_word(element) || program::kernels::is_half(element);
}

// The identity in `n` accumulators.
void clear(const FusedStep& step, std::byte* sums, std::size_t n) {
  alignas(16) std::byte start[16];
  step.adds.identity(start);
  replicate(start, step.wide_bytes, sums, n);
}

}  // namespace

void fold_of(const program::Reduce& work, const program::Instruction& instruction,
             const program::kernels::KernelTable& kernels, FusedStep& step) {
  const auto element = instruction.inputs[0].type.element;
  const auto result = instruction.outputs[0].type.element;
  const auto wide = program::kernels::accumulator_type(element);
  step.kind = FusedStep::Kind::fold;
  step.fold = kernels.fold(work.reduction, element);
  step.fold_rows = kernels.fold_rows(work.reduction, element);
  step.wide_bytes = program::byte_size(wide);
  step.one = kernels.convert(result, wide);  // of the initial value
  step.narrow = kernels.convert(wide, result);
  UNDERSTUDY_ASSERT(step.fold != nullptr && step.one != nullptr && step.narrow != nullptr);
  step.reduction = work.reduction;
  const program::StepReduction kind = program::step_reduction(instruction);
  const bool is_whole = kind == program::StepReduction::whole_rows;
  if (is_whole && (!is_in_chains(element) || step.in[0].width < program::kernels::kLongFold))
    return;
  step.join = kernels.fold(work.reduction, wide);
  UNDERSTUDY_ASSERT(step.join != nullptr);
  if (kind == program::StepReduction::row_blocks) {
    step.kind = FusedStep::Kind::add_rows;
    const auto rows = static_cast<std::size_t>(instruction.inputs[0].type.shape[0]);
    const auto blocks = static_cast<std::size_t>(instruction.outputs[0].type.shape[0]);
    step.block = rows / blocks;
    step.adds = RowSums::of(kernels, work.reduction, element, step.block);
    step.sums = program::row_block_sums(step.out.width, step.adds.levels);
    step.out.is_view = true;
    step.out.by_row = false;
    step.out.row_terms[step.out.terms++] = {step.block, blocks, step.out.width};
    return;
  }
  step.adds = RowSums::of(kernels, work.reduction, element, 1);
  // The lanes of a fold. Where the order has no influence on the result, more of them hide the
  // latency of each other's steps.
  const bool has_no_order = !program::is_float(wide) ||
                            work.reduction == program::Reduction::minimum ||
                            work.reduction == program::Reduction::maximum;
  step.fold_lanes =
      has_no_order ? 64 : program::kernels::fold_lanes(step.in[0].width, step.wide_bytes);
  if (is_whole) {
    step.merge_rows = kernels.accumulate_rows(work.reduction, wide);
    step.join_rows = kernels.fold_rows(work.reduction, wide);
    return;
  }
  step.kind = FusedStep::Kind::fold_part;
  step.sums = step.fold_lanes;
}

void fold_rows(const FusedStep& step, const std::byte* in, const std::byte* init, std::byte* out,
               std::size_t rows, std::size_t columns) {
  alignas(16) std::byte start[16];
  step.one(init, start, 1);
  // Rows side by side, as the sum of one row waits for itself. The last rows of a call take longer.
  constexpr std::size_t kRows = 256;
  if (step.fold_rows != nullptr && rows > 1) {
    alignas(64) std::byte sums[kRows * sizeof(start)];
    for (std::size_t r = 0; r < rows; r += kRows) {
      const std::size_t count = std::min(kRows, rows - r);
      replicate(start, step.wide_bytes, sums, count);
      step.fold_rows(in + r * columns * step.in[0].bytes, count, columns, columns, sums);
      step.narrow(sums, out + r * step.out.bytes, count);
    }
    return;
  }
  for (std::size_t r = 0; r < rows; ++r) {
    alignas(16) std::byte sum[16];
    std::memcpy(sum, start, sizeof(sum));
    step.fold(in + r * columns * step.in[0].bytes, columns, sum);
    step.narrow(sum, out + r * step.out.bytes, 1);
  }
}

void begin_fold(const FusedStep& step, std::byte* sums) { clear(step, sums, step.fold_lanes); }

void add_part(const FusedStep& step, const std::byte* in, std::byte* sums, std::size_t n) {
  const std::size_t lanes = step.fold_lanes, whole = n / lanes, done = whole * lanes;
  step.adds.add_blocks(in, {1, 0, whole, lanes, lanes}, sums);
  if (done < n) step.adds.accumulate(sums, in + done * step.in[0].bytes, sums, n - done);
}

void end_fold(const FusedStep& step, const std::byte* init, std::byte* sums, std::byte* out) {
  alignas(16) std::byte start[16];
  step.one(init, start, 1);
  // The tree of a fold.
  std::size_t lanes = step.fold_lanes;
  for (; lanes > kJoinedLanes; lanes /= 2)
    step.adds.merge(sums, sums + lanes / 2 * step.wide_bytes, sums, lanes / 2);
  step.join(sums, lanes, start);
  step.narrow(start, out, 1);
}

void fold_part(const FusedStep& step, const std::byte* in, const std::byte* init, std::byte* sums,
               std::byte* out, std::size_t n, FusedPart part) {
  if (part.is_first) begin_fold(step, sums);
  add_part(step, in, sums, n);
  if (part.is_last) end_fold(step, init, sums, out);
}

std::size_t lanes_of_rows(const FusedStep& step, std::size_t rows) {
  std::size_t lanes = 0;
  for (std::size_t n = step.fold_lanes; n >= kJoinedLanes; n /= 2) lanes += n;
  return (lanes + 1) * rows;
}

void begin_rows(const FusedStep& step, std::byte* sums, std::size_t rows) {
  clear(step, sums, lanes_of_rows(step, rows));
}

// Each level of the tree for all rows at once. An accumulator that begins with the identity has the
// bits of what is added first.
void end_rows(const FusedStep& step, const std::byte* init, std::byte* sums, std::byte* out,
              std::size_t rows) {
  std::size_t lanes = step.fold_lanes;
  for (; lanes > kJoinedLanes; lanes /= 2) {
    std::byte* const halves = sums + rows * lanes * step.wide_bytes;
    step.merge_rows(sums, {rows, lanes, 2, lanes / 2, lanes / 2}, halves);
    sums = halves;
  }
  std::byte* const results = sums + rows * lanes * step.wide_bytes;
  alignas(16) std::byte start[16];
  step.one(init, start, 1);
  replicate(start, step.wide_bytes, results, rows);
  step.join_rows(sums, rows, lanes, lanes, results);
  step.narrow(results, out, rows);
}

void add_rows(const FusedStep& step, const std::byte* in, const std::byte* init, std::byte* sums,
              std::byte* out, std::size_t rows, std::size_t columns, std::size_t done) {
  const std::size_t row_bytes = step.out.width * step.wide_bytes;
  const RowLevels levels{sums + (step.adds.levels - 1) * row_bytes, sums, row_bytes, columns};
  if (done == 0) {
    alignas(16) std::byte start[16];
    step.one(init, start, 1);
    step.adds.begin(levels, start);
  }
  step.adds.add(levels, in, rows, columns, done);
  if (done + rows < step.block) return;
  step.adds.end(levels);
  step.narrow(levels.last, out, columns);
}

void add_whole_blocks(const FusedStep& step, const std::byte* in, const std::byte* init,
                      std::byte* sums, std::byte* out, std::size_t count, std::size_t columns) {
  alignas(16) std::byte start[16];
  step.one(init, start, 1);
  replicate(start, step.wide_bytes, sums, count * columns);
  step.adds.add_blocks(in, {count, step.block * columns, step.block, columns, columns}, sums);
  step.narrow(sums, out, count * columns);
}

}  // namespace understudy::worker::ops
