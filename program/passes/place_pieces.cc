// SPDX-License-Identifier: Apache-2.0
// Pieces of concatenations where they lie: what is computed and then copied to a contiguous part of
// a larger array is computed into that part, one list of instructions at a time. Nothing else may
// use the part meanwhile, and no more memory may be needed at once. Results that may continue in
// donated arguments are left alone: they would be written while the argument is still read. The
// counterpart for parts that a launch finds is slices.cc. Equivalents: XLA's fusions whose root is
// a concatenation, copy elision.
#include <algorithm>
#include <optional>
#include <unordered_map>
#include <vector>

#include "program/passes/liveness.h"
#include "program/passes/nested.h"
#include "program/passes/values.h"

namespace understudy::program::passes {

namespace {

// The copy of a smaller piece takes no longer than the instruction that starts it.
constexpr std::int64_t kLeastPieceBytes = 4 << 10;
// An array that is no result lives from its first piece on: earlier than without this pass.
constexpr std::size_t kFarthestProducer = 64;
// All of them are looked at for each piece.
constexpr std::size_t kMostAccesses = 512;

// Bytes of a buffer that an instruction uses.
struct PartAccess {
  std::size_t position;
  std::uint64_t begin, end;
  bool writes;
};

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
  // `in_temporaries`: also into arrays that are no results.
  PiecePlacer(const Draft& draft, bool in_temporaries)
      : draft_(draft), writes_(draft), in_temporaries_(in_temporaries) {}

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
    if (mine.size() != writes_.uses(from.at.index)) return false;
    const auto [first, end_of] =
        std::ranges::minmax_element(mine, {}, [](const PartAccess& a) { return a.position; });
    const std::size_t born = first->position, last = end_of->position;
    // Nothing but whole instructions of this list, and no writes after the copy.
    const bool is_complete =
        first->writes && std::ranges::all_of(mine, [&](const PartAccess& access) {
          return runs_where_it_stands(code[access.position]) &&
                 (access.position < position || !access.writes);
        });
    if (!is_complete) return false;
    const Buffer at = place_of(to, final_of(to.at), part);
    const bool may_be_there = at.space == Space::temporary
                                  ? in_temporaries_ && position - born <= kFarthestProducer
                                  : !draft_.donates;
    if (!may_be_there || accesses_.at(whole_of(at)).size() > kMostAccesses) return false;
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
  const bool in_temporaries_;
  std::unordered_map<Buffer, std::vector<PartAccess>, BufferHash> accesses_;
  std::unordered_map<std::uint32_t, Buffer> placed_;  // temporaries, in the present list
};

bool has_pieces(const Code& code) {
  return std::ranges::any_of(code, [](const Instruction& instruction) {
    bool found = contiguous_part(instruction).has_value();
    for_each_nested(instruction, [&](const Code& nested) { found = found || has_pieces(nested); });
    return found;
  });
}

// The most bytes of temporaries that are alive at once.
std::int64_t peak_of(const Code& code, const std::vector<std::uint64_t>& bytes) {
  const std::vector<Interval> intervals = live_intervals(code, bytes.size());
  std::vector<std::int64_t> changes;
  for (std::size_t id = 0; id < intervals.size(); ++id) {
    const Interval& life = intervals[id];
    if (life.first == Interval::kNever) continue;
    if (changes.size() < life.last + std::size_t{2}) changes.resize(life.last + std::size_t{2});
    changes[life.first] += static_cast<std::int64_t>(bytes[id]);
    changes[life.last + std::size_t{1}] -= static_cast<std::int64_t>(bytes[id]);
  }
  std::int64_t alive = 0, most = 0;
  for (const std::int64_t change : changes) most = std::max(most, alive += change);
  return most;
}

}  // namespace

void place_pieces(Draft& draft) {
  // Host memory is found later, by what moves there.
  if (!has_pieces(draft.code) || !draft.host_arguments.empty() || !draft.host_results.empty() ||
      moves_to_host(draft.code))
    return;
  Code placed = draft.code;
  PiecePlacer(draft, true).run(placed);
  if (peak_of(placed, draft.bytes) <= peak_of(draft.code, draft.bytes))
    draft.code = std::move(placed);
  else
    PiecePlacer(draft, false).run(draft.code);
}

}  // namespace understudy::program::passes
