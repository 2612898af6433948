// SPDX-License-Identifier: Apache-2.0
// Transposes next to dots. A dot reads its operands in any order of their dimensions, so a
// transpose of an operand becomes part of its dimension numbers; a transposed result is the product
// of the exchanged operands: (a b)^T = b^T a^T. Transposes of transposes become one, or a plain
// copy. JAX writes each matrix gradient as a dot and a transpose. Equivalents: XLA's
// TransposeFolding and AlgebraicSimplifier.
//
// Products and the order of each sum stay as they were; only the matrix unit may choose another
// blocking for another layout (docs/numerics.md).
#include <algorithm>
#include <numeric>
#include <optional>
#include <unordered_map>

#include "program/passes/nested.h"
#include "program/passes/permuted_view.h"
#include "program/passes/values.h"

namespace understudy::program::passes {

namespace {

Shape free_dimensions(std::size_t ndims, const Shape& batch, const Shape& contracting) {
  Shape free;
  for (std::int64_t d = 0; d < static_cast<std::int64_t>(ndims); ++d)
    if (std::ranges::find(batch, d) == batch.end() &&
        std::ranges::find(contracting, d) == contracting.end())
      free.push_back(d);
  return free;
}

// The worker sums along the pairs of contracting dimensions in the order of the lhs' dimensions.
std::vector<std::size_t> order_of_sum(const Shape& lhs_contracting) {
  std::vector<std::size_t> order(lhs_contracting.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  // Contracting pairs are summed in the order of the lhs: changing it would change the bits of the
  // sum.
  std::ranges::sort(order, {}, [&](std::size_t i) { return lhs_contracting[i]; });
  return order;
}

using Positions = std::unordered_map<std::uint32_t, std::size_t>;  // by temporary

class TransposeFolder {
 public:
  explicit TransposeFolder(const Draft& draft) : writes_(draft) {}

  // Operands of dots and of other transposes.
  void fold_operands(Code& code) {
    for (Instruction& instruction : code)
      for_each_nested(instruction, [this](Code& nested) { fold_operands(nested); });
    Positions permuted;  // of the permutation that wrote a temporary, earlier in this list
    for (std::size_t i = 0; i < code.size(); ++i) {
      // The lhs first: folding one side leaves the other's permutation valid.
      if (std::holds_alternative<Dot>(code[i].work)) {
        fold_operand(code, permuted, code[i], 0);
        fold_operand(code, permuted, code[i], 1);
      } else if (is_permutation(code[i])) {
        compose(code, permuted, code[i]);
        // Only a temporary with one write has the same contents at all its readers.
        if (writes_.is_value(code[i].outputs[0])) permuted[code[i].outputs[0].at.index] = i;
      }
    }
  }

  bool made_copies() const { return made_copies_; }

  // Results of dots, once no transpose cancels another one any more.
  void fold_results(Code& code) {
    for (Instruction& instruction : code)
      for_each_nested(instruction, [this](Code& nested) { fold_results(nested); });
    Positions products;
    std::vector<bool> gone(code.size(), false);
    for (std::size_t i = 0; i < code.size(); ++i) {
      if (std::holds_alternative<Dot>(code[i].work)) {
        if (writes_.is_value(code[i].outputs[0])) products[code[i].outputs[0].at.index] = i;
      } else if (is_permutation(code[i])) {
        gone[i] = fold_result(code, products, code[i]);
      }
    }
    remove_marked(code, gone);
  }

 private:
  // The transpose that wrote what `operand` reads as a whole.
  const Instruction* transpose_of(const Code& code, const Positions& permuted,
                                  const Operand& operand) const {
    if (operand.at.space != Space::temporary || operand.at.offset != 0) return nullptr;
    const auto found = permuted.find(operand.at.index);
    if (found == permuted.end()) return nullptr;
    const Instruction& copy = code[found->second];
    // The same elements under another shape are fine; another type is not.
    const bool fits = copy.outputs[0].type.elements() == operand.type.elements() &&
                      copy.outputs[0].type.element == operand.type.element;
    return fits && writes_.is_stable(copy.inputs[0].at) ? &copy : nullptr;
  }

  void fold_operand(const Code& code, const Positions& permuted, Instruction& product,
                    std::size_t side) {
    Operand& operand = product.inputs[side];
    const Instruction* const copy = transpose_of(code, permuted, operand);
    if (copy == nullptr) return;
    const auto view = permuted_view(std::get<StridedCopy>(copy->work), operand.type.shape);
    if (!view) return;
    Dot changed = std::get<Dot>(product.work);
    Shape& batch = side == 0 ? changed.lhs_batch : changed.rhs_batch;
    Shape& contracting = side == 0 ? changed.lhs_contracting : changed.rhs_contracting;
    const std::size_t ndims = operand.type.shape.size();
    const Shape free = free_dimensions(ndims, batch, contracting);
    const auto move = [&](Shape dimensions) {
      for (std::int64_t& d : dimensions) d = view->position[static_cast<std::size_t>(d)];
      return dimensions;
    };
    const std::vector<std::size_t> order = order_of_sum(changed.lhs_contracting);
    batch = move(batch);
    contracting = move(contracting);
    // The result lists free dimensions in the order of the operand.
    // Dimension numbers cannot express another order of free dimensions.
    if (!std::ranges::is_sorted(move(free)) || order_of_sum(changed.lhs_contracting) != order)
      return;
    product.work = std::move(changed);
    operand.at = copy->inputs[0].at;
    operand.type.shape = view->shape;
  }

  // A transpose that reads a transpose reads its source.
  void compose(const Code& code, const Positions& permuted, Instruction& copy) {
    const Instruction* const earlier = transpose_of(code, permuted, copy.inputs[0]);
    if (earlier == nullptr) return;
    const auto both =
        composed(std::get<StridedCopy>(earlier->work), std::get<StridedCopy>(copy.work));
    if (!both) return;
    copy.work = *both;
    copy.inputs[0] = earlier->inputs[0];
    made_copies_ = made_copies_ || is_whole_copy(copy);
  }

  // Lets a product write what `copy` would make of its result, where that exchanges its operands.
  bool fold_result(Code& code, const Positions& products, const Instruction& copy) {
    const Buffer& from = copy.inputs[0].at;
    const Buffer& to = copy.outputs[0].at;
    if (from.space != Space::temporary || from.offset != 0) return false;
    const auto found = products.find(from.index);
    // One write and one read: nobody else sees the untransposed product.
    if (found == products.end() || writes_.uses(from.index) != 2) return false;
    // A place that others write may be in use until here.
    if (!writes_.is_value(copy.outputs[0])) return false;
    Instruction& product = code[found->second];
    Dot work = std::get<Dot>(product.work);
    const Shape& lhs = product.inputs[0].type.shape;
    const Shape& rhs = product.inputs[1].type.shape;
    const Shape lhs_free = free_dimensions(lhs.size(), work.lhs_batch, work.lhs_contracting);
    const Shape rhs_free = free_dimensions(rhs.size(), work.rhs_batch, work.rhs_contracting);
    const std::int64_t rows = elements_of(lhs, lhs_free), columns = elements_of(rhs, rhs_free),
                       batch = elements_of(lhs, work.lhs_batch);
    if (product.outputs[0].type.elements() != copy.outputs[0].type.elements() ||
        !exchanges(std::get<StridedCopy>(copy.work), batch, rows, columns))
      return false;
    const std::vector<std::size_t> order = order_of_sum(work.lhs_contracting);
    std::swap(work.lhs_batch, work.rhs_batch);
    std::swap(work.lhs_contracting, work.rhs_contracting);
    // Precisions belong to operands and follow them.
    std::swap(work.lhs_precision, work.rhs_precision);
    if (order_of_sum(work.lhs_contracting) != order) return false;
    Operand& out = product.outputs[0];
    out.at = to;
    out.type.shape.resize(work.lhs_batch.size());
    for (const std::int64_t d : rhs_free)
      out.type.shape.push_back(rhs[static_cast<std::size_t>(d)]);
    for (const std::int64_t d : lhs_free)
      out.type.shape.push_back(lhs[static_cast<std::size_t>(d)]);
    std::swap(product.inputs[0], product.inputs[1]);
    product.work = std::move(work);
    return true;
  }

  static std::int64_t elements_of(const Shape& shape, const Shape& dimensions) {
    std::int64_t elements = 1;
    for (const std::int64_t d : dimensions) elements *= shape[static_cast<std::size_t>(d)];
    return elements;
  }

  Writes writes_;
  bool made_copies_ = false;
};

}  // namespace

void fold_transposes(Draft& draft) {
  TransposeFolder operands(draft);
  operands.fold_operands(draft.code);
  // Transposes that cancel are plain copies now; those and transposes that nothing reads any more
  // would keep results from being folded.
  if (operands.made_copies()) forward_copies(draft);
  eliminate_dead_code(draft);
  TransposeFolder(draft).fold_results(draft.code);
}

}  // namespace understudy::program::passes
