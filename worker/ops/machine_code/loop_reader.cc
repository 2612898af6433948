// SPDX-License-Identifier: Apache-2.0
#include "worker/ops/machine_code/loop_reader.h"

#include <algorithm>
#include <cstring>
#include <limits>

#include "worker/ops/binder.h"
#include "worker/ops/dense_runs.h"
#include "worker/ops/machine_code/element_moves.h"
#include "worker/ops/machine_code/element_sums.h"
#include "worker/ops/machine_code/forms.h"
#include "worker/ops/windows.h"

namespace understudy::worker::ops::machine {
namespace {

using program::ElementType;
using program::Instruction;
using program::Operand;

// Addresses of machine code have offsets of 32 bits.
constexpr std::size_t kMostOffset = std::numeric_limits<std::int32_t>::max();

class Reader {
 public:
  Reader(LoopGraph& graph, const program::Executable& executable)
      : graph_(graph), executable_(executable) {}

  // Each returns false where the loop stays bound code.
  bool read(const BoundStep& step, Loop& loop);
  bool read(const BoundSteps& list, std::size_t& number);

 private:
  bool read(const BoundStep& step, Branch& branch);
  bool read_control(const BoundStep& step, Block& block);
  bool read_moved(const BoundStep& step, Block& block);
  bool read_window(const BoundStep& step, Block& block);
  bool read_elementwise(const BoundStep& step, Block& block);
  bool read_sums(const BoundStep& step, Block& block);
  bool read_call(const BoundSteps& list, std::size_t number, Block& block);
  std::optional<Value> value_of(BoundPlace place, program::ElementType type, std::size_t element);
  int slot_of(const BoundPlace& place, Kind kind);
  int new_slot(Kind kind);
  bool append(Simple step, Block& block);

  LoopGraph& graph_;
  const program::Executable& executable_;
  std::size_t temporaries_ = 0;
};

bool fits(const Operand& operand) {
  return kind_of(operand.type.element).has_value() &&
         operand.type.elements() <= static_cast<std::int64_t>(kMostElements);
}

int Reader::slot_of(const BoundPlace& place, Kind kind) {
  // Few enough for a linear search: kMostSteps bounds them.
  for (std::size_t i = 0; i < graph_.slots.size(); ++i)
    if (graph_.slots[i].place == place && graph_.slots[i].kind == kind) return static_cast<int>(i);
  Slot slot;
  slot.place = place;
  slot.kind = kind;
  graph_.slots.push_back(slot);
  return static_cast<int>(graph_.slots.size()) - 1;
}

// Of a value that has no place in memory, and needs none: it is read in its segment alone.
int Reader::new_slot(Kind kind) {
  Slot slot;
  slot.place.offset = 2 * kMostOffset + sizeof(std::uint64_t) * temporaries_++;
  slot.kind = kind;
  graph_.slots.push_back(slot);
  return static_cast<int>(graph_.slots.size()) - 1;
}

// Element `element` of an array at `place`.
std::optional<Value> Reader::value_of(BoundPlace place, program::ElementType type,
                                      std::size_t element) {
  const Kind kind = *kind_of(type);
  place.offset += element * bytes_of(kind);
  if (place.offset > kMostOffset) return std::nullopt;
  if (place.base != kConstants) return Value{slot_of(place, kind), 0};
  Value value;
  std::memcpy(&value.bits, executable_.constants.data() + place.offset, bytes_of(kind));
  return value;
}

bool Reader::append(Simple step, Block& block) {
  graph_.slots[static_cast<std::size_t>(step.out)].is_written = true;
  graph_.simple_steps += step.steps;
  block.parts.emplace_back(std::move(step));
  return graph_.simple_steps <= kMostSteps;
}

// Copies, fills and whatever else only moves elements.
bool Reader::read_moved(const BoundStep& step, Block& block) {
  const Instruction& part = *step.part;
  if (!fits(part.inputs[0]) || !fits(part.outputs[0]) ||
      part.outputs[0].type.elements() > static_cast<std::int64_t>(kMostElementwise))
    return false;
  const auto type = part.outputs[0].type.element;
  const auto moves = element_moves(part);
  if (!moves || type != part.inputs[0].type.element) return false;
  for (const ElementMove& move : *moves) {
    Simple copy = copy_of(type);
    const auto from = value_of(step.in[0], type, move.from);
    const auto to = value_of(step.out, type, move.to);
    if (!from || !to) return false;
    copy.in[0] = *from;
    copy.out = to->slot;
    if (!append(copy, block)) return false;
  }
  return true;
}

bool Reader::read_elementwise(const BoundStep& step, Block& block) {
  const Instruction& part = *step.part;
  const auto form = form_of(part);
  if (!form || !fits(part.outputs[0])) return false;
  const auto count = static_cast<std::size_t>(part.outputs[0].type.elements());
  if (count > (form->steps > 1 ? kMostFunctions : kMostElementwise)) return false;
  // One pred may be for all elements.
  for (const Operand& input : part.inputs) {
    const bool is_shared = program::is_pred(input.type.element) && input.type.elements() == 1;
    if (!fits(input) || (!is_shared && input.type.elements() != part.outputs[0].type.elements()))
      return false;
  }
  for (std::size_t e = 0; e < count; ++e) {
    Simple simple = *form;
    for (std::size_t i = 0; i < simple.inputs; ++i) {
      const program::TensorType& type = part.inputs[i].type;
      const auto value = value_of(step.in[i], type.element, type.elements() == 1 ? 0 : e);
      if (!value) return false;
      simple.in[i] = *value;
    }
    const auto out = value_of(step.out, part.outputs[0].type.element, e);
    if (!out) return false;
    simple.out = out->slot;
    if (!append(simple, block)) return false;
  }
  return true;
}

// Reductions and products of few elements.
bool Reader::read_sums(const BoundStep& step, Block& block) {
  const Instruction& part = *step.part;
  if (part.outputs.size() != 1 || !std::ranges::all_of(part.inputs, fits) || !fits(part.outputs[0]))
    return false;
  const auto sums = element_sums(part, executable_.numerics);
  if (!sums) return false;
  const ElementType type = part.outputs[0].type.element;
  std::vector<int> temporaries;
  const auto value = [&](const SumElement& element) -> std::optional<Value> {
    switch (element.of) {
      case SumElement::Of::first:
        return value_of(step.in[0], part.inputs[0].type.element, element.number);
      case SumElement::Of::second:
        return value_of(step.in[1], part.inputs[1].type.element, element.number);
      case SumElement::Of::result:
        return value_of(step.out, type, element.number);
      case SumElement::Of::temporary:
        return Value{temporaries.at(element.number), 0};
      case SumElement::Of::zero:
        break;
    }
    return Value{};
  };
  for (const SumStep& sum : *sums) {
    Simple simple = sum.form;
    for (std::size_t i = 0; i < simple.inputs; ++i) {
      const auto in = value(sum.in[i]);
      if (!in) return false;
      simple.in[i] = *in;
    }
    if (sum.out.of == SumElement::Of::temporary) {
      temporaries.resize(std::max(temporaries.size(), sum.out.number + 1));
      temporaries[sum.out.number] = new_slot(*kind_of(type));
    }
    const auto out = value(sum.out);
    if (!out) return false;
    simple.out = out->slot;
    if (!append(simple, block)) return false;
  }
  return true;
}

// An update in place, or a slice.
bool Reader::read_window(const BoundStep& step, Block& block) {
  const Instruction& part = *step.part;
  const bool is_update = std::holds_alternative<program::DynamicUpdateSlice>(part.work);
  if (!is_update && !std::holds_alternative<program::DynamicSlice>(part.work)) return false;
  const Operand& small = is_update ? part.inputs[1] : part.outputs[0];
  if (!run_of(part.inputs[0].type.shape, small.type.shape)) return false;
  if (!fits(small) || (is_update && !(step.in[0] == step.out))) return false;
  const std::size_t first = is_update ? 2 : 1;
  Window window;
  window.is_update = is_update;
  window.kind = *kind_of(small.type.element);
  window.array = {step.in[0], static_cast<std::size_t>(part.inputs[0].type.bytes())};
  if (window.array.place.offset + window.array.bytes > kMostOffset) return false;
  const auto moving =
      moving_starts(part.inputs[0].type, small.type.shape, std::span(part.inputs).subspan(first));
  for (std::size_t k = 0; k < moving.size(); ++k) {
    const auto most = static_cast<std::int64_t>(kMostOffset);
    if (!kind_of(moving[k].type) || moving[k].most > most || moving[k].stride > most) return false;
    const auto value = value_of(step.in[first + k], moving[k].type, 0);
    if (!value) return false;
    window.starts.push_back({*value, moving[k].type, moving[k].most, moving[k].stride});
  }
  for (std::size_t e = 0; e < static_cast<std::size_t>(small.type.elements()); ++e) {
    const auto element = value_of(is_update ? step.in[1] : step.out, small.type.element, e);
    if (!element) return false;
    window.elements.push_back(*element);
    if (!is_update) graph_.slots[static_cast<std::size_t>(element->slot)].is_written = true;
  }
  block.parts.emplace_back(std::move(window));
  return ++graph_.simple_steps <= kMostSteps;
}

bool Reader::read_call(const BoundSteps& list, std::size_t number, Block& block) {
  const BoundStep& step = list.steps[number];
  Call call;
  call.number = graph_.calls.size();
  graph_.calls.push_back({&list, number});
  call.reads = read_ranges(step);
  call.writes = written_ranges(step);
  block.parts.emplace_back(std::move(call));
  return graph_.calls.size() <= kMostSteps;
}

bool Reader::read(const BoundStep& step, Branch& branch) {
  const Operand& index = step.part->inputs[0];
  branch.type = index.type.element;
  const auto value = value_of(step.in[0], branch.type, 0);
  if (!value) return false;
  branch.index = *value;
  for (const BoundSteps* list : *static_cast<const BoundBranches*>(step.details)) {
    std::size_t number = 0;
    if (!read(*list, number)) return false;
    branch.blocks.push_back(number);
  }
  const bool is_pred = program::is_pred(branch.type);
  return is_pred ? branch.blocks.size() == 2
                 : branch.type == program::ElementType::i32 && !branch.blocks.empty();
}

bool Reader::read(const BoundStep& step, Loop& loop) {
  const auto& bound = *static_cast<const BoundLoop*>(step.details);
  loop.op = step.instruction->op;
  const auto predicate = value_of(step.in[0], program::ElementType::pred, 0);
  if (!predicate) return false;
  loop.predicate = *predicate;
  if (!read(*bound.condition, loop.condition) || !read(*bound.body, loop.body)) return false;
  // The status names the loop itself where its body has no step.
  if (bound.body->steps.empty()) graph_.blocks[loop.body].op = loop.op + 1;
  return true;
}

bool Reader::read_control(const BoundStep& step, Block& block) {
  if (std::holds_alternative<program::While>(step.part->work)) {
    Loop loop;
    if (!read(step, loop)) return false;
    block.parts.emplace_back(loop);
    return true;
  }
  Branch branch;
  if (!read(step, branch)) return false;
  block.parts.emplace_back(std::move(branch));
  return true;
}

bool is_control(const Instruction& part) {
  return std::holds_alternative<program::While>(part.work) ||
         std::holds_alternative<program::Case>(part.work);
}

bool Reader::read(const BoundSteps& list, std::size_t& number) {
  Block block;
  block.instructions = list.instructions;
  if (!list.steps.empty()) block.op = list.steps[0].instruction->op + 1;
  for (std::size_t i = 0; i < list.steps.size(); ++i) {
    const BoundStep& step = list.steps[i];
    if (is_control(*step.part)) {
      if (!read_control(step, block)) return false;
      continue;
    }
    const std::size_t parts = block.parts.size();
    if (read_sums(step, block)) continue;
    block.parts.resize(parts);  // of a step that was read in part
    if (!step.is_quick()) return false;
    if (read_window(step, block) || read_moved(step, block) || read_elementwise(step, block))
      continue;
    if (graph_.simple_steps > kMostSteps) return false;
    block.parts.resize(parts);  // of a step that was read in part
    if (!read_call(list, i, block)) return false;
  }
  number = graph_.blocks.size();
  graph_.blocks.push_back(std::move(block));
  return true;
}

}  // namespace

std::optional<LoopGraph> read_loop(const BoundStep& loop, const program::Executable& executable) {
  LoopGraph graph;
  if (!Reader(graph, executable).read(loop, graph.loop)) return std::nullopt;
  // A call costs as much from machine code as from bound code.
  if (graph.calls.size() > graph.simple_steps) return std::nullopt;
  for (const Operand& output : loop.instruction->outputs)
    graph.outputs.push_back(
        {bound_place(output.at, executable), static_cast<std::size_t>(output.type.bytes())});
  return graph;
}

}  // namespace understudy::worker::ops::machine
