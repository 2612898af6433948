// SPDX-License-Identifier: Apache-2.0
// The routines of LAPACK that an instruction can be: names, operands and results. Pure functions.
// Reference: LAPACK Users' Guide, third edition.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "program/executable/work.h"
#include "program/ir/types.h"

namespace understudy::program {

// Operands and results are words "KIND:DIMENSIONS", of each matrix of the batch. Kinds: T the
// element type of the first operand, R its real part, C the complex type of it, I i32. Dimensions:
// m and n of the first operand; k the smaller one; j = n - 1, at least 0; any other letter is a
// size that the operands give.
struct RoutineRow {
  Routine routine;
  std::string_view name;
  std::string_view inputs;
  std::string_view outputs;
  std::string_view complex_outputs;  // of complex matrices, where they differ
};

const RoutineRow& row_of(Routine routine);

// The words of a row's operands, or of its results for matrices of that type.
std::vector<std::string_view> words_of(std::string_view words);
std::string_view outputs_of(const RoutineRow& row, ElementType element);

// Says what the routine expects and these types are not; empty where they fit. Sizes of matrices
// are at most 2^31 - 1, the largest integer of LAPACK.
std::string misfit(const Lapack& work, std::span<const TensorType> inputs,
                   std::span<const TensorType> outputs);

}  // namespace understudy::program
