// SPDX-License-Identifier: Apache-2.0
// Fused loops: the steps run one after the other on a tile that stays in the caches, then on the
// next. Values of the tile are in VMEM. Steps that no tile changes run once. What a step computes
// does not depend on the tile's size, as lanes are independent, and a reduction keeps its lanes
// from tile to tile.
#include "worker/ops/fused/fused.h"

#include <algorithm>
#include <cstring>

#include "configs/base/error.h"
#include "program/kernels/kernels.h"
#include "worker/chip/copy_lines.h"
#include "worker/chip/ops.h"
#include "worker/ops/chain_code/chain_code.h"
#include "worker/ops/fused/fused_apart.h"
#include "worker/ops/fused/fused_chain.h"
#include "worker/ops/fused/fused_joins.h"
#include "worker/ops/fused/fused_views.h"
#include "worker/ops/fused/last_run.h"
#include "worker/ops/operands.h"

namespace understudy::worker::ops {
namespace {

// The first element and the size of the present tile.
struct Tile {
  std::size_t row = 0, column = 0, rows = 0, columns = 0;
};

using Place = FusedPlace;
using Step = FusedStep;
// The addresses of one run.
struct Bases {
  const std::byte** arguments;  // of the operands of the loop
  std::byte** results;
  const std::byte** joined;  // by FusedPlace::join: where the values of the present tile are
  std::byte* frame;
  std::size_t lanes;

  Bases(const Instruction& instruction, Execution& execution, std::size_t frame_bytes,
        std::size_t tile_lanes, std::size_t beyond, std::size_t joins)
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

  std::size_t shift(const Place& place, const Tile& tile) const {
    return (place.row_offset(tile.row) + (place.by_column ? tile.column : 0)) * place.bytes;
  }
  const std::byte* read(const Place& place, const Tile& tile) const {
    if (place.space == program::Space::argument) return arguments[place.index] + shift(place, tile);
    return place.join != 0 ? joined[place.join] : write(place, tile);
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
  const std::size_t bytes = step.out.bytes, n = count_in(step.out, tile);
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

// The rows of a tile belong to one block or to several.
void add_blocks(const Step& step, const std::byte* in, const std::byte* init, std::byte* sums,
                std::byte* out, const Tile& tile) {
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
void join(const Step& step, const Bases& bases, std::byte* out, const Tile& tile) {
  const LoopPart part{tile.row, tile.column, tile.rows, tile.columns};
  const std::byte*& at = bases.joined[step.out.join];
  if (step.out.join != 0) at = joined_in_place(step, bases.arguments, part);
  if (step.out.join != 0 && at != nullptr) return;
  join_part(step, bases.arguments, out, part);
  at = out;
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
    case FusedStep::Kind::view:
      return view_part(step, bases.arguments[step.in[0].index], out,
                       {tile.row, tile.column, tile.rows, tile.columns});
    case FusedStep::Kind::apart:
      return write_apart(step, in[0], bases.results[step.out.index],
                         {tile.row, tile.column, tile.rows, tile.columns});
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

// The lanes of each row from `whole` on: chain_rest.h. Addresses are placed.
void run_rests(ChainMachineCode run, const ChainRest& rest, const ChainAddresses& addresses,
               const Bases& bases, const Tile& tile, std::size_t whole,
               program::kernels::ChainStep* at) {
  for (const auto& x : rest.inputs)
    at[x.link].*x.member = bases.write(rest.pieces[x.piece].copy, tile);
  for (const auto& y : rest.outputs)
    at[y.link].*y.member = bases.write(rest.pieces[y.piece].copy, tile);
  const std::size_t n = tile.columns - whole;
  for (std::size_t r = 0; r < tile.rows; ++r) {
    const auto first = [&](const Place& place) {
      return (place.by_row ? r * place.row_bytes(tile.columns) : 0) + whole * place.bytes;
    };
    for (const ChainRest::Piece& x : rest.pieces)
      if (x.is_read)
        std::memcpy(bases.write(x.copy, tile), bases.read(x.place, tile) + first(x.place),
                    n * x.place.bytes);
    run(at, rest.lanes);
    for (const ChainRest::Piece& y : rest.pieces)
      if (y.is_written)
        std::memcpy(bases.write(y.place, tile) + first(y.place), bases.write(y.copy, tile),
                    n * y.place.bytes);
    for (const auto& x : addresses.row_inputs)
      if (!x.place.by_column) at[x.link].*x.member += x.stride(tile.columns);
  }
}

// The part of an operand that a later tile reads: hardware sees no stream in so many places.
void fetch(const Place& place, const Bases& bases, const Tile& tile) {
  const std::byte* const from = bases.read(place, tile);
  const std::size_t bytes = count_in(place, tile) * place.bytes;
  for (std::size_t b = 0; b < bytes; b += 64) __builtin_prefetch(from + b, 0, 2);  // each line
}

}  // namespace

// One run of a plan.
struct FusedPlan::Run {
  using ChainStep = program::kernels::ChainStep;

  const FusedPlan& plan;
  const Instruction& instruction;
  Execution& execution;
  const Bases bases;
  ChainStep* const room;  // the steps of all chains
  Tile tile;

  // Steps that run once. Machine code has its addresses placed for each tile, and reads no constant
  // that is filled into a piece.
  void start() {
    bool all_compiled = true;
    ChainStep* next = room;
    for (std::size_t c = 0; c < plan.chains_.size(); ++c) {
      const std::vector<ChainLink>& links = plan.chains_[c].links;
      if (plan.code_->addresses(c) == nullptr) {
        all_compiled = false;
        for (std::size_t l = 0; l < links.size(); ++l)
          place_link(links[l], bases, tile, next[l] = {});
        next[links.size()] = {plan.chain_kernels_.end};
      }
      next += links.size() + 1;
    }
    const bool fills_pieces = plan.has_rest_ || !all_compiled;
    for (const Step& step : plan.once_)
      if (fills_pieces || step.most == SIZE_MAX) run_step(step, bases, tile);
  }

  void run_chain(std::size_t c, ChainStep* at) const {
    const ChainRun& chain = plan.chains_[c];
    const std::size_t n =
        chain.by_rows ? tile.columns : count_in(plan.each_[chain.first].out, tile);
    const std::size_t whole = n / plan.chain_kernels_.piece * plan.chain_kernels_.piece;
    if (chain.by_rows) return run_by_rows(c, whole, at);
    if (plan.is_short_ && n % plan.chain_kernels_.vector == 0 && run_short(c, n, at)) return;
    if (whole > 0) {
      place(c, at);
      code_of(c, whole, at)(at, whole);
    }
    // The rest step by step.
    for (std::size_t s = 0; whole < n && s < chain.count; ++s)
      run_lanes(plan.each_[chain.first + s], bases, tile, whole);
  }

  // False where there is no machine code yet.
  bool run_short(std::size_t c, std::size_t n, ChainStep* at) const {
    place(c, at);
    const auto code =
        plan.code_->function(c, plan.chains_[c], at, n, instruction, execution.chains);
    if (code != nullptr) code(at, n);
    return code != nullptr;
  }

  void run_by_rows(std::size_t c, std::size_t whole, ChainStep* at) const {
    const ChainAddresses& addresses = place(c, at);
    const ChainMachineCode run = code_of(c, tile.rows * tile.columns, at);
    for (std::size_t r = 0; whole > 0 && r < tile.rows; ++r) {
      run(at, whole);
      for (const auto& x : addresses.row_inputs) at[x.link].*x.member += x.stride(tile.columns);
      for (const auto& y : addresses.row_outputs) at[y.link].*y.member += y.stride(tile.columns);
    }
    if (whole == tile.columns) return;
    place(c, at);
    run_rests(run, plan.chains_[c].rest, addresses, bases, tile, whole, at);
  }

  // Puts the addresses of a chain into its steps.
  const ChainAddresses& place(std::size_t c, ChainStep* at) const {
    const ChainAddresses* const used = plan.code_->addresses(c);
    const ChainAddresses& addresses = used != nullptr ? *used : plan.chains_[c].moving;
    for (const std::size_t l : addresses.links)
      place_link(plan.chains_[c].links[l], bases, tile, at[l]);
    return addresses;
  }
  ChainMachineCode code_of(std::size_t c, std::size_t n, ChainStep* at) const {
    const auto code =
        plan.code_->function(c, plan.chains_[c], at, n, instruction, execution.chains);
    return code != nullptr ? code : plan.chain_kernels_.run;
  }

  void run_tile() const {
    std::size_t s = 0;
    ChainStep* at = room;
    for (std::size_t c = 0; c < plan.chains_.size(); ++c) {
      const ChainRun& chain = plan.chains_[c];
      for (; s < chain.first; ++s) run_step(plan.each_[s], bases, tile);
      run_chain(c, at);
      s += chain.count;
      at += chain.links.size() + 1;
    }
    for (; s < plan.each_.size(); ++s) run_step(plan.each_[s], bases, tile);
  }

  void place_tile(std::size_t row, std::size_t column) {
    tile = {row, column, std::min(plan.tile_rows_, plan.rows_ - row),
            std::min(plan.tile_columns_, plan.columns_ - column)};
  }
};

void FusedPlan::run(const Instruction& instruction, Execution& execution) const {
  if (last_ != nullptr && last_->run_again(instruction, execution)) return;
  const Bases bases(instruction, execution, frame_bytes_, lanes_, copies_bytes_, joins_);
  auto* const room = execution.vmem->take_as<program::kernels::ChainStep>(links_ + chains_.size());
  Run run{*this, instruction, execution, bases, room, {0, 0, tile_rows_, tile_columns_}};
  run.start();
  for (std::size_t row = 0; row < rows_; row += tile_rows_)
    for (std::size_t column = 0; column < columns_; column += tile_columns_) {
      const bool ends_row = column + tile_columns_ >= columns_;
      const std::size_t next_row = row + (ends_row ? tile_rows_ : 0);
      if (next_row < rows_) {
        run.place_tile(next_row, ends_row ? 0 : column + tile_columns_);
        for (const FusedPlace& place : fetched_) fetch(place, bases, run.tile);
      }
      run.place_tile(row, column);
      run.run_tile();
    }
  if (code_ != nullptr && code_->streams()) finish_stream();
  if (last_ != nullptr)
    last_->keep(*code_, chains_[0], {room, links_}, rows_ * columns_, instruction, execution);
}

// Plans are made once per launch: a loop of small steps would spend its time on them.
void run(const program::Fused& work, const Instruction& instruction, Execution& execution) {
  std::shared_ptr<const FusedPlan>& plan = execution.fused_plans[&work];
  if (plan == nullptr) plan = std::make_shared<const FusedPlan>(work, *execution.kernels);
  plan->run(instruction, execution);
}

}  // namespace understudy::worker::ops
