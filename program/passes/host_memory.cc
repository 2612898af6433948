// SPDX-License-Identifier: Apache-2.0
// Which temporaries lie in host memory. A value that a HostMove brings there stays in it while it
// is only moved: through slices, updates of slices, copies, and what loops carry. So the stacked
// activations of an offloaded scan never are in HBM. Equivalent: XLA's HostOffloader, which walks
// from each MoveToHost to its MoveToDevice.
#include <algorithm>

#include "program/passes/draft.h"
#include "program/passes/nested.h"

namespace understudy::program::passes {

namespace {

class Finder {
 public:
  explicit Finder(Draft& draft) : draft_(draft), in_host_(draft.bytes.size(), false) {}

  // Each round finds at least one more temporary, or is the last.
  std::vector<bool> run() {
    do {
      changed_ = false;
      walk(draft_.code);
    } while (changed_);
    return std::move(in_host_);
  }

 private:
  void walk(Code& code) {
    for (Instruction& instruction : code) {
      look(instruction);
      for_each_nested(instruction, [this](Code& nested) { walk(nested); });
    }
  }

  void look(const Instruction& instruction) {
    if (const auto* move = std::get_if<HostMove>(&instruction.work)) {
      if (move->to_host) put(instruction.outputs[0]);
    } else if (std::holds_alternative<DynamicUpdateSlice>(instruction.work)) {
      if (is_there(instruction.inputs[0]) || is_there(instruction.inputs[1]))
        put(instruction.outputs[0]);
    } else if (std::holds_alternative<DynamicSlice>(instruction.work) ||
               std::holds_alternative<StridedCopy>(instruction.work)) {
      if (is_there(instruction.inputs[0])) put(instruction.outputs[0]);
    }
  }

  // Arguments that the caller keeps in host memory count as well.
  bool is_there(const Operand& operand) const {
    if (operand.at.space == Space::temporary) return in_host_[operand.at.index];
    return operand.at.space == Space::argument &&
           std::ranges::binary_search(draft_.host_arguments, operand.at.index);
  }

  void put(const Operand& operand) {
    if (operand.at.space != Space::temporary || in_host_[operand.at.index]) return;
    in_host_[operand.at.index] = changed_ = true;
  }

  Draft& draft_;
  std::vector<bool> in_host_;
  bool changed_ = false;
};

}  // namespace

bool moves_to_host(const Code& code) {
  return std::ranges::any_of(code, [](const Instruction& instruction) {
    bool found = std::holds_alternative<HostMove>(instruction.work);
    for_each_nested(instruction,
                    [&](const Code& nested) { found = found || moves_to_host(nested); });
    return found;
  });
}

void find_host_memory(Draft& draft) {
  // Without a move to host memory there is nothing to find, which is the common case.
  if (moves_to_host(draft.code)) draft.in_host = Finder(draft).run();
}

}  // namespace understudy::program::passes
