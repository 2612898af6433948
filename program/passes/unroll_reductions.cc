// SPDX-License-Identifier: Apache-2.0
// Reductions of a few columns of element-wise work on broadcasts, as jnp.isin and searchsorted by
// comparison have them, become steps over the rows: or(a == b[0], a == b[1], ...). Each column is
// one number for all rows, so that a fused loop holds everything in registers, where a reduction of
// short rows would join the lanes of every row. For functions whose grouping has no influence on
// the bits.
#include <algorithm>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "program/ir/reductions.h"
#include "program/passes/fusion/groups.h"
#include "program/passes/nested.h"
#include "program/passes/values.h"

namespace understudy::program::passes {

namespace {

constexpr std::int64_t kMostColumns = 64, kLeastRows = 1024;
// All of them join one fused loop.
constexpr std::size_t kMostInstructions = 160;

// Not of numbers that share a byte.
bool has_whole_bytes(ElementType element) { return is_pred(element) || bit_width(element) >= 8; }

bool may_regroup(Reduction reduction, ElementType element) {
  switch (reduction) {
    case Reduction::minimum:
    case Reduction::maximum:
      return !is_complex(element);
    case Reduction::logical_and:
    case Reduction::logical_or:
    case Reduction::logical_xor:
      return true;
    case Reduction::sum:
    case Reduction::product:
      return is_integer(element) && bit_width(element) >= 8;
    case Reduction::none:
      break;
  }
  return false;
}

class ReductionUnroller {
 public:
  explicit ReductionUnroller(Draft& draft) : draft_(draft), writes_(draft) {}

  void run(Code& code) {
    Code all;
    std::swap(all, code);
    makers_.clear();
    for (Instruction& instruction : all) {
      if (!unroll(instruction, code)) {
        note(instruction);
        code.push_back(std::move(instruction));
      }
    }
    for (Instruction& instruction : code)
      for_each_nested(instruction, [this](Code& nested) { run(nested); });
  }

 private:
  // Of the value that is reduced, `rows` x `columns`: the instructions that make it, each after
  // those of its operands.
  struct Tree {
    std::int64_t rows, columns;
    std::vector<const Instruction*> makers;
    std::size_t numbers = 0;  // operands that are one number for a column
  };

  // Remembers what makes a temporary, if it is one value of work that can be in a tree.
  void note(const Instruction& instruction) {
    const bool repeats = std::holds_alternative<StridedCopy>(instruction.work) ||
                         std::holds_alternative<Fill>(instruction.work);
    if (!repeats && !is_element_wise(instruction)) return;
    const Operand& out = instruction.outputs[0];
    if (out.at.space == Space::temporary && out.at.offset == 0 && writes_.is_value(out))
      makers_.insert_or_assign(out.at.index, instruction);
  }

  static bool is_element_wise(const Instruction& instruction) {
    const Work& work = instruction.work;
    return std::holds_alternative<Unary>(work) || std::holds_alternative<Binary>(work) ||
           std::holds_alternative<Compare>(work) || std::holds_alternative<Select>(work) ||
           std::holds_alternative<Convert>(work);
  }

  // Adds what makes an operand; false where a part of it is no broadcast.
  bool add(const Operand& operand, Tree& tree) const {
    if (operand.at.space != Space::temporary || operand.at.offset != 0 ||
        operand.type.elements() != tree.rows * tree.columns ||
        !has_whole_bytes(operand.type.element))
      return false;
    const auto found = makers_.find(operand.at.index);
    if (found == makers_.end() ||
        found->second.outputs[0].type.elements() != operand.type.elements() ||
        found->second.outputs[0].type.element != operand.type.element)
      return false;
    const Instruction& maker = found->second;
    if (is_element_wise(maker)) {
      if (writes_.uses(operand.at.index) != 2) return false;  // its own and this one
      for (const Operand& input : maker.inputs)
        if (!add(input, tree)) return false;
    } else if (!writes_.is_stable(maker.inputs[0].at)) {
      return false;
    } else if (const auto* const copy = std::get_if<StridedCopy>(&maker.work)) {
      if (copy->sizes != Shape{tree.rows, tree.columns}) return false;
      if (is_column_spread(*copy)) {
        ++tree.numbers;
      } else if (!is_row_spread(*copy)) {
        return false;
      }
    } else if (!std::holds_alternative<Fill>(maker.work)) {
      return false;
    }
    tree.makers.push_back(&maker);
    return true;
  }

  std::optional<Tree> tree_of(const Instruction& instruction) const {
    const auto* const reduce = std::get_if<Reduce>(&instruction.work);
    if (reduce == nullptr || instruction.inputs.size() != 2) return std::nullopt;
    const Operand &x = instruction.inputs[0], &out = instruction.outputs[0];
    if (!may_regroup(reduce->reduction, x.type.element) || out.type.element != x.type.element ||
        !writes_.is_stable(instruction.inputs[1].at))
      return std::nullopt;
    Tree tree{out.type.elements(), 1, {}};
    const auto rank = static_cast<std::size_t>(x.type.ndims());
    const std::size_t kept = rank - reduce->dimensions.size();
    for (std::size_t d = kept; d < rank; ++d) {
      if (std::ranges::find(reduce->dimensions, static_cast<std::int64_t>(d)) ==
          reduce->dimensions.end())
        return std::nullopt;
      tree.columns *= x.type.shape[d];
    }
    if (tree.rows < kLeastRows || tree.columns < 2 || tree.columns > kMostColumns ||
        !add(x, tree) || tree.numbers == 0 || !is_element_wise(*tree.makers.back()))
      return std::nullopt;
    const auto columns = static_cast<std::size_t>(tree.columns);
    if (columns * (tree.makers.size() + 1) > kMostInstructions) return std::nullopt;
    return tree;
  }

  bool unroll(const Instruction& instruction, Code& code) {
    const auto tree = tree_of(instruction);
    if (!tree) return false;
    const Operand& out = instruction.outputs[0];
    const BinaryOp combine = *function_of(std::get<Reduce>(instruction.work).reduction);
    const auto fill = [&](const Operand& scalar) {
      const Operand all = new_temporary(draft_, {scalar.type.element, out.type.shape});
      code.push_back({Fill{}, {{scalar.at, {scalar.type.element, {}}}}, {all}, instruction.op});
      return all;
    };
    Operand sum = fill(instruction.inputs[1]);
    std::unordered_map<std::uint32_t, Operand> column;  // by the temporary of all columns
    for (std::int64_t k = 0; k < tree->columns; ++k) {
      for (const Instruction* const maker : tree->makers) {
        const Operand& whole = maker->outputs[0];
        Operand& made = column[whole.at.index];
        if (std::holds_alternative<Fill>(maker->work)) {
          if (k == 0) made = fill(maker->inputs[0]);
        } else if (const auto* const copy = std::get_if<StridedCopy>(&maker->work)) {
          made = {maker->inputs[0].at, {whole.type.element, out.type.shape}};
          if (is_row_spread(*copy)) continue;
          made.at.offset += static_cast<std::uint64_t>(k) * byte_size(whole.type.element);
          made = fill(made);
        } else {
          std::vector<Operand> inputs;
          for (const Operand& input : maker->inputs) inputs.push_back(column.at(input.at.index));
          made = new_temporary(draft_, {whole.type.element, out.type.shape});
          code.push_back({maker->work, std::move(inputs), {made}, maker->op});
        }
      }
      const bool is_last = k + 1 == tree->columns;
      const Operand next =
          is_last ? out : new_temporary(draft_, {out.type.element, out.type.shape});
      code.push_back({Binary{combine},
                      {sum, column.at(instruction.inputs[0].at.index)},
                      {next},
                      instruction.op});
      sum = next;
    }
    return true;
  }

  Draft& draft_;
  const Writes writes_;                                    // of the draft before
  std::unordered_map<std::uint32_t, Instruction> makers_;  // of the present list
};

}  // namespace

void unroll_reductions(Draft& draft) {
  ReductionUnroller(draft).run(draft.code);
  eliminate_dead_code(draft);
}

}  // namespace understudy::program::passes
