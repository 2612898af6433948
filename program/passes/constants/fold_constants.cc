// SPDX-License-Identifier: Apache-2.0
// Constant folding: element-wise work on small constants, and copies of these, are done by the
// compiler, with the kernels that workers use, so the bits are the same on every machine. Larger
// results stay instructions: they would make executables large, and loops of the tile compute them
// on the way. Fills and iotas stay for their other users.
#include <optional>
#include <unordered_map>
#include <vector>

#include "program/kernels/kernels.h"
#include "program/passes/constants/evaluate.h"
#include "program/passes/nested.h"
#include "program/passes/values.h"

namespace understudy::program::passes {

namespace {

// Scalars, permutations of device ids, identity matrices of 16 rows.
constexpr std::int64_t kMostFolded = 1024;  // bytes of a folded result

class ConstantFolder {
 public:
  explicit ConstantFolder(Draft& draft)
      // The portable kernels, on every machine: bits are equal for all instruction sets anyway.
      : draft_(draft), writes_(draft), kernels_(kernels::select("portable")) {}

  void run(Code& code) {
    std::erase_if(code, [&](Instruction& instruction) {
      if (fold(instruction)) return true;
      rename(instruction);
      for_each_nested(instruction, [this](Code& nested) { run(nested); });
      // The condition, which may just have been folded, has made it.
      if (auto* loop = std::get_if<While>(&instruction.work)) rename(loop->predicate);
      return false;
    });
  }

 private:
  using Bytes = std::vector<std::byte>;

  template <class Named>  // an instruction or an operand
  void rename(Named& named) {
    rename_temporaries(named, folded_, [&](Buffer& at, const std::optional<std::uint64_t>&) {
      auto& place = folded_.at(at.index);
      // Only what is still read becomes a constant of the program. The old ones may be shared.
      if (!place) place = append_constant(draft_, known_.at(at.index));
      at = {Space::constant, 0, *place + at.offset};
    });
  }

  // The elements of an operand, where they are known.
  const std::byte* elements_of(const Operand& operand) const {
    if (operand.at.space == Space::constant) return draft_.constants.data() + operand.at.offset;
    if (operand.at.space != Space::temporary) return nullptr;
    const auto found = known_.find(operand.at.index);
    return found == known_.end() ? nullptr : found->second.data() + operand.at.offset;
  }

  // Whether the instruction goes, as its users read a constant.
  bool fold(const Instruction& instruction) {
    if (instruction.outputs.size() != 1) return false;
    const Operand& out = instruction.outputs[0];
    if (out.type.bytes() > kMostFolded || out.type.elements() == 0 || !writes_.is_value(out))
      return false;
    const bool is_elementwise = is_lane_by_lane(instruction.work);
    std::vector<const std::byte*> in;
    for (const Operand& input : instruction.inputs) {
      const std::byte* const elements = elements_of(input);
      // Broadcasts are left to the tile.
      const bool fits = !is_elementwise || input.type.elements() == out.type.elements();
      if (elements == nullptr || !fits) return false;
      in.push_back(elements);
    }
    Bytes value(static_cast<std::size_t>(out.type.bytes()));
    if (!evaluate(instruction, kernels_, in, value.data())) return false;
    known_[out.at.index] = std::move(value);
    if (std::holds_alternative<Fill>(instruction.work) ||
        std::holds_alternative<Iota>(instruction.work))
      return false;
    folded_[out.at.index];
    return true;
  }

  Draft& draft_;
  Writes writes_;
  const kernels::KernelTable& kernels_;
  std::unordered_map<std::uint32_t, Bytes> known_;  // by temporary
  // Those of them that nothing makes any more, and their places among the constants.
  std::unordered_map<std::uint32_t, std::optional<std::uint64_t>> folded_;
};

}  // namespace

void fold_constants(Draft& draft) {
  ConstantFolder(draft).run(draft.code);
  eliminate_dead_code(draft);
}

}  // namespace understudy::program::passes
