// SPDX-License-Identifier: Apache-2.0
#include "program/analysis/tracking.h"

#include <algorithm>
#include <cmath>
#include <memory>

#include "program/analysis/collective_classes.h"

namespace understudy::program::analysis {
namespace {

double at(const Known& known, std::size_t process) {
  return known ? (*known)[process] : std::nan("");
}

// Element by element from equal places, so that pieces stay where they are.
bool keeps_places(const Instruction& instruction) {
  const Work& work = instruction.work;
  return std::holds_alternative<Unary>(work) || std::holds_alternative<Convert>(work) ||
         passes::is_whole_copy(instruction);
}

}  // namespace

Tracking::Tracking(const passes::Draft& draft, const Interface& interface)
    : draft_(draft),
      interface_(interface),
      influences_(interface),
      processes_(static_cast<std::size_t>(interface.processes())),
      // Alone on its chip there is nothing to keep apart.
      on_(processes_ > 1) {}

// Elements [first, last] of an operand, counted from its start. A gathered buffer is as many equal
// pieces as its node names.
Influences::Id Tracking::read(const Operand& operand, NodePointer node, std::int64_t first,
                              std::int64_t last) {
  const Track& track = node->track;
  if (!track.pieces || operand.at.space != Space::temporary) return track.influence;
  const auto width = static_cast<std::uint64_t>(operand.type.bytes()) /
                     static_cast<std::uint64_t>(std::max<std::int64_t>(1, operand.type.elements()));
  // Pieces are equal parts of the whole temporary, whatever type reads it.
  const std::uint64_t piece = draft_.bytes.at(operand.at.index) / track.pieces->size();
  if (piece == 0 || first > last) return track.influence;
  const std::uint64_t begin = operand.at.offset + static_cast<std::uint64_t>(first) * width;
  const std::uint64_t end = operand.at.offset + static_cast<std::uint64_t>(last) * width;
  // A read beyond the pieces means that the buffer is used in another way.
  if (end / piece >= track.pieces->size()) return track.influence;
  Id all = Influences::kNone;
  for (std::uint64_t i = begin / piece; i <= end / piece; ++i)
    all = influences_.unite(all, (*track.pieces)[i]);
  return all;
}

Influences::Id Tracking::read(const Operand& operand, NodePointer node) {
  return read(operand, node, 0, operand.type.elements() - 1);
}

Influences::Id Tracking::mixed(const Instruction& instruction, std::span<const NodePointer> inputs,
                               const std::vector<Known>& known) {
  const Work& work = instruction.work;
  const auto* binary = std::get_if<Binary>(&work);
  const bool absorbs = binary != nullptr &&
                       (binary->op == BinaryOp::multiply || binary->op == BinaryOp::logical_and ||
                        (binary->op == BinaryOp::logical_or &&
                         instruction.outputs[0].type.element == ElementType::pred));
  if (std::holds_alternative<Select>(work) || absorbs) return kept_by(instruction, inputs, known);
  if (std::holds_alternative<DynamicSlice>(work)) return sliced(instruction, inputs, known);
  if (const auto* copy = std::get_if<StridedCopy>(&work)) {
    std::int64_t last = copy->in_base, first = copy->in_base;
    for (std::size_t d = 0; d < copy->sizes.size(); ++d)
      // A negative stride moves the first element that is read, a positive one the last.
      (copy->in_strides[d] < 0 ? first : last) += (copy->sizes[d] - 1) * copy->in_strides[d];
    return read(instruction.inputs[0], inputs[0], first, last);
  }
  Id all = Influences::kNone;
  for (std::size_t i = 0; i < inputs.size(); ++i)
    all = influences_.unite(all, i < instruction.inputs.size()
                                     ? read(instruction.inputs[i], inputs[i])
                                     : inputs[i]->track.influence);
  return all;
}

// A selection by a known predicate, and x * 0, x & false, x | true: at each process the operands
// that count. A product with zero keeps out finite numbers only; docs/metrics.md says so.
Influences::Id Tracking::kept_by(const Instruction& instruction,
                                 std::span<const NodePointer> inputs,
                                 const std::vector<Known>& known) {
  const bool selects = std::holds_alternative<Select>(instruction.work);
  std::vector<Id> ids;
  Id all = Influences::kNone;
  for (std::size_t i = 0; i < instruction.inputs.size(); ++i) {
    ids.push_back(read(instruction.inputs[i], inputs[i]));
    all = influences_.unite(all, ids.back());
  }
  if (!known[0] && (selects || !known[1])) return all;
  const auto* binary = std::get_if<Binary>(&instruction.work);
  const double decides = binary != nullptr && binary->op == BinaryOp::logical_or ? 1 : 0;
  std::vector<Id> own(processes_, all);
  for (std::size_t p = 0; p < processes_; ++p) {
    if (selects) {
      // The predicate's own influence is dropped where it is known: its value does not depend on
      // data.
      if (at(known[0], p) == 1) own[p] = ids[1];
      if (at(known[0], p) == 0) own[p] = ids[2];
    } else if (at(known[0], p) == decides || at(known[1], p) == decides) {
      own[p] = Influences::kNone;
    }
  }
  return influences_.assemble(own);
}

// Rows of a gathered value from a known start: only the pieces they are in. Starts are clamped, as
// the operation does. Unknown starts may select anything.
Influences::Id Tracking::sliced(const Instruction& instruction, std::span<const NodePointer> inputs,
                                const std::vector<Known>& known) {
  const Operand& operand = instruction.inputs[0];
  Id rest = Influences::kNone;
  for (std::size_t i = 1; i < inputs.size(); ++i)
    rest = influences_.unite(rest, inputs[i]->track.influence);
  const Shape& shape = operand.type.shape;
  const Id whole = influences_.unite(rest, read(operand, inputs[0]));
  if (!inputs[0]->track.pieces || shape.empty() || !known[1]) return whole;
  const std::int64_t row = operand.type.elements() / std::max<std::int64_t>(1, shape[0]);
  const std::int64_t rows = instruction.outputs[0].type.shape[0];
  std::vector<Id> own(processes_, whole);
  for (std::size_t p = 0; p < processes_; ++p) {
    if (std::isnan(at(known[1], p))) continue;
    const auto start = static_cast<std::int64_t>(
        // Clamped as the operation does: a start beyond the end reads the last rows.
        std::clamp(at(known[1], p), 0.0, static_cast<double>(shape[0] - rows)));
    own[p] =
        influences_.unite(rest, read(operand, inputs[0], start * row, (start + rows) * row - 1));
  }
  return influences_.assemble(own);
}

const std::vector<std::vector<std::size_t>>& Tracking::sources(const Instruction& instruction,
                                                               const Collective& collective) {
  const auto [found, fresh] = sources_.try_emplace(&instruction);
  std::vector<std::vector<std::size_t>>& from = found->second;
  if (!fresh) return from;
  from.resize(processes_);
  // A process in no group keeps its operand in an all_reduce and gets zeros otherwise.
  if (collective.kind == CollectiveKind::all_reduce)
    for (std::size_t p = 0; p < processes_; ++p) from[p] = {p};
  for (const auto& [source, target] : collective.source_target)
    from[index_of(target)] = {index_of(source)};
  const bool one = collective.kind == CollectiveKind::collective_broadcast;
  for (const ProcessGroup& group : collective.groups) {
    std::vector<std::size_t> senders;
    for (const ProcessId member : std::span(group).first(one ? 1 : group.size()))
      senders.push_back(index_of(member));
    for (const ProcessId member : group) from[index_of(member)] = senders;
  }
  return from;
}

// All members' data reach all members. Of an all_gather along the leading dimension, piece i is the
// data of member i.
Track Tracking::collected(const Instruction& instruction, const Collective& collective, Id in) {
  // The same all_gather of the same influence is asked for in every round of a loop.
  const auto key = std::pair(&instruction, in);
  if (const auto known = collected_.find(key); known != collected_.end()) return known->second;
  const auto& from = sources(instruction, collective);
  Track track{.influence = influences_.moved(in, from)};
  const Shape& shape = instruction.outputs[0].type.shape;
  bool leading = collective.kind == CollectiveKind::all_gather && !from.empty();
  for (std::int64_t d = 0; leading && d < collective.dimension; ++d)
    // Dimensions of size 1 before it leave the pieces contiguous.
    leading = shape[static_cast<std::size_t>(d)] == 1;
  leading = leading && std::ranges::all_of(from, [&](const auto& group) {
              return !group.empty() && group.size() == from.front().size();
            });
  if (leading && in != Influences::kNone) {
    auto pieces = std::make_shared<std::vector<Id>>();
    for (std::size_t i = 0; i < from.front().size(); ++i) {
      std::vector<std::vector<std::size_t>> one(processes_);
      for (std::size_t p = 0; p < processes_; ++p) one[p] = {from[p][i]};
      pieces->push_back(influences_.moved(in, one));
    }
    track.pieces = std::move(pieces);
  }
  return collected_[key] = track;
}

Track Tracking::after(const Instruction& instruction, std::span<const NodePointer> inputs,
                      std::size_t output, bool one_by_one) {
  if (!on_ || instruction.outputs.empty()) return {};
  if (const auto* collective = std::get_if<Collective>(&instruction.work);
      collective != nullptr && one_by_one) {
    Track track =
        collected(instruction, *collective, read(instruction.inputs.at(output), inputs[0]));
    return track;
  }
  // What arrives by messages, or in another order of rows, may come from any process.
  if (std::holds_alternative<Transfer>(instruction.work) ||
      std::holds_alternative<Collective>(instruction.work))
    return unknown();
  std::vector<Known> known;
  for (std::size_t i = 0; i < instruction.inputs.size(); ++i) {
    const Operand& operand = instruction.inputs[i];
    known.push_back(operand.at.space == Space::constant
                        ? known_constant(draft_.constants, operand, processes_)
                        : inputs[i]->track.known);
  }
  Track track;
  track.influence = mixed(instruction, inputs, known);
  track.known = known_after(instruction, known, draft_.constants, interface_);
  // From the first element on, in the same order: pieces keep their places.
  if (keeps_places(instruction) && inputs[0]->track.pieces && instruction.inputs[0].at.offset == 0)
    track.pieces = inputs[0]->track.pieces;
  return track;
}

Track Tracking::either(const Track& a, const Track& b) {
  return {influences_.unite(a.influence, b.influence), known_in_both(a.known, b.known), nullptr};
}

Track Tracking::any_of(std::span<const NodePointer> nodes) {
  Track all;
  bool first = true;
  for (const NodePointer node : nodes) {
    if (node == nullptr) continue;
    all = first ? node->track : either(all, node->track);
    first = false;
  }
  return all;
}

Track Tracking::chosen(NodePointer index, bool is_predicate,
                       std::span<const NodePointer> by_branch) {
  Track all = any_of(by_branch);
  all.pieces = nullptr;
  all.influence = influences_.unite(all.influence, index->track.influence);
  if (!index->track.known || by_branch.empty()) return all;
  std::vector<Id> own(processes_, all.influence);
  for (std::size_t p = 0; p < processes_; ++p) {
    const double value = at(index->track.known, p);
    if (std::isnan(value)) continue;
    // A predicate takes the first branch where it is true; an index out of range the last.
    const double last = static_cast<double>(by_branch.size() - 1);
    const double branch = is_predicate ? 1 - value : value < 0 || value > last ? last : value;
    const NodePointer taken = by_branch[static_cast<std::size_t>(branch)];
    own[p] = taken == nullptr ? Influences::kNone : taken->track.influence;
  }
  all.influence = influences_.assemble(own);
  return all;
}

}  // namespace understudy::program::analysis
