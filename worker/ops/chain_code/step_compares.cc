// SPDX-License-Identifier: Apache-2.0
// Comparisons of masks, and of floats in the total order.
#include "worker/ops/chain_code/step_code.h"

namespace understudy::worker::ops::chain_code {

// As integers once the lower bits of negative numbers are inverted.
ValueId StepCode::compare_total(Direction direction, Part a, Part b) {
  const auto key = [&](Part part) {
    const ValueId x = loaded(part);
    if (const auto bits = body_.bits_of(x))
      return body_.known(*bits ^ ((*bits & kSign) == 0 ? 0 : ~kSign));
    const ValueId lower = shifted(Inst::kIdVpsrld, shifted(Inst::kIdVpsrad, x, 31), 1);
    return body_.make(pick(Inst::kIdVpxor, Inst::kIdVpxord), {x, lower});
  };
  const ValueId left = key(a);
  return compare(direction, ElementType::i32, left, key(b));
}

ValueId StepCode::compare_masks(Direction direction, ValueId a, ValueId b) {
  switch (direction) {
    case Direction::eq:
      return equal_masks(a, b);
    case Direction::ne:
      return *binary_of_masks(BinaryOp::logical_xor, a, b);
    case Direction::ge:
      return *binary_of_masks(BinaryOp::logical_or, a, inverse_mask(b));
    case Direction::gt:
      return *binary_of_masks(BinaryOp::logical_and, a, inverse_mask(b));
    case Direction::le:
      return *binary_of_masks(BinaryOp::logical_or, inverse_mask(a), b);
    case Direction::lt:
      break;
  }
  return *binary_of_masks(BinaryOp::logical_and, inverse_mask(a), b);
}

}  // namespace understudy::worker::ops::chain_code
