// SPDX-License-Identifier: Apache-2.0
// Constant folding: element-wise work on small constants is done by the compiler, with the kernels
// that workers use, so the bits are the same on every machine. Larger results stay instructions:
// they would make executables large, and loops of the tile compute them on the way.
#include <algorithm>
#include <unordered_map>

#include "program/kernels/kernels.h"
#include "program/passes/constants/evaluate.h"
#include "program/passes/nested.h"
#include "program/passes/values.h"

namespace understudy::program::passes {

namespace {

// 256 bytes: scalars and small tables, such as permutations of device ids.
constexpr std::int64_t kMostFolded = 256;  // of a folded result

class ConstantFolder {
 public:
  explicit ConstantFolder(Draft& draft)
      // The portable kernels, on every machine: bits are equal for all instruction sets anyway.
      : draft_(draft), writes_(draft), kernels_(kernels::select("portable")) {}

  void run(Code& code) {
    std::erase_if(code, [&](Instruction& instruction) {
      rename(instruction);
      for_each_nested(instruction, [this](Code& nested) { run(nested); });
      // The condition, which may just have been folded, has made it.
      if (auto* loop = std::get_if<While>(&instruction.work)) rename(loop->predicate);
      return fold(instruction);
    });
  }

 private:
  template <class Named>  // an instruction or an operand
  void rename(Named& named) const {
    rename_temporaries(named, folded_, [](Buffer& at, std::uint64_t folded) {
      at = {Space::constant, 0, folded + at.offset};
    });
  }

  bool fold(const Instruction& instruction) {
    if (instruction.outputs.size() != 1 || instruction.inputs.empty()) return false;
    const Operand& out = instruction.outputs[0];
    const bool small = out.type.bytes() <= kMostFolded && out.type.elements() > 0;
    const auto is_constant = [&](const Operand& input) {
      // As many elements as the result: broadcasts are left to the tile.
      return input.at.space == Space::constant && input.type.elements() == out.type.elements();
    };
    if (!small || !std::ranges::all_of(instruction.inputs, is_constant) || !writes_.is_value(out))
      return false;
    std::vector<std::byte> value(static_cast<std::size_t>(out.type.bytes()));
    std::vector<const std::byte*> in;
    for (const Operand& input : instruction.inputs)
      in.push_back(draft_.constants.data() + input.at.offset);
    if (!evaluate(instruction, kernels_, in, value.data())) return false;
    // The constant is appended; the old ones may be shared by others.
    folded_[out.at.index] = append_constant(draft_, value);
    return true;
  }

  Draft& draft_;
  Writes writes_;
  const kernels::KernelTable& kernels_;
  std::unordered_map<std::uint32_t, std::uint64_t> folded_;  // temporary -> place
};

}  // namespace

void fold_constants(Draft& draft) { ConstantFolder(draft).run(draft.code); }

}  // namespace understudy::program::passes
