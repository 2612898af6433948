// SPDX-License-Identifier: Apache-2.0
// Batches of small matrices, one in each lane of vectors: a call of LAPACK for each of them takes
// longer than its arithmetic. Sums are in order, each product rounded, so the bits are the same on
// every CPU. float and double alone. Matrices follow each other, row after row; results may be
// where operands are. Pure functions.
#pragma once

#include <cstddef>

#include "program/executable/work.h"

namespace understudy::worker::lapack {

// Whether this way is the quicker one for operands of that size; all operands have to fit.
bool fits_side_by_side(std::size_t batches, int rows, int columns);

// As CholeskyFactor: zeros beside the factor, NaN instead of one that does not exist.
template <class T>
void factor_cholesky(const T* in, std::size_t batches, int n, bool lower, T* out);

// The solutions of op(a) x = b or x op(a) = b, with b of `rows` x `columns`.
template <class T>
void solve_triangular(const program::TriangularSolve& work, const T* a, const T* b,
                      std::size_t batches, int rows, int columns, T* x);

// L and U with the largest element of each column as its pivot, of several the first. `pivots`:
// min(m, n) for each matrix, which count from 0; `infos`: LAPACK's.
template <class T>
void factor_lu(const T* in, std::size_t batches, int m, int n, T* out, int* pivots, int* infos);

}  // namespace understudy::worker::lapack
