// SPDX-License-Identifier: Apache-2.0
#include "worker/ops/fused/chain_links.h"

#include <algorithm>
#include <utility>

#include "worker/ops/fused/chain_function.h"
#include "worker/ops/fused/chain_units.h"

namespace understudy::worker::ops {
namespace {

using Kind = ChainOperation::Kind;
using program::ElementType;
using program::kernels::ChainFunction;
using program::kernels::ChainSource;
using Place = FusedPlace;

class LinkMaker {
 public:
  LinkMaker(const program::kernels::KernelTable& table, std::span<const ChainCandidate> candidates,
            const Place& held, ChainRun& run)
      : table_(table),
        kernels_(table.chains()),
        candidates_(candidates),
        held_(held),
        run_(run),
        units_(units_of(candidates, run.first, run.count)),
        order_(order_of(candidates, units_)),
        slots_(units_.size(), ChainUnit::kNone),
        last_use_(units_.size(), 0) {}

  std::size_t make() {
    see_uses();
    for (at_ = 0; at_ < order_.size(); ++at_) {
      const ChainUnit& unit = units_[order_[at_]];
      add_operation(unit);
      if (unit.shows_nan) push(kernels_.settle, Kind::settle);
      for (const UnitOperand& operand : unit.operands) release(operand.unit);
      if (last_use_[order_[at_]] > at_ + 1 && !unit.stores) hold(order_[at_]);
      if (unit.stores && !stores_by_itself(unit)) {
        const auto type = candidates_[unit.last].instruction->outputs[0].type.element;
        push(kernels_.store(type), Kind::store, type).out = candidates_[unit.last].step->out;
      }
    }
    return in_use_.size();
  }

 private:
  using StepKind = FusedStep::Kind;

  bool is_of(const ChainUnit& unit, StepKind kind) const {
    return candidates_[unit.last].step->kind == kind;
  }
  bool stores_by_itself(const ChainUnit& unit) const {
    return is_of(unit, StepKind::apart) || stores_pair(*candidates_[unit.last].instruction);
  }
  // Where in the order each result is used last.
  void see_uses() {
    for (std::size_t p = 0; p < order_.size(); ++p)
      for (const UnitOperand& operand : units_[order_[p]].operands)
        if (operand.unit != ChainUnit::kNone) last_use_[operand.unit] = p;
  }

  ChainLink& push(ChainFunction function, const ChainOperation& operation) {
    run_.links.emplace_back();
    run_.links.back().run = function;
    run_.links.back().operation = operation;
    return run_.links.back();
  }
  ChainLink& push(ChainFunction function, Kind kind, ElementType type = ElementType::f32) {
    ChainOperation operation;
    operation.kind = kind;
    operation.type = operation.result = type;
    return push(function, operation);
  }

  Place slot(std::size_t number) const {
    Place place = held_;
    place.beyond += number * kernels_.held_bytes;
    return place;
  }
  void hold(std::size_t unit) {
    const auto free = std::ranges::find(in_use_, false);
    slots_[unit] = static_cast<std::size_t>(free - in_use_.begin());
    if (free == in_use_.end()) in_use_.push_back(false);
    in_use_[slots_[unit]] = true;
    push(kernels_.hold, Kind::hold).out = slot(slots_[unit]);
  }
  void release(std::size_t unit) {
    if (unit != ChainUnit::kNone && slots_[unit] != ChainUnit::kNone && last_use_[unit] == at_)
      in_use_[slots_[unit]] = false;
  }

  ChainSource source(const UnitOperand& operand) const {
    const auto& spread = candidates_[operand.step].spread[operand.input];
    if (spread && !spread->by_column) return ChainSource::shared;
    if (operand.unit != ChainUnit::kNone && at_ > 0 && order_[at_ - 1] == operand.unit)
      return ChainSource::accumulator;
    return reads_memory(candidates_, units_, operand) || spread ? ChainSource::dense
                                                                : ChainSource::held;
  }
  std::optional<Place> place(const UnitOperand& operand) const {
    switch (source(operand)) {
      case ChainSource::accumulator:
        return std::nullopt;
      case ChainSource::held:
        return slot(slots_[operand.unit]);
      default:
        return candidates_[operand.step].spread[operand.input].value_or(
            candidates_[operand.step].step->in[operand.input]);
    }
  }

  // The link has operands where its function reads them: a selection its pred as c.
  void add_operation(const ChainUnit& unit) {
    if (is_of(unit, StepKind::strided)) return add_strided_load(unit);
    if (is_of(unit, StepKind::apart)) return add_strided_stores(unit);
    const program::Instruction& instruction = *candidates_[unit.last].instruction;
    const bool selects = candidates_[unit.last].step->kind == FusedStep::Kind::choose;
    ChainSources sources{};
    for (std::size_t i = 0; i < unit.operands.size(); ++i) sources[i] = source(unit.operands[i]);
    if (unit.operands.size() == 1) return add_unary(unit, sources[0]);
    ChainStepFunction function;
    ChainOperation operation = operation_of(instruction);
    if (unit.kind == ChainUnit::Kind::rotation) {
      function.run = kernels_.rotate(sources[0]);
      operation.kind = Kind::rotate;
    } else if (unit.kind == ChainUnit::Kind::multiply_add) {
      function.run = kernels_.multiply_add(instruction.outputs[0].type.element, sources[0],
                                           sources[1], sources[2]);
      operation.kind = Kind::multiply_add;
    } else {
      function = chain_function_of(table_, kernels_, instruction, sources);
    }
    ChainLink& link = push(function.run, operation);
    link.kernel = function.kernel;
    std::optional<Place>* const places[] = {&link.a, &link.b, &link.c};
    for (std::size_t i = 0; i < unit.operands.size(); ++i) {
      const std::size_t at = selects ? (i + 2) % 3 : i;
      *places[at] = place(unit.operands[i]);
      link.from[at] = sources[i];
    }
    if (stores_pair(instruction)) link.out = candidates_[unit.last].step->out;
  }
  ChainOperation strided(Kind kind, const ChainUnit& unit, const Place& place) const {
    ChainOperation operation;
    operation.kind = kind;
    operation.type = operation.result = candidates_[unit.last].instruction->inputs[0].type.element;
    operation.element_step = place.element_step;
    operation.turn = place.turn();
    return operation;
  }
  void add_strided_load(const ChainUnit& unit) {
    const Place& from = candidates_[unit.last].step->in[0];
    ChainLink& link = push(kernels_.load_strided, strided(Kind::load, unit, from));
    link.a = from;
    link.from[0] = ChainSource::dense;
  }
  // One for each turn, in their order.
  void add_strided_stores(const ChainUnit& unit) {
    Place out = candidates_[unit.last].step->out;
    for (const UnitOperand& operand : unit.operands) {
      const ChainSource from = source(operand);
      ChainLink& link = push(kernels_.store_strided(from), strided(Kind::store, unit, out));
      link.a = place(operand);
      link.from[0] = from;
      link.out = out;
      ++out.base;
    }
  }
  // Works on the accumulator.
  void add_unary(const ChainUnit& unit, ChainSource from) {
    const program::Instruction& instruction = *candidates_[unit.last].instruction;
    const ElementType type = instruction.inputs[0].type.element;
    const bool is_part = loads_part(instruction);
    if (from != ChainSource::accumulator && !is_part) {
      ChainLink& load = push(kernels_.load(type, from), Kind::load, type);
      load.a = place(unit.operands[0]);
      load.from[0] = from;
    }
    const auto function = chain_function_of(table_, kernels_, instruction, {from});
    ChainLink& link = push(function.run, operation_of(instruction));
    link.kernel = function.kernel;
    if (!is_part) return;
    link.a = place(unit.operands[0]);
    link.from[0] = from;
  }

  const program::kernels::KernelTable& table_;
  const program::kernels::ChainKernels kernels_;
  std::span<const ChainCandidate> candidates_;
  const Place& held_;
  ChainRun& run_;
  const std::vector<ChainUnit> units_;
  const std::vector<std::size_t> order_;
  std::size_t at_ = 0;                 // in the order
  std::vector<std::size_t> slots_;     // of each unit that is held
  std::vector<std::size_t> last_use_;  // of each unit, in the order
  std::vector<bool> in_use_;           // of each slot
};

}  // namespace

std::size_t add_links(const program::kernels::KernelTable& table,
                      std::span<const ChainCandidate> candidates, const FusedPlace& held,
                      ChainRun& run) {
  return LinkMaker(table, candidates, held, run).make();
}

}  // namespace understudy::worker::ops
