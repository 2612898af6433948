// SPDX-License-Identifier: Apache-2.0
#include "worker/ops/fused/fused_tile.h"

#include <algorithm>
#include <cstring>

#include "worker/ops/fused/fused_apart.h"
#include "worker/ops/fused/fused_folds.h"
#include "worker/ops/fused/fused_joins.h"
#include "worker/ops/fused/fused_views.h"
#include "worker/ops/operands.h"

namespace understudy::worker::ops {

FusedBases::FusedBases(const program::Instruction& instruction, Execution& execution,
                       std::size_t frame_bytes, std::size_t tile_lanes, std::size_t beyond,
                       std::size_t joins)
    : arguments(execution.vmem->take_as<const std::byte*>(instruction.inputs.size())),
      results(execution.vmem->take_as<std::byte*>(instruction.outputs.size())),
      joined(execution.vmem->take_as<const std::byte*>(joins + 1)),
      frame(execution.vmem->take(frame_bytes * tile_lanes + beyond)),
      lanes(tile_lanes) {
  for (std::size_t i = 0; i < instruction.inputs.size(); ++i)
    arguments[i] = execution.address(instruction.inputs[i].at);
  for (std::size_t i = 0; i < instruction.outputs.size(); ++i)
    results[i] = execution.writable(instruction.outputs[i].at);
}

namespace {

// Repeats the input along the dimensions that it does not have.
void spread(const FusedStep& step, const std::byte* in, std::byte* out, const FusedTile& tile) {
  const FusedPlace& from = step.in[0];
  const std::size_t bytes = step.out.bytes, n = count_in(step.out, tile);
  if (count_in(from, tile) == 1) return step.fill(in, out, std::min(n, step.most));
  if (count_in(from, tile) == n) {
    if (in != out) std::memcpy(out, in, n * bytes);
    return;
  }
  spread_rows(step, in, out, tile.rows, tile.columns);
}

// The linear index of each element.
void count_up(const FusedStep& step, std::byte* out, const FusedTile& tile) {
  const FusedPlace& place = step.out;
  const std::size_t first =
      (place.by_row ? tile.row * place.width : 0) + (place.by_column ? tile.column : 0);
  count_from(step, first, out, count_in(place, tile));
}

// The rows of a tile belong to one block or to several.
void add_blocks(const FusedStep& step, const std::byte* in, const std::byte* init, std::byte* sums,
                std::byte* out, const FusedTile& tile) {
  const std::size_t at_once = tile.columns == step.out.width ? step.blocks_at_once() : 1;
  for (std::size_t row = tile.row, end = tile.row + tile.rows; row < end;) {
    const std::size_t done = row % step.block;
    const std::size_t blocks =
        done == 0 && at_once > 1 ? std::min(at_once, (end - row) / step.block) : 0;
    std::size_t rows = std::min(step.block - done, end - row), finished = done + rows == step.block;
    if (blocks > 1) {
      add_whole_blocks(step, in, init, sums, out, blocks, tile.columns);
      rows = blocks * step.block;
      finished = blocks;
    } else {
      add_rows(step, in, init, sums, out, rows, tile.columns, done);
    }
    row += rows;
    in += rows * tile.columns * step.in[0].bytes;
    out += finished * step.out.width * step.out.bytes;
  }
}

// Readers find the tile in an argument where it lies there in one piece.
void join(const FusedStep& step, const FusedBases& bases, std::byte* out, const FusedTile& tile) {
  const LoopPart part{tile.row, tile.column, tile.rows, tile.columns};
  const std::byte*& at = bases.joined[step.out.join];
  if (step.out.join != 0) at = joined_in_place(step, bases.arguments, part);
  if (step.out.join != 0 && at != nullptr) return;
  join_part(step, bases.arguments, out, part);
  at = out;
}

}  // namespace

void run_step(const FusedStep& step, const FusedBases& bases, const FusedTile& tile) {
  std::byte* const out = bases.write(step.out, tile);
  const std::byte* in[kMostInputs] = {};
  for (std::size_t i = 0; i < step.inputs; ++i) in[i] = bases.read(step.in[i], tile);
  switch (step.kind) {
    case FusedStep::Kind::one:
      return step.one(in[0], out, count_in(step.out, tile));
    case FusedStep::Kind::two:
      return step.two(in[0], in[1], out, count_in(step.out, tile));
    case FusedStep::Kind::choose:
      return step.choose(in[0], in[1], in[2], out, count_in(step.out, tile));
    case FusedStep::Kind::fill:
      return spread(step, in[0], out, tile);
    case FusedStep::Kind::view:
      return view_part(step, bases.arguments[step.in[0].index], out,
                       {tile.row, tile.column, tile.rows, tile.columns});
    case FusedStep::Kind::strided:
      return take_strided(step, in[0], out, count_in(step.out, tile));
    case FusedStep::Kind::apart:
      return write_apart(step, in, out, count_in(step.out, tile));
    case FusedStep::Kind::join:
      return join(step, bases, out, tile);
    case FusedStep::Kind::take:
      return take_part(step, bases.arguments[step.in[0].index], in[1], out,
                       {tile.row, tile.column, step.out.by_row ? tile.rows : 1,
                        step.out.by_column ? tile.columns : 1});
    case FusedStep::Kind::iota:
      return count_up(step, out, tile);
    case FusedStep::Kind::fold:
      return fold_rows(step, in[0], in[1], out, tile.rows, tile.columns);
    case FusedStep::Kind::fold_part:
      return fold_part(step, in[0], in[1], bases.write(step.sums_at, tile), out, tile.columns,
                       {tile.column == 0, tile.column + tile.columns == step.in[0].width});
    case FusedStep::Kind::add_rows:
      return add_blocks(step, in[0], in[1],
                        bases.write(step.sums_at, tile) + tile.column * step.wide_bytes, out, tile);
  }
}

void run_lanes(const FusedStep& step, const FusedBases& bases, const FusedTile& tile,
               std::size_t first) {
  const std::size_t n = count_in(step.out, tile) - first;
  std::byte* const out = bases.write(step.out, tile) + first * step.out.lane_bytes();
  const std::byte* in[kMostInputs] = {};
  for (std::size_t i = 0; i < step.inputs; ++i)
    in[i] =
        bases.read(step.in[i], tile) + (step.is_shared[i] ? 0 : first * step.in[i].lane_bytes());
  switch (step.kind) {
    case FusedStep::Kind::one:
      return step.one(in[0], out, n);
    case FusedStep::Kind::two:
      return step.two(in[0], in[1], out, n);
    case FusedStep::Kind::strided:
      return take_strided(step, in[0], out, n);
    case FusedStep::Kind::apart:
      return write_apart(step, in, out, n);
    default:
      return step.choose(in[0], in[1], in[2], out, n);
  }
}

}  // namespace understudy::worker::ops
