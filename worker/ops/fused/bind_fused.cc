// SPDX-License-Identifier: Apache-2.0
// Bound loops over tiles. A loop of one tile becomes its steps, so that a small one costs no more
// than they do; inside a loop of the program, values of the tile that are constants are made once
// per launch. A larger one keeps its plan.
#include <algorithm>
#include <map>
#include <optional>

#include "configs/base/error.h"
#include "program/executable/tile.h"
#include "worker/ops/binder.h"
#include "worker/ops/fused/fused_folds.h"
#include "worker/ops/fused/fused_views.h"
#include "worker/ops/fused/last_run.h"
#include "worker/ops/machine_code/loop_reader.h"
#include "worker/ops/operands.h"

namespace understudy::worker::ops {
namespace {

using program::Instruction;

// Of VMEM, for values of tiles of one program: the second-level cache holds them.
constexpr std::size_t kMostScratch = 256 << 10;
constexpr std::size_t kUnit = 64;
// Loops of one tile that are cheaper as their steps.
constexpr std::size_t kMostLanes = 256;
constexpr std::size_t kFewSteps = 6;
// Of few steps. Over more, each step reads from the second-level cache what the one before wrote.
constexpr std::size_t kMostLanesOfFew = 4096;
// Of whole pieces of a chain, which soon is machine code.
constexpr std::size_t kFewStepsOfPieces = 12;

// Whether a step is one that a chain does as quickly for each element as its kernel: kernels of
// bytes and preds have four times as many lanes, and copies compute nothing.
bool computes_in_lanes(const Instruction& step) {
  if (std::holds_alternative<program::Fill>(step.work)) return false;
  const auto type_of = [](const program::Operand& operand) { return operand.type.element; };
  const auto out = type_of(step.outputs[0]);
  if (std::holds_alternative<program::Convert>(step.work) && type_of(step.inputs[0]) == out)
    return false;
  return program::byte_size(out) > 1 || std::ranges::any_of(step.inputs, [&](const auto& input) {
           return program::byte_size(type_of(input)) > 1;
         });
}

// Whether a loop that runs often is quicker as one chain in registers than as its steps: the call
// of its machine code takes as long as a few steps over little.
bool is_quick_chain(const program::Fused& work, const program::kernels::KernelTable& kernels) {
  const auto lanes = static_cast<std::size_t>(work.rows * work.columns);
  const std::size_t piece = kernels.chains().piece;
  // The last iteration of machine code may compute lanes of the one before it again.
  const bool is_enough = lanes >= piece || runs_short_chains(work, kernels);
  // Loops over fewer elements may be machine code as a whole.
  if (!is_enough || lanes <= machine::kMostElementwise || !has_machine_code(kernels)) return false;
  const auto computing = std::ranges::count_if(work.steps, computes_in_lanes);
  return computing >= (lanes <= 64 ? 4 : lanes <= 256 ? 3 : 2);
}

// A loop as a chain, and as its steps where the chain does not become machine code. `are_few`: the
// steps are quicker than the chain before it is machine code, and than code that is not all that a
// run needs.
struct ChainOrSteps {
  FusedPlan plan;
  const BoundSteps* steps;
  bool are_few = false;
};

void run_chain_or_steps(const LinkedStep& step, Execution& execution) {
  const auto& both = *static_cast<const ChainOrSteps*>(step.details);
  const bool takes_steps = both.are_few && (both.plan.needs_more_than_code() ||
                                            both.plan.count_run_by_steps(execution.chains));
  if (takes_steps || both.plan.has_no_code()) return both.steps->run_quickly(execution);
  const Vmem::Scope scratch(*execution.vmem);
  both.plan.run(*step.instruction, execution);
}

void run_plan(const LinkedStep& step, Execution& execution) {
  const Vmem::Scope scratch(*execution.vmem);
  static_cast<const FusedPlan*>(step.details)->run(*step.instruction, execution);
}

// A step over a tile of `rows` x `columns`.
struct TileStep {
  FusedStep step;
  std::size_t rows = 1, columns = 1;
};

const TileStep& tile_step(const LinkedStep& step) {
  return *static_cast<const TileStep*>(step.details);
}

void run_spread(const LinkedStep& step, Execution& /*execution*/) {
  const TileStep& tile = tile_step(step);
  spread_rows(tile.step, step.in[0], step.out, tile.rows, tile.columns);
}

void run_view(const LinkedStep& step, Execution& /*execution*/) {
  const TileStep& tile = tile_step(step);
  view_part(tile.step, step.in[0], step.out, {0, 0, tile.rows, tile.columns});
}

void run_strided(const LinkedStep& step, Execution& /*execution*/) {
  const FusedStep& tile = tile_step(step).step;
  take_strided(tile, step.in[0] + tile.in[0].base * tile.in[0].bytes, step.out, step.count);
}

void run_iota(const LinkedStep& step, Execution& /*execution*/) {
  count_from(tile_step(step).step, 0, step.out, step.count);
}

void run_fold(const LinkedStep& step, Execution& /*execution*/) {
  const TileStep& tile = tile_step(step);
  fold_rows(tile.step, step.in[0], step.in[1], step.out, tile.rows, tile.columns);
}

}  // namespace

// Turns the steps of one loop into bound steps.
class TileBinder {
 public:
  TileBinder(BoundCode& code, const program::Fused& work, const Instruction& instruction)
      : code_(code), work_(work), instruction_(instruction) {}

  // Where the value of the tile at an offset is at present, and whether it is a constant.
  struct Value {
    BoundPlace at;
    bool constant = false;
  };

  std::map<std::uint64_t, Value> values;

  std::size_t count_of(const program::Operand& operand) const {
    return static_cast<std::size_t>(operand.type.elements());
  }

  void choose_function(const Instruction& part, const FusedStep& ready, BoundStep& step) {
    step.instruction = &instruction_;
    step.part = &part;
    step.count = count_of(part.outputs[0]);
    switch (ready.kind) {
      case FusedStep::Kind::one:
        step.run = &run_one;
        step.one = ready.one;
        return;
      case FusedStep::Kind::two:
        step.run = scalar_of(part, step.count);
        if (step.run == nullptr) {
          step.run = &run_two;
          step.two = ready.two;
        }
        return;
      case FusedStep::Kind::choose:
        step.run = step.count == 1 ? scalar_select(ready.out.bytes) : nullptr;
        if (step.run == nullptr) {
          step.run = &run_choose;
          step.choose = ready.choose;
        }
        return;
      case FusedStep::Kind::fill:
        return choose_fill(part, ready, step);
      case FusedStep::Kind::view:
        step.run = &run_view;
        break;
      case FusedStep::Kind::strided:
        step.run = &run_strided;
        break;
      case FusedStep::Kind::iota:
        step.run = &run_iota;
        break;
      case FusedStep::Kind::fold:
        step.run = &run_fold;
        step.is_leaf = false;  // its rows may be long
        break;
      case FusedStep::Kind::apart:
      case FusedStep::Kind::join:
      case FusedStep::Kind::take:
      case FusedStep::Kind::fold_part:
      case FusedStep::Kind::add_rows:
        UNDERSTUDY_ASSERT(false);  // bind_tile() refuses them
    }
    keep(ready, step);
  }

 private:
  static BoundFunction scalar_of(const Instruction& part, std::size_t count) {
    if (count != 1) return nullptr;
    const auto type = part.inputs[0].type.element;
    if (const auto* binary = std::get_if<program::Binary>(&part.work))
      return scalar_function(binary->op, type);
    const auto& compare = std::get<program::Compare>(part.work);
    return compare.total_order ? nullptr : scalar_compare(compare.direction, type);
  }

  void choose_fill(const Instruction& part, const FusedStep& ready, BoundStep& step) {
    const std::size_t from = count_of(part.inputs[0]);
    if (from == step.count) {
      step.count *= ready.out.bytes;
      step.run = copy_function(step.count);
      return;
    }
    if (from == 1) {
      step.run = &run_fill;
      step.fill = ready.fill;
      return;
    }
    step.run = &run_spread;
    keep(ready, step);
  }

  void keep(const FusedStep& ready, BoundStep& step) {
    TileStep tile;
    tile.step = ready;
    tile.rows = static_cast<std::size_t>(work_.rows);
    tile.columns = static_cast<std::size_t>(work_.columns);
    step.details = code_.keep(tile);
  }

  BoundCode& code_;
  const program::Fused& work_;
  const Instruction& instruction_;
};

std::optional<std::size_t> Binder::take_scratch(std::size_t bytes) {
  const std::size_t place = code_.scratch_bytes;
  bytes = (bytes + kUnit - 1) / kUnit * kUnit;
  if (place + bytes > kMostScratch) return std::nullopt;
  code_.scratch_bytes += bytes;
  return place;
}

bool Binder::bind(const program::Fused& work, const Instruction& instruction, Steps& steps) {
  const program::Tile tile = program::tile_of(work);
  const bool is_whole = static_cast<std::int64_t>(tile.rows) == work.rows &&
                        static_cast<std::int64_t>(tile.columns) == work.columns;
  // Longer ones keep values in registers (worker/ops/fused/fused_chain.h), which costs 60 ns a run,
  // and less only where nothing but a chain runs again (worker/ops/fused/last_run.h).
  const auto lanes = static_cast<std::size_t>(work.rows * work.columns);
  const std::size_t piece = kernels_.chains().piece;
  const bool has_pieces = lanes > 0 && lanes % piece == 0;
  const bool ends_within = lanes > piece && !has_pieces;  // within an iteration of machine code
  const std::size_t few = has_pieces ? kFewStepsOfPieces : SIZE_MAX;
  const bool is_small = (work.steps.size() <= kFewSteps && lanes <= kMostLanesOfFew) ||
                        (lanes <= kMostLanes && work.steps.size() <= few);
  if (is_whole && !uses_slices(instruction) && loops_ > 0 && is_quick_chain(work, kernels_) &&
      bind_chain(work, instruction, ends_within && is_small, steps))
    return true;
  if (is_whole && is_small && !uses_slices(instruction) &&
      bind_tile(work, instruction, tile.lanes, steps))
    return true;
  BoundStep step = step_of(instruction);
  step.is_leaf = false;
  step.run = &run_plan;
  step.details = code_.keep(FusedPlan(instruction, kernels_));
  steps.push_back(step);
  return true;
}

// False, with nothing bound, where the loop is more than one chain.
bool Binder::bind_chain(const program::Fused& work, const Instruction& instruction, bool are_few,
                        Steps& steps) {
  FusedPlan plan(instruction, kernels_);
  Steps all;
  if (!plan.is_one_chain() || !bind_tile(work, instruction, program::tile_of(work).lanes, all))
    return false;
  BoundStep step = step_of(instruction);
  step.run = &run_chain_or_steps;
  step.is_leaf = false;  // reads more than the places of a step can tell
  step.details =
      code_.keep(ChainOrSteps{std::move(plan), &code_.lists.emplace_back(std::move(all)), are_few});
  steps.push_back(step);
  return true;
}

// The values of all tiles share one place, as one tile is at work at a time; each constant has its
// own.
// Over 40 lines: one walk over the steps, which have to agree on where each value is.
bool Binder::bind_tile(const program::Fused& work, const Instruction& instruction,
                       std::size_t lanes, Steps& steps) {
  const bool is_for_tiles = std::ranges::any_of(work.steps, [](const Instruction& part) {
    if (std::holds_alternative<program::TakeElements>(part.work) ||
        std::holds_alternative<program::Join>(part.work))
      return true;
    if (const auto* copy = std::get_if<program::StridedCopy>(&part.work);
        copy != nullptr && program::writes_apart(*copy))
      return true;
    return std::holds_alternative<program::Reduce>(part.work) &&
           program::step_reduction(part) != program::StepReduction::whole_rows;
  });
  if (is_for_tiles) return false;
  const std::size_t bytes = static_cast<std::size_t>(work.frame_bytes) * lanes;
  if (bytes > tile_bytes_) {
    const auto place = take_scratch(bytes);
    if (!place) return false;
    tile_place_ = *place;
    tile_bytes_ = bytes;
  }
  TileBinder tile(code_, work, instruction);
  Steps once, each;
  const auto place = [&](const program::Operand& operand,
                         bool& constant) -> std::optional<BoundPlace> {
    const program::Buffer& buffer = operand.at;
    if (buffer.space == program::Space::argument) {
      const program::Buffer& outer = instruction.inputs[buffer.index].at;
      constant = constant && outer.space == program::Space::constant;
      return place_of(outer);
    }
    if (buffer.space == program::Space::result) {
      constant = false;
      return place_of(instruction.outputs[buffer.index].at);
    }
    const auto value = tile.values.find(buffer.offset);
    if (value == tile.values.end()) return std::nullopt;  // of a damaged executable
    constant = constant && value->second.constant;
    return value->second.at;
  };
  for (const Instruction& part : work.steps) {
    BoundStep step;
    bool constant = loops_ > 0 && part.outputs[0].at.space == program::Space::frame;
    for (std::size_t i = 0; i < part.inputs.size(); ++i) {
      const auto input = place(part.inputs[i], constant);
      if (!input) return false;
      step.in[i] = *input;
    }
    tile.choose_function(part, fused_step_of(part, kernels_), step);
    if (part.outputs[0].at.space == program::Space::result) {
      step.out = place_of(instruction.outputs[part.outputs[0].at.index].at);
    } else {
      const std::uint64_t offset = part.outputs[0].at.offset;
      const auto own =
          constant ? take_scratch(tile.count_of(part.outputs[0]) * element_bytes(part.outputs[0]))
                   : std::nullopt;
      constant = own.has_value();
      step.out = {kBoundScratch, constant ? *own : tile_place_ + offset * lanes};
      tile.values[offset] = {step.out, constant};
    }
    step.ends = false;
    (constant ? once : each).push_back(step);
  }
  UNDERSTUDY_ASSERT(!each.empty());  // an output is written in each run
  each.back().ends = true;
  code_.first.steps.insert(code_.first.steps.end(), once.begin(), once.end());
  steps.insert(steps.end(), each.begin(), each.end());
  return true;
}

}  // namespace understudy::worker::ops
