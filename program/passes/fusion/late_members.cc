// SPDX-License-Identifier: Apache-2.0
// An element-wise instruction joins the group of what it reads. If only a later group reads its
// result, an array goes through memory between them: a[i,j] d[i] d[j] with d from the sums of a. In
// the later group the instruction reads what the first one has read, and there is no such array.
#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "program/passes/fusion/groups.h"

namespace understudy::program::passes {

namespace {

constexpr std::int64_t kLeastMovedBytes = 1 << 20;  // smaller arrays stay in caches

bool is_spread(const Instruction& instruction) {
  if (std::holds_alternative<Fill>(instruction.work)) return true;
  const auto* copy = std::get_if<StridedCopy>(&instruction.work);
  return copy != nullptr && (is_row_spread(*copy) || is_column_spread(*copy));
}

class LateMembers {
 public:
  LateMembers(const Code& code, std::vector<FusionGroup>& groups) : code_(code), groups_(groups) {
    for (std::size_t g = 0; g < groups.size(); ++g)
      for (const std::size_t member : groups[g].members) owner_[member] = g;
    for (std::size_t i = 0; i < code.size(); ++i)
      visit_operands(code[i], [&](const Operand& operand, Access access) {
        if (operand.at.space != Space::constant)
          accesses_[whole_of(operand.at)].push_back({i, access == Access::write});
      });
  }

  void run() {
    for (std::size_t g = 0; g < groups_.size(); ++g) {
      const std::vector<std::size_t> members = groups_[g].members;
      for (auto m = members.rbegin(); m != members.rend(); ++m)
        if (owner_.at(*m) == g) try_move(g, *m);
    }
    std::erase_if(groups_, [&](const FusionGroup& group) {
      return group.members.empty() ||
             (group.members.size() == 1 && !is_quick_alone(code_[group.members[0]]));
    });
  }

 private:
  struct Use {
    std::size_t position;
    bool writes;
  };

  bool is_in(std::size_t position, std::size_t group) const {
    const auto found = owner_.find(position);
    return found != owner_.end() && found->second == group;
  }

  // The one group that reads what `position` alone writes, each element at its own place in the
  // loop.
  std::optional<std::size_t> reader_of(std::size_t position) const {
    const Operand& out = code_[position].outputs[0];
    if (out.at.space != Space::temporary || out.at.offset != 0) return std::nullopt;
    std::optional<std::size_t> reader;
    for (const Use& use : accesses_.at(out.at)) {
      if (use.position == position) continue;
      const auto found = owner_.find(use.position);
      if (use.writes || use.position < position || found == owner_.end() ||
          (reader && *reader != found->second) || !reads_in_place(code_[use.position], out))
        return std::nullopt;
      reader = found->second;
    }
    return reader;
  }
  static bool reads_in_place(const Instruction& reader, const Operand& value) {
    for (std::size_t i = 0; i < reader.inputs.size(); ++i)
      if (whole_of(reader.inputs[i].at) == value.at &&
          (reader.inputs[i].at.offset != 0 || follows(reader, i) != Follows::loop ||
           reader.inputs[i].type.bytes() != value.type.bytes()))
        return false;
    return true;
  }

  // The spreads and element-wise members of the group that only `moved` reads go with it.
  std::vector<std::size_t> with_sources(std::size_t group, std::size_t position) const {
    std::vector<std::size_t> moved{position};
    const std::vector<std::size_t>& members = groups_[group].members;
    for (auto m = members.rbegin(); m != members.rend(); ++m) {
      if (*m >= position || !(is_lane_by_lane(code_[*m].work) || is_spread(code_[*m]))) continue;
      const Operand& out = code_[*m].outputs[0];
      if (out.at.space != Space::temporary || out.at.offset != 0) continue;
      const bool is_read_by_them = std::ranges::all_of(accesses_.at(out.at), [&](const Use& use) {
        return use.position == *m ||
               (!use.writes && std::ranges::find(moved, use.position) != moved.end());
      });
      if (is_read_by_them) moved.push_back(*m);
    }
    return moved;
  }

  bool is_written_between(const Buffer& buffer, std::size_t first, std::size_t last) const {
    return std::ranges::any_of(accesses_.at(buffer), [&](const Use& use) {
      return use.writes && use.position > first && use.position <= last;
    });
  }
  // Whether the group writes it, and nobody else but `moved` reads it.
  bool is_value_of(std::size_t group, const Buffer& buffer,
                   const std::vector<std::size_t>& moved) const {
    const std::vector<Use>& uses = accesses_.at(buffer);
    return buffer.space == Space::temporary && std::ranges::any_of(uses, &Use::writes) &&
           std::ranges::all_of(uses, [&](const Use& use) {
             return is_in(use.position, group) ||
                    (!use.writes && std::ranges::find(moved, use.position) != moved.end());
           });
  }
  bool reads(std::size_t group, const Buffer& buffer) const {
    return std::ranges::any_of(accesses_.at(buffer), [&](const Use& use) {
      return !use.writes && is_in(use.position, group);
    });
  }

  // What the later group reads in addition, and the first one writes in addition; nullopt where
  // something is not there any more.
  std::optional<std::int64_t> added_bytes(std::size_t from, std::size_t to,
                                          const std::vector<std::size_t>& moved) const {
    const std::size_t last = groups_[to].members.back();
    std::unordered_set<Buffer, BufferHash> made, counted;
    for (const std::size_t m : moved) made.insert(code_[m].outputs[0].at);
    std::int64_t bytes = 0;
    for (const std::size_t m : moved)
      for (const Operand& input : code_[m].inputs) {
        const Buffer buffer = whole_of(input.at);
        if (input.at.space == Space::constant || made.contains(buffer)) continue;
        // Each of them reads at its own time.
        if (is_written_between(buffer, m, last)) return std::nullopt;
        if (!counted.insert(buffer).second) continue;
        if (!reads(to, buffer)) bytes += input.type.bytes();
        if (is_value_of(from, buffer, moved)) bytes += input.type.bytes();
      }
    return bytes;
  }

  void try_move(std::size_t group, std::size_t position) {
    const Instruction& instruction = code_[position];
    if (!is_lane_by_lane(instruction.work) ||
        instruction.outputs[0].type.bytes() < kLeastMovedBytes)
      return;
    const auto reader = reader_of(position);
    if (!reader || *reader == group) return;
    const std::vector<std::size_t> moved = with_sources(group, position);
    if (groups_[*reader].members.size() + moved.size() > kMostMembers) return;
    std::optional<LoopSpace> space = groups_[*reader].space;
    for (const std::size_t m : moved)
      if (space) space = joined_space(*space, *loop_space_of(code_[m]));
    const auto added = added_bytes(group, *reader, moved);
    if (!space || *space != groups_[*reader].space || !added ||
        *added >= 2 * instruction.outputs[0].type.bytes())
      return;
    for (const std::size_t m : moved) {
      std::erase(groups_[group].members, m);
      groups_[*reader].members.push_back(m);
      owner_[m] = *reader;
    }
    std::ranges::sort(groups_[*reader].members);
  }

  const Code& code_;
  std::vector<FusionGroup>& groups_;
  std::unordered_map<std::size_t, std::size_t> owner_;  // of a position
  std::unordered_map<Buffer, std::vector<Use>, BufferHash> accesses_;
};

}  // namespace

void move_to_readers(const Code& code, std::vector<FusionGroup>& groups) {
  if (groups.size() > 1) LateMembers(code, groups).run();
}

}  // namespace understudy::program::passes
