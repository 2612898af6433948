// SPDX-License-Identifier: Apache-2.0
// Strided copies as permutations of dimensions: the arithmetic of folding transposes. Pure
// functions; strides count elements.
#pragma once

#include <optional>

#include "program/executable/executable.h"

namespace understudy::program::passes {

// Whether a StridedCopy writes all of an array, from the first element of its input on.
bool makes_dense_array(const Instruction& instruction);
// Whether a StridedCopy moves every element of one dense array to another order.
bool is_permutation(const Instruction& instruction);

// The strides in the copy's input along the dimensions of its output, seen with that shape: nullopt
// where a dimension has no single stride. Dimensions of one element have stride 0. *Requires*: a
// copy that makes_dense_array() with as many elements as the shape.
std::optional<Shape> strides_through(const StridedCopy& copy, const Shape& shape);

// The input of a permutation seen as a dense array: its dimensions are those of the output's shape
// in another order.
struct PermutedView {
  Shape shape;     // of the input
  Shape position;  // of each dimension of the output's shape in it
};
std::optional<PermutedView> permuted_view(const StridedCopy& copy, const Shape& shape);

// `later` of the output of `earlier`, as one copy: `later` is a permutation, `earlier` makes a
// dense array.
std::optional<StridedCopy> composed(const StridedCopy& earlier, const StridedCopy& later);

// Whether a permutation of [batch, rows, columns] gives [batch, columns, rows].
bool exchanges(const StridedCopy& copy, std::int64_t batch, std::int64_t rows,
               std::int64_t columns);

}  // namespace understudy::program::passes
