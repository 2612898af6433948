// SPDX-License-Identifier: Apache-2.0
// Pieces of concatenations where they lie: what is computed and then copied to a contiguous part of
// a larger array is computed into that part, one list of instructions at a time. Nothing else may
// use the part meanwhile. The counterpart for parts that a launch finds is slices.cc. Equivalents:
// XLA's fusions whose root is a concatenation, copy elision.
#include <algorithm>
#include <optional>
#include <unordered_map>
#include <vector>

#include "program/passes/nested.h"
#include "program/passes/values.h"

namespace understudy::program::passes {

namespace {

// Smaller pieces are copied in the time of a step, and stay where other pieces of the list may be.
constexpr std::int64_t kLeastPieceBytes = 4 << 10;
// An array that is no result lives from its first piece on: earlier than without this pass.
constexpr std::size_t kFarthestProducer = 64;

// Bytes of a buffer that an instruction uses.
struct PartAccess {
  std::size_t position;
  std::uint64_t begin, end;
  bool writes;
};

bool runs_where_it_stands(const Instruction& instruction) {
  return !holds_effect(instruction) && !std::holds_alternative<While>(instruction.work) &&
         !std::holds_alternative<Case>(instruction.work);
}

// The elements of its output that a copy of a whole, dense array fills: from there on as many as
// the input has. nullopt of other work.
std::optional<std::int64_t> contiguous_part(const Instruction& instruction) {
  const auto* const copy = std::get_if<StridedCopy>(&instruction.work);
  if (copy == nullptr || copy->in_base != 0) return std::nullopt;
  const Operand &from = instruction.inputs[0], &to = instruction.outputs[0];
  const bool is_dense = copy->sizes.size() == 1 && copy->in_strides[0] == 1 &&
                        copy->out_strides[0] == 1 && copy->sizes[0] == from.type.elements();
  if (!is_dense || from.type.element != to.type.element ||
      from.type.elements() == to.type.elements())
    return std::nullopt;
  return copy->out_base;
}

class PiecePlacer {
 public:
  explicit PiecePlacer(const Draft& draft) : draft_(draft), writes_(draft) {}

  void run(Code& code) {
    for (Instruction& instruction : code)
      for_each_nested(instruction, [this](Code& nested) { run(nested); });
    if (std::ranges::none_of(
            code, [](const Instruction& one) { return contiguous_part(one).has_value(); }))
      return;
    accesses_.clear();
    placed_.clear();
    for (std::size_t i = 0; i < code.size(); ++i) note(code[i], i);
    std::vector<bool> gone(code.size(), false);
    // Later copies first: a piece of a piece then goes to where that goes.
    for (std::size_t i = code.size(); i-- > 0;) {
      const auto part = contiguous_part(code[i]);
      if (!part || !may_place(code, i, *part)) continue;
      place(code[i], i, *part);
      gone[i] = true;
    }
    if (placed_.empty()) return;
    for (Instruction& instruction : code)
      rename_temporaries(instruction, placed_,
                         [this](Buffer& at, const Buffer&) { at = final_of(at); });
    remove_marked(code, gone);
  }

 private:
  void note(const Instruction& instruction, std::size_t position) {
    visit_operands(instruction, [&](const Operand& operand, Access access) {
      if (operand.at.space != Space::temporary && operand.at.space != Space::result) return;
      std::uint64_t begin = operand.at.offset;
      auto bytes = static_cast<std::uint64_t>(operand.type.bytes());
      const bool writes = access == Access::write;
      if (const auto part = writes ? contiguous_part(instruction) : std::nullopt) {
        begin += static_cast<std::uint64_t>(*part) * byte_size(operand.type.element);
        bytes = static_cast<std::uint64_t>(instruction.inputs[0].type.bytes());
      }
      accesses_[whole_of(operand.at)].push_back({position, begin, begin + bytes, writes});
    });
  }

  // Where a buffer is after the placements so far.
  Buffer final_of(Buffer at) const {
    for (auto found = placed_.find(at.index);
         at.space == Space::temporary && found != placed_.end(); found = placed_.find(at.index)) {
      const std::uint64_t inside = at.offset;
      at = found->second;
      at.offset += inside;
    }
    return at;
  }

  // The first byte of the part in its buffer.
  static Buffer place_of(const Operand& to, const Buffer& at, std::int64_t part) {
    return {at.space, at.index,
            at.offset + static_cast<std::uint64_t>(part) * byte_size(to.type.element)};
  }

  bool may_place(const Code& code, std::size_t position, std::int64_t part) const {
    const Operand &from = code[position].inputs[0], &to = code[position].outputs[0];
    if (from.at.space != Space::temporary || from.at.offset != 0 ||
        placed_.contains(from.at.index) || from.type.bytes() < kLeastPieceBytes ||
        draft_.bytes[from.at.index] != static_cast<std::uint64_t>(from.type.bytes()))
      return false;
    const std::vector<PartAccess>& mine = accesses_.at(from.at);
    if (mine.size() != writes_.uses(from.at.index) || !mine.front().writes) return false;
    const std::size_t born = mine.front().position, last = mine.back().position;
    const bool is_steady = std::ranges::all_of(mine, [&](const PartAccess& access) {
      return runs_where_it_stands(code[access.position]) &&
             (access.position < position || !access.writes);
    });
    if (!is_steady) return false;
    const Buffer at = place_of(to, final_of(to.at), part);
    if (at.space == Space::temporary && position - born > kFarthestProducer) return false;
    const std::uint64_t end = at.offset + static_cast<std::uint64_t>(from.type.bytes());
    return std::ranges::none_of(accesses_.at(whole_of(at)), [&](const PartAccess& access) {
      return access.position >= born && access.position <= last && access.position != position &&
             access.begin < end && access.end > at.offset;
    });
  }

  void place(const Instruction& copy, std::size_t position, std::int64_t part) {
    const Operand &from = copy.inputs[0], &to = copy.outputs[0];
    const Buffer at = place_of(to, final_of(to.at), part);
    std::vector<PartAccess>& whole = accesses_.at(whole_of(at));
    std::erase_if(whole, [&](const PartAccess& access) { return access.position == position; });
    for (const PartAccess& access : accesses_.at(from.at))
      if (access.position != position)
        whole.push_back(
            {access.position, at.offset + access.begin, at.offset + access.end, access.writes});
    placed_[from.at.index] = at;
  }

  const Draft& draft_;
  const Writes writes_;
  std::unordered_map<Buffer, std::vector<PartAccess>, BufferHash> accesses_;
  std::unordered_map<std::uint32_t, Buffer> placed_;  // temporaries, in the present list
};

}  // namespace

void place_pieces(Draft& draft) {
  // Host memory is found later, by what moves there.
  if (!draft.host_arguments.empty() || !draft.host_results.empty() || moves_to_host(draft.code))
    return;
  PiecePlacer(draft).run(draft.code);
}

}  // namespace understudy::program::passes
