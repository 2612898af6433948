// SPDX-License-Identifier: Apache-2.0
// Triangular solves of JAX for CPUs: the typed call, with a factor alpha until JAX 0.5, and the
// older one with flags as operands. They become stablehlo.triangular_solve's instruction.
#include <fmt/format.h>
#include <optional>

#include "program/lowering/custom_call/lapack_targets.h"

namespace understudy::program::passes {

namespace {

// The result is alpha * b, solved; alpha is a scalar operand where the call has one.
void solve(Lowering& lowering, const Operation& op, const TriangularSolve& work, std::size_t a,
           std::optional<std::size_t> alpha) {
  const Operand matrix = lowering.operand(op, a);
  Operand b = lowering.operand(op, a + 1);
  const TensorType& type = lowering.result_type(op);
  const std::size_t ndims = b.type.shape.size();
  const bool square = ndims >= 2 && matrix.type.shape.size() == ndims &&
                      matrix.type.shape[ndims - 1] == matrix.type.shape[ndims - 2];
  // The dimensions before the last two are batches; the matrix is as large as the side it stands
  // on.
  if (!square || b.type != type || matrix.type.element != type.element ||
      !std::equal(type.shape.begin(), type.shape.end() - 2, matrix.type.shape.begin()) ||
      matrix.type.shape.back() != type.shape[ndims - (work.left_side ? 2 : 1)])
    throw wrong_call(op, fmt::format("{} and {} do not make {}", text_of(matrix.type),
                                     text_of(b.type), text_of(type)));
  for (std::size_t i = a; i < a + 2; ++i) expect_layout(op, "operand_layouts", i, 2, ndims);
  expect_layout(op, "result_layouts", 0, 2, ndims);
  if (alpha) {
    const Operand factor = lowering.operand(op, *alpha);
    if (factor.type != TensorType{type.element, {}})
      throw wrong_call(
          op, fmt::format("operand {} is {}, expected a scalar of the type of the matrices", *alpha,
                          text_of(factor.type)));
    b = lowering.binary(BinaryOp::multiply, lowering.fill(factor, type), b);
  }
  lowering.emit_result(op, work, {matrix, b});
}

}  // namespace

void lower_lapack_solve(Lowering& lowering, const Operation& op) {
  // Settings are LAPACK's letters, written as numbers.
  const auto is = [&](std::string_view name, char yes, char no) {
    const std::int64_t value = setting_of(op, name);
    if (value == yes) return true;
    if (value == no) return false;
    throw wrong_call(op, fmt::format("{} is not '{}' or '{}'", name, yes, no));
  };
  TriangularSolve work;
  work.left_side = is("side", 'L', 'R');
  work.lower = is("uplo", 'L', 'U');
  work.unit_diagonal = is("diag", 'U', 'N');
  work.conjugate = setting_of(op, "trans_x") == 'C';
  // 'C' is taken first, as is() would refuse it.
  work.transpose = work.conjugate || is("trans_x", 'T', 'N');
  if (op.operands.size() < 2) throw wrong_call(op, "an operand is missing");
  char letter = '\0';
  matches_letter(kSolveTarget, "sdcz", target_name(op), letter);
  expect_letter(op, letter, lowering.operand_type(op, 0));
  // The scalar alpha is a third operand in newer calls only.
  solve(lowering, op, work, 0,
        op.operands.size() > 2 ? std::optional<std::size_t>(2) : std::nullopt);
}

// Operands: left, lower, transposed (2: and conjugated), unit, m, n, batch, alpha, a, b.
void lower_old_lapack_solve(Lowering& lowering, const Operation& op) {
  if (op.operands.size() < 10) throw wrong_call(op, "an operand is missing");
  TriangularSolve work;
  work.left_side = scalar_setting(lowering, op, 0) != 0;
  work.lower = scalar_setting(lowering, op, 1) != 0;
  const std::int64_t transposed = scalar_setting(lowering, op, 2);
  work.transpose = transposed != 0;
  work.conjugate = transposed == 2;
  work.unit_diagonal = scalar_setting(lowering, op, 3) != 0;
  char letter = '\0';
  matches_letter(kOldSolveTarget, "sdcz", target_name(op), letter);
  expect_letter(op, letter, lowering.operand_type(op, 8));
  solve(lowering, op, work, 8, 7);
}

}  // namespace understudy::program::passes
