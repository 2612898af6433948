// SPDX-License-Identifier: Apache-2.0
// Reductions of a few columns of element-wise work on broadcasts, as jnp.isin, searchsorted by
// comparison and distances of points have them, become steps over the rows: or(a == b[0],
// a == b[1], ...). Each column is one number for all rows, a small array that is repeated along
// them, or one of two to four columns of a large array, so that a fused loop holds everything in
// registers, where a reduction of short rows would join the lanes of every row. The steps are those
// of a fold (docs/numerics.md): its 16 lanes have one column each, or the grouping has no influence
// on the bits.
#include <algorithm>
#include <list>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "program/ir/reductions.h"
#include "program/kernels/chain/chain_kernels.h"
#include "program/passes/column_arrays.h"
#include "program/passes/element_bytes.h"
#include "program/passes/nested.h"
#include "program/passes/values.h"

namespace understudy::program::passes {

namespace {

constexpr std::int64_t kMostColumns = 64, kLeastRows = 1024;
// Of a fold: more columns of sums of floats would share them.
constexpr std::int64_t kLanes = 16;
// A column's own array is copied out of that of all columns.
constexpr std::int64_t kLeastRepeats = 8;
// Of a large array, whose elements are loaded that far apart: more of them take longer to bring
// into order than rows take to be reduced.
constexpr std::int64_t kMostApart = 4;
// All of them join one fused loop.
constexpr std::size_t kMostInstructions = 160;

// Not of numbers that share a byte.
bool has_whole_bytes(ElementType element) { return is_pred(element) || bit_width(element) >= 8; }

// The most columns whose steps have the bits of the reduction.
std::int64_t most_columns(Reduction reduction, ElementType element) {
  switch (reduction) {
    case Reduction::minimum:
    case Reduction::maximum:
      return is_complex(element) ? 0 : kMostColumns;
    case Reduction::logical_and:
    case Reduction::logical_or:
    case Reduction::logical_xor:
      return kMostColumns;
    case Reduction::sum:
    case Reduction::product:
      if (is_whole_integer(element)) return kMostColumns;
      return element == ElementType::f32 || element == ElementType::f64 ? kLanes : 0;
    case Reduction::none:
      break;
  }
  return 0;
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
    std::uint32_t op;  // of the reduction
    std::vector<const Instruction*> makers = {};
    std::unordered_map<std::uint64_t, std::size_t> uses = {};  // of their values, by each other
    std::size_t differing = 0;  // operands that have another number or array for each column
    std::list<Instruction> arrays = {};  // makers of columns of arrays that others make

    bool has(const Instruction& maker) const {
      return std::ranges::find(makers, &maker) != makers.end();
    }
  };

  // Remembers what makes a temporary, if it is one value of work that decides about a tree.
  void note(const Instruction& instruction) {
    // Counted numbers are in no tree, and no array that a loop should read.
    const bool decides = std::holds_alternative<StridedCopy>(instruction.work) ||
                         std::holds_alternative<Fill>(instruction.work) ||
                         std::holds_alternative<Iota>(instruction.work);
    if (!decides && !is_element_wise(instruction)) return;
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

  // Of an argument or a temporary, from its start.
  static std::uint64_t key_of(const Operand& operand) {
    return std::uint64_t{operand.at.index} << 1 | (operand.at.space == Space::argument ? 1 : 0);
  }

  // What is known to make an operand.
  const Instruction* maker_of(const Operand& operand) const {
    if (operand.at.space != Space::temporary || operand.at.offset != 0) return nullptr;
    const auto found = makers_.find(operand.at.index);
    return found == makers_.end() ? nullptr : &found->second;
  }

  // Adds what makes an operand; false where a part of it has no columns.
  bool add(const Operand& operand, Tree& tree) const {
    if (operand.type.elements() != tree.rows * tree.columns ||
        !has_whole_bytes(operand.type.element))
      return false;
    const Instruction* const maker = maker_of(operand);
    if (maker == nullptr) return add_array(operand, tree);
    // A tree has a place as one type only.
    const TensorType& made = maker->outputs[0].type;
    if (made.elements() != operand.type.elements() || made.element != operand.type.element)
      return false;
    const auto* const copy = std::get_if<StridedCopy>(&maker->work);
    if (copy != nullptr && !(writes_.is_stable(maker->inputs[0].at) &&
                             (is_repeated(*copy, tree) || is_apart(*copy, operand, tree))))
      return add_array(operand, tree);
    ++tree.uses[key_of(operand)];
    if (tree.has(*maker)) return true;
    if (is_element_wise(*maker)) {
      for (const Operand& input : maker->inputs)
        if (!add(input, tree)) return false;
    } else if (copy != nullptr) {
      if (copy->in_strides.back() != 0) ++tree.differing;
    } else if (!std::holds_alternative<Fill>(maker->work) ||
               !writes_.is_stable(maker->inputs[0].at)) {
      return false;
    }
    tree.makers.push_back(maker);
    return true;
  }

  // Adds the columns of an array in memory.
  bool add_array(const Operand& operand, Tree& tree) const {
    for (const Instruction& array : tree.arrays)
      if (array.outputs[0].at == operand.at)
        return array.outputs[0].type.element == operand.type.element;
    const bool has_start = operand.at.offset == 0 && (operand.at.space == Space::argument ||
                                                      operand.at.space == Space::temporary);
    const Shape sizes{tree.rows, tree.columns};
    const StridedCopy copy{sizes, dense_strides(sizes), dense_strides(sizes)};
    if (!has_start || !writes_.is_stable(operand.at) || !is_apart(copy, operand, tree))
      return false;
    tree.arrays.push_back({copy, {operand}, {operand}, tree.op});
    tree.makers.push_back(&tree.arrays.back());
    ++tree.differing;
    return true;
  }

  // Whether the columns of a copy are elements of rows that a chain loads, or bytes, which a step
  // before it brings together.
  static bool is_apart(const StridedCopy& copy, const Operand& operand, const Tree& tree) {
    const ElementType element = operand.type.element;
    if (tree.columns > kMostApart || (!kernels::is_word(element) && !kernels::is_byte(element)))
      return false;
    const auto arrays = column_arrays(copy, tree.columns);
    return arrays && arrays->strides.size() == 1 && arrays->strides[0] > 0 &&
           kernels::is_chain_stride(static_cast<std::size_t>(arrays->strides[0]));
  }

  // Whether a copy repeats its columns along the rows, or has one value for all columns of a row.
  static bool is_repeated(const StridedCopy& copy, const Tree& tree) {
    const auto arrays = column_arrays(copy, tree.columns);
    if (!arrays) return false;
    const bool is_row_value = arrays->apart == 0 && arrays->strides == Shape{1};
    return is_row_value || arrays->elements() * kLeastRepeats <= tree.rows;
  }

  // Whether nothing but the tree reads its element-wise values.
  bool is_only_reader(const Tree& tree) const {
    return std::ranges::all_of(tree.makers, [&](const Instruction* maker) {
      const Operand& value = maker->outputs[0];
      return !is_element_wise(*maker) ||
             writes_.uses(value.at.index) == tree.uses.at(key_of(value)) + 1;
    });
  }

  std::optional<Tree> tree_of(const Instruction& instruction) const {
    const auto* const reduce = std::get_if<Reduce>(&instruction.work);
    if (reduce == nullptr || instruction.inputs.size() != 2) return std::nullopt;
    const Operand &x = instruction.inputs[0], &out = instruction.outputs[0];
    if (out.type.element != x.type.element || !writes_.is_stable(instruction.inputs[1].at))
      return std::nullopt;
    Tree tree{out.type.elements(), 1, instruction.op};
    const auto rank = static_cast<std::size_t>(x.type.ndims());
    const std::size_t kept = rank - reduce->dimensions.size();
    for (std::size_t d = kept; d < rank; ++d) {
      if (std::ranges::find(reduce->dimensions, static_cast<std::int64_t>(d)) ==
          reduce->dimensions.end())
        return std::nullopt;
      tree.columns *= x.type.shape[d];
    }
    if (tree.rows < kLeastRows || tree.columns < 2 ||
        tree.columns > most_columns(reduce->reduction, x.type.element) || !add(x, tree) ||
        tree.differing == 0 || !is_element_wise(*tree.makers.back()) || !is_only_reader(tree))
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
    Columns columns{*tree, out.type.shape, code, {}};
    const Operand init = filled(instruction.inputs[1], columns);
    const Operand all = folded(instruction, combine, 0, 1, columns);
    code.push_back({Binary{combine}, {init, all}, {out}, instruction.op});
    return true;
  }

  // The columns of a tree, as they are made.
  struct Columns {
    const Tree& tree;
    const Shape& shape;  // of each
    Code& code;
    std::unordered_map<std::uint64_t, Operand> made;  // the last one, by the key of all
  };

  // Lanes `lane`, `lane` + `step`, ... joined by the tree of a fold.
  Operand folded(const Instruction& reduce, BinaryOp combine, std::int64_t lane, std::int64_t step,
                 Columns& columns) {
    const std::int64_t count = columns.tree.columns;
    if (lane + step >= count) return column(reduce.inputs[0], lane, columns);
    const Operand a = folded(reduce, combine, lane, 2 * step, columns);
    const Operand b = folded(reduce, combine, lane + step, 2 * step, columns);
    const Operand both = new_temporary(draft_, {a.type.element, columns.shape});
    columns.code.push_back({Binary{combine}, {a, b}, {both}, reduce.op});
    return both;
  }

  // Column k of what the tree makes.
  Operand column(const Operand& whole, std::int64_t k, Columns& columns) {
    for (const Instruction* const maker : columns.tree.makers) {
      const Operand& all = maker->outputs[0];
      const auto* const copy = std::get_if<StridedCopy>(&maker->work);
      const bool is_same = !is_element_wise(*maker) && (!copy || copy->in_strides.back() == 0);
      if (is_same && columns.made.contains(key_of(all))) continue;
      if (copy != nullptr) {
        columns.made[key_of(all)] = spread(*maker, *copy, k, columns);
      } else if (is_same) {
        columns.made[key_of(all)] = filled(maker->inputs[0], columns);
      } else {
        std::vector<Operand> inputs;
        for (const Operand& input : maker->inputs) inputs.push_back(columns.made.at(key_of(input)));
        const Operand made = new_temporary(draft_, {all.type.element, columns.shape});
        columns.code.push_back({maker->work, std::move(inputs), {made}, maker->op});
        columns.made[key_of(all)] = made;
      }
    }
    return columns.made.at(key_of(whole));
  }

  Operand filled(const Operand& scalar, Columns& columns) {
    const Operand all = new_temporary(draft_, {scalar.type.element, columns.shape});
    columns.code.push_back(
        {Fill{}, {{scalar.at, {scalar.type.element, {}}}}, {all}, columns.tree.op});
    return all;
  }

  // Column k of a copy: one number, an array as it is, or an array that is copied out, and
  // repeated.
  Operand spread(const Instruction& maker, const StridedCopy& copy, std::int64_t k,
                 Columns& columns) {
    const ColumnArrays arrays = *column_arrays(copy, columns.tree.columns);
    const ElementType element = maker.outputs[0].type.element;
    const std::int64_t first = arrays.base + k * arrays.apart;
    Operand from{maker.inputs[0].at, {element, {}}};
    from.at.offset += static_cast<std::uint64_t>(first) * byte_size(element);
    StridedCopy out{{}, {}, {}, first}, repeat{arrays.sizes, {}, dense_strides(arrays.sizes)};
    for (std::size_t d = 0; d < arrays.sizes.size(); ++d) {
      if (arrays.strides[d] == 0) continue;
      out.sizes.push_back(arrays.sizes[d]);
      out.in_strides.push_back(arrays.strides[d]);
    }
    if (out.sizes.empty()) return filled(from, columns);
    out.out_strides = dense_strides(out.sizes);
    from.type.shape = out.sizes;
    if (out.in_strides != out.out_strides) {
      from.at = new_temporary(draft_, from.type).at;
      columns.code.push_back({out, {maker.inputs[0]}, {from}, maker.op});
    }
    if (out.sizes == arrays.sizes) return {from.at, {element, columns.shape}};
    std::size_t next = 0;
    for (const std::int64_t stride : arrays.strides)
      repeat.in_strides.push_back(stride == 0 ? 0 : out.out_strides[next++]);
    const Operand all = new_temporary(draft_, {element, columns.shape});
    columns.code.push_back({repeat, {from}, {all}, maker.op});
    return all;
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
