// SPDX-License-Identifier: Apache-2.0
// Equal steps of a fused loop, which become one: what is cheap to make is made next to each of its
// users in the program (common_subexpressions.cc), but in a loop it is at hand.
#include <algorithm>
#include <unordered_map>
#include <utility>

#include "program/passes/fusion/groups.h"

namespace understudy::program::passes {

namespace {

class StepMerger {
 public:
  explicit StepMerger(Code& steps) : steps_(steps) {}

  void run() {
    std::vector<bool> gone(steps_.size(), false);
    for (std::size_t s = 0; s < steps_.size(); ++s) {
      Instruction& step = steps_[s];
      for (Operand& input : step.inputs)
        if (const auto found = renamed_.find(input.at); found != renamed_.end())
          input.at = found->second;
      if (!makes_value(step)) continue;
      if (const Instruction* const equal = equal_of(step)) {
        renamed_[step.outputs[0].at] = equal->outputs[0].at;
        gone[s] = true;
      } else {
        made_[key_of(step)].push_back(s);
      }
    }
    if (!renamed_.empty()) remove_marked(steps_, gone);
  }

 private:
  // Each value of the tile is written by one step; results may be written by several.
  static bool makes_value(const Instruction& step) {
    return step.outputs[0].at.space == Space::frame &&
           std::ranges::none_of(
               step.inputs, [](const Operand& input) { return input.at.space == Space::result; });
  }

  static std::size_t key_of(const Instruction& step) {
    std::size_t key = step.work.index();
    for (const Operand& input : step.inputs)
      key = key * 0x9e3779b97f4a7c15U ^ BufferHash()(input.at);
    return key;
  }

  const Instruction* equal_of(const Instruction& step) const {
    const auto found = made_.find(key_of(step));
    if (found == made_.end()) return nullptr;
    const auto equal = std::ranges::find_if(found->second, [&](std::size_t s) {
      const Instruction& earlier = steps_[s];
      return earlier.inputs == step.inputs && earlier.outputs[0].type == step.outputs[0].type &&
             earlier.work == step.work;
    });
    return equal == found->second.end() ? nullptr : &steps_[*equal];
  }

  Code& steps_;
  std::unordered_map<std::size_t, std::vector<std::size_t>> made_;  // steps by key
  std::unordered_map<Buffer, Buffer, BufferHash> renamed_;
};

}  // namespace

void merge_equal_steps(Fused& work) { StepMerger(work.steps).run(); }

}  // namespace understudy::program::passes
