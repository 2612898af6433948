// SPDX-License-Identifier: Apache-2.0
#include "program/passes/draft.h"

#include <algorithm>
#include <iterator>
#include <type_traits>
#include <variant>

#include "configs/base/error.h"
#include "program/executable/tile.h"

namespace understudy::program::passes {

namespace {

// One text for the const and the mutable walk.
template <class AnyInstruction, class Visit>
void walk(AnyInstruction& instruction, const Visit& visit);

template <class AnyCode, class Visit>
void walk_code(AnyCode& code, const Visit& visit) {
  for (auto& nested : code) walk(nested, visit);
}

template <class AnyInstruction, class Visit>
void walk(AnyInstruction& instruction, const Visit& visit) {
  for (auto& operand : instruction.inputs) visit(operand, Access::read);
  // A While has no inputs: its carried values are outputs that it reads as well.
  if (auto* loop = std::get_if<While>(&instruction.work)) {
    // A visitor that changes operands must see each of them once: below, as written.
    if constexpr (std::is_const_v<AnyInstruction>)
      for (auto& carried : instruction.outputs) visit(carried, Access::read);
    walk_code(loop->condition, visit);
    visit(loop->predicate, Access::read);
    walk_code(loop->body, visit);
  } else if (auto* branch = std::get_if<Case>(&instruction.work)) {
    for (auto& code : branch->branches) walk_code(code, visit);
  } else {
    for (auto* body : bodies_of(instruction)) {
      for (auto& parameter : body->parameters) visit(parameter, Access::write);
      walk_code(body->code, visit);
      for (auto& result : body->results) visit(result, Access::read);
    }
  }
  // Outputs last, also of loops, whose carried values are written at the end of each iteration.
  for (auto& operand : instruction.outputs) visit(operand, Access::write);
}

template <class BodyPointer, class AnyWork>
std::vector<BodyPointer> bodies_in(AnyWork& work) {
  if (auto* scatter = std::get_if<Scatter>(&work)) return {&scatter->body};
  if (auto* reduce = std::get_if<Reduce>(&work)) return {&reduce->body};
  if (auto* window = std::get_if<ReduceWindow>(&work)) return {&window->body};
  if (auto* both = std::get_if<SelectAndScatter>(&work)) return {&both->select, &both->scatter};
  if (auto* sort = std::get_if<Sort>(&work)) return {&sort->comparator};
  if (auto* map = std::get_if<Map>(&work)) return {&map->body};
  if (auto* collective = std::get_if<Collective>(&work)) return {&collective->body};
  return {};
}

// Work that other chips or the user can observe: it must stay even if nothing reads its results,
// and in its order.
bool has_effect(const Work& work) {
  return std::holds_alternative<Collective>(work) || std::holds_alternative<CollectiveDone>(work) ||
         std::holds_alternative<Transfer>(work) || std::holds_alternative<Expect>(work) ||
         std::holds_alternative<Probe>(work) || std::holds_alternative<InfeedTurn>(work) ||
         std::holds_alternative<Assert>(work);
}

// A tile of the output may overwrite the input where every step that reads the input's buffer reads
// the same elements as the output has, and none runs after the first step that writes the output.
bool may_share_tile(const Fused& fused, const Instruction& instruction, std::size_t input,
                    std::size_t output) {
  const Buffer buffer = whole_of(instruction.inputs[input].at);
  const auto is_output = [&](const Instruction& step) {
    return step.outputs[0].at == Buffer{Space::result, static_cast<std::uint32_t>(output), 0};
  };
  // The step that writes this output to memory.
  const auto writer = std::ranges::find_if(fused.steps, is_output);
  if (writer == fused.steps.end()) return false;
  const auto* const copy = std::get_if<StridedCopy>(&writer->work);
  if (copy != nullptr && writes_apart(*copy)) return false;  // over elements of other tiles
  const TensorType& out = writer->outputs[0].type;
  for (auto step = fused.steps.begin(); step != fused.steps.end(); ++step)
    for (std::size_t i = 0; i < step->inputs.size(); ++i) {
      const Operand& read = step->inputs[i];
      if (read.at.space != Space::argument ||
          whole_of(instruction.inputs[read.at.index].at) != buffer)
        continue;
      // A step after the writer would read what the tile has overwritten, and so would later tiles.
      if (step > writer || reads_elsewhere(*step, i) || read.type.shape != out.shape ||
          byte_size(read.type.element) != byte_size(out.element))
        return false;
    }
  return true;
}

}  // namespace

Operand new_temporary(Draft& draft, const TensorType& type) {
  const auto id = static_cast<std::uint32_t>(draft.bytes.size());
  draft.bytes.push_back(static_cast<std::uint64_t>(type.bytes()));
  if (!draft.in_host.empty()) draft.in_host.push_back(false);
  return {{Space::temporary, id, 0}, type};
}

std::uint64_t append_constant(Draft& draft, std::span<const std::byte> bytes) {
  // A cache line, so that vector loads of constants are aligned.
  constexpr std::size_t kAlignment = 64;
  std::vector<std::byte>& constants = draft.constants;
  const std::size_t offset = (constants.size() + kAlignment - 1) / kAlignment * kAlignment;
  constants.resize(offset);
  constants.insert(constants.end(), bytes.begin(), bytes.end());
  return offset;
}

Operand new_zero(Draft& draft, ElementType element) {
  const std::vector<std::byte> zero(byte_size(element));
  return {{Space::constant, 0, append_constant(draft, zero)}, {element, {}}};
}

// Erasing one by one would be quadratic.
void remove_marked(Code& code, const std::vector<bool>& marked) {
  UNDERSTUDY_ASSERT(marked.size() == code.size());
  std::size_t next = 0;
  for (std::size_t i = 0; i < code.size(); ++i) {
    if (marked[i]) continue;
    if (next != i) code[next] = std::move(code[i]);
    ++next;
  }
  code.resize(next);
}

void replace_marked(Code& code, std::vector<Code>& instead, const std::vector<bool>& marked) {
  Code all;
  for (std::size_t i = 0; i < code.size(); ++i) {
    std::ranges::move(instead[i], std::back_inserter(all));
    if (!marked[i]) all.push_back(std::move(code[i]));
  }
  code = std::move(all);
}

void visit_operands(Instruction& instruction, const OperandVisitor& visit) {
  walk(instruction, visit);
}

void visit_operands(const Instruction& instruction,
                    const std::function<void(const Operand&, Access)>& visit) {
  walk(instruction, visit);
}

std::vector<Body*> bodies_of(Instruction& instruction) {
  return bodies_in<Body*>(instruction.work);
}

std::vector<const Body*> bodies_of(const Instruction& instruction) {
  return bodies_in<const Body*>(instruction.work);
}

// Lowering emits a dense copy with at most one merged dimension; any other stride pattern reorders
// elements.
bool is_whole_copy(const Instruction& instruction) {
  const auto* copy = std::get_if<StridedCopy>(&instruction.work);
  if (copy == nullptr || copy->in_base != 0 || copy->out_base != 0) return false;
  // More than one merged dimension means that the order changes.
  if (copy->in_strides != copy->out_strides || copy->sizes.size() > 1) return false;
  const auto elements = instruction.outputs[0].type.elements();
  if (elements != instruction.inputs[0].type.elements()) return false;
  if (instruction.inputs[0].type.element != instruction.outputs[0].type.element) return false;
  if (copy->sizes.empty()) return elements == 1;
  return copy->sizes[0] == elements && copy->in_strides[0] == 1;
}

bool is_lane_by_lane(const Work& work) {
  return std::holds_alternative<Unary>(work) || std::holds_alternative<Binary>(work) ||
         std::holds_alternative<Compare>(work) || std::holds_alternative<Select>(work) ||
         std::holds_alternative<Clamp>(work) || std::holds_alternative<Convert>(work) ||
         std::holds_alternative<ReducePrecision>(work);
}

bool may_run_in_place(const Instruction& instruction, std::size_t input, std::size_t output) {
  const Operand& in = instruction.inputs[input];
  const Operand& out = instruction.outputs[output];
  if (const auto* fused = std::get_if<Fused>(&instruction.work))
    return may_share_tile(*fused, instruction, input, output);
  // Only the updated operand: the update itself has another size.
  if (std::holds_alternative<DynamicUpdateSlice>(instruction.work)) return input == 0;
  // Bodies of other reductions may read anything.
  if (const auto* scatter = std::get_if<Scatter>(&instruction.work))
    return input == 0 && instruction.outputs.size() == 1 &&
           (scatter->overwrite || scatter->reduction != Reduction::none);
  return is_lane_by_lane(instruction.work) && in.type.shape == out.type.shape &&
         byte_size(in.type.element) == byte_size(out.type.element);
}

// Constants are never written, so reading them conflicts with nothing.
void Touched::add(const Instruction& instruction, Owner owner) {
  const auto note = [&](Owners& owners, const std::vector<Operand>& operands) {
    for (const Operand& operand : operands) {
      if (operand.at.space == Space::constant) continue;
      // Whole buffers, not ranges: two parts of one temporary count as a conflict. That is
      // conservative and keeps the lookup a hash of the buffer.
      auto& list = owners[whole_of(operand.at)];
      // One entry per owner is enough: owners are added in ascending order.
      if (list.empty() || list.back() != owner) list.push_back(owner);
    }
  };
  note(read_, instruction.inputs);
  note(written_, instruction.outputs);
}

std::vector<Touched::Owner> Touched::take_met_by(const Instruction& later) {
  std::vector<Owner> met;
  if (read_.empty() && written_.empty()) return met;
  const auto take = [&](Owners& owners, const Buffer& buffer) {
    const auto found = owners.find(whole_of(buffer));
    if (found == owners.end()) return;
    met.insert(met.end(), found->second.begin(), found->second.end());
    // Taken out: a closed batch needs not be met twice.
    owners.erase(found);
  };
  visit_operands(later, [&](const Operand& operand, Access access) {
    // Read after write, and write after write; then write after read. Two reads never conflict.
    take(written_, operand.at);
    if (access == Access::write) take(read_, operand.at);
  });
  return met;
}

bool depends(const Instruction& later, const Instruction& earlier) {
  Touched touched;
  touched.add(earlier, 0);
  return !touched.take_met_by(later).empty();
}

bool is_written(const Buffer& buffer, const Code& code, std::size_t from, std::size_t to) {
  bool found = false;
  for (std::size_t i = from; i < to; ++i)
    visit_operands(code[i], [&](const Operand& operand, Access access) {
      found = found || (access == Access::write && whole_of(operand.at) == whole_of(buffer));
    });
  return found;
}

bool holds_effect(const Instruction& instruction) {
  const auto any = [](const Code& code) { return std::ranges::any_of(code, holds_effect); };
  if (has_effect(instruction.work)) return true;
  if (const auto* loop = std::get_if<While>(&instruction.work))
    return any(loop->condition) || any(loop->body);
  if (const auto* branch = std::get_if<Case>(&instruction.work))
    return std::ranges::any_of(branch->branches, any);
  return false;
}

}  // namespace understudy::program::passes
