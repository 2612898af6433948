// SPDX-License-Identifier: Apache-2.0
// Whether element-wise operations have kernels for their types, before anything is lowered.
#include <string_view>

#include "program/lowering/lowering.h"
#include "program/passes/check/kernel_check.h"

namespace understudy::program::passes {

// By element type only: shapes may still be dynamic here. Lowering checks every instruction again.
bool operation_has_kernel(const Operation& op) {
  if (op.operands.empty() || op.results.empty() || !is_elementwise(op.name)) return true;
  const Type& type = op.operands[0]->type;
  const Type& result = op.results[0]->type;
  if (!type.is_tensor() || !result.is_tensor()) return true;
  const ElementType from = type.tensor.element, to = result.tensor.element;
  const std::string_view name = std::string_view(op.name).substr(op.name.find('.') + 1);
  if (name == "compare") return has_kernel(Compare{}, from, to);
  if (name == "clamp") return has_kernel(Clamp{}, from, to);
  if (name == "convert") return has_kernel(Convert{}, from, to);
  if (const auto unary = unary_op_of(name)) return has_kernel(Unary{*unary}, from, to);
  if (const auto binary = binary_op_of(name)) return has_kernel(Binary{*binary}, from, to);
  return true;
}

}  // namespace understudy::program::passes
