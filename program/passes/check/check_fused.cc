// SPDX-License-Identifier: Apache-2.0
// The rules of a Fused: its steps read and write only operands of the instruction and places of the
// tile, in shapes of its loop.
#include <algorithm>
#include <map>

#include "program/executable/tile.h"
#include "program/kernels/kernels.h"
#include "program/passes/check/check_fit.h"
#include "program/passes/check/check_work.h"
#include "program/passes/check/kernel_check.h"

namespace understudy::program::passes {

namespace {

class FusedFit {
 public:
  FusedFit(const Fused& work, const std::vector<Operand>& in, const std::vector<Operand>& out)
      : work_(work), in_(in), out_(out), written_(out.size(), false) {}

  void run() {
    need(work_.rows > 0 && work_.columns > 0 && work_.rows <= INT64_MAX / work_.columns &&
             work_.frame_bytes <= kMostFrameBytes,
         "the loop has no elements, or too many");
    find_followers();
    for (const Instruction& step : work_.steps) {
      need(step.outputs.size() == 1, "a step has not one output");
      const auto* const copy = std::get_if<StridedCopy>(&step.work);
      if (copy != nullptr && writes_apart(*copy)) {
        apart(*copy, step);
        continue;
      }
      if (copy != nullptr)
        view(*copy, step);
      else if (const auto* elements = std::get_if<TakeElements>(&step.work))
        take(*elements, step);
      else if (const auto* parts = std::get_if<Join>(&step.work))
        join(*parts, step);
      else
        for (const Operand& input : step.inputs) operand(input, false);
      operand(step.outputs[0], true);
      // A result is computed anew in every tile, so it has an element in each, or it is reduced.
      need(step.outputs[0].at.space == Space::frame ||
               step.outputs[0].type.shape[0] == work_.rows ||
               std::holds_alternative<Reduce>(step.work),
           "an output does not follow the rows");
      need(has_kernel(step.work, step.inputs, step.outputs), "no kernel for a step");
      shapes(step);
    }
    need(std::ranges::all_of(written_, [](bool is) { return is; }), "an output is not written");
  }

 private:
  // Whether some step reads an argument at the places of the tile.
  void find_followers() {
    follows_.assign(in_.size(), false);
    for (const Instruction& step : work_.steps)
      for (std::size_t i = 0; i < step.inputs.size(); ++i)
        if (const Buffer& at = step.inputs[i].at;
            at.space == Space::argument && at.index < follows_.size() && !reads_elsewhere(step, i))
          follows_[at.index] = true;
  }

  static constexpr std::uint64_t kMostFrameBytes = 1 << 20;  // per element of the tile

  void operand(const Operand& one, bool written) {
    const Shape& shape = one.type.shape;
    const bool follows_rows = !shape.empty() && (shape[0] == 1 || shape[0] == work_.rows ||
                                                 (written && is_row_per_block(one)));
    need(shape.size() == 2 && follows_rows && (shape[1] == 1 || shape[1] == work_.columns),
         "an operand of a step does not follow the loop");
    if (one.at.space == Space::frame) {
      const std::uint64_t bytes = byte_size(one.type.element);
      need(one.at.index == 0 && bytes <= work_.frame_bytes &&
               one.at.offset <= work_.frame_bytes - bytes,
           "a value of a step is outside of the tile");
      if (written) {
        values_[one.at.offset] = one.type;
        return;
      }
      const auto value = values_.find(one.at.offset);
      need(value != values_.end() && value->second.shape == shape &&
               byte_size(value->second.element) == bytes,
           "a step reads another value than was written");
      return;
    }
    const bool is_input = one.at.space == Space::argument && !written;
    need(is_input || one.at.space == Space::result, "a step uses an operand of another space");
    const auto& operands = is_input ? in_ : out_;
    need(one.at.index < operands.size() && one.at.offset == 0, "a step uses a missing operand");
    const TensorType& type = operands[one.at.index].type;
    need(type.elements() == shape[0] * shape[1] &&
             byte_size(type.element) == byte_size(one.type.element),
         "a step sees another size of an operand");
    need(is_input || written || written_[one.at.index], "a step reads an output before its write");
    if (written) written_[one.at.index] = true;
  }

  // An output that shapes() refuses where it is not of a reduction. It is complete after several
  // tiles, so that it is no value of one.
  bool is_row_per_block(const Operand& out) const {
    const std::int64_t blocks = out.type.shape[0];
    return out.at.space == Space::result && blocks > 0 && work_.rows % blocks == 0;
  }

  // An input that a step reads at other places than those of the tile.
  void whole_argument(const Instruction& step, std::size_t input = 0) const {
    is_whole(step, input);
    check_work(step);
  }
  void is_whole(const Instruction& step, std::size_t input) const {
    const Operand& in = step.inputs[input];
    need(in.at.space == Space::argument && in.at.offset == 0 && in.at.index < in_.size() &&
             !follows_[in.at.index],
         "a view is of an operand that follows the loop");
    const TensorType& type = in_[in.at.index].type;
    need(in.type.shape == Shape{type.elements(), 1} &&
             byte_size(type.element) == byte_size(in.type.element),
         "a step sees another size of an operand");
  }

  // Lines of the rows, one index for each element or for each row.
  void take(const TakeElements& work, const Instruction& step) {
    need(step.inputs.size() == 2, "wrong number of operands");
    operand(step.inputs[1], false);
    is_whole(step, 0);
    const Shape& out = step.outputs[0].type.shape;
    const Shape full{work_.rows, work_.columns};
    if (step.inputs[1].type.shape != out) {
      need(step.inputs[1].type.shape == Shape{work_.rows, 1} && out == full && work.sizes == full &&
               work.strides == Shape{0, 1},
           "rows at indices do not follow the loop");
      Instruction by_element = step;
      by_element.inputs[1].type.shape = full;
      return check_work(by_element);
    }
    check_work(step);
    const auto terms = std::ranges::count_if(work.strides, [](std::int64_t s) { return s != 0; });
    const bool is_flat = terms == 0;
    need(work.sizes.back() == out[1] && (is_flat || out == full) &&
             terms - (work.strides.back() != 0 ? 1 : 0) <=
                 static_cast<std::ptrdiff_t>(kMostRowTerms),
         "elements at indices do not follow the loop");
  }

  // Rows of an input at regular places. The last dimension is that of the loop: elements side by
  // side, some elements apart, or one for all.
  void view(const StridedCopy& copy, const Instruction& step) const {
    need(step.inputs.size() == 1, "wrong number of operands");
    whole_argument(step);
    const std::size_t rank = copy.sizes.size();
    need(rank >= 2 && copy.sizes.back() == work_.columns && copy.in_base >= 0 &&
             copy.out_base == 0 && copy.in_strides.back() <= kMostElementStep,
         "a view does not follow the columns");
    std::int64_t out = 1;
    std::size_t terms = 0;
    for (std::size_t d = rank; d-- > 0;) {
      need(copy.sizes[d] > 0 && copy.in_strides[d] >= 0 && copy.out_strides[d] == out,
           "a view is not dense");
      out *= copy.sizes[d];
      if (d + 1 < rank && copy.in_strides[d] > 0) ++terms;
    }
    need(step.outputs[0].type.shape == Shape{work_.rows, work_.columns} &&
             out == work_.rows * work_.columns && terms <= kMostRowTerms,
         "a view does not follow the rows");
  }

  // Elements of the loop at places of an output that are apart.
  void apart(const StridedCopy& copy, const Instruction& step) {
    need(step.inputs.size() == 1, "wrong number of operands");
    operand(step.inputs[0], false);
    const Operand &in = step.inputs[0], &out = step.outputs[0];
    need(out.at.space == Space::result && out.at.index < out_.size() && out.at.offset == 0,
         "a step uses a missing operand");
    const TensorType& type = out_[out.at.index].type;
    const Shape full{work_.rows, work_.columns};
    need(in.type.shape == full && out.type.shape == full && copy.in_strides[0] == 1 &&
             copy.sizes[0] == work_.rows * work_.columns &&
             copy.sizes[0] <= INT64_MAX / kMostApart &&
             type.elements() == copy.sizes[0] * copy.out_strides[0] &&
             byte_size(type.element) == byte_size(in.type.element) &&
             byte_size(out.type.element) == byte_size(in.type.element),
         "elements apart do not fit their array");
    written_[out.at.index] = true;
  }

  // Parts that are runs of elements of the loop, in rising order.
  void join(const Join& work, const Instruction& step) const {
    need(step.inputs.size() == work.parts.size() && !work.parts.empty(),
         "wrong number of operands");
    for (std::size_t i = 0; i < step.inputs.size(); ++i) whole_argument(step, i);
    need(step.outputs[0].type.shape == Shape{work_.rows, work_.columns},
         "parts do not follow the loop");
    for (const StridedCopy& part : work.parts)
      need(is_in_runs(part), "a part is not in runs of elements");
  }

  // Element-wise steps have one shape, which check_work() requires already.
  static void shapes(const Instruction& step) {
    const Shape& out = step.outputs[0].type.shape;
    if (std::holds_alternative<Fill>(step.work)) {
      need(step.inputs.size() == 1, "wrong number of operands");
      const TensorType& in = step.inputs[0].type;
      need(byte_size(in.element) == byte_size(step.outputs[0].type.element) &&
               (in.shape[0] == 1 || in.shape[0] == out[0]) &&
               (in.shape[1] == 1 || in.shape[1] == out[1]),
           "a repeated value does not fit");
    } else if (std::holds_alternative<Reduce>(step.work)) {
      const auto& work = std::get<Reduce>(step.work);
      need(step.inputs.size() == 2, "wrong number of operands");
      const Shape& in = step.inputs[0].type.shape;
      need(work.reduction != Reduction::none && step.inputs[1].type.shape == Shape{1, 1} &&
               ((out[1] == 1 && in[0] == out[0]) || (out[0] < in[0] && in[1] == out[1])) &&
               kernels::reduces_to(step.inputs[0].type.element, step.outputs[0].type.element) &&
               step.inputs[1].type.element == step.outputs[0].type.element,
           "a reduction does not fit");
    } else if (std::holds_alternative<Iota>(step.work)) {
      need(step.inputs.empty(), "wrong number of operands");
    } else if (!std::holds_alternative<StridedCopy>(step.work) &&
               !std::holds_alternative<Join>(step.work) &&
               !std::holds_alternative<TakeElements>(step.work)) {
      need(std::holds_alternative<Unary>(step.work) || std::holds_alternative<Binary>(step.work) ||
               std::holds_alternative<Compare>(step.work) ||
               std::holds_alternative<Select>(step.work) ||
               std::holds_alternative<Convert>(step.work),
           "a step is not element-wise");
      need(
          std::ranges::all_of(step.inputs, [&](const Operand& in) { return in.type.shape == out; }),
          "the operands of a step have several shapes");
      check_work(step);
    }
  }

  const Fused& work_;
  const std::vector<Operand>& in_;
  const std::vector<Operand>& out_;
  std::vector<bool> written_;
  std::vector<bool> follows_;                   // of each argument
  std::map<std::uint64_t, TensorType> values_;  // of the tile: the last written at each offset
};

}  // namespace

void InstructionChecker::operator()(const Fused& work) const { FusedFit(work, in_, out_).run(); }

}  // namespace understudy::program::passes
