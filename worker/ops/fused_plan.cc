// SPDX-License-Identifier: Apache-2.0
// How a fused loop runs: tile, kernels, steps that run once and for each tile, chains in registers.
#include <algorithm>
#include <cstring>

#include "configs/base/error.h"
#include "program/kernels/kernels.h"
#include "worker/chip/ops.h"
#include "worker/ops/fused.h"
#include "worker/ops/fused_chain.h"
#include "worker/ops/operands.h"

namespace understudy::worker::ops {
namespace {

// The values of a tile take half of a usual first-level cache where they can; beyond the least
// length calls of kernels would dominate.
constexpr std::size_t kTileBytes = 32 * 1024;
constexpr std::size_t kLeastLanes = 512, kMostLanes = 4096;
constexpr std::size_t kUnit = 64;  // lanes are a multiple: places in the tile are aligned

std::size_t rounded_up(std::size_t n) { return (n + kUnit - 1) / kUnit * kUnit; }

template <class T>
void fill(const std::byte* one, std::byte* out, std::size_t n) {
  T value;
  std::memcpy(&value, one, sizeof(T));
  std::fill_n(reinterpret_cast<T*>(out), n, value);
}
using Filler = void (*)(const std::byte*, std::byte*, std::size_t);
Filler filler_of(std::size_t bytes) {
  switch (bytes) {
    case 1:
      return &fill<std::uint8_t>;
    case 2:
      return &fill<std::uint16_t>;
    case 4:
      return &fill<std::uint32_t>;
    case 8:
      return &fill<std::uint64_t>;
    default:
      return
          [](const std::byte* one, std::byte* out, std::size_t n) { replicate(one, 16, out, n); };
  }
}

}  // namespace

FusedPlan::Place FusedPlan::place_of(const Operand& operand) const {
  Place place;
  place.space = operand.at.space;
  place.index = operand.at.index;
  place.bytes = element_bytes(operand);
  place.offset = operand.at.offset;
  place.by_row = operand.type.shape[0] > 1;
  place.by_column = operand.type.shape[1] > 1;
  place.width = static_cast<std::size_t>(operand.type.shape[1]);
  return place;
}

void FusedPlan::choose_tile(const program::Fused& work) {
  rows_ = static_cast<std::size_t>(work.rows);
  columns_ = static_cast<std::size_t>(work.columns);
  const bool reduces = std::ranges::any_of(work.steps, [](const Instruction& step) {
    return std::holds_alternative<program::Reduce>(step.work);
  });
  // Filled constants are hardly read: chains have them where they come from.
  std::size_t filled = 0;
  for (const Instruction& step : work.steps)
    if (std::holds_alternative<program::Fill>(step.work) &&
        step.inputs[0].at.space == program::Space::argument && step.inputs[0].type.elements() == 1)
      filled += element_bytes(step.outputs[0]);
  const std::size_t bytes =
      std::max<std::size_t>({work.frame_bytes - std::min<std::size_t>(filled, work.frame_bytes),
                             work.frame_bytes / 4, 4});
  const std::size_t wanted =
      std::clamp(kTileBytes / bytes / kUnit * kUnit, kLeastLanes, kMostLanes);
  if (reduces || columns_ <= wanted) {
    tile_columns_ = columns_;
    tile_rows_ = std::clamp<std::size_t>(wanted / columns_, 1, rows_);
  } else {
    tile_columns_ = wanted;
    tile_rows_ = 1;
  }
  lanes_ = rounded_up(tile_rows_ * tile_columns_);
  frame_bytes_ = work.frame_bytes;
}

// Whether an operand has other elements in another tile.
bool FusedPlan::varies(const Place& place) const {
  if (place.space == program::Space::frame) {
    const auto found = varying_.find(place.offset);
    return found == varying_.end() || found->second;
  }
  if (place.space == program::Space::result) return true;
  return place.by_row || (place.by_column && (rows_ == 1 || tile_columns_ < columns_));
}

FusedPlan::FusedPlan(const program::Fused& work, const program::kernels::KernelTable& kernels)
    : kernels_(kernels), chain_kernels_(kernels.chains()) {
  choose_tile(work);
  std::vector<std::size_t> numbers;  // of the changing steps
  for (std::size_t s = 0; s < work.steps.size(); ++s) {
    const Instruction& step = work.steps[s];
    Step ready = step_of(step);
    bool changes = ready.out.space == program::Space::result ||
                   (ready.kind == Kind::iota && varies_by_itself(ready.out));
    for (std::size_t i = 0; i < ready.inputs; ++i) changes = changes || varies(ready.in[i]);
    if (ready.out.space == program::Space::frame) varying_[ready.out.offset] = changes;
    (changes ? each_ : once_).push_back(ready);
    if (changes) numbers.push_back(s);
  }
  find_chains(work, numbers);
}
FusedPlan::~FusedPlan() = default;

// Constants that only chains read are read where they are, not filled into all lanes: the last
// lanes of a tile, less than a piece, run step by step and need no more than a piece of them.
void FusedPlan::find_chains(const program::Fused& work, const std::vector<std::size_t>& numbers) {
  if (tile_rows_ * tile_columns_ < chain_kernels_.piece) return;
  ChainFinder::Shared shared;
  for (const Step& step : once_)
    if (step.kind == Kind::fill && step.out.space == program::Space::frame &&
        step.in[0].space == program::Space::argument && !step.in[0].by_row && !step.in[0].by_column)
      shared[step.out.offset] = step.in[0];
  std::vector<ChainCandidate> candidates;
  for (std::size_t i = 0; i < each_.size(); ++i)
    candidates.push_back({&work.steps[numbers[i]], &each_[i]});
  ChainFinder finder(chain_kernels_, std::move(candidates), shared);
  chains_ = finder.find();
  for (const ChainRun& chain : chains_) links_ += chain.links.size();
  const auto once_reads = [&](std::size_t offset) {
    return std::ranges::any_of(once_, [&](const Step& step) {
      for (std::size_t i = 0; i < step.inputs; ++i)
        if (step.in[i].space == program::Space::frame && step.in[i].offset == offset) return true;
      return false;
    });
  };
  for (Step& step : each_)
    for (std::size_t i = 0; i < step.inputs; ++i)
      step.is_shared[i] =
          step.in[i].space == program::Space::frame && shared.contains(step.in[i].offset);
  for (Step& step : once_)
    if (shared.contains(step.out.offset) && step.kind == Kind::fill &&
        !finder.is_read_outside(step.out.offset) && !once_reads(step.out.offset))
      step.most = chain_kernels_.piece;
}

bool FusedPlan::varies_by_itself(const Place& place) const {
  // In a loop of one row its place may be shared, so it is computed where it stands.
  return place.by_row || rows_ == 1 || (place.by_column && tile_columns_ < columns_);
}

FusedPlan::Step FusedPlan::step_of(const Instruction& instruction) const {
  Step step;
  step.out = place_of(instruction.outputs[0]);
  UNDERSTUDY_ASSERT(instruction.inputs.size() <= 3);
  for (const Operand& input : instruction.inputs) step.in[step.inputs++] = place_of(input);
  const auto element = instruction.inputs.empty() ? instruction.outputs[0].type.element
                                                  : instruction.inputs[0].type.element;
  const program::Work& work = instruction.work;
  if (const auto* unary = std::get_if<program::Unary>(&work)) {
    step.kind = Kind::one;
    step.one = kernels_.unary(unary->op, element);
  } else if (std::holds_alternative<program::Convert>(work)) {
    step.kind = Kind::one;
    step.one = kernels_.convert(element, instruction.outputs[0].type.element);
  } else if (const auto* binary = std::get_if<program::Binary>(&work)) {
    step.kind = Kind::two;
    step.two = kernels_.binary(binary->op, element);
  } else if (const auto* compare = std::get_if<program::Compare>(&work)) {
    step.kind = Kind::two;
    step.two = kernels_.compare(compare->direction, compare->total_order, element);
  } else if (std::holds_alternative<program::Select>(work)) {
    step.kind = Kind::choose;
    step.choose = kernels_.select(step.out.bytes);
  } else if (std::holds_alternative<program::Fill>(work)) {
    step.kind = Kind::fill;
    step.fill = filler_of(step.out.bytes);
  } else if (std::holds_alternative<program::Iota>(work)) {
    step.kind = Kind::iota;
    step.one = kernels_.convert(program::ElementType::i64, element);
  } else {
    fold_of(std::get<program::Reduce>(work), element, step);
  }
  return step;
}

void FusedPlan::fold_of(const program::Reduce& work, program::ElementType element,
                        Step& step) const {
  const auto wide = program::kernels::accumulator_type(element);
  step.kind = Kind::fold;
  step.fold = kernels_.fold(work.reduction, element);
  step.one = kernels_.convert(element, wide);
  step.narrow = kernels_.convert(wide, element);
  UNDERSTUDY_ASSERT(step.fold != nullptr && step.one != nullptr && step.narrow != nullptr);
}

}  // namespace understudy::worker::ops
