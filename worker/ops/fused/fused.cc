// SPDX-License-Identifier: Apache-2.0
// Fused loops: the steps run one after the other on a tile that stays in the caches, then on the
// next. Values of the tile are in VMEM. Steps that no tile changes run once. What a step computes
// does not depend on the tile's size, as lanes are independent, and a reduction keeps its lanes
// from tile to tile.
#include "worker/ops/fused/fused.h"

#include <algorithm>
#include <cstring>
#include <span>

#include "configs/base/error.h"
#include "program/kernels/kernels.h"
#include "worker/chip/ops.h"
#include "worker/ops/chain_code/chain_code.h"
#include "worker/ops/fused/fused_chain.h"
#include "worker/ops/operands.h"

namespace understudy::worker::ops {
namespace {

// The first element and the size of the present tile.
struct Tile {
  std::size_t row = 0, column = 0, rows = 0, columns = 0;
  bool is_last_row = false;
};

using Place = FusedPlace;
using Step = FusedStep;

// The addresses of one run.
struct Bases {
  const std::byte** arguments;  // of the operands of the loop
  std::byte** results;
  std::byte* frame;
  std::size_t lanes;

  Bases(const Instruction& instruction, Execution& execution, std::size_t frame_bytes,
        std::size_t tile_lanes, std::size_t beyond)
      : arguments(execution.vmem->take_as<const std::byte*>(instruction.inputs.size())),
        results(execution.vmem->take_as<std::byte*>(instruction.outputs.size())),
        frame(execution.vmem->take(frame_bytes * tile_lanes + beyond)),
        lanes(tile_lanes) {
    for (std::size_t i = 0; i < instruction.inputs.size(); ++i)
      arguments[i] = execution.address(instruction.inputs[i].at);
    for (std::size_t i = 0; i < instruction.outputs.size(); ++i)
      results[i] = execution.writable(instruction.outputs[i].at);
  }

  std::size_t shift(const Place& place, const Tile& tile) const {
    return ((place.by_row ? tile.row * place.width : 0) + (place.by_column ? tile.column : 0)) *
           place.bytes;
  }
  const std::byte* read(const Place& place, const Tile& tile) const {
    if (place.space == program::Space::argument) return arguments[place.index] + shift(place, tile);
    return write(place, tile);
  }
  std::byte* write(const Place& place, const Tile& tile) const {
    if (place.space == program::Space::frame) return frame + place.offset * lanes + place.beyond;
    return results[place.index] + shift(place, tile);
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
  if (count_in(from, tile) == 1) return step.fill(in, out, std::min(n, step.most));
  if (count_in(from, tile) == n) {
    if (in != out) std::memcpy(out, in, n * bytes);
    return;
  }
  spread_rows(step, in, out, tile.rows, tile.columns);
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
    case FusedStep::Kind::fold_part:
      return fold_part(step, in[0], in[1], bases.write(step.sums_at, tile), out, tile.columns,
                       {tile.column == 0, tile.column + tile.columns == step.in[0].width});
    case FusedStep::Kind::add_rows:
      return add_rows(step, in[0], in[1],
                      bases.write(step.sums_at, tile) + tile.column * step.wide_bytes, out,
                      tile.rows, tile.columns, {tile.row == 0, tile.is_last_row});
  }
}

// One step on the lanes from `first` on; all operands are dense.
void run_lanes(const Step& step, const Bases& bases, const Tile& tile, std::size_t first) {
  const std::size_t n = count_in(step.out, tile) - first;
  std::byte* const out = bases.write(step.out, tile) + first * step.out.bytes;
  const std::byte* in[3] = {};
  for (std::size_t i = 0; i < step.inputs; ++i)
    in[i] = bases.read(step.in[i], tile) + (step.is_shared[i] ? 0 : first * step.in[i].bytes);
  switch (step.kind) {
    case FusedStep::Kind::one:
      return step.one(in[0], out, n);
    case FusedStep::Kind::two:
      return step.two(in[0], in[1], out, n);
    default:
      return step.choose(in[0], in[1], in[2], out, n);
  }
}

// Puts the addresses of one link into its step.
void place_link(const ChainLink& link, const Bases& bases, const Tile& tile,
                program::kernels::ChainStep& step) {
  step.run = link.run;
  step.kernel = link.kernel;
  if (link.a) step.a = bases.read(*link.a, tile);
  if (link.b) step.b = bases.read(*link.b, tile);
  if (link.c) step.c = bases.read(*link.c, tile);
  if (link.out) step.out = bases.write(*link.out, tile);
}

void place_chain(const ChainRun& chain, bool is_compiled, const Bases& bases, const Tile& tile,
                 program::kernels::ChainStep* at) {
  if (is_compiled) {
    for (const std::size_t l : chain.addressed) place_link(chain.links[l], bases, tile, at[l] = {});
    return;
  }
  for (std::size_t l = 0; l < chain.links.size(); ++l)
    place_link(chain.links[l], bases, tile, at[l] = {});
}

// A chain with operands of rows or columns. Rows are whole pieces.
template <class Find>
void run_chain_by_rows(const ChainRun& chain, const Find& runner, const Bases& bases,
                       const Tile& tile, program::kernels::ChainStep* at) {
  for (const std::size_t l : chain.addressed) place_link(chain.links[l], bases, tile, at[l]);
  const ChainMachineCode run = runner(tile.rows * tile.columns);
  for (std::size_t r = 0; r < tile.rows; ++r) {
    run(at, tile.columns);
    for (const auto& x : chain.row_inputs) at[x.link].*x.member += x.stride(tile.columns);
    for (const auto& y : chain.row_outputs) at[y.link].*y.member += y.stride(tile.columns);
  }
}

// Whole pieces in registers, the rest step by step. `at`: the steps of the chain, placed for the
// tile before. `runner`: gives the function that runs them over a number of elements.
template <class Find>
void run_chain(const ChainRun& chain, std::span<const Step> steps, std::size_t piece,
               const Find& runner, const Bases& bases, const Tile& tile,
               program::kernels::ChainStep* at) {
  if (chain.by_rows) return run_chain_by_rows(chain, runner, bases, tile, at);
  const std::size_t n = count_in(steps[0].out, tile);
  const std::size_t whole = n / piece * piece;
  if (whole > 0) {
    for (const std::size_t link : chain.moving)
      place_link(chain.links[link], bases, tile, at[link]);
    runner(whole)(at, whole);
  }
  if (whole < n)
    for (const Step& step : steps) run_lanes(step, bases, tile, whole);
}

// Asks for the part of an operand that a later tile reads. Hardware sees no stream where a tile's
// steps go to many places for a long time.
void fetch(const Place& place, const Bases& bases, const Tile& tile) {
  constexpr std::size_t kLine = 64;
  const std::byte* const from = bases.read(place, tile);
  const std::size_t bytes = count_in(place, tile) * place.bytes;
  for (std::size_t b = 0; b < bytes; b += kLine) __builtin_prefetch(from + b, 0, 2);
}

}  // namespace

void FusedPlan::run(const Instruction& instruction, Execution& execution) const {
  const Bases bases(instruction, execution, frame_bytes_, lanes_, copies_bytes_);
  auto* const room = execution.vmem->take_as<program::kernels::ChainStep>(links_ + chains_.size());
  Tile tile{0, 0, tile_rows_, tile_columns_};
  program::kernels::ChainStep* next = room;
  for (std::size_t c = 0; c < chains_.size(); ++c) {
    const std::size_t n = chains_[c].links.size();
    place_chain(chains_[c], code_->is_compiled(c), bases, tile, next);
    next[n] = {chain_kernels_.end};
    next += n + 1;
  }
  for (const Step& step : once_) run_step(step, bases, tile);
  const auto run_each = [&] {
    std::size_t s = 0;
    program::kernels::ChainStep* at = room;
    for (std::size_t c = 0; c < chains_.size(); ++c) {
      const ChainRun& chain = chains_[c];
      for (; s < chain.first; ++s) run_step(each_[s], bases, tile);
      const auto runner = [&](std::size_t n) -> ChainMachineCode {
        const auto code = code_->function(c, chain, at, n, instruction, execution.chains);
        return code != nullptr ? code : chain_kernels_.run;
      };
      run_chain(chain, std::span(each_).subspan(s, chain.count), chain_kernels_.piece, runner,
                bases, tile, at);
      s += chain.count;
      at += chain.links.size() + 1;
    }
    for (; s < each_.size(); ++s) run_step(each_[s], bases, tile);
  };
  const auto place_tile = [&](std::size_t row, std::size_t column) {
    tile = {row, column, std::min(tile_rows_, rows_ - row),
            std::min(tile_columns_, columns_ - column), row + tile_rows_ >= rows_};
  };
  for (std::size_t row = 0; row < rows_; row += tile_rows_)
    for (std::size_t column = 0; column < columns_; column += tile_columns_) {
      const bool ends_row = column + tile_columns_ >= columns_;
      const std::size_t next_row = row + (ends_row ? tile_rows_ : 0);
      if (next_row < rows_) {
        place_tile(next_row, ends_row ? 0 : column + tile_columns_);
        for (const FusedPlace& place : fetched_) fetch(place, bases, tile);
      }
      place_tile(row, column);
      run_each();
    }
}

// Plans are made once per launch: a loop of small steps would spend its time on them.
void run(const program::Fused& work, const Instruction& instruction, Execution& execution) {
  std::shared_ptr<const FusedPlan>& plan = execution.fused_plans[&work];
  if (plan == nullptr) plan = std::make_shared<const FusedPlan>(work, *execution.kernels);
  plan->run(instruction, execution);
}

}  // namespace understudy::worker::ops
