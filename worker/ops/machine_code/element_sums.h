// SPDX-License-Identifier: Apache-2.0
// Reductions of few elements, and products of matrices of few, as steps over single elements, in
// the order of their kernels (docs/numerics.md). Pure functions.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <vector>

#include "program/executable/executable.h"
#include "worker/ops/machine_code/loop_graph.h"

namespace understudy::worker::ops::machine {

// An element of an operand; a value of these steps alone, by number; or the number zero.
struct SumElement {
  enum class Of : std::uint8_t { first, second, result, temporary, zero };
  Of of = Of::zero;
  std::size_t number = 0;
};
struct SumStep {
  Simple form;  // without its operands
  std::array<SumElement, 2> in;
  SumElement out;
};

// nullopt of other instructions, and where machine code has no such steps.
std::optional<std::vector<SumStep>> element_sums(const program::Instruction& part,
                                                 program::Numerics numerics);

}  // namespace understudy::worker::ops::machine
