// SPDX-License-Identifier: Apache-2.0
// Gathers and scatters of single elements, and gathers of rows, by several numbers each (x[i, j],
// x.at[i, j].add(v)), as ones by a single number: the place of the element in memory, or the row.
// The arithmetic of the numbers fuses, and the worker has loops for one number.
#pragma once

#include <optional>

#include "program/lowering/lowering.h"

namespace understudy::program::passes {

// Leaves out dimensions of one element, and merges those along which the operand moves evenly.
void merge_lines(TakeElements& take);

// nullopt for any other gather, and for few elements, for which the arithmetic takes longer than
// the gather.
std::optional<Operand> take_by_vectors(Lowering& lowering, const Operation& op, const Gather& work);

// Of rows by the numbers of leading dimensions (image[y, x] of pixels); nullopt as above.
std::optional<Operand> gather_by_numbers(Lowering& lowering, const Operation& op,
                                         const Gather& work);

// The scattered operand; nullopt as above. `inputs`: the operand, the numbers, the updates.
std::optional<Operand> scatter_by_numbers(Lowering& lowering, const Operation& op,
                                          const Scatter& work, const Parts& inputs);

}  // namespace understudy::program::passes
