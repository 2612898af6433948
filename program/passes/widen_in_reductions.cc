// SPDX-License-Identifier: Apache-2.0
// Conversions of bf16 and f16 to f32 that only reductions read. Kernels reduce these types in f32
// anyway, so such a reduction reads them as they are: half the bytes, and no copy of the operand in
// f32. JAX writes each sum and mean of bf16 as a conversion and a reduction. The bits of the
// results stay. Equivalents: a convert fused into the reduce of XLA.
#include <unordered_map>

#include "program/kernels/kernels.h"
#include "program/passes/draft.h"
#include "program/passes/nested.h"
#include "program/passes/values.h"

namespace understudy::program::passes {

namespace {

class Widener {
 public:
  explicit Widener(const Draft& draft) : writes_(draft) {}

  void run(Code& code) {
    for (Instruction& instruction : code)
      for_each_nested(instruction, [this](Code& nested) { run(nested); });
    // Of a temporary in f32: the conversion that wrote it, and the reductions that read it.
    struct Converted {
      std::size_t conversion = 0;
      std::vector<std::size_t> reductions = {};
    };
    std::unordered_map<std::uint32_t, Converted> found;
    for (std::size_t i = 0; i < code.size(); ++i) {
      // Code is in order, so the conversion is seen before its readers.
      if (widens(code[i])) {
        found[code[i].outputs[0].at.index] = {i};
      } else if (is_reduction(code[i])) {
        const Operand& in = code[i].inputs[0];
        const auto source = found.find(in.at.index);
        // Another shape of the whole temporary is fine; a part of it is not.
        if (in.at.space == Space::temporary && in.at.offset == 0 && source != found.end() &&
            in.type.elements() == code[source->second.conversion].outputs[0].type.elements())
          source->second.reductions.push_back(i);
      }
    }
    std::vector<bool> gone(code.size(), false);
    for (const auto& [temporary, converted] : found) {
      // One use is the conversion itself.
      if (writes_.uses(temporary) != converted.reductions.size() + 1) continue;
      const Operand source = code[converted.conversion].inputs[0];
      for (const std::size_t reduction : converted.reductions) {
        Operand& in = code[reduction].inputs[0];
        // The shape stays: both types have the same elements.
        in.at = source.at;
        in.type.element = source.type.element;
      }
      gone[converted.conversion] = true;
    }
    remove_marked(code, gone);
  }

 private:
  bool widens(const Instruction& instruction) const {
    if (!std::holds_alternative<Convert>(instruction.work)) return false;
    const ElementType from = instruction.inputs[0].type.element;
    const ElementType to = instruction.outputs[0].type.element;
    // The source must still hold the same value where the reduction reads it.
    return from != to && kernels::reduces_to(from, to) &&
           writes_.is_value(instruction.outputs[0]) && writes_.is_stable(instruction.inputs[0].at);
  }
  static bool is_reduction(const Instruction& instruction) {
    const auto* reduce = std::get_if<Reduce>(&instruction.work);
    // A reduction that converts its result, too, has no kernel for the narrow type.
    return reduce != nullptr && reduce->reduction != Reduction::none &&
           instruction.outputs.size() == 1 &&
           instruction.inputs[0].type.element == instruction.outputs[0].type.element;
  }

  Writes writes_;
};

}  // namespace

void widen_in_reductions(Draft& draft) { Widener(draft).run(draft.code); }

}  // namespace understudy::program::passes
