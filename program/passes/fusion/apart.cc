// SPDX-License-Identifier: Apache-2.0
// Results of fused loops that are written to places apart: arrays side by side along a new last
// dimension (jnp.stack, jnp.cross), and padding between elements (gradients of strided slices).
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "program/executable/tile.h"
#include "program/passes/fusion/groups.h"
#include "program/passes/nested.h"

namespace understudy::program::passes {

namespace {

// Smaller arrays stay in the first-level cache between the loop and the copies.
constexpr std::int64_t kLeastApartBytes = 32 << 10;

class Padder {
 public:
  void run(Code& code) {
    for (Instruction& instruction : code)
      for_each_nested(instruction, [this](Code& nested) { run(nested); });
    std::unordered_map<Buffer, std::size_t, BufferHash> last;  // use of each buffer so far
    std::unordered_map<Buffer, std::size_t, BufferHash> made;  // where a loop could write it
    std::unordered_map<std::size_t, std::size_t> padded;       // copy -> fill
    for (std::size_t i = 0; i < code.size(); ++i) {
      const Instruction& one = code[i];
      if (is_apart(one) && made.contains(one.inputs[0].at))
        if (const auto fill = last.find(one.outputs[0].at);
            fill != last.end() && fills(code[fill->second], one.outputs[0]))
          padded.emplace(i, fill->second);
      visit_operands(one, [&](const Operand& operand, Access) { last[whole_of(operand.at)] = i; });
      for (const Operand& out : one.outputs)
        if (loop_space_of(one)) made[out.at] = i;
    }
    if (!padded.empty()) replace(code, padded);
  }

 private:
  static bool fills(const Instruction& instruction, const Operand& whole) {
    return std::holds_alternative<Fill>(instruction.work) && instruction.outputs[0] == whole &&
           (instruction.inputs[0].at.space == Space::constant ||
            instruction.inputs[0].at.space == Space::argument);
  }

  // The filled number is copied to the places between those of the array, all in ascending order.
  // `padded`: the fill that a copy follows.
  static void replace(Code& code, const std::unordered_map<std::size_t, std::size_t>& padded) {
    std::vector<bool> gone(code.size(), false);
    for (const auto& [copy, fill] : padded) gone[fill] = true;
    Code all;
    for (std::size_t i = 0; i < code.size(); ++i) {
      if (gone[i]) continue;
      const auto found = padded.find(i);
      if (found == padded.end()) {
        all.push_back(std::move(code[i]));
        continue;
      }
      const Instruction& fill = code[found->second];
      const auto& copy = std::get<StridedCopy>(code[i].work);
      for (std::int64_t base = 0; base < copy.out_strides[0]; ++base) {
        if (base == copy.out_base) {
          all.push_back(code[i]);
          continue;
        }
        StridedCopy other = copy;
        other.in_strides = {0};
        other.out_base = base;
        all.push_back({other, {fill.inputs[0]}, code[i].outputs, fill.op});
      }
    }
    code = std::move(all);
  }
};

}  // namespace

bool is_apart(const Instruction& instruction) {
  const auto* const copy = std::get_if<StridedCopy>(&instruction.work);
  if (copy == nullptr || !writes_apart(*copy)) return false;
  const Operand &from = instruction.inputs[0], &to = instruction.outputs[0];
  return from.type.elements() == (copy->in_strides[0] == 0 ? 1 : copy->sizes[0]) &&
         to.type.elements() % copy->out_strides[0] == 0 &&
         to.type.elements() / copy->out_strides[0] == copy->sizes[0] && to.at.offset == 0 &&
         to.type.bytes() >= kLeastApartBytes &&
         (to.at.space == Space::result || to.at.space == Space::temporary);
}

void pad_by_copies(Draft& draft) { Padder().run(draft.code); }

}  // namespace understudy::program::passes
