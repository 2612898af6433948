// SPDX-License-Identifier: Apache-2.0
// Dots without sums, as einsum writes outer and element-wise products: each element of the result
// is one product, so they are broadcasts and a multiplication, which is fused with what is around
// it. The products are rounded as those of the dot: once, to the type of the result, and operands
// of f32 to bf16 first where the precision says so; a sum begins with 0, so 0 is added.
// Equivalents: XLA's AlgebraicSimplifier (dot strength reduction).
#include <algorithm>
#include <utility>
#include <vector>

#include "program/ir/types.h"
#include "program/passes/copies.h"
#include "program/passes/draft.h"
#include "program/passes/module/attributes.h"
#include "program/passes/nested.h"

namespace understudy::program::passes {

namespace {

std::int64_t size_along(const Shape& shape, const Shape& dimensions) {
  std::int64_t size = 1;
  for (const std::int64_t d : dimensions) size *= shape[static_cast<std::size_t>(d)];
  return size;
}

// Whether each number of the first type is one of the second.
bool is_exact(ElementType from, ElementType to) {
  if (from == to) return true;
  if (is_float(from) && is_float(to))
    return to == ElementType::f64 || (to == ElementType::f32 && from != ElementType::f64);
  return is_integer(from) && is_integer(to) && is_signed_integer(from) == is_signed_integer(to) &&
         byte_size(from) < byte_size(to);
}

class OuterProducts {
 public:
  explicit OuterProducts(Draft& draft) : draft_(draft) {}

  void append(Instruction&& instruction, Code& code) {
    if (is_product(instruction)) return multiply(instruction, code);
    code.push_back(std::move(instruction));
  }

 private:
  bool is_product(const Instruction& instruction) const {
    const auto* const dot = std::get_if<Dot>(&instruction.work);
    if (dot == nullptr) return false;
    const TensorType &lhs = instruction.inputs[0].type, &out = instruction.outputs[0].type;
    // A sum of one product; of none it is 0.
    if (size_along(lhs.shape, dot->lhs_contracting) != 1 || out.elements() == 0) return false;
    if (lhs.element != instruction.inputs[1].type.element || !is_exact(lhs.element, out.element))
      return false;
    // Three products of halves are no rounding.
    return !rounds(instruction) ||
           (precision_of(*dot) == Precision::standard && out.element == ElementType::f32);
  }

  static Precision precision_of(const Dot& dot) {
    return std::max(dot.lhs_precision, dot.rhs_precision);
  }
  // Whether the operands are not multiplied as they are.
  bool rounds(const Instruction& instruction) const {
    return draft_.numerics == Numerics::tpu &&
           precision_of(std::get<Dot>(instruction.work)) != Precision::highest &&
           instruction.inputs[0].type.element == ElementType::f32;
  }

  void multiply(const Instruction& instruction, Code& code) {
    const Operand& out = instruction.outputs[0];
    std::size_t free = std::get<Dot>(instruction.work).lhs_batch.size();
    const Operand left = factor(instruction, 0, free, code);
    const Operand right = factor(instruction, 1, free, code);
    const bool has_signed_zeros = is_float(out.type.element) || is_complex(out.type.element);
    const Operand product = has_signed_zeros ? new_temporary(draft_, out.type) : out;
    code.push_back({.work = Binary{BinaryOp::multiply},
                    .inputs = {left, right},
                    .outputs = {product},
                    .op = instruction.op});
    if (!has_signed_zeros) return;
    const Operand starts =
        append(Fill{}, new_zero(draft_, out.type.element), out.type, instruction, code);
    code.push_back({.work = Binary{BinaryOp::add},
                    .inputs = {product, starts},
                    .outputs = {out},
                    .op = instruction.op});
  }

  // An operand in the shape and type of the result, rounded as the dot rounds it. `free`: the
  // dimension of the result that is its first free one; on return that of the other operand.
  Operand factor(const Instruction& instruction, std::size_t side, std::size_t& free, Code& code) {
    const Dot& dot = std::get<Dot>(instruction.work);
    const TensorType& out = instruction.outputs[0].type;
    Operand x = instruction.inputs[side];
    const Shape& batch = side == 0 ? dot.lhs_batch : dot.rhs_batch;
    const Shape& contracting = side == 0 ? dot.lhs_contracting : dot.rhs_contracting;
    const Shape from = row_major_strides(x.type.shape);
    Shape steps(out.shape.size(), 0);  // in the operand along the result
    for (std::size_t i = 0; i < batch.size(); ++i)
      steps[i] = from[static_cast<std::size_t>(batch[i])];
    for (std::size_t d = 0; d < from.size(); ++d) {
      const auto is_in = [d](const Shape& dimensions) {
        return std::ranges::find(dimensions, static_cast<std::int64_t>(d)) != dimensions.end();
      };
      if (!is_in(batch) && !is_in(contracting)) steps[free++] = from[d];
    }
    // What is repeated is rounded alone, once; the rest as a step of a loop, which reduce_precision
    // is not.
    const bool is_whole = x.type.elements() == out.elements();
    if (rounds(instruction) && is_whole)
      x = append(Convert{}, x, {ElementType::bf16, x.type.shape}, instruction, code);
    if (rounds(instruction) && !is_whole)
      x = append(ReducePrecision{8, 7}, x, x.type, instruction, code);
    if (x.type.element != out.element)
      x = append(Convert{}, x, {out.element, x.type.shape}, instruction, code);
    if (x.type.elements() == 1)
      return append(Fill{}, {x.at, {out.element, {}}}, out, instruction, code);
    return append(simplified({out.shape, steps, row_major_strides(out.shape), 0, 0}), x, out,
                  instruction, code);
  }

  // Of the operand, to a new temporary.
  Operand append(Work work, const Operand& x, const TensorType& type, const Instruction& of,
                 Code& code) {
    const Operand to = new_temporary(draft_, type);
    code.push_back({.work = std::move(work), .inputs = {x}, .outputs = {to}, .op = of.op});
    return to;
  }

  Draft& draft_;
};

}  // namespace

void multiply_outer_products(Draft& draft) {
  OuterProducts products(draft);
  rebuild(draft.code, [&](Instruction&& instruction, Code& code) {
    products.append(std::move(instruction), code);
  });
}

}  // namespace understudy::program::passes
