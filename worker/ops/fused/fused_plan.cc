// SPDX-License-Identifier: Apache-2.0
// How a fused loop runs: tile, kernels, steps that run once and for each tile, chains in registers.
#include <algorithm>
#include <numeric>

#include "program/executable/tile.h"
#include "worker/ops/chain_code/chain_code.h"
#include "worker/ops/fused/fused.h"
#include "worker/ops/fused/fused_apart.h"
#include "worker/ops/fused/fused_chain.h"
#include "worker/ops/fused/fused_views.h"
#include "worker/ops/fused/last_run.h"

namespace understudy::worker::ops {

void FusedPlan::choose_tile(const program::Fused& work) {
  rows_ = static_cast<std::size_t>(work.rows);
  columns_ = static_cast<std::size_t>(work.columns);
  const program::Tile tile = program::tile_of(work);
  tile_rows_ = tile.rows;
  tile_columns_ = tile.columns;
  lanes_ = tile.lanes;
  frame_bytes_ = work.frame_bytes;
}

// Views follow the rows of a run in one way. Most loops have one length of runs.
void FusedPlan::choose_runs(const std::vector<FusedStep>& steps) {
  constexpr std::size_t kLeastLanes = 512;  // of a tile that is cut off at the end of a run
  run_rows_ = rows_;
  for (const FusedStep& step : steps) {
    if (step.kind != FusedStep::Kind::view || step.in[0].element_step > 1) continue;
    // Rows that repeat one are apart in no tile of one row.
    const bool repeats = tile_rows_ == 1 && step.run_step == 0;
    const std::size_t run = repeats ? 1 : std::gcd(run_rows_, step.run);
    if (run >= tile_rows_ || run * columns_ >= kLeastLanes) run_rows_ = run;
  }
  tile_rows_ = std::min(tile_rows_, run_rows_);
}

// Whether an operand has other elements in another tile.
bool FusedPlan::varies(const FusedPlace& place) const {
  if (place.space == program::Space::frame) {
    const auto found = varying_.find(place.offset);
    return found == varying_.end() || found->second;
  }
  if (place.space == program::Space::result || place.is_view) return true;
  return place.by_row || (place.by_column && (rows_ == 1 || tile_columns_ < columns_));
}

FusedPlan::FusedPlan(const program::Instruction& loop, const program::kernels::KernelTable& kernels)
    : kernels_(kernels), chain_kernels_(kernels.chains()) {
  const auto& work = std::get<program::Fused>(loop.work);
  for (const program::Operand& input : loop.inputs)
    constants_.push_back(input.at.space == program::Space::constant);
  choose_tile(work);
  std::vector<FusedStep> steps;
  for (const program::Instruction& step : work.steps) steps.push_back(fused_step_of(step, kernels));
  choose_runs(steps);
  std::vector<std::size_t> numbers;  // of the changing steps
  for (std::size_t s = 0; s < steps.size(); ++s) {
    FusedStep& ready = steps[s];
    if (ready.kind == FusedStep::Kind::view) follow_tiles(tile_rows_, run_rows_, ready);
    number_joins(ready);
    if (reads_in_place(ready) || (!each_.empty() && takes_next_turn(each_.back(), ready))) continue;
    bool changes = ready.out.space == program::Space::result ||
                   ready.kind == FusedStep::Kind::join ||
                   (ready.kind == FusedStep::Kind::iota && varies_by_itself(ready.out));
    for (std::size_t i = 0; i < ready.inputs; ++i) changes = changes || varies(ready.in[i]);
    if (ready.out.space == program::Space::frame) varying_[ready.out.offset] = changes;
    changes = changes || ready.sums > 0;
    (changes ? each_ : once_).push_back(ready);
    if (ready.sums > 0) place_sums(each_.back());
    if (changes) numbers.push_back(s);
  }
  find_chains(work, numbers);
  find_folds();
  find_streams();
  find_fetched();
  ask_ahead();
  join_tiles();
  if (is_one_chain()) last_ = std::make_unique<LastRun>();
}

// Values that a join makes are known to their readers.
void FusedPlan::number_joins(FusedStep& step) {
  for (std::size_t i = 0; i < step.inputs; ++i) {
    const auto found = joined_.find(step.in[i].offset);
    if (step.in[i].space == program::Space::frame && found != joined_.end())
      step.in[i].join = found->second;
  }
  if (step.out.space != program::Space::frame) return;
  joined_.erase(step.out.offset);
  if (step.kind == FusedStep::Kind::join) joined_[step.out.offset] = step.out.join = ++joins_;
}

bool FusedPlan::has_no_code() const { return last_ != nullptr && code_->has_no_code(0); }
bool FusedPlan::count_run_by_steps(const ChainCompilation& counts) const {
  return code_->count_run_by_steps(0, rows_ * columns_, counts);
}
bool FusedPlan::needs_more_than_code() const { return last_ != nullptr && last_->is_refused(); }

bool FusedPlan::is_one_chain() const {
  const bool is_whole = tile_rows_ == rows_ && tile_columns_ == columns_;
  return is_whole && chains_.size() == 1 && chains_[0].count == each_.size() &&
         !chains_[0].by_rows && !chains_[0].is_narrow() &&
         (is_short_ || !has_rest_ || has_machine_code(kernels_)) &&
         std::ranges::all_of(once_, [](const FusedStep& step) { return step.most != SIZE_MAX; });
}

// Whether later steps can read the operand of a step from memory directly.
bool FusedPlan::reads_in_place(FusedStep& step) {
  for (std::size_t i = 0; i < step.inputs; ++i) {
    const auto found = in_place_.find(step.in[i].offset);
    if (step.in[i].space == program::Space::frame && found != in_place_.end())
      step.in[i] = found->second;
  }
  if (step.out.space != program::Space::frame) return false;
  in_place_.erase(step.out.offset);
  if (!is_in_place(step)) return false;
  in_place_[step.out.offset] = step.in[0];
  return true;
}

void FusedPlan::find_fetched() {
  // A loop that is one chain waits for nothing but memory, and the hardware sees its streams. Of
  // few steps it is late only where they come from beyond all caches.
  if (is_all_chain()) return;
  constexpr std::size_t kLeastSteps = 8;
  const std::size_t least = each_.size() < kLeastSteps ? 32 << 20 : kLeastFetched;
  for (const FusedStep& step : each_)
    for (std::size_t i = 0; i < step.inputs; ++i) {
      const FusedPlace& place = step.in[i];
      const std::size_t bytes =
          (place.by_row ? rows_ : 1) * (place.by_column ? columns_ : 1) * place.lane_bytes();
      if (place.space != program::Space::argument || place.is_view || !varies(place) ||
          bytes < least)
        continue;
      const auto is_same = [&](const FusedPlace& other) { return other.index == place.index; };
      if (std::ranges::none_of(fetched_, is_same)) fetched_.push_back(place);
    }
}

FusedPlan::~FusedPlan() = default;
FusedPlan::FusedPlan(FusedPlan&& other) noexcept = default;

bool FusedPlan::varies_by_itself(const FusedPlace& place) const {
  // In a loop of one row its place may be shared, so it is computed where it stands.
  return place.by_row || rows_ == 1 || (place.by_column && tile_columns_ < columns_);
}

}  // namespace understudy::worker::ops
