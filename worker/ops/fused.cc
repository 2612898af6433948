// SPDX-License-Identifier: Apache-2.0
// Fused loops: the steps run one after the other on a tile that stays in the caches, then on the
// next. Values of the tile are in VMEM. Steps that no tile changes run once. What a step computes
// does not depend on the tile's size, as lanes are independent and a reduced row is never split.
#include "worker/ops/fused.h"

#include <algorithm>
#include <cstring>
#include <numeric>

#include "configs/base/error.h"
#include "program/executable/tile.h"
#include "program/kernels/kernels.h"
#include "worker/chip/ops.h"
#include "worker/ops/operands.h"

namespace understudy::worker::ops {
namespace {

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

// The first element and the size of the present tile.
struct Tile {
  std::size_t row = 0, column = 0, rows = 0, columns = 0;
};

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
  const program::Tile tile = program::tile_of(work);
  tile_rows_ = tile.rows;
  tile_columns_ = tile.columns;
  lanes_ = tile.lanes;
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
    : kernels_(kernels) {
  choose_tile(work);
  for (const Instruction& step : work.steps) {
    Step ready = step_of(step);
    bool changes = ready.out.space == program::Space::result ||
                   (ready.kind == Kind::iota && varies_by_itself(ready.out));
    for (std::size_t i = 0; i < ready.inputs; ++i) changes = changes || varies(ready.in[i]);
    if (ready.out.space == program::Space::frame) varying_[ready.out.offset] = changes;
    (changes ? each_ : once_).push_back(ready);
  }
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

namespace {

using Place = FusedPlan::Place;
using Step = FusedPlan::Step;

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

// The linear index of each element, in pieces that stay in registers and cache.
void count_up(const Step& step, std::byte* out, const Tile& tile) {
  constexpr std::size_t kPiece = 256;
  const Place& place = step.out;
  const std::size_t n = count_in(place, tile);
  const std::size_t first =
      (place.by_row ? tile.row * place.width : 0) + (place.by_column ? tile.column : 0);
  std::int64_t numbers[kPiece];
  for (std::size_t i = 0; i < n; i += kPiece) {
    const std::size_t count = std::min(kPiece, n - i);
    std::iota(numbers, numbers + count, static_cast<std::int64_t>(first + i));
    step.one(numbers, out + i * place.bytes, count);
  }
}

// As reduce.cc folds a dense run: from the initial value in the accumulator's type.
void fold_rows(const Step& step, const std::byte* in, const std::byte* init, std::byte* out,
               const Tile& tile) {
  alignas(16) std::byte start[16];
  step.one(init, start, 1);
  for (std::size_t r = 0; r < tile.rows; ++r) {
    alignas(16) std::byte sum[16];
    std::memcpy(sum, start, sizeof(sum));
    step.fold(in + r * tile.columns * step.in[0].bytes, tile.columns, sum);
    step.narrow(sum, out + r * step.out.bytes, 1);
  }
}

void run_step(const Step& step, const Bases& bases, const Tile& tile) {
  std::byte* const out = bases.write(step.out, tile);
  const std::byte* in[3] = {};
  for (std::size_t i = 0; i < step.inputs; ++i) in[i] = bases.read(step.in[i], tile);
  switch (step.kind) {
    case FusedPlan::Kind::one:
      return step.one(in[0], out, count_in(step.out, tile));
    case FusedPlan::Kind::two:
      return step.two(in[0], in[1], out, count_in(step.out, tile));
    case FusedPlan::Kind::choose:
      return step.choose(in[0], in[1], in[2], out, count_in(step.out, tile));
    case FusedPlan::Kind::fill:
      return spread(step, in[0], out, tile);
    case FusedPlan::Kind::iota:
      return count_up(step, out, tile);
    case FusedPlan::Kind::fold:
      return fold_rows(step, in[0], in[1], out, tile);
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
