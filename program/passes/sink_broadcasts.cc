// SPDX-License-Identifier: Apache-2.0
// Broadcasts, and gathers that make larger arrays, after element-wise work instead of before it:
// f(broadcast(x), c) is broadcast(f(x, c)), with fewer elements to compute, and a reduction of what
// was broadcast needs no broadcast (the gradients of repeat and tile). A sum of n equal values is
// one product and one sum, each rounded once; all other bits stay. Equivalents: XLA's
// AlgebraicSimplifier (sinking of broadcasts, reduce of broadcast).
#include <algorithm>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "program/ir/reductions.h"
#include "program/kernels/kernels.h"
#include "program/passes/copies.h"
#include "program/passes/element_bytes.h"
#include "program/passes/gather_exits.h"
#include "program/passes/module/attributes.h"
#include "program/passes/nested.h"
#include "program/passes/permuted_view.h"
#include "program/passes/values.h"

namespace understudy::program::passes {

namespace {

// Smaller arrays take less time than one more instruction on an array.
constexpr std::int64_t kLeastSunkBytes = 32 << 10;
// Elements that have one number: an instruction on numbers takes less time than one on arrays.
constexpr std::int64_t kLeastFilled = 256;
// Sums of more equal values are left as they are: f32, in which most are made, has each of these
// numbers.
constexpr std::int64_t kMostSummed = 1 << 24;

class BroadcastSinker {
 public:
  explicit BroadcastSinker(Draft& draft) : draft_(draft), writes_(draft) {}

  void run(Code& code) {
    Code all;
    std::swap(all, code);
    forget_passing();
    kept_.merge(gathers_to_keep(all));
    for (Instruction& instruction : all) {
      for_each_nested(instruction, [this](Code& nested) { run(nested); });
      append(std::move(instruction), code);
    }
    forget_passing();
  }

 private:
  void append(Instruction instruction, Code& code) {
    if (is_lane_by_lane(instruction.work) && is_value(instruction.outputs[0])) {
      if (sink(instruction, code)) return;
    } else if (std::holds_alternative<Reduce>(instruction.work)) {
      if (reduce(instruction, code)) return;
    }
    forget_readers(instruction);
    note(instruction);
    code.push_back(std::move(instruction));
  }

  bool is_value(const Operand& written) const {
    return is_made(written.at) || writes_.is_value(written);
  }
  bool is_stable(const Buffer& read) const { return is_made(read) || writes_.is_stable(read); }
  bool is_made(const Buffer& buffer) const {
    return buffer.space == Space::temporary && made_.contains(buffer.index);
  }

  // Remembers what makes a larger array of a smaller one.
  void note(const Instruction& instruction) {
    if (!repeats_elements(instruction)) return;
    const Operand &from = instruction.inputs[0], &to = instruction.outputs[0];
    const bool fills = std::holds_alternative<Fill>(instruction.work);
    const bool is_large =
        fills ? to.type.elements() >= kLeastFilled : to.type.bytes() >= kLeastSunkBytes;
    if (!is_large || 2 * from.type.elements() > to.type.elements() ||
        to.at.space != Space::temporary || !is_value(to) || kept_.contains(to.at.index))
      return;
    const bool stays = std::ranges::all_of(instruction.inputs,
                                           [this](const Operand& in) { return is_stable(in.at); });
    if (!stays && !(fills && from.at.space == Space::temporary)) return;
    repeats_.insert_or_assign(to.at.index, instruction);
    if (!stays) passing_[from.at.index].push_back(to.at.index);
  }

  // Forgets what repeats a number that several instructions write, such as the number of the
  // iteration, once one of them has written it.
  void forget_readers(const Instruction& writer) {
    for (const Operand& written : writer.outputs) {
      if (written.at.space != Space::temporary) continue;
      const auto found = passing_.find(written.at.index);
      if (found == passing_.end()) continue;
      for (const std::uint32_t array : found->second) repeats_.erase(array);
      passing_.erase(found);
    }
  }
  // The same of all such numbers: nested code writes them at other times.
  void forget_passing() {
    for (const auto& [number, arrays] : passing_)
      for (const std::uint32_t array : arrays) repeats_.erase(array);
    passing_.clear();
  }

  // Each element of the output is one of the first input.
  static bool repeats_elements(const Instruction& instruction) {
    const Work& work = instruction.work;
    return std::holds_alternative<Fill>(work) || std::holds_alternative<Gather>(work) ||
           std::holds_alternative<TakeElements>(work) ||
           (std::holds_alternative<StridedCopy>(work) && fills_in_order(instruction));
  }

  // What made an operand by repeating something smaller; nullptr where nothing did.
  const Instruction* repeat_of(const Operand& read) const {
    if (read.at.space != Space::temporary || read.at.offset != 0) return nullptr;
    const auto found = repeats_.find(read.at.index);
    if (found == repeats_.end()) return nullptr;
    const TensorType& type = found->second.outputs[0].type;
    // A gather makes its result as its shape says; the others write elements in a row.
    const bool whole =
        type.element == read.type.element && (std::holds_alternative<Gather>(found->second.work)
                                                  ? type.shape == read.type.shape
                                                  : type.elements() == read.type.elements());
    return whole ? &found->second : nullptr;
  }

  // The element-wise work on what all its operands repeat in the same way, then that repetition.
  bool sink(const Instruction& instruction, Code& code) {
    std::vector<const Instruction*> repeats;
    const Instruction* first = nullptr;  // that is no fill
    for (const Operand& input : instruction.inputs) {
      const Instruction* const repeat = repeat_of(input);
      if (repeat == nullptr) return false;
      repeats.push_back(repeat);
      if (std::holds_alternative<Fill>(repeat->work)) continue;
      if (first == nullptr) first = repeat;
      if (!repeats_alike(*repeat, *first)) return false;
    }
    const Shape shape = first != nullptr ? first->inputs[0].type.shape : Shape{};
    Instruction repetition = first != nullptr ? *first : *repeats[0];
    Instruction smaller{instruction.work, {}, {}, instruction.op};
    for (const Instruction* const repeat : repeats) {
      Operand from = repeat->inputs[0];
      const bool spreads = first != nullptr && std::holds_alternative<Fill>(repeat->work);
      from = spreads ? fill(from, shape, instruction.op, code)
                     : Operand{from.at, {from.type.element, shape}};
      smaller.inputs.push_back(from);
    }
    smaller.outputs = {make({instruction.outputs[0].type.element, shape})};
    repetition.inputs[0] = smaller.outputs[0];
    repetition.outputs = instruction.outputs;
    append(std::move(smaller), code);
    append(std::move(repetition), code);
    return true;
  }

  bool reduce(const Instruction& instruction, Code& code) {
    const auto& work = std::get<Reduce>(instruction.work);
    if (instruction.inputs.size() != 2 || !is_stable(instruction.inputs[1].at)) return false;
    const Operand& x = instruction.inputs[0];
    const Instruction* const repeat = repeat_of(x);
    if (repeat == nullptr || !std::holds_alternative<StridedCopy>(repeat->work)) return false;
    StridedCopy kept = std::get<StridedCopy>(repeat->work);
    const auto strides = strides_through(kept, x.type.shape);
    if (!strides) return false;
    // The dimensions that stay, and how often each element of them counts.
    Shape shape, in_strides;
    std::int64_t times = 1;
    for (std::size_t d = 0; d < x.type.shape.size(); ++d) {
      const std::int64_t size = x.type.shape[d];
      if (std::ranges::find(work.dimensions, static_cast<std::int64_t>(d)) ==
          work.dimensions.end()) {
        shape.push_back(size);
        in_strides.push_back((*strides)[d]);
      } else if (size > 1 && (*strides)[d] != 0) {
        return false;
      } else {
        times *= size;
      }
    }
    const auto combine = combiner(work.reduction, x.type.element, times);
    if (!combine) return false;
    kept = {shape, in_strides, row_major_strides(shape), kept.in_base, 0};
    combine_with(*combine, kept, repeat->inputs[0], instruction, code);
    return true;
  }

  // The function of init and the repeated value that the reduction is; nullopt of those that are
  // left as they are.
  struct Combiner {
    BinaryOp function;
    std::int64_t times;  // of a sum; else 1
  };
  static std::optional<Combiner> combiner(Reduction reduction, ElementType element,
                                          std::int64_t times) {
    const auto function = function_of(reduction);
    if (!function || *function == BinaryOp::multiply) return std::nullopt;  // a power
    if (*function != BinaryOp::add) return Combiner{*function, 1};
    const bool is_number =
        is_whole_integer(element) || (is_float(element) && bit_width(element) >= 16);
    if (!is_number || times > kMostSummed) return std::nullopt;
    return Combiner{*function, times};
  }

  void combine_with(const Combiner& combiner, const StridedCopy& kept, const Operand& source,
                    const Instruction& reduction, Code& code) {
    const Operand& out = reduction.outputs[0];
    const Shape& shape = out.type.shape;
    // What sums accumulate in.
    const ElementType element = combiner.function == BinaryOp::add
                                    ? kernels::accumulator_type(out.type.element)
                                    : out.type.element;
    const auto apply = [&](Work work, std::vector<Operand> inputs) {
      const Operand result = make({element, shape});
      append({std::move(work), std::move(inputs), {result}, reduction.op}, code);
      return result;
    };
    const auto widened = [&](const Operand& x) {
      return x.type.element == element ? x : apply(Convert{}, {x});
    };
    Operand value = source;
    value.type.shape = shape;
    Instruction copy{simplified(kept), {source}, {value}, reduction.op};
    if (!is_whole_copy(copy)) {
      value = copy.outputs[0] = make(value.type);
      append(std::move(copy), code);
    }
    value = widened(value);
    if (combiner.times > 1) {
      const Operand times = constant(element, combiner.times);
      value = apply(Binary{BinaryOp::multiply}, {value, fill(times, shape, reduction.op, code)});
    }
    const Operand init = widened(fill(reduction.inputs[1], shape, reduction.op, code));
    if (element == out.type.element) {
      append({Binary{combiner.function}, {init, value}, {out}, reduction.op}, code);
      return;
    }
    append({Convert{}, {apply(Binary{combiner.function}, {init, value})}, {out}, reduction.op},
           code);
  }

  Operand fill(const Operand& scalar, const Shape& shape, std::uint32_t op, Code& code) {
    const Operand filled = make({scalar.type.element, shape});
    append({Fill{}, {{scalar.at, {scalar.type.element, {}}}}, {filled}, op}, code);
    return filled;
  }

  Operand constant(ElementType element, std::int64_t value) {
    const std::vector<std::byte> bytes = bytes_of(element, static_cast<double>(value));
    return {{Space::constant, 0, append_constant(draft_, bytes)}, {element, {}}};
  }

  Operand make(const TensorType& type) {
    Operand made = new_temporary(draft_, type);
    made_.insert(made.at.index);
    return made;
  }

  Draft& draft_;
  const Writes writes_;                                     // of the draft before
  std::unordered_set<std::uint32_t> made_;                  // values that this pass has made
  std::unordered_set<std::uint32_t> kept_;                  // gathers that stay as they are
  std::unordered_map<std::uint32_t, Instruction> repeats_;  // what makes a temporary by repeating
  // Arrays in repeats_, by the number that they repeat, which several instructions write.
  std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> passing_;
};

}  // namespace

void sink_broadcasts(Draft& draft) {
  BroadcastSinker(draft).run(draft.code);
  eliminate_dead_code(draft);
}

}  // namespace understudy::program::passes
