// SPDX-License-Identifier: Apache-2.0
// Which steps of a fused loop are chains, and where their values are beside the tile's lanes.
#include <algorithm>
#include <array>
#include <numeric>

#include "program/kernels/kernels.h"
#include "worker/ops/chain_code/chain_code.h"
#include "worker/ops/fused/fused.h"
#include "worker/ops/fused/fused_chain.h"
#include "worker/ops/fused/fused_spread.h"
#include "worker/ops/fused/last_run.h"

namespace understudy::worker::ops {
namespace {

bool is_read_in(const std::vector<FusedStep>& steps, const FusedPlace& place) {
  return std::ranges::any_of(steps, [&](const FusedStep& step) {
    for (std::size_t i = 0; i < step.inputs; ++i)
      if (step.in[i].space == program::Space::frame && step.in[i].offset == place.offset)
        return true;
    return false;
  });
}

bool is_bf16(const program::Operand& operand) {
  return operand.type.element == program::ElementType::bf16;
}

bool has_bf16(const program::Fused& work) {
  return std::ranges::any_of(work.steps, [](const program::Instruction& step) {
    return std::ranges::any_of(step.inputs, is_bf16) || std::ranges::any_of(step.outputs, is_bf16);
  });
}

}  // namespace

// Machine code stores two vectors of bf16 at a time.
bool runs_short_chains(const program::Fused& work, const program::kernels::KernelTable& kernels) {
  const program::kernels::ChainKernels chains = kernels.chains();
  const auto lanes = static_cast<std::size_t>(work.rows * work.columns);
  return has_machine_code(kernels) && lanes > 0 && lanes < chains.piece &&
         lanes % chains.vector == 0 && !has_bf16(work);
}

// Whether chains read values of rows from their source; chooses how.
bool FusedPlan::runs_by_rows(const program::Fused& work) {
  const std::size_t piece = chain_kernels_.piece;
  if (tile_columns_ % piece == 0) return true;
  if (!has_machine_code(kernels_)) return tile_columns_ >= 3 * piece;  // steps copy ends of rows
  // What is at one distance from row to row would be copied for each tile.
  const bool has_views = std::ranges::any_of(each_, [](const FusedStep& step) {
    return step.kind == FusedStep::Kind::view && step.in[0].row_step != 0;
  });
  // Of few elements, more chains take longer to start than filled values to read.
  constexpr std::size_t kLeastElements = 8192;
  if (!has_views && tile_columns_ < 3 * piece && rows_ * columns_ < kLeastElements) return false;
  const std::size_t vectors =
      vectors_of_rows(tile_columns_, chain_kernels_.vector, has_bf16(work) ? 2 : 1, has_views);
  if (vectors > 0) row_vectors_ = vectors;
  return vectors > 0;
}

// Values of rows and columns are read from their source where chains are their only readers, and
// run row by row. Constants that only chains read are not filled into all lanes, but into a piece:
// no more than that runs step by step.
void FusedPlan::find_chains(const program::Fused& work, const std::vector<std::size_t>& numbers) {
  const std::size_t piece = chain_kernels_.piece;
  is_short_ = runs_short_chains(work, kernels_);
  if (tile_rows_ * tile_columns_ < piece && !is_short_) return;
  const bool by_rows = !is_short_ && runs_by_rows(work);
  std::vector<Spread> spreads = find_spreads(once_, each_, by_rows, rows_ == 1);
  for (Spread& spread : spreads)
    if (spread.copies) place_copy(spread);
  while (!try_chains(work, numbers, spreads)) {
  }
}

// A place of its own after the lanes.
std::size_t FusedPlan::take_beyond(std::size_t bytes) {
  constexpr std::size_t kLine = 64;
  const std::size_t place = copies_bytes_;
  copies_bytes_ += (bytes + kLine - 1) / kLine * kLine;
  return place;
}

// One element per row.
void FusedPlan::place_copy(Spread& spread) {
  const FusedPlace out = each_[spread.fill].out;
  spread.place = {
      program::Space::frame, 0,    frame_bytes_, take_beyond(tile_rows_ * out.bytes), out.bytes, 1,
      spread.place.by_row,   false};
}

void FusedPlan::place_sums(FusedStep& step) {
  step.sums_at = {
      program::Space::frame, 0,         frame_bytes_, take_beyond(step.sums * step.wide_bytes),
      step.wide_bytes,       step.sums, false,        false};
}

// Whether it is a constant that all lanes share.
bool FusedPlan::is_constant(const FusedPlace& place) const {
  return place.space == program::Space::argument && !place.by_row && !place.by_column &&
         !place.is_view && constants_[place.index];
}

// The narrow chain that alone reads a value of rows or columns, and can run row by row; null if
// there is none.
ChainRun* FusedPlan::narrow_reader_of(const Spread& spread,
                                      const std::vector<std::size_t>& position,
                                      std::vector<ChainRun>& chains) const {
  const auto found = std::ranges::find_if(chains, [&](const ChainRun& chain) {
    return chain.is_narrow() &&
           std::ranges::all_of(spread.readers, [&](const Spread::Reader& reader) {
             const std::size_t at = position[reader.step];
             return at >= chain.first && at < chain.first + chain.count;
           });
  });
  const bool has_one = found != chains.end() && !spread.readers.empty() && !spread.copies;
  return has_one && tile_columns_ >= ChainCode::narrow_lanes(*found) ? &*found : nullptr;
}

// The step that fills the lanes of a value that such a chain reads. `number`: of each arranged step
// among the changing steps.
ChainFill FusedPlan::fill_of(const Spread& spread, const ChainRun& chain,
                             const std::vector<std::size_t>& number) const {
  if (spread.once) return {once_[spread.fill], 0};
  ChainFill fill{each_[spread.fill], 0};
  while (number[chain.first + fill.before] < spread.fill) ++fill.before;
  return fill;
}

// False where steps of no chain read a value of rows or columns: those spreads are removed.
bool FusedPlan::try_chains(const program::Fused& work, const std::vector<std::size_t>& numbers,
                           std::vector<Spread>& spreads) {
  Arranged all = arranged(each_, spreads);
  std::vector<std::size_t> position(each_.size(), SIZE_MAX);
  for (std::size_t i = 0; i < all.number.size(); ++i) {
    position[all.number[i]] = i;
    all.candidates[i].instruction = &work.steps[numbers[all.number[i]]];
    const auto& second = all.candidates[i].spread[1];
    all.candidates[i].has_constant_second = second && is_constant(*second);
  }
  const FusedPlace held{program::Space::frame, 0, frame_bytes_, copies_bytes_};
  ChainFinder finder(kernels_, all.candidates, held);
  std::vector<ChainRun> chains = finder.find();
  const auto only_chains_read = [&](const Spread& spread) {
    return std::ranges::all_of(spread.readers, [&](const Spread::Reader& reader) {
      return finder.is_in_chain(position[reader.step]);
    });
  };
  const auto narrow_reader = [&](const Spread& spread) {
    return narrow_reader_of(spread, position, chains);
  };
  const auto removed = std::erase_if(spreads, [&](const Spread& spread) {
    return !spread.is_constant && !only_chains_read(spread) && narrow_reader(spread) == nullptr;
  });
  if (removed > 0) return false;
  for (const Spread& spread : spreads)
    if (ChainRun* const chain = spread.is_constant ? nullptr : narrow_reader(spread))
      chain->fills.push_back(fill_of(spread, *chain, all.number));
  std::vector<bool> gone(once_.size(), false);
  for (const Spread& spread : spreads) {
    if (!spread.once) continue;
    gone[spread.fill] = !spread.is_constant;
    if (!spread.is_constant) continue;
    for (const Spread::Reader& reader : spread.readers)
      all.steps[position[reader.step]].is_shared[reader.input] = true;
    FusedStep& fill = once_[spread.fill];
    if (!is_read_in(once_, fill.out) && only_chains_read(spread)) fill.most = chain_kernels_.piece;
  }
  std::size_t o = 0;
  std::erase_if(once_, [&](const FusedStep&) { return gone[o++]; });
  each_ = std::move(all.steps);
  chains_ = std::move(chains);
  take_beyond(finder.held_bytes());
  place_rests();
  for (const ChainRun& chain : chains_) {
    links_ += chain.links.size();
    has_rest_ =
        has_rest_ || (!chain.by_rows && !chain.is_narrow() && has_rest(each_[chain.first].out));
  }
  code_ = std::make_unique<ChainCode>(kernels_, chains_.size(),
                                      ChainCode::Runs{is_short_, columns_, row_vectors_});
  return true;
}

// The chains share the pieces.
void FusedPlan::place_rests() {
  constexpr std::size_t kLeastSteps = 4;  // else copies take longer than the steps one by one
  const std::size_t piece = chain_kernels_.piece;
  const bool rows_have_rest = columns_ % piece != 0 || tile_columns_ % piece != 0;
  const FusedPlace copies{program::Space::frame, 0, frame_bytes_, copies_bytes_};
  std::size_t bytes = 0;
  for (ChainRun& chain : chains_) {
    if (chain.is_narrow()) continue;
    const bool ends_in_piece = chain.by_rows ? rows_have_rest : has_rest(each_[chain.first].out);
    const bool has_copies = chain.by_rows || chain.count >= kLeastSteps;
    fills_pieces_ = fills_pieces_ || (ends_in_piece && !has_copies);
    if (!ends_in_piece || !has_copies) continue;
    chain.rest = rest_of(chain.links, copies, piece);
    // Which changes all addresses.
    chain.moving.links.resize(chain.links.size());
    std::iota(chain.moving.links.begin(), chain.moving.links.end(), std::size_t{0});
    bytes = std::max(bytes, ops::copies_bytes(chain.rest));
  }
  take_beyond(bytes);
}

// Whether the lanes of some tile are no whole pieces.
bool FusedPlan::has_rest(const FusedPlace& place) const {
  const auto sizes = [](bool follows, std::size_t tile, std::size_t all) {
    if (!follows) return std::array<std::size_t, 2>{1, 1};
    return std::array<std::size_t, 2>{tile, all % tile == 0 ? tile : all % tile};
  };
  for (const std::size_t rows : sizes(place.by_row, tile_rows_, rows_))
    for (const std::size_t columns : sizes(place.by_column, tile_columns_, columns_))
      if (rows * columns % chain_kernels_.piece != 0) return true;
  return false;
}

}  // namespace understudy::worker::ops
