// SPDX-License-Identifier: Apache-2.0
// cholesky and triangular_solve over batches of matrices (StableHLO spec). Everything is computed
// in complex double precision and rounded once per stored element: more accurate than required for
// narrow types, and one code path for all of them.
#include <cmath>
#include <complex>
#include <cstring>
#include <limits>
#include <vector>

#include "configs/base/error.h"
#include "worker/chip/ops.h"
#include "worker/ops/operands.h"

namespace understudy::worker::ops {
namespace {

using program::ElementType;
using Complex = std::complex<double>;

// Loads `n` elements of any float or complex type as complex doubles.
std::vector<Complex> load(const Operand& operand, std::size_t first, std::size_t n,
                          Execution& execution) {
  const bool is_complex = program::is_complex(operand.type.element);
  const auto kernel = execution.kernels->convert(operand.type.element,
                                                 is_complex ? ElementType::c128 : ElementType::f64);
  UNDERSTUDY_ASSERT(kernel != nullptr);
  const std::byte* const from = execution.address(operand.at) + first * element_bytes(operand);
  std::vector<Complex> out(n);
  if (is_complex) {
    kernel(from, out.data(), n);
    return out;
  }
  std::vector<double> reals(n);
  kernel(from, reals.data(), n);
  for (std::size_t i = 0; i < n; ++i) out[i] = reals[i];
  return out;
}

void store(const std::vector<Complex>& values, const Operand& operand, std::size_t first,
           Execution& execution) {
  const bool is_complex = program::is_complex(operand.type.element);
  const auto kernel = execution.kernels->convert(is_complex ? ElementType::c128 : ElementType::f64,
                                                 operand.type.element);
  UNDERSTUDY_ASSERT(kernel != nullptr);
  std::byte* const to = execution.writable(operand.at) + first * element_bytes(operand);
  if (is_complex) {
    kernel(values.data(), to, values.size());
    return;
  }
  std::vector<double> reals(values.size());
  for (std::size_t i = 0; i < reals.size(); ++i) reals[i] = values[i].real();
  kernel(reals.data(), to, reals.size());
}

std::size_t size_at(const Operand& operand, std::size_t from_last) {
  const Shape& shape = operand.type.shape;
  return static_cast<std::size_t>(shape[shape.size() - 1 - from_last]);
}

// Cholesky-Banachiewicz in place: the lower factor of the Hermitian matrix whose lower triangle is
// in `a`. NaN where the matrix is not positive definite; it spreads into all later columns.
void factor(std::vector<Complex>& a, std::size_t n) {
  for (std::size_t j = 0; j < n; ++j) {
    double diagonal = a[j * n + j].real();
    for (std::size_t k = 0; k < j; ++k) diagonal -= std::norm(a[j * n + k]);
    const double root =
        diagonal > 0 ? std::sqrt(diagonal) : std::numeric_limits<double>::quiet_NaN();
    a[j * n + j] = root;
    for (std::size_t i = j + 1; i < n; ++i) {
      Complex sum = a[i * n + j];
      for (std::size_t k = 0; k < j; ++k) sum -= a[i * n + k] * std::conj(a[j * n + k]);
      a[i * n + j] = sum / root;
    }
  }
}

// The conjugate transpose in place: upper factor = (lower factor)^H, so the upper case is solved as
// the lower case of the adjoint.
void adjoin(std::vector<Complex>& a, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) {
    a[i * n + i] = std::conj(a[i * n + i]);
    for (std::size_t j = i + 1; j < n; ++j) {
      const Complex upper = std::conj(a[i * n + j]);
      a[i * n + j] = std::conj(a[j * n + i]);
      a[j * n + i] = upper;
    }
  }
}

// op(a) as the solver sees it: transposing swaps lower and upper.
struct Triangle {
  const std::vector<Complex>& a;
  std::size_t n;
  bool transpose, conjugate, lower;

  Complex at(std::size_t i, std::size_t j) const {
    const Complex value = transpose ? a[j * n + i] : a[i * n + j];
    return conjugate ? std::conj(value) : value;
  }
  bool is_lower() const { return lower != transpose; }
};

// Solves t x = b for one vector of b, elements `stride` apart: forward substitution for a lower
// triangle, backward for an upper one.
void substitute(const Triangle& t, bool unit, Complex* b, std::size_t stride) {
  for (std::size_t step = 0; step < t.n; ++step) {
    const std::size_t i = t.is_lower() ? step : t.n - 1 - step;
    Complex sum = b[i * stride];
    for (std::size_t other = 0; other < step; ++other) {
      const std::size_t j = t.is_lower() ? other : t.n - 1 - other;
      sum -= t.at(i, j) * b[j * stride];
    }
    b[i * stride] = unit ? sum : sum / t.at(i, i);
  }
}

}  // namespace

void run(const program::Cholesky& work, const Instruction& instruction, Execution& execution) {
  const Operand& input = instruction.inputs[0];
  const Operand& output = instruction.outputs[0];
  const auto elements = static_cast<std::size_t>(input.type.elements());
  const std::size_t n = size_at(input, 0);
  for (std::size_t first = 0; first < elements; first += n * n) {
    std::vector<Complex> a = load(input, first, n * n, execution);
    if (!work.lower) adjoin(a, n);
    factor(a, n);
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = i + 1; j < n; ++j) a[i * n + j] = 0;
    }
    if (!work.lower) adjoin(a, n);
    store(a, output, first, execution);
  }
}

// x op(a) = b is op(a)^T x^T = b^T: the right-side case solves with the transpose, row by row.
void run(const program::TriangularSolve& work, const Instruction& instruction,
         Execution& execution) {
  const Operand& a_operand = instruction.inputs[0];
  const Operand& b_operand = instruction.inputs[1];
  const std::size_t n = size_at(a_operand, 0);
  const std::size_t rows = size_at(b_operand, 1);
  const std::size_t columns = size_at(b_operand, 0);
  if (b_operand.type.elements() == 0) return;
  const std::size_t batches =
      static_cast<std::size_t>(b_operand.type.elements()) / (rows * columns);
  for (std::size_t batch = 0; batch < batches; ++batch) {
    const std::vector<Complex> a = load(a_operand, batch * n * n, n * n, execution);
    std::vector<Complex> b = load(b_operand, batch * rows * columns, rows * columns, execution);
    // Transposing twice cancels: the right-side case flips the flag.
    const bool transpose = work.transpose != !work.left_side;
    const Triangle triangle{a, n, transpose, work.conjugate, work.lower};
    if (work.left_side) {
      for (std::size_t c = 0; c < columns; ++c) {
        substitute(triangle, work.unit_diagonal, b.data() + c, columns);
      }
    } else {
      for (std::size_t r = 0; r < rows; ++r) {
        substitute(triangle, work.unit_diagonal, b.data() + r * columns, 1);
      }
    }
    store(b, instruction.outputs[0], batch * rows * columns, execution);
  }
}

}  // namespace understudy::worker::ops
