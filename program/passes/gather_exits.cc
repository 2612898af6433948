// SPDX-License-Identifier: Apache-2.0
#include "program/passes/gather_exits.h"

#include <algorithm>
#include <cstddef>
#include <unordered_map>
#include <vector>

namespace understudy::program::passes {

namespace {

constexpr std::size_t kNoGroup = SIZE_MAX;

// Gathers at the same indices, and the values of element-wise work on nothing else.
struct GatherGroup {
  const Instruction* first = nullptr;
  std::unordered_set<std::uint32_t> gathered;
  std::unordered_set<std::uint32_t> exits;  // values that other instructions read
};

class GatherGrouper {
 public:
  void add(const Instruction& instruction) {
    const bool gathers = std::holds_alternative<Gather>(instruction.work) ||
                         std::holds_alternative<TakeElements>(instruction.work);
    const std::size_t group = gathers ? group_of_gather(instruction) : group_of_work(instruction);
    visit_operands(instruction, [&](const Operand& operand, Access access) {
      if (operand.at.space != Space::temporary) return;
      const auto found = group_of_.find(operand.at.index);
      if (access == Access::write) {
        if (found != group_of_.end()) group_of_.erase(found);
        filled_.erase(operand.at.index);
      } else if (found != group_of_.end() && (gathers || found->second != group)) {
        groups_[found->second].exits.insert(operand.at.index);
      }
    });
    if (instruction.outputs.size() != 1) return;
    const Buffer& out = instruction.outputs[0].at;
    if (out.space != Space::temporary) return;
    if (std::holds_alternative<Fill>(instruction.work)) filled_.insert(out.index);
    if (group == kNoGroup) return;
    group_of_[out.index] = group;
    if (gathers) groups_[group].gathered.insert(out.index);
  }

  std::unordered_set<std::uint32_t> kept() const {
    std::unordered_set<std::uint32_t> all;
    for (const GatherGroup& group : groups_)
      if (group.exits.size() > group.gathered.size())
        all.insert(group.gathered.begin(), group.gathered.end());
    return all;
  }

 private:
  std::size_t group_of_gather(const Instruction& gather) {
    for (std::size_t g = 0; g < groups_.size(); ++g)
      if (repeats_alike(*groups_[g].first, gather)) return g;
    groups_.push_back({&gather, {}, {}});
    return groups_.size() - 1;
  }
  // Of element-wise work on values of one group and on numbers. Its result may be one of the
  // program, which is read elsewhere.
  std::size_t group_of_work(const Instruction& work) {
    if (!is_lane_by_lane(work.work) || work.outputs.size() != 1) return kNoGroup;
    std::size_t group = kNoGroup;
    for (const Operand& in : work.inputs) {
      if (in.at.space != Space::temporary) return kNoGroup;
      if (filled_.contains(in.at.index)) continue;
      const auto found = group_of_.find(in.at.index);
      if (found == group_of_.end() || (group != kNoGroup && group != found->second))
        return kNoGroup;
      group = found->second;
    }
    if (group != kNoGroup && work.outputs[0].at.space != Space::temporary)
      groups_[group].exits.insert(UINT32_MAX - work.outputs[0].at.index);
    return group;
  }

  std::vector<GatherGroup> groups_;
  std::unordered_map<std::uint32_t, std::size_t> group_of_;
  std::unordered_set<std::uint32_t> filled_;
};

}  // namespace

bool repeats_alike(const Instruction& a, const Instruction& b) {
  const TensorType &from = a.inputs[0].type, &other = b.inputs[0].type;
  // A copy takes its source as elements in a row.
  const bool fits = std::holds_alternative<StridedCopy>(a.work)
                        ? from.elements() == other.elements()
                        : from.shape == other.shape;
  return fits && a.work == b.work &&
         std::equal(a.inputs.begin() + 1, a.inputs.end(), b.inputs.begin() + 1, b.inputs.end());
}

std::unordered_set<std::uint32_t> gathers_to_keep(const Code& code) {
  GatherGrouper grouper;
  for (const Instruction& instruction : code) grouper.add(instruction);
  return grouper.kept();
}

}  // namespace understudy::program::passes
