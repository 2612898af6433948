// SPDX-License-Identifier: Apache-2.0
// cholesky and triangular_solve over batches of matrices (StableHLO spec), by LAPACK and BLAS in
// the precision of the matrices, or side by side where these are small; floats narrower than f32
// are computed in f32 and rounded once per stored element.
#include <complex>

#include "worker/chip/ops.h"
#include "worker/lapack/cholesky.h"
#include "worker/lapack/families.h"
#include "worker/lapack/side_by_side.h"

namespace understudy::worker::ops {
namespace {

using lapack::Block;
using lapack::Call;
using lapack::count;
using program::ElementType;

template <class T>
void factor(const program::Cholesky& work, const Instruction& instruction, Execution& execution) {
  Call<T> call(instruction, execution, 2);
  if constexpr (!lapack::kComplex<T>) {
    const int n = call.in_size(0, 0);
    const T* const in = call.template all_of<T>(0);
    if (in != nullptr && lapack::fits_side_by_side(call.batches(), n, n))
      return lapack::factor_cholesky(in, call.batches(), n, work.lower,
                                     call.template all_of_result<T>(0));
  }
  lapack::CholeskyFactor<T> one(call.in_size(0, 0), work.lower);
  for (std::size_t i = 0; i < call.batches(); ++i) {
    const int info = one.factor(call, i);
    one.clear_rest(info != 0);
    one.write(call, i);
  }
}

// In column-major order all matrices are their transposes, so op(a) x = b is x^T op(a)^T = b^T: the
// same operands with side and triangle exchanged, and the same op.
template <class T>
void solve(const program::TriangularSolve& work, const Instruction& instruction,
           Execution& execution) {
  Call<T> call(instruction, execution, 2);
  const int n = call.in_size(0, 0);
  const int rows = call.in_size(1, 1), columns = call.in_size(1, 0);
  if constexpr (!lapack::kComplex<T>) {
    const T *const matrices = call.template all_of<T>(0), *const right = call.template all_of<T>(1);
    if (matrices != nullptr && lapack::fits_side_by_side(call.batches(), n, n) &&
        lapack::fits_side_by_side(call.batches(), rows, columns))
      return lapack::solve_triangular(work, matrices, right, call.batches(), rows, columns,
                                      call.template all_of_result<T>(0));
  }
  const int lda = lapack::leading(n), ldb = lapack::leading(columns);
  const char side = work.left_side ? 'R' : 'L';
  const char uplo = work.lower ? 'U' : 'L';
  const char transposed = work.conjugate ? 'C' : 'T';
  const char trans = work.transpose ? transposed : 'N';
  const char diagonal = work.unit_diagonal ? 'U' : 'N';
  const T one = 1;
  Block<T> a(count(n, n)), b(count(rows, columns));
  if (count(rows, columns) == 0) return;
  for (std::size_t i = 0; i < call.batches(); ++i) {
    call.read_plain(0, i, a.data(), count(n, n));
    call.read_plain(1, i, b.data(), count(rows, columns));
    lapack::routines<T>().trsm(&side, &uplo, &trans, &diagonal, &columns, &rows, &one, a.data(),
                               &lda, b.data(), &ldb, 1, 1, 1, 1);
    call.write_plain(0, i, b.data(), count(rows, columns));
  }
}

// The function of the type in which matrices of `element` are computed.
template <class Function>
Function choose(ElementType element, Function f32, Function f64, Function c64, Function c128) {
  if (element == ElementType::f64) return f64;
  if (element == ElementType::c64) return c64;
  return element == ElementType::c128 ? c128 : f32;
}

}  // namespace

void run(const program::Cholesky& work, const Instruction& instruction, Execution& execution) {
  choose(instruction.inputs[0].type.element, factor<float>, factor<double>,
         factor<std::complex<float>>, factor<std::complex<double>>)(work, instruction, execution);
}

void run(const program::TriangularSolve& work, const Instruction& instruction,
         Execution& execution) {
  choose(instruction.inputs[0].type.element, solve<float>, solve<double>,
         solve<std::complex<float>>, solve<std::complex<double>>)(work, instruction, execution);
}

}  // namespace understudy::worker::ops
