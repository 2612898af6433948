// SPDX-License-Identifier: Apache-2.0
#include "worker/ops/machine_code/element_moves.h"

#include <algorithm>
#include <span>

#include "worker/ops/operands.h"
#include "worker/ops/windows.h"

namespace understudy::worker::ops::machine {
namespace {

using program::Instruction;

std::vector<ElementMove> strided(const program::StridedCopy& work) {
  std::vector<ElementMove> moves;
  Counter counter(work.sizes);
  if (counter.empty()) return moves;
  do {
    std::int64_t from = 0, to = 0;
    for (std::size_t d = 0; d < work.sizes.size(); ++d) {
      from += counter.at()[d] * work.in_strides[d];
      to += counter.at()[d] * work.out_strides[d];
    }
    moves.push_back({static_cast<std::size_t>(from), static_cast<std::size_t>(to)});
  } while (counter.next());
  return moves;
}

// One element for all, each for itself, or one per row or column of a tile.
std::optional<std::vector<ElementMove>> filled(const Instruction& part) {
  const auto& in = part.inputs[0].type;
  const auto& out = part.outputs[0].type;
  const std::int64_t from = in.elements(), to = out.elements();
  if (from != 1 && from != to && out.shape.size() != 2) return std::nullopt;
  std::vector<ElementMove> moves;
  for (std::int64_t e = 0; e < to; ++e) {
    const std::int64_t element = from == 1          ? 0
                                 : from == to       ? e
                                 : in.shape[1] == 1 ? e / out.shape[1]
                                                    : e % out.shape[1];
    moves.push_back({static_cast<std::size_t>(element), static_cast<std::size_t>(e)});
  }
  return moves;
}

Range range_of(const BoundPlace& place, const program::TensorType& type) {
  return {place, static_cast<std::size_t>(type.bytes())};
}

// The whole operands of a copy: its step has the places of the first elements.
Range whole(const BoundPlace& place, std::int64_t base, const program::Operand& operand) {
  Range range = range_of(place, operand.type);
  range.place.offset -= static_cast<std::size_t>(base) * element_bytes(operand);
  return range;
}

}  // namespace

std::optional<std::vector<ElementMove>> element_moves(const Instruction& part) {
  if (const auto* copy = std::get_if<program::StridedCopy>(&part.work)) return strided(*copy);
  const bool is_same = std::holds_alternative<program::Convert>(part.work) &&
                       part.inputs[0].type.element == part.outputs[0].type.element;
  if (is_same || std::holds_alternative<program::Fill>(part.work)) return filled(part);
  return std::nullopt;
}

std::vector<Range> read_ranges(const BoundStep& step) {
  const Instruction& part = *step.part;
  std::vector<Range> ranges;
  if (const auto* copy = std::get_if<program::StridedCopy>(&part.work)) {
    // What it leaves as it is counts as read: it has to be in memory after the copy.
    ranges.push_back(whole(step.in[0], copy->in_base, part.inputs[0]));
    ranges.push_back(whole(step.out, copy->out_base, part.outputs[0]));
    return ranges;
  }
  const bool is_update = std::holds_alternative<program::DynamicUpdateSlice>(part.work);
  if (!is_update && !std::holds_alternative<program::DynamicSlice>(part.work)) {
    for (std::size_t i = 0; i < std::min(step.in.size(), part.inputs.size()); ++i)
      ranges.push_back(range_of(step.in[i], part.inputs[i].type));
    return ranges;
  }
  const std::size_t first = is_update ? 2 : 1;
  for (std::size_t i = 0; i < first; ++i)
    ranges.push_back(range_of(step.in[i], part.inputs[i].type));
  if (is_update) ranges.push_back(range_of(step.out, part.outputs[0].type));
  const auto& small = is_update ? part.inputs[1] : part.outputs[0];
  const auto moving =
      moving_starts(part.inputs[0].type, small.type.shape, std::span(part.inputs).subspan(first));
  for (std::size_t k = 0; k < moving.size(); ++k)
    ranges.push_back({step.in[first + k], program::byte_size(moving[k].type)});
  return ranges;
}

std::vector<Range> written_ranges(const BoundStep& step) {
  const Instruction& part = *step.part;
  if (const auto* copy = std::get_if<program::StridedCopy>(&part.work))
    return {whole(step.out, copy->out_base, part.outputs[0])};
  return {range_of(step.out, part.outputs[0].type)};
}

}  // namespace understudy::worker::ops::machine
