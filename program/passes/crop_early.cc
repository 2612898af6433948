// SPDX-License-Identifier: Apache-2.0
// Cuts padding off before it is computed with, where a slice keeps what was padded and no more: as
// in the gradient of a pad, slice(f(pad(x))) is f(slice(x)) or f(x). `f` is a chain of element-wise
// work that has one array and filled constants as operands, and nobody else reads. Each element
// that the slice keeps is computed as before. Equivalents: XLA's AlgebraicSimplifier (slice of
// pad).
#include <algorithm>
#include <iterator>
#include <optional>
#include <unordered_map>

#include "program/passes/copies.h"
#include "program/passes/nested.h"
#include "program/passes/values.h"

namespace understudy::program::passes {

namespace {

// One list's instructions that write a temporary: their positions.
using Writers = std::unordered_map<std::uint32_t, std::vector<std::size_t>>;

// What `slice` reads through `earlier`, both of one array, as one copy; nullopt where it reads
// elements that `earlier` does not write, or the strides differ.
std::optional<StridedCopy> through(const StridedCopy& earlier, const StridedCopy& slice) {
  if (earlier.out_strides != slice.in_strides) return std::nullopt;
  StridedCopy both = slice;
  both.in_strides = earlier.in_strides;
  both.in_base = earlier.in_base;
  std::int64_t rest = slice.in_base - earlier.out_base;
  if (rest < 0) return std::nullopt;
  // The outermost dimension has the largest stride.
  for (std::size_t d = 0; d < slice.sizes.size(); ++d) {
    const std::int64_t stride = slice.in_strides[d];
    if (stride <= 0) return std::nullopt;
    const std::int64_t skipped = rest / stride;
    rest -= skipped * stride;
    if (skipped + slice.sizes[d] > earlier.sizes[d]) return std::nullopt;
    both.in_base += skipped * earlier.in_strides[d];
  }
  if (rest != 0) return std::nullopt;
  return both;
}

class Cropper {
 public:
  explicit Cropper(Draft& draft) : draft_(draft), writes_(draft) {}

  void run(Code& code) {
    for (Instruction& instruction : code)
      for_each_nested(instruction, [this](Code& nested) { run(nested); });
    if (!std::ranges::any_of(code, [](const Instruction& instruction) {
          return std::holds_alternative<StridedCopy>(instruction.work);
        }))
      return;
    Writers writers;
    std::unordered_map<std::size_t, Code> instead;  // of the slice at a position
    for (std::size_t i = 0; i < code.size(); ++i) {
      if (Code cropped = crop(code, i, writers); !cropped.empty())
        instead.emplace(i, std::move(cropped));
      for (const Operand& out : code[i].outputs)
        if (out.at.space == Space::temporary) writers[out.at.index].push_back(i);
    }
    if (!instead.empty()) replace(code, instead);
  }

 private:
  static void replace(Code& code, std::unordered_map<std::size_t, Code>& instead) {
    Code all;
    for (std::size_t i = 0; i < code.size(); ++i) {
      if (const auto found = instead.find(i); found != instead.end()) {
        std::ranges::move(found->second, std::back_inserter(all));
      } else {
        all.push_back(std::move(code[i]));
      }
    }
    code = std::move(all);
  }

  // What takes the place of a slice, if anything. What it read through goes with the dead code.
  Code crop(const Code& code, std::size_t at, const Writers& writers) {
    const Instruction& slice = code[at];
    if (!std::holds_alternative<StridedCopy>(slice.work) || !fills_in_order(slice)) return {};
    std::vector<std::size_t> chain;  // from the slice backwards
    Operand read = slice.inputs[0];
    while (const auto step = step_that_writes(code, read, writers)) {
      chain.push_back(*step);
      read = code[*step].inputs[array_of(code, code[*step], writers)];
    }
    if (chain.empty()) return {};
    const Instruction* const padded = pad_of(code, read, writers, chain.back());
    if (padded == nullptr) return {};
    auto copy = through(std::get<StridedCopy>(padded->work), std::get<StridedCopy>(slice.work));
    if (!copy) return {};
    *copy = simplified(*copy);
    Operand value = new_value(slice.outputs[0].type.shape, read.type.element);
    Code cropped{
        {.work = *copy, .inputs = {padded->inputs[0]}, .outputs = {value}, .op = slice.op}};
    for (std::size_t i = chain.size(); i-- > 0;) {
      const Instruction& step = code[chain[i]];
      const ElementType element = step.outputs[0].type.element;
      append(code, step, writers, value,
             i == 0 ? slice.outputs[0] : new_value(value.type.shape, element), cropped);
    }
    return cropped;
  }

  // A step of the smaller shape.
  void append(const Code& code, const Instruction& step, const Writers& writers, Operand& value,
              const Operand& out, Code& cropped) {
    Instruction smaller = step;
    const std::size_t array = array_of(code, step, writers);
    for (std::size_t i = 0; i < step.inputs.size(); ++i) {
      Operand& input = smaller.inputs[i];
      if (i == array) {
        input = value;
        continue;
      }
      Instruction fill = *fill_of(code, input, writers);
      input = fill.outputs[0] = new_value(out.type.shape, input.type.element);
      cropped.push_back(std::move(fill));
    }
    smaller.outputs[0] = value = out;
    cropped.push_back(std::move(smaller));
  }

  // The instruction of this list, and the only one of all, that writes a value which one operand
  // reads.
  std::optional<std::size_t> only_writer(const Operand& read, const Writers& writers) const {
    if (read.at.space != Space::temporary || read.at.offset != 0) return std::nullopt;
    const auto found = writers.find(read.at.index);
    if (found == writers.end() || found->second.size() != 1 || !writes_.is_stable(read.at))
      return std::nullopt;
    return found->second[0];
  }

  const Instruction* fill_of(const Code& code, const Operand& read, const Writers& writers) const {
    const auto writer = only_writer(read, writers);
    if (!writer || !std::holds_alternative<Fill>(code[*writer].work)) return nullptr;
    const Instruction& fill = code[*writer];
    const bool whole = writes_.is_value(fill.outputs[0]) &&
                       fill.outputs[0].type.elements() == read.type.elements();
    return whole && writes_.is_stable(fill.inputs[0].at) ? &fill : nullptr;
  }

  // The only operand that is no fill; the number of operands where there is another number of them.
  std::size_t array_of(const Code& code, const Instruction& step, const Writers& writers) const {
    std::size_t array = step.inputs.size(), count = 0;
    for (std::size_t i = 0; i < step.inputs.size(); ++i)
      if (fill_of(code, step.inputs[i], writers) == nullptr) {
        array = i;
        ++count;
      }
    return count == 1 ? array : step.inputs.size();
  }

  std::optional<std::size_t> step_that_writes(const Code& code, const Operand& read,
                                              const Writers& writers) const {
    const auto writer = only_writer(read, writers);
    if (!writer || writes_.uses(read.at.index) != 2) return std::nullopt;
    const Instruction& step = code[*writer];
    if (!std::holds_alternative<Unary>(step.work) && !std::holds_alternative<Binary>(step.work) &&
        !std::holds_alternative<Convert>(step.work))
      return std::nullopt;
    const std::size_t array = array_of(code, step, writers);
    if (array == step.inputs.size() || !writes_.is_value(step.outputs[0]) ||
        step.outputs[0].type.elements() != read.type.elements() ||
        step.inputs[array].type.elements() != read.type.elements())
      return std::nullopt;
    return *writer;
  }

  // The copy that wrote the middle of a padded array, after what surrounds it: nobody but a step of
  // the chain reads that.
  const Instruction* pad_of(const Code& code, const Operand& read, const Writers& writers,
                            std::size_t step) const {
    if (read.at.space != Space::temporary || read.at.offset != 0) return nullptr;
    const auto found = writers.find(read.at.index);
    if (found == writers.end() || writes_.uses(read.at.index) != found->second.size() + 1 ||
        found->second.back() >= step)
      return nullptr;
    const Instruction& copy = code[found->second.back()];
    if (!std::holds_alternative<StridedCopy>(copy.work) || copy.outputs[0].at != read.at ||
        copy.inputs[0].type.element != read.type.element || !writes_.is_stable(copy.inputs[0].at))
      return nullptr;
    return &copy;
  }

  Operand new_value(const Shape& shape, ElementType element) {
    return new_temporary(draft_, {element, shape});
  }

  Draft& draft_;
  const Writes writes_;  // of the draft before: values that this pass makes are not looked at
};

}  // namespace

void crop_early(Draft& draft) {
  Cropper(draft).run(draft.code);
  eliminate_dead_code(draft);
}

}  // namespace understudy::program::passes
