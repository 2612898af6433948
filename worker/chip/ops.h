// SPDX-License-Identifier: Apache-2.0
// One function per kind of work; the executor dispatches to them. Each reads inputs and writes
// outputs in the launch's spaces. Elementwise work may have its output in the same place as an
// input of the same size; an update may share the place of its operand. *Requires*: check_bounds()
// passed.
#pragma once

#include "program/executable/executable.h"
#include "worker/chip/execution.h"

namespace understudy::worker::ops {

using program::Instruction;

// elementwise.cc
void run(const program::Unary& work, const Instruction& instruction, Execution& execution);
void run(const program::Binary& work, const Instruction& instruction, Execution& execution);
void run(const program::Compare& work, const Instruction& instruction, Execution& execution);
void run(const program::Select& work, const Instruction& instruction, Execution& execution);
void run(const program::Clamp& work, const Instruction& instruction, Execution& execution);
void run(const program::Convert& work, const Instruction& instruction, Execution& execution);
void run(const program::Map& work, const Instruction& instruction, Execution& execution);
// fused.cc
void run(const program::Fused& work, const Instruction& instruction, Execution& execution);
// bits.cc
void run(const program::ReducePrecision& work, const Instruction& instruction,
         Execution& execution);
void run(const program::BitcastConvert& work, const Instruction& instruction, Execution& execution);
// data_movement.cc
void run(const program::Iota& work, const Instruction& instruction, Execution& execution);
void run(const program::ProcessIndex& work, const Instruction& instruction, Execution& execution);
void run(const program::StridedCopy& work, const Instruction& instruction, Execution& execution);
void run(const program::Fill& work, const Instruction& instruction, Execution& execution);
void run(const program::DynamicSlice& work, const Instruction& instruction, Execution& execution);
void run(const program::DynamicUpdateSlice& work, const Instruction& instruction,
         Execution& execution);
// dynamic.cc
void run(const program::DynamicPad& work, const Instruction& instruction, Execution& execution);
void run(const program::RealDynamicSlice& work, const Instruction& instruction,
         Execution& execution);
void run(const program::Assert& work, const Instruction& instruction, Execution& execution);
// gather_scatter.cc
void run(const program::Gather& work, const Instruction& instruction, Execution& execution);
void run(const program::Scatter& work, const Instruction& instruction, Execution& execution);
// reduce.cc
void run(const program::Reduce& work, const Instruction& instruction, Execution& execution);
// reduce_window.cc, select_and_scatter.cc
void run(const program::ReduceWindow& work, const Instruction& instruction, Execution& execution);
void run(const program::SelectAndScatter& work, const Instruction& instruction,
         Execution& execution);
// sort.cc
void run(const program::Sort& work, const Instruction& instruction, Execution& execution);
// dot.cc
void run(const program::Dot& work, const Instruction& instruction, Execution& execution);
// ragged_dot.cc
void run(const program::RaggedDot& work, const Instruction& instruction, Execution& execution);
// convolution.cc
void run(const program::Convolution& work, const Instruction& instruction, Execution& execution);
// fft.cc
void run(const program::Fft& work, const Instruction& instruction, Execution& execution);
// linear_algebra.cc
void run(const program::Cholesky& work, const Instruction& instruction, Execution& execution);
void run(const program::TriangularSolve& work, const Instruction& instruction,
         Execution& execution);
// lapack.cc
void run(const program::Lapack& work, const Instruction& instruction, Execution& execution);
// random.cc
void run(const program::RngBitGenerator& work, const Instruction& instruction,
         Execution& execution);
void run(const program::Rng& work, const Instruction& instruction, Execution& execution);
// control.cc
void run(const program::While& work, const Instruction& instruction, Execution& execution);
void run(const program::Case& work, const Instruction& instruction, Execution& execution);
void run(const program::Collective& work, const Instruction& instruction, Execution& execution);
void run(const program::CollectiveDone& work, const Instruction& instruction, Execution& execution);
void run(const program::Transfer& work, const Instruction& instruction, Execution& execution);
void run(const program::InfeedTurn& work, const Instruction& instruction, Execution& execution);
// check.cc
void run(const program::Expect& work, const Instruction& instruction, Execution& execution);
void run(const program::Probe& work, const Instruction& instruction, Execution& execution);

}  // namespace understudy::worker::ops
