// SPDX-License-Identifier: Apache-2.0
// Fused loops: the steps run one after the other on a tile that stays in the caches, then on the
// next. Values of the tile are in VMEM. Steps that no tile changes run once. What a step computes
// does not depend on the tile's size, as lanes are independent, and a reduction keeps its lanes
// from tile to tile.
#include "worker/ops/fused/fused.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <span>

#include "configs/base/error.h"
#include "program/kernels/kernels.h"
#include "worker/chip/copy_lines.h"
#include "worker/chip/ops.h"
#include "worker/ops/chain_code/chain_code.h"
#include "worker/ops/fused/fused_chain.h"
#include "worker/ops/fused/fused_folds.h"
#include "worker/ops/fused/fused_tile.h"
#include "worker/ops/fused/last_run.h"
#include "worker/ops/operands.h"

namespace understudy::worker::ops {
namespace {

using Place = FusedPlace;

// Puts the addresses of one link into its step.
void place_link(const ChainLink& link, const FusedBases& bases, const FusedTile& tile,
                program::kernels::ChainStep& step) {
  step.run = link.run;
  step.kernel = link.kernel;
  step.element_step = link.operation.element_step;
  if (link.a) step.a = bases.read(*link.a, tile);
  if (link.b) step.b = bases.read(*link.b, tile);
  if (link.c) step.c = bases.read(*link.c, tile);
  if (link.out) step.out = bases.write(*link.out, tile);
}

// Lanes that are no whole iteration: those of `rows` rows of `columns` lanes from `whole` on.
struct RestLanes {
  std::size_t rows = 1, columns = 0, whole = 0;
};

// Runs over them: chain_rest.h. `lanes`: of a run. Addresses are placed.
template <class Run>
void run_rests(const Run& run, const ChainRest& rest, std::size_t lanes,
               const ChainAddresses& addresses, const FusedBases& bases, const FusedTile& tile,
               const RestLanes& all, program::kernels::ChainStep* at) {
  for (const auto& x : rest.inputs)
    at[x.link].*x.member = bases.write(rest.pieces[x.piece].copy, tile) + x.beyond;
  for (const auto& y : rest.outputs)
    at[y.link].*y.member = bases.write(rest.pieces[y.piece].copy, tile) + y.beyond;
  const std::size_t n = all.columns - all.whole;
  for (std::size_t r = 0; r < all.rows; ++r) {
    const auto first = [&](const Place& place) {
      return (place.by_row ? r * place.row_bytes(all.columns) : 0) + all.whole * place.lane_bytes();
    };
    for (const ChainRest::Piece& x : rest.pieces)
      if (x.is_read)
        std::memcpy(bases.write(x.copy, tile), bases.read(x.place, tile) + first(x.place),
                    n * x.place.lane_bytes());
    run(at, lanes);
    for (const ChainRest::Piece& y : rest.pieces)
      if (y.is_written)
        std::memcpy(bases.write(y.place, tile) + first(y.place), bases.write(y.copy, tile),
                    n * y.place.lane_bytes());
    for (const auto& x : addresses.row_inputs)
      if (!x.place.by_column) at[x.link].*x.member += x.stride(all.columns);
  }
}

// The part of an operand that a later tile reads: hardware sees no stream in so many places.
void fetch(const Place& place, const FusedBases& bases, const FusedTile& tile) {
  const std::byte* const from = bases.read(place, tile);
  const std::size_t bytes = count_in(place, tile) * place.lane_bytes();
  for (std::size_t b = 0; b < bytes; b += 64) __builtin_prefetch(from + b, 0, 2);  // each line
}

}  // namespace

// One run of a plan.
struct FusedPlan::Run {
  using ChainStep = program::kernels::ChainStep;

  const FusedPlan& plan;
  const Instruction& instruction;
  Execution& execution;
  const FusedBases bases;
  ChainStep* const room;  // the steps of all chains
  FusedTile tile;
  bool joins_tiles = false;
  // Of the first chains, as bits: whether it is known that they overwrite, and whether they do.
  static constexpr std::size_t kMostKnown = 64;
  mutable std::uint64_t known = 0, overwritten = 0;

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
    joins_tiles = all_compiled;
    const bool fills_pieces = plan.fills_pieces_ || !all_compiled;
    for (const FusedStep& step : plan.once_)
      if (fills_pieces || step.most == SIZE_MAX) run_step(step, bases, tile);
  }

  // Returns how many of the reductions after it were done as well.
  std::size_t run_chain(std::size_t c, ChainStep* at) const {
    const ChainRun& chain = plan.chains_[c];
    if (chain.is_narrow()) {
      run_narrow(c, at);
      return 0;
    }
    if (chain.folds > 0 && run_folds(c, at)) return chain.folds;
    run_alone(c, at);
    return 0;
  }
  // By kernels where there is no machine code yet, or the tile is shorter than its iterations.
  void run_narrow(std::size_t c, ChainStep* at) const {
    const ChainRun& chain = plan.chains_[c];
    const std::size_t all = count_in(plan.each_[chain.first].out, tile);
    const std::size_t rows = chain.by_rows ? tile.rows : 1, n = all / rows;
    place(c, at);
    const ChainMachineCode code = code_of(c, all, at);
    if (code != nullptr && n >= plan.code_->lanes(chain)) return code(at, n, rows);
    for (std::size_t s = 0; s < chain.count; ++s) {
      for (const ChainFill& fill : chain.fills)
        if (fill.before == s) run_step(fill.step, bases, tile);
      run_step(plan.each_[chain.first + s], bases, tile);
    }
  }
  void run_alone(std::size_t c, ChainStep* at) const {
    const ChainRun& chain = plan.chains_[c];
    if (chain.by_rows) return run_by_rows(c, at);
    const std::size_t n = count_in(plan.each_[chain.first].out, tile);
    const ChainAddresses& addresses = place(c, at);
    const ChainMachineCode code = code_of(c, n, at);
    if (overlaps_ends(c, n, code, at)) return code(at, n, 1);
    const std::size_t lanes = lanes_of(c, code), whole = n / lanes * lanes;
    if (whole > 0) run_lanes_of(code, at, whole);
    if (whole == n || (whole > 0 && run_last_lanes(c, n, 1, at))) return;
    if (!chain.rest.pieces.empty()) return run_rests_of(c, code, {1, n, whole}, addresses, at);
    for (std::size_t s = 0; s < chain.count; ++s)
      run_lanes(plan.each_[chain.first + s], bases, tile, whole);
  }
  void run_rests_of(std::size_t c, ChainMachineCode code, const RestLanes& all,
                    const ChainAddresses& addresses, ChainStep* at) const {
    const auto run = [&](ChainStep* steps, std::size_t n) { run_lanes_of(code, steps, n); };
    run_rests(run, plan.chains_[c].rest, lanes_of(c, code), addresses, bases, tile, all, at);
  }

  // With the reductions of its results; false where there is no machine code yet.
  bool run_folds(std::size_t c, ChainStep* at) const {
    const ChainRun& chain = plan.chains_[c];
    place(c, at);
    const ChainMachineCode code = plan.code_->function(
        c, plan.chains_[c], at, tile.rows * tile.columns, instruction, execution.chains);
    if (code == nullptr) return false;
    const std::span folds(plan.each_.data() + chain.first + chain.count, chain.folds);
    place(c, at);
    begin(folds);
    const std::size_t piece = plan.chain_kernels_.piece, whole = tile.columns / piece * piece;
    if (whole > 0) code(at, whole, tile.rows);
    if (whole < tile.columns) fold_rest(chain, folds, whole);
    end(folds);
    execution.chains.folded += chain.folds;
    return true;
  }
  void begin(std::span<const FusedStep> folds) const {
    for (const FusedStep& fold : folds) {
      std::byte* const sums = bases.write(fold.sums_at, tile);
      if (fold.kind == FusedStep::Kind::fold) {
        begin_rows(fold, sums, tile.rows);
      } else if (tile.column == 0) {
        begin_fold(fold, sums);
      }
    }
  }
  void end(std::span<const FusedStep> folds) const {
    for (const FusedStep& fold : folds) {
      std::byte* const sums = bases.write(fold.sums_at, tile);
      const std::byte* const init = bases.read(fold.in[1], tile);
      std::byte* const out = bases.write(fold.out, tile);
      if (fold.kind == FusedStep::Kind::fold) {
        end_rows(fold, init, sums, out, tile.rows);
      } else if (tile.column + tile.columns == plan.columns_) {
        end_fold(fold, init, sums, out);
      }
    }
  }
  // The last lanes of a long row, step by step.
  void fold_rest(const ChainRun& chain, std::span<const FusedStep> folds, std::size_t whole) const {
    for (std::size_t s = 0; s < chain.count; ++s)
      run_lanes(plan.each_[chain.first + s], bases, tile, whole);
    for (const FusedStep& fold : folds)
      add_part(fold, bases.read(fold.in[0], tile) + whole * fold.in[0].bytes,
               bases.write(fold.sums_at, tile), tile.columns - whole);
  }

  void run_by_rows(std::size_t c, ChainStep* at) const {
    const ChainAddresses& addresses = place(c, at);
    const ChainMachineCode code = code_of(c, tile.rows * tile.columns, at);
    if (overlaps_ends(c, tile.columns, code, at)) return code(at, tile.columns, tile.rows);
    const std::size_t lanes = lanes_of(c, code), whole = tile.columns / lanes * lanes;
    if (whole > 0 && code != nullptr) code(at, whole, tile.rows);
    for (std::size_t r = 0; whole > 0 && code == nullptr && r < tile.rows; ++r) {
      plan.chain_kernels_.run(at, whole);
      for (const auto& x : addresses.row_inputs) at[x.link].*x.member += x.stride(tile.columns);
      for (const auto& y : addresses.row_outputs) at[y.link].*y.member += y.stride(tile.columns);
    }
    if (whole == tile.columns) return;
    if (whole > 0 && run_last_lanes(c, tile.columns, tile.rows, at)) return;
    place(c, at);
    run_rests_of(c, code, {tile.rows, tile.columns, whole}, addresses, at);
  }

  // Whether the code computes the lanes beyond whole iterations itself. Addresses are placed.
  bool overlaps_ends(std::size_t c, std::size_t n, ChainMachineCode code, ChainStep* at) const {
    const std::size_t lanes = lanes_of(c, code);
    return code != nullptr && n % lanes != 0 && n >= lanes && plan.code_->overlaps(c) &&
           code == plan.code_->machine_code(c) &&
           (plan.code_->masks_stores(c) || !overwrites(c, at));
  }
  // Whether the chain writes over what it reads, so that no lane can be computed again. Addresses
  // are placed. What holds for one tile of a run holds for all.
  bool overwrites(std::size_t c, const ChainStep* at) const {
    const auto finds_it = [&] {
      return ops::overwrites(plan.chains_[c], *plan.code_->addresses(c), at);
    };
    if (c >= kMostKnown) return finds_it();
    const std::uint64_t bit = std::uint64_t{1} << c;
    if ((known & bit) == 0 && finds_it()) overwritten |= bit;
    known |= bit;
    return (overwritten & bit) != 0;
  }

  // The last lanes of `n`, or of each row of `n`, as a whole iteration: some are computed again.
  // False, with nothing done, where there is no machine code or where it has overwritten what it
  // reads.
  bool run_last_lanes(std::size_t c, std::size_t n, std::size_t rows, ChainStep* at) const {
    const ChainMachineCode code = plan.code_->machine_code(c);
    if (code == nullptr || plan.chains_[c].folds > 0) return false;
    const ChainAddresses& addresses = place(c, at);
    if (overwrites(c, at)) return false;
    const std::vector<ChainLink>& links = plan.chains_[c].links;
    const std::size_t lanes = plan.code_->lanes(plan.chains_[c]);
    const auto to_last = [&](const std::optional<Place>& place, auto& address) {
      address += (n - lanes) * place->lane_bytes();
    };
    using program::kernels::ChainSource;
    for (const std::size_t l : addresses.links) {
      if (links[l].a && links[l].from[0] == ChainSource::dense) to_last(links[l].a, at[l].a);
      if (links[l].b && links[l].from[1] == ChainSource::dense) to_last(links[l].b, at[l].b);
      if (links[l].c && links[l].from[2] == ChainSource::dense) to_last(links[l].c, at[l].c);
      if (links[l].operation.kind == ChainOperation::Kind::store) to_last(links[l].out, at[l].out);
    }
    code(at, lanes, rows);
    return true;
  }

  // Puts the addresses of a chain into its steps.
  const ChainAddresses& place(std::size_t c, ChainStep* at) const {
    const ChainAddresses* const used = plan.code_->addresses(c);
    const ChainAddresses& addresses = used != nullptr ? *used : plan.chains_[c].moving;
    for (const std::size_t l : addresses.links)
      place_link(plan.chains_[c].links[l], bases, tile, at[l]);
    return addresses;
  }
  // Of a chain without its reductions, which are part of its machine code. Null: by its steps.
  ChainMachineCode code_of(std::size_t c, std::size_t n, ChainStep* at) const {
    if (plan.chains_[c].folds > 0) return nullptr;
    return plan.code_->function(c, plan.chains_[c], at, n, instruction, execution.chains);
  }
  // A run of it is a multiple.
  std::size_t lanes_of(std::size_t c, ChainMachineCode code) const {
    return code != nullptr ? plan.code_->lanes(plan.chains_[c]) : plan.chain_kernels_.piece;
  }
  void run_lanes_of(ChainMachineCode code, ChainStep* at, std::size_t n) const {
    if (code != nullptr) {
      code(at, n, 1);
    } else {
      plan.chain_kernels_.run(at, n);
    }
  }

  void run_tile() const {
    std::size_t s = 0;
    ChainStep* at = room;
    for (std::size_t c = 0; c < plan.chains_.size(); ++c) {
      const ChainRun& chain = plan.chains_[c];
      for (; s < chain.first; ++s) run_step(plan.each_[s], bases, tile);
      s += chain.count + run_chain(c, at);
      at += chain.links.size() + 1;
    }
    for (; s < plan.each_.size(); ++s) run_step(plan.each_[s], bases, tile);
  }

  void place_tile(std::size_t row, std::size_t column) {
    const auto size = [this](std::size_t left, std::size_t joined, std::size_t one) {
      return joins_tiles && left >= joined ? joined : std::min(left, one);
    };
    const std::size_t rows = plan.run_rows_ - row % plan.run_rows_;  // of the run
    const std::size_t joined = std::min(plan.step_rows_, rows / plan.step_unit_ * plan.step_unit_);
    tile = {row, column, size(rows, std::max(joined, plan.tile_rows_), plan.tile_rows_),
            size(plan.columns_ - column, plan.step_columns_, plan.tile_columns_)};
  }
};

void FusedPlan::run(const Instruction& instruction, Execution& execution) const {
  if (last_ != nullptr && last_->run_again(instruction, execution)) return;
  const FusedBases bases(instruction, execution, frame_bytes_, lanes_, copies_bytes_, joins_);
  auto* const room = execution.vmem->take_as<program::kernels::ChainStep>(links_ + chains_.size());
  Run run{*this, instruction, execution, bases, room, {0, 0, tile_rows_, tile_columns_}};
  run.start();
  for (std::size_t row = 0; row < rows_; row += run.tile.rows)
    for (std::size_t column = 0; column < columns_; column += run.tile.columns) {
      const bool ends_row = column + tile_columns_ >= columns_;
      const std::size_t next_row = row + (ends_row ? tile_rows_ : 0);
      const std::vector<FusedPlace>& fetched = run.joins_tiles ? unasked_ : fetched_;
      if (!fetched.empty() && next_row < rows_) {
        run.place_tile(next_row, ends_row ? 0 : column + tile_columns_);
        for (const FusedPlace& place : fetched) fetch(place, bases, run.tile);
      }
      run.place_tile(row, column);
      run.run_tile();
    }
  if (code_ != nullptr && code_->streams()) finish_stream();
  if (last_ == nullptr || code_->addresses(0) == nullptr) return;
  if (has_rest_) run.place(0, room);  // lanes beyond whole iterations had other addresses
  last_->keep(*code_, chains_[0], {room, links_}, rows_ * columns_, instruction, execution);
}

// Plans are made once per launch: a loop of small steps would spend its time on them.
void run(const program::Fused& work, const Instruction& instruction, Execution& execution) {
  std::shared_ptr<const FusedPlan>& plan = execution.fused_plans[&work];
  if (plan == nullptr) plan = std::make_shared<const FusedPlan>(instruction, *execution.kernels);
  plan->run(instruction, execution);
}

}  // namespace understudy::worker::ops
