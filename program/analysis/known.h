// SPDX-License-Identifier: Apache-2.0
// Numbers that the analysis knows for each process: constants, the index of the process, and what
// integer arithmetic, comparisons and table look-ups make of them. They decide which side of a
// selection a process takes. Values and pure functions. Equivalent: conditional constant
// propagation.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "program/compile.h"
#include "program/executable/executable.h"

namespace understudy::program::analysis {

// By process: the number that every element of the value is; NaN where that is not known. nullptr:
// known on no process.
using Known = std::shared_ptr<const std::vector<double>>;

// Of a constant of one element, or of equal elements.
Known known_constant(std::span<const std::byte> constants, const Operand& operand,
                     std::size_t processes);

// Of output 0 of an instruction whose inputs hold these numbers. A result is known only if it is
// exact in the element type.
Known known_after(const Instruction& instruction, std::span<const Known> inputs,
                  std::span<const std::byte> constants, const Interface& interface);

// What is known of a value that may be either of two.
Known known_in_both(const Known& a, const Known& b);

bool equally_known(const Known& a, const Known& b);

}  // namespace understudy::program::analysis
