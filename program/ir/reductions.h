// SPDX-License-Identifier: Apache-2.0
// From known reductions to element-wise functions. Apart from kinds.h: files that are compiled for
// one instruction set include that header, and may include no standard containers. Pure functions.
#pragma once

#include <optional>

#include "program/ir/kinds.h"

namespace understudy::program {

// The element-wise function that combines two values of a reduction; nullopt of `none`.
constexpr std::optional<BinaryOp> function_of(Reduction reduction) {
  switch (reduction) {
    case Reduction::sum:
      return BinaryOp::add;
    case Reduction::product:
      return BinaryOp::multiply;
    case Reduction::minimum:
      return BinaryOp::minimum;
    case Reduction::maximum:
      return BinaryOp::maximum;
    case Reduction::logical_and:
      return BinaryOp::logical_and;
    case Reduction::logical_or:
      return BinaryOp::logical_or;
    case Reduction::logical_xor:
      return BinaryOp::logical_xor;
    case Reduction::none:
      break;
  }
  return std::nullopt;
}

// Whether combining a value twice is the same as once.
constexpr bool is_idempotent(Reduction reduction) {
  return reduction == Reduction::minimum || reduction == Reduction::maximum ||
         reduction == Reduction::logical_and || reduction == Reduction::logical_or;
}

}  // namespace understudy::program
