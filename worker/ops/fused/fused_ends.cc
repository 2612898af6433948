// SPDX-License-Identifier: Apache-2.0
// What becomes of the results of a plan's chains: stores past the caches, reductions in the same
// machine code, and runs over many tiles at once where no value of the tile is left.
#include <algorithm>
#include <numeric>
#include <optional>

#include "configs/base/error.h"
#include "program/ir/reductions.h"
#include "worker/chip/copy_lines.h"
#include "worker/ops/chain_code/chain_code.h"
#include "worker/ops/fused/fused.h"
#include "worker/ops/fused/fused_chain.h"
#include "worker/ops/fused/fused_folds.h"

namespace understudy::worker::ops {
namespace {

bool is_same_value(const FusedPlace& a, const FusedPlace& b) {
  return a.space == program::Space::frame && b.space == a.space && a.offset == b.offset &&
         a.beyond == b.beyond;
}

}  // namespace

// Machine code keeps as many lanes in an iteration, or half of them, as a reduction has.
void FusedPlan::find_folds() {
  if (is_short_ || !has_machine_code(kernels_)) return;
  for (ChainRun& chain : chains_) {
    const std::size_t end = chain.first + chain.count;
    while (end + chain.folds < each_.size() && folds_in(chain, each_[end + chain.folds]))
      ++chain.folds;
    fills_pieces_ = fills_pieces_ || (chain.folds > 0 && has_rest(each_[chain.first].out));
  }
}

// Whether the chain makes the value that the step reduces, in whole pieces.
bool FusedPlan::folds_in(ChainRun& chain, FusedStep& step) {
  constexpr std::size_t kLanes =
      program::kernels::fold_lanes(program::kernels::kLongFold, sizeof(float));
  // The lanes of shorter rows take longer than a tile of their values.
  constexpr std::size_t kLeastColumns = 1024;
  if (step.fold_lanes != kLanes) return false;
  const bool is_part = step.kind == FusedStep::Kind::fold_part;
  const bool has_pieces = columns_ % chain_kernels_.piece == 0 || (is_part && !chain.by_rows);
  const auto makes = [&](const ChainLink& link) {
    return link.operation.kind == ChainOperation::Kind::store && !link.folds &&
           is_same_value(*link.out, step.in[0]);
  };
  if (!is_part &&
      (columns_ < kLeastColumns || step.merge_rows == nullptr || step.join_rows == nullptr))
    return false;
  const auto link = std::ranges::find_if(chain.links, makes);
  const auto function = program::function_of(step.reduction);
  if (link == chain.links.end() || !has_pieces || !function) return false;
  const program::ElementType type = link->operation.type;
  UNDERSTUDY_ASSERT(link->operation.element_step == 1);  // a value of the tile
  if (!program::kernels::is_word(type) && !program::kernels::is_half(type)) return false;
  link->folds = function;
  link->keeps = is_read_elsewhere(chain, step);
  if (!is_part) {
    step.sums = lanes_of_rows(step, most_folded_rows());
    place_sums(step);
    step.sums_at.by_row = true;
    step.sums_at.row_step = kLanes;
  }
  link->a = step.sums_at;
  if (!is_part) run_by_rows(chain);
  return true;
}

// Rows whose lanes have room, if tiles are joined.
std::size_t FusedPlan::most_folded_rows() const {
  constexpr std::size_t kRows = 32;
  return std::max(kRows, tile_rows_);
}

// Whether another step than this one reads the value that it reduces.
bool FusedPlan::is_read_elsewhere(const ChainRun& chain, const FusedStep& reduction) const {
  const FusedPlace& value = reduction.in[0];
  for (std::size_t s = 0; s < each_.size(); ++s) {
    if (&each_[s] == &reduction || (s >= chain.first && s < chain.first + chain.count)) continue;
    for (std::size_t i = 0; i < each_[s].inputs; ++i)
      if (is_same_value(value, each_[s].in[i])) return true;
  }
  return std::ranges::any_of(chains_, [&](const ChainRun& run) {
    return std::ranges::any_of(run.links, [&](const ChainLink& link) {
      for (const auto* const place : {&link.a, &link.b, &link.c})
        if (*place && is_same_value(value, **place)) return true;
      return false;
    });
  });
}

// Asking for a whole tile at once takes as long as reading it: machine code asks for a line at a
// time, while it computes.
void FusedPlan::ask_ahead() {
  unasked_ = fetched_;
  if (fetched_.empty()) return;
  std::erase_if(unasked_, [&](const FusedPlace& place) { return asks_ahead(place); });
  for (ChainRun& chain : chains_)
    for (ChainLink& link : chain.links)
      if (link.operation.kind == ChainOperation::Kind::store && is_whole(*link.out) &&
          rows_ * columns_ * link.out->bytes >= kLeastFetched)
        link.ahead[ChainLink::kOut] = tile_bytes(*link.out);
}

// Whether some chain reads the argument lane by lane: the first one that does asks for it.
bool FusedPlan::asks_ahead(const FusedPlace& place) {
  for (ChainRun& chain : chains_)
    for (ChainLink& link : chain.links) {
      const std::optional<FusedPlace>* const operands[] = {&link.a, &link.b, &link.c};
      for (std::size_t i = 0; i < std::size(operands); ++i) {
        const std::optional<FusedPlace>& operand = *operands[i];
        if (link.from[i] != program::kernels::ChainSource::dense || operand->index != place.index ||
            !is_whole(*operand) || operand->space != place.space)
          continue;
        link.ahead[i] = tile_bytes(place);
        return true;
      }
    }
  return false;
}

// An array with the elements of the loop, outside of the tile.
bool FusedPlan::is_whole(const FusedPlace& place) const {
  return place.space != program::Space::frame && !place.is_view && place.element_step == 1 &&
         place.by_row == (rows_ > 1) && place.by_column == (columns_ > 1);
}

// From a tile to the next one.
std::size_t FusedPlan::tile_bytes(const FusedPlace& place) const {
  return (tile_columns_ < columns_ ? tile_columns_ : tile_rows_ * columns_) * place.bytes;
}

// Values of a chain are in registers: where a loop is one chain over arrays, many tiles are one
// call.
void FusedPlan::join_tiles() {
  constexpr std::size_t kMostLanes = 32 << 10;
  step_rows_ = tile_rows_;
  step_columns_ = tile_columns_;
  if (!is_all_chain() || std::ranges::any_of(chains_[0].links, [&](const ChainLink& link) {
        return keeps_tiles_apart(link);
      }))
    return;
  // Kernels, which would run instead, see no rows that are apart.
  const bool is_narrow = chains_[0].is_narrow() && chains_[0].by_rows;
  if (is_narrow && columns_ < ChainCode::narrow_lanes(chains_[0])) return;
  // Whole pieces: lanes beyond them run step by step, in the tile.
  const std::size_t piece = chain_kernels_.piece;
  if (tile_columns_ < columns_ && joins_rows(kMostLanes)) {
    step_columns_ = columns_;
    step_rows_ = std::min(run_rows_, kMostLanes / columns_);
    return;
  }
  if (tile_columns_ < columns_) {
    step_columns_ = std::max(std::min(columns_, kMostLanes) / piece * piece, tile_columns_);
    return;
  }
  step_unit_ = chains_[0].by_rows ? 1 : piece / std::gcd(piece, columns_);
  std::size_t most = std::min(run_rows_, kMostLanes / columns_);
  if (chains_[0].folds > 0) most = std::min(most, most_folded_rows());
  step_rows_ = std::max(most / step_unit_ * step_unit_, tile_rows_);
}

// Whether machine code may run over whole rows of the loop, of which a tile has parts.
bool FusedPlan::joins_rows(std::size_t most_lanes) const {
  return chains_[0].by_rows && chains_[0].folds == 0 && columns_ <= most_lanes;
}

// Whether one chain with its reductions is all that changes.
bool FusedPlan::is_all_chain() const {
  return chains_.size() == 1 && chains_[0].count + chains_[0].folds == each_.size();
}

// Whether it has values of the tile that differ from lane to lane.
bool FusedPlan::keeps_tiles_apart(const ChainLink& link) const {
  const auto is_apart = [&](const std::optional<FusedPlace>& place) {
    if (!place) return false;
    if (place->join != 0) return true;
    return place->space == program::Space::frame &&
           (place->by_row || (place->by_column && tile_columns_ < columns_));
  };
  if (link.folds) return link.keeps;
  return is_apart(link.a) || is_apart(link.b) || is_apart(link.c) || is_apart(link.out);
}

// Lines of a result that nobody reads while they are in the caches would be read from memory first,
// and written when others need their place.
void FusedPlan::find_streams() {
  for (ChainRun& chain : chains_)
    for (ChainLink& link : chain.links)
      link.may_stream = !chain.is_narrow() && link.operation.kind == ChainOperation::Kind::store &&
                        link.operation.turn == 0 && may_stream(chain, *link.out);
}

bool FusedPlan::may_stream(const ChainRun& chain, const FusedPlace& out) const {
  constexpr auto kLeastBytes = static_cast<std::size_t>(kStreamedBytes);
  const std::size_t piece = chain_kernels_.piece;
  if (out.space != program::Space::result || out.bytes < 2) return false;
  // One element per row, or one row for all, is little.
  if (out.by_row != (rows_ > 1) || out.by_column != (columns_ > 1)) return false;
  if (rows_ * columns_ * out.lane_bytes() < kLeastBytes) return false;
  if (chain.by_rows && (columns_ % piece != 0 || tile_columns_ % piece != 0)) return false;
  return !is_read(out);
}

// Whether a step of the loop reads a result from memory. In a chain most are in registers.
bool FusedPlan::is_read(const FusedPlace& result) const {
  const auto is_same = [&](const FusedPlace& in) {
    return in.space == result.space && in.index == result.index;
  };
  for (const ChainRun& chain : chains_)
    for (const ChainLink& link : chain.links)
      for (const auto* const place : {&link.a, &link.b, &link.c})
        if (*place && is_same(**place)) return true;
  for (std::size_t s = 0; s < each_.size(); ++s) {
    const auto has_step = [&](const ChainRun& chain) {
      return s >= chain.first && s < chain.first + chain.count;
    };
    const FusedStep& step = each_[s];
    if (std::ranges::none_of(chains_, has_step) &&
        std::any_of(step.in, step.in + step.inputs, is_same))
      return true;
  }
  return false;
}

}  // namespace understudy::worker::ops
