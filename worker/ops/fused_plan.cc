// SPDX-License-Identifier: Apache-2.0
// How a fused loop runs: tile, kernels, steps that run once and for each tile, chains in registers.
#include <algorithm>

#include "program/executable/tile.h"
#include "program/kernels/kernels.h"
#include "worker/ops/fused.h"
#include "worker/ops/fused_chain.h"
#include "worker/ops/operands.h"

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

// Whether an operand has other elements in another tile.
bool FusedPlan::varies(const FusedPlace& place) const {
  if (place.space == program::Space::frame) {
    const auto found = varying_.find(place.offset);
    return found == varying_.end() || found->second;
  }
  if (place.space == program::Space::result) return true;
  return place.by_row || (place.by_column && (rows_ == 1 || tile_columns_ < columns_));
}

FusedPlan::FusedPlan(const program::Fused& work, const program::kernels::KernelTable& kernels)
    : chain_kernels_(kernels.chains()) {
  choose_tile(work);
  std::vector<std::size_t> numbers;  // of the changing steps
  for (std::size_t s = 0; s < work.steps.size(); ++s) {
    const program::Instruction& step = work.steps[s];
    const FusedStep ready = fused_step_of(step, kernels);
    bool changes = ready.out.space == program::Space::result ||
                   (ready.kind == FusedStep::Kind::iota && varies_by_itself(ready.out));
    for (std::size_t i = 0; i < ready.inputs; ++i) changes = changes || varies(ready.in[i]);
    if (ready.out.space == program::Space::frame) varying_[ready.out.offset] = changes;
    (changes ? each_ : once_).push_back(ready);
    if (changes) numbers.push_back(s);
  }
  find_chains(work, numbers);
}
FusedPlan::~FusedPlan() = default;
FusedPlan::FusedPlan(FusedPlan&& other) noexcept = default;

// Constants that only chains read are read where they are, not filled into all lanes: the last
// lanes of a tile, less than a piece, run step by step and need no more than a piece of them.
void FusedPlan::find_chains(const program::Fused& work, const std::vector<std::size_t>& numbers) {
  if (tile_rows_ * tile_columns_ < chain_kernels_.piece) return;
  ChainFinder::Shared shared;
  for (const FusedStep& step : once_)
    if (step.kind == FusedStep::Kind::fill && step.out.space == program::Space::frame &&
        step.in[0].space == program::Space::argument && !step.in[0].by_row && !step.in[0].by_column)
      shared[step.out.offset] = step.in[0];
  std::vector<ChainCandidate> candidates;
  for (std::size_t i = 0; i < each_.size(); ++i)
    candidates.push_back({&work.steps[numbers[i]], &each_[i]});
  ChainFinder finder(chain_kernels_, std::move(candidates), shared);
  chains_ = finder.find();
  for (const ChainRun& chain : chains_) links_ += chain.links.size();
  const auto once_reads = [&](std::size_t offset) {
    return std::ranges::any_of(once_, [&](const FusedStep& step) {
      for (std::size_t i = 0; i < step.inputs; ++i)
        if (step.in[i].space == program::Space::frame && step.in[i].offset == offset) return true;
      return false;
    });
  };
  for (FusedStep& step : each_)
    for (std::size_t i = 0; i < step.inputs; ++i)
      step.is_shared[i] =
          step.in[i].space == program::Space::frame && shared.contains(step.in[i].offset);
  for (FusedStep& step : once_)
    if (shared.contains(step.out.offset) && step.kind == FusedStep::Kind::fill &&
        !finder.is_read_outside(step.out.offset) && !once_reads(step.out.offset))
      step.most = chain_kernels_.piece;
}

bool FusedPlan::varies_by_itself(const FusedPlace& place) const {
  // In a loop of one row its place may be shared, so it is computed where it stands.
  return place.by_row || rows_ == 1 || (place.by_column && tile_columns_ < columns_);
}

}  // namespace understudy::worker::ops
