// SPDX-License-Identifier: Apache-2.0
// Which kinds of work have kernels for which element types; checked before a program runs.
#include "program/passes/check/kernel_check.h"

#include <variant>

#include "program/kernels/kernels.h"

namespace understudy::program::passes {

namespace {

bool is_number(ElementType element) { return is_float(element) || is_complex(element); }

// Every table has the same rows, so the one that runs everywhere answers for all.
const kernels::KernelTable& table() { return kernels::select("portable"); }

// The type of the parts of a complex number; any other type is its own.
ElementType part_of(ElementType element) {
  if (element == ElementType::c64) return ElementType::f32;
  return element == ElementType::c128 ? ElementType::f64 : element;
}

// By the element type of the first input (of the output where there is none).
struct HasKernel {
  ElementType from, to;

  bool operator()(const Unary& work) const { return table().unary(work.op, from) != nullptr; }
  bool operator()(const Binary& work) const { return table().binary(work.op, from) != nullptr; }
  bool operator()(const Compare& work) const {
    return table().compare(work.direction, work.total_order, from) != nullptr;
  }
  // The bounds may be scalars; the result has the type that is clamped.
  bool operator()(const Clamp&) const {
    return table().binary(BinaryOp::maximum, to) != nullptr &&
           table().binary(BinaryOp::minimum, to) != nullptr;
  }
  bool operator()(const Convert&) const { return table().convert(from, to) != nullptr; }
  bool operator()(const ReducePrecision&) const { return is_float(from); }
  bool operator()(const ArgReduce&) const { return kernels::finds_extremes(from); }
  bool operator()(const Fft&) const {
    const ElementType part = part_of(from);
    return part == part_of(to) && (part == ElementType::f32 || part == ElementType::f64);
  }
  bool operator()(const Cholesky&) const { return is_number(from); }
  bool operator()(const TriangularSolve&) const { return is_number(from); }
  bool operator()(const Lapack&) const { return is_number(from); }
  template <class Other>
  bool operator()(const Other&) const {
    return true;
  }
};

}  // namespace

bool has_kernel(const Work& work, ElementType from, ElementType to) {
  return std::visit(HasKernel{from, to}, work);
}

bool has_kernel(const Work& work, std::span<const Operand> inputs,
                std::span<const Operand> outputs) {
  if (outputs.empty()) return true;
  const ElementType to = outputs[0].type.element;
  return has_kernel(work, inputs.empty() ? to : inputs[0].type.element, to);
}

}  // namespace understudy::program::passes
