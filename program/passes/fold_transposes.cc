// SPDX-License-Identifier: Apache-2.0
// Transposes next to dots. A dot reads its operands in any order of their dimensions, so a
// transpose of an operand becomes part of its dimension numbers; a transposed result is the product
// of the exchanged operands: (a b)^T = b^T a^T. Transposes of transposes become one, or a plain
// copy; those of broadcasts read what is broadcast. JAX writes each matrix gradient as a dot and a
// transpose. Equivalents: XLA's TransposeFolding and AlgebraicSimplifier.
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
    Positions permuted;  // of the copy that wrote a temporary, earlier in this list
    last_writes_.clear();
    for (std::size_t i = 0; i < code.size(); ++i) {
      // The lhs first: folding one side leaves the other's permutation valid.
      if (std::holds_alternative<Dot>(code[i].work)) {
        fold_operand(code, permuted, code[i], 0);
        fold_operand(code, permuted, code[i], 1);
      } else if (is_permutation(code[i])) {
        compose(code, permuted, code[i]);
      }
      // Only a temporary with one write has the same contents at all its readers.
      if (makes_dense_array(code[i]) && writes_.is_value(code[i].outputs[0]))
        permuted[code[i].outputs[0].at.index] = i;
      for (const std::uint32_t temporary : written_by(code[i])) last_writes_[temporary] = i;
    }
  }

  bool made_copies() const { return made_copies_; }

  // Results of dots, once no transpose cancels another one any more; those that other dots read.
  void fold_results(Code& code) {
    for (Instruction& instruction : code)
      for_each_nested(instruction, [this](Code& nested) { fold_results(nested); });
    Positions products;
    std::vector<bool> gone(code.size(), false);
    for (std::size_t i = 0; i < code.size(); ++i) {
      if (std::holds_alternative<Dot>(code[i].work)) {
        for (const std::size_t side : {0U, 1U}) exchange_for_batches(code, products, code[i], side);
        if (writes_.is_value(code[i].outputs[0])) products[code[i].outputs[0].at.index] = i;
      } else if (is_permutation(code[i])) {
        gone[i] = fold_result(code, products, code[i]);
      }
    }
    remove_marked(code, gone);
  }

 private:
  // The copy that wrote what `operand` reads as a whole.
  const Instruction* transpose_of(const Code& code, const Positions& permuted,
                                  const Operand& operand) const {
    if (operand.at.space != Space::temporary || operand.at.offset != 0) return nullptr;
    const auto found = permuted.find(operand.at.index);
    if (found == permuted.end()) return nullptr;
    const Instruction& copy = code[found->second];
    // The same elements under another shape are fine; another type is not.
    const bool fits = copy.outputs[0].type.elements() == operand.type.elements() &&
                      copy.outputs[0].type.element == operand.type.element;
    return fits && is_unchanged(copy.inputs[0].at, found->second) ? &copy : nullptr;
  }

  // Since the instruction at `position` of this list, as what a loop carries until it writes it.
  bool is_unchanged(const Buffer& read, std::size_t position) const {
    if (writes_.is_stable(read)) return true;
    if (read.space != Space::temporary) return false;
    const auto last = last_writes_.find(read.index);
    return last == last_writes_.end() || last->second < position;
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

  // A transpose that reads a transpose, a broadcast or a slice reads its source.
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
    const Dot& work = std::get<Dot>(product.work);
    const Shape& lhs = product.inputs[0].type.shape;
    const Shape& rhs = product.inputs[1].type.shape;
    const std::int64_t rows = elements_of(lhs, free_of(product, 0)),
                       columns = elements_of(rhs, free_of(product, 1)),
                       batch = elements_of(lhs, work.lhs_batch);
    if (product.outputs[0].type.elements() != copy.outputs[0].type.elements() ||
        !exchanges(std::get<StridedCopy>(copy.work), batch, rows, columns) || !exchange(product))
      return false;
    product.outputs[0].at = to;
    return true;
  }

  // Exchanges the operands of a product whose only reader has batches along the columns of its
  // result: rows of the batches follow each other then.
  void exchange_for_batches(Code& code, const Positions& products, Instruction& reader,
                            std::size_t side) {
    Operand& operand = reader.inputs[side];
    if (operand.at.space != Space::temporary || operand.at.offset != 0) return;
    const auto found = products.find(operand.at.index);
    if (found == products.end() || writes_.uses(operand.at.index) != 2) return;
    Instruction& product = code[found->second];
    if (!std::get<Dot>(product.work).lhs_batch.empty() || product.outputs[0].type != operand.type)
      return;
    const auto rows = static_cast<std::int64_t>(free_of(product, 0).size()),
               columns = static_cast<std::int64_t>(free_of(product, 1).size());
    Dot changed = std::get<Dot>(reader.work);
    Shape& batch = side == 0 ? changed.lhs_batch : changed.rhs_batch;
    Shape& contracting = side == 0 ? changed.lhs_contracting : changed.rhs_contracting;
    const auto is_column = [rows](std::int64_t d) { return d >= rows; };
    if (batch.empty() || !std::ranges::all_of(batch, is_column)) return;
    Shape free = free_of(reader, side);
    const std::vector<std::size_t> order = order_of_sum(changed.lhs_contracting);
    for (Shape* const dimensions : {&batch, &contracting, &free})
      for (std::int64_t& d : *dimensions) d += is_column(d) ? -rows : columns;
    if (!std::ranges::is_sorted(free) || order_of_sum(changed.lhs_contracting) != order ||
        !exchange(product))
      return;
    operand.type = product.outputs[0].type;
    reader.work = std::move(changed);
  }

  // False, with nothing done, where the order of the sums would change.
  static bool exchange(Instruction& product) {
    Dot work = std::get<Dot>(product.work);
    const std::vector<std::size_t> order = order_of_sum(work.lhs_contracting);
    std::swap(work.lhs_batch, work.rhs_batch);
    std::swap(work.lhs_contracting, work.rhs_contracting);
    // Precisions belong to operands and follow them.
    std::swap(work.lhs_precision, work.rhs_precision);
    if (order_of_sum(work.lhs_contracting) != order) return false;
    product.work = std::move(work);
    std::swap(product.inputs[0], product.inputs[1]);
    Shape& shape = product.outputs[0].type.shape;
    shape.resize(std::get<Dot>(product.work).lhs_batch.size());
    for (const std::size_t side : {0U, 1U})
      for (const std::int64_t d : free_of(product, side))
        shape.push_back(product.inputs[side].type.shape[static_cast<std::size_t>(d)]);
    return true;
  }

  static Shape free_of(const Instruction& product, std::size_t side) {
    const Dot& work = std::get<Dot>(product.work);
    const std::size_t rank = product.inputs[side].type.shape.size();
    return side == 0 ? free_dimensions(rank, work.lhs_batch, work.lhs_contracting)
                     : free_dimensions(rank, work.rhs_batch, work.rhs_contracting);
  }
  static std::int64_t elements_of(const Shape& shape, const Shape& dimensions) {
    std::int64_t elements = 1;
    for (const std::int64_t d : dimensions) elements *= shape[static_cast<std::size_t>(d)];
    return elements;
  }

  Writes writes_;
  Positions last_writes_;  // of the list that is folded, up to where it is
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
