// SPDX-License-Identifier: Apache-2.0
// How one step of a fused loop runs in a chain, and what it does to NaN. Pure functions.
#pragma once

#include <array>

#include "program/executable/executable.h"
#include "program/kernels/chain/chain_kernels.h"
#include "program/kernels/kernel_table.h"

namespace understudy::worker::ops {

// The function of a step, and the kernel that it calls, if it does.
struct ChainStepFunction {
  program::kernels::ChainFunction run = nullptr, kernel = nullptr;
};

// What a link of a chain does with its operands a, b and c, for who makes machine code of it. Of a
// unary step the operand is the accumulator.
struct ChainOperation {
  enum class Kind : std::uint8_t {
    unary,
    binary,
    compare,
    select,
    convert,
    multiply_add,
    rotate,
    load,
    hold,
    settle,
    store
  };
  Kind kind = Kind::settle;
  program::UnaryOp unary = {};
  program::BinaryOp binary = {};
  program::Direction direction = {};
  bool total_order = false;                               // of a comparison of floats
  program::ElementType type = program::ElementType::f32;  // of a, and of what a selection selects
  program::ElementType result = program::ElementType::f32;
  // Of a load or a store of elements that are apart in memory: how far, and the place of its own
  // among so many.
  std::size_t element_step = 1, turn = 0;
};
// Of complex numbers a chain loads and stores the parts. A load has which one as its function, a
// store has two operands. Their type is that in memory.
bool loads_part(const program::Instruction& instruction);
bool stores_pair(const program::Instruction& instruction);

// Of a step. *Requires*: chain_function_of() has a function for it.
ChainOperation operation_of(const program::Instruction& instruction);

// Of each operand of a step.
using ChainSources = std::array<program::kernels::ChainSource, 3>;

// Of a step whose operands come from there; of a unary one, from the accumulator. Without a
// function where no chain can have the step.
ChainStepFunction chain_function_of(const program::kernels::KernelTable& table,
                                    const program::kernels::ChainKernels& kernels,
                                    const program::Instruction& instruction,
                                    const ChainSources& from);

// Whether a step computes with floats, so that its NaN may have any pattern.
bool makes_nan(const program::Instruction& instruction);
// Whether the pattern of a NaN in its operands does not show in its result, once that is settled.
bool hides_nan(const program::Instruction& instruction);

}  // namespace understudy::worker::ops
