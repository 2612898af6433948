// SPDX-License-Identifier: Apache-2.0
// Copies of a tile's value to an output of a fused loop: where nothing in between needs the old
// contents, the step that makes the value writes the output itself.
#include <algorithm>
#include <optional>

#include "program/executable/tile.h"
#include "program/passes/fusion/groups.h"

namespace understudy::program::passes {

namespace {

bool copies_value_to_output(const Instruction& step) {
  return std::holds_alternative<Convert>(step.work) && step.inputs[0].at.space == Space::frame &&
         step.outputs[0].at.space == Space::result && step.inputs[0].type == step.outputs[0].type;
}

class DirectResults {
 public:
  DirectResults(Fused& work, const std::vector<Operand>& inputs,
                const std::vector<Operand>& outputs)
      : steps_(work.steps), inputs_(inputs), outputs_(outputs) {}

  void run() {
    for (std::size_t copy = 0; copy < steps_.size(); ++copy) {
      if (!copies_value_to_output(steps_[copy])) continue;
      const Buffer value = steps_[copy].inputs[0].at, output = steps_[copy].outputs[0].at;
      const auto writer = writer_of(value, copy);
      if (!writer || steps_[*writer].outputs[0].type != steps_[copy].outputs[0].type ||
          uses_output(*writer, copy, output) || needs_old_contents(*writer, copy, output))
        continue;
      steps_[*writer].outputs[0].at = output;
      for (std::size_t s = *writer + 1; s < steps_.size(); ++s)
        for (Operand& input : steps_[s].inputs)
          if (input.at == value) input.at = output;
      steps_.erase(steps_.begin() + static_cast<std::ptrdiff_t>(copy--));
    }
  }

 private:
  // Each value of the tile has its own number and one step that writes it.
  std::optional<std::size_t> writer_of(const Buffer& value, std::size_t before) const {
    for (std::size_t s = before; s-- > 0;)
      if (steps_[s].outputs[0].at == value) return s;
    return std::nullopt;
  }

  // Whether a step before the copy writes the output, as a pad that is filled first, or reads what
  // an earlier step wrote there.
  bool uses_output(std::size_t writer, std::size_t copy, const Buffer& output) const {
    for (std::size_t s = writer; s < copy; ++s) {
      if (s != writer && steps_[s].outputs[0].at == output) return true;
      for (const Operand& input : steps_[s].inputs)
        if (input.at == output) return true;
    }
    return false;
  }

  // Whether a step from the writer to the copy reads an input in the buffer of the output. The
  // writer itself may read the elements that it overwrites.
  bool needs_old_contents(std::size_t writer, std::size_t copy, const Buffer& output) const {
    const Operand& out = steps_[writer].outputs[0];
    for (std::size_t s = writer; s < copy; ++s)
      for (std::size_t i = 0; i < steps_[s].inputs.size(); ++i) {
        const Operand& input = steps_[s].inputs[i];
        if (input.at.space != Space::argument ||
            whole_of(inputs_[input.at.index].at) != whole_of(outputs_[output.index].at))
          continue;
        const bool same_place = !reads_elsewhere(steps_[s], i) &&
                                inputs_[input.at.index].at == outputs_[output.index].at &&
                                input.type.shape == out.type.shape &&
                                byte_size(input.type.element) == byte_size(out.type.element);
        if (s != writer || !same_place) return true;
      }
    return false;
  }

  Code& steps_;
  const std::vector<Operand>& inputs_;
  const std::vector<Operand>& outputs_;
};

}  // namespace

void write_results_directly(Fused& work, const std::vector<Operand>& inputs,
                            const std::vector<Operand>& outputs) {
  DirectResults(work, inputs, outputs).run();
}

}  // namespace understudy::program::passes
