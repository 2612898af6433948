// SPDX-License-Identifier: Apache-2.0
// Fused loops: the steps run one after the other on a tile that stays in the caches, then on the
// next. Values of the tile are in VMEM. Steps that no tile changes run once. What a step computes
// does not depend on the tile's size, as lanes are independent and a reduced row is never split.
#include "worker/ops/fused.h"

#include <algorithm>
#include <cstring>

#include "configs/base/error.h"
#include "program/executable/tile.h"
#include "program/kernels/kernels.h"
#include "worker/chip/ops.h"
#include "worker/ops/operands.h"

namespace understudy::worker::ops {
namespace {


// The first element and the size of the present tile.
struct Tile {
  std::size_t row = 0, column = 0, rows = 0, columns = 0;
};

}  // namespace

void FusedPlan::choose_tile(const program::Fused& work) {
  rows_ = static_cast<std::size_t>(work.rows);
  columns_ = static_cast<std::size_t>(work.columns);
  const program::Tile tile = program::tile_of(work);
  tile_rows_ = tile.rows;
  tile_columns_ = tile.columns;
  lanes_ = tile.lanes;
  frame_bytes_ = work.frame_bytes;
}

// Whether an operand has other elements in another tile.
bool FusedPlan::varies(const FusedPlace& place) const {
  if (place.space == program::Space::frame) {
    const auto found = varying_.find(place.offset);
    return found == varying_.end() || found->second;
  }
  if (place.space == program::Space::result) return true;
  return place.by_row || (place.by_column && (rows_ == 1 || tile_columns_ < columns_));
}

FusedPlan::FusedPlan(const program::Fused& work, const program::kernels::KernelTable& kernels) {
  choose_tile(work);
  for (const Instruction& step : work.steps) {
    const FusedStep ready = fused_step_of(step, kernels);
    bool changes = ready.out.space == program::Space::result ||
                   (ready.kind == FusedStep::Kind::iota && varies_by_itself(ready.out));
    for (std::size_t i = 0; i < ready.inputs; ++i) changes = changes || varies(ready.in[i]);
    if (ready.out.space == program::Space::frame) varying_[ready.out.offset] = changes;
    (changes ? each_ : once_).push_back(ready);
  }
}

bool FusedPlan::varies_by_itself(const FusedPlace& place) const {
  // In a loop of one row its place may be shared, so it is computed where it stands.
  return place.by_row || rows_ == 1 || (place.by_column && tile_columns_ < columns_);
}

namespace {

using Place = FusedPlace;
using Step = FusedStep;

// The addresses of one run.
struct Bases {
  const Instruction& instruction;
  const Execution& execution;
  std::byte* frame;
  std::size_t lanes;

  std::size_t shift(const Place& place, const Tile& tile) const {
    return ((place.by_row ? tile.row * place.width : 0) + (place.by_column ? tile.column : 0)) *
           place.bytes;
  }
  const std::byte* read(const Place& place, const Tile& tile) const {
    if (place.space == program::Space::argument)
      return execution.address(instruction.inputs[place.index].at) + shift(place, tile);
    return write(place, tile);
  }
  std::byte* write(const Place& place, const Tile& tile) const {
    if (place.space == program::Space::frame) return frame + place.offset * lanes;
    return execution.writable(instruction.outputs[place.index].at) + shift(place, tile);
  }
};

std::size_t count_in(const Place& place, const Tile& tile) {
  return (place.by_row ? tile.rows : 1) * (place.by_column ? tile.columns : 1);
}

// Repeats the input along the dimensions that it does not have.
void spread(const Step& step, const std::byte* in, std::byte* out, const Tile& tile) {
  const Place& from = step.in[0];
  const std::size_t bytes = step.out.bytes;
  const std::size_t n = count_in(step.out, tile);
  if (count_in(from, tile) == 1) return step.fill(in, out, n);
  if (count_in(from, tile) == n) {
    if (in != out) std::memcpy(out, in, n * bytes);
    return;
  }
  const std::size_t row = tile.columns * bytes;
  for (std::size_t r = 0; r < tile.rows; ++r) {
    if (from.by_row) {
      step.fill(in + r * bytes, out + r * row, tile.columns);
    } else {
      std::memcpy(out + r * row, in, row);
    }
  }
}

// The linear index of each element.
void count_up(const Step& step, std::byte* out, const Tile& tile) {
  const Place& place = step.out;
  const std::size_t first =
      (place.by_row ? tile.row * place.width : 0) + (place.by_column ? tile.column : 0);
  count_from(step, first, out, count_in(place, tile));
}

void run_step(const Step& step, const Bases& bases, const Tile& tile) {
  std::byte* const out = bases.write(step.out, tile);
  const std::byte* in[3] = {};
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
    case FusedStep::Kind::iota:
      return count_up(step, out, tile);
    case FusedStep::Kind::fold:
      return fold_rows(step, in[0], in[1], out, tile.rows, tile.columns);
  }
}

}  // namespace

void FusedPlan::run(const Instruction& instruction, Execution& execution) const {
  const Bases bases{instruction, execution, execution.vmem->take(frame_bytes_ * lanes_), lanes_};
  Tile tile{0, 0, tile_rows_, tile_columns_};
  for (const Step& step : once_) run_step(step, bases, tile);
  for (tile.row = 0; tile.row < rows_; tile.row += tile_rows_) {
    tile.rows = std::min(tile_rows_, rows_ - tile.row);
    for (tile.column = 0; tile.column < columns_; tile.column += tile_columns_) {
      tile.columns = std::min(tile_columns_, columns_ - tile.column);
      for (const Step& step : each_) run_step(step, bases, tile);
    }
  }
}

// Plans are made once per launch: a loop of small steps would spend its time on them.
void run(const program::Fused& work, const Instruction& instruction, Execution& execution) {
  std::shared_ptr<const FusedPlan>& plan = execution.fused_plans[&work];
  if (plan == nullptr) plan = std::make_shared<const FusedPlan>(work, *execution.kernels);
  plan->run(instruction, execution);
}

}  // namespace understudy::worker::ops
