// SPDX-License-Identifier: Apache-2.0
// ragged_dot: a dot whose rows (or contracted dimension) are divided into groups of sizes that are
// known only at run time, as in mixtures of experts. One product per batch and group, on the matrix
// unit.
#include <algorithm>
#include <cstring>

#include "worker/chip/ops.h"
#include "worker/ops/operands.h"

namespace understudy::worker::ops {
namespace {

// The matrices of one operand, dense and one after the other.
struct Matrices {
  const std::byte* at;
  std::int64_t bytes, rows, columns;  // of one element; of one matrix

  // Matrix i from row `row` and column `column` on.
  const std::byte* from(std::int64_t i, std::int64_t row, std::int64_t column) const {
    return at + ((i * rows + row) * columns + column) * bytes;
  }
};

Matrices matrices_of(const Operand& operand, const Execution& execution) {
  const Shape& shape = operand.type.shape;
  return {execution.address(operand.at), static_cast<std::int64_t>(element_bytes(operand)),
          shape[shape.size() - 2], shape.back()};
}

// The range of one group along the ragged dimension. Groups follow each other; negative sizes count
// as 0, and what exceeds the dimension is dropped.
struct Range {
  std::int64_t begin = 0, end = 0;
};

Range next_range(Range previous, std::int64_t size, std::int64_t rows, std::int64_t limit) {
  // Clamped before the multiplication: a size from the program's data may be anything.
  const std::int64_t room = (limit - previous.end) / rows;
  return {previous.end, previous.end + std::clamp<std::int64_t>(size, 0, room) * rows};
}

}  // namespace

// Over 40 lines: the two forms differ only in which size of the product the group decides.
void run(const program::RaggedDot& work, const Instruction& instruction, Execution& execution) {
  const Operand& out = instruction.outputs[0];
  const Matrices lhs = matrices_of(instruction.inputs[0], execution);
  const Matrices rhs = matrices_of(instruction.inputs[1], execution);
  const auto* const sizes =
      reinterpret_cast<const std::int64_t*>(execution.address(instruction.inputs[2].at));
  const std::int64_t batches = instruction.inputs[2].type.shape[0];
  const std::int64_t groups = instruction.inputs[2].type.shape[1];
  const std::int64_t rhs_batches = instruction.inputs[1].type.shape[work.contracting ? 0 : 1];
  std::byte* const to = execution.writable(out.at);
  std::memset(to, 0,
              static_cast<std::size_t>(out.type.bytes()));  // rows outside of all groups are zero
  if (out.type.elements() == 0 || lhs.columns == 0 || work.rows == 0) return;
  program::Precision left = work.lhs_precision, right = work.rhs_precision;
  Product product{lhs.rows,
                  rhs.columns,
                  lhs.columns,
                  {instruction.inputs[0].type.element, lhs.columns, 1},
                  {instruction.inputs[1].type.element, rhs.columns, 1},
                  out.type.element,
                  passes_of(execution.numerics, left, right)};
  const std::int64_t limit = work.contracting ? lhs.columns : lhs.rows;
  const auto bytes = static_cast<std::int64_t>(element_bytes(out));
  for (std::int64_t batch = 0; batch < batches; ++batch) {
    Range range;
    for (std::int64_t group = 0; group < groups; ++group) {
      range = next_range(range, sizes[batch * groups + group], work.rows, limit);
      if (range.begin == range.end) continue;
      std::int64_t place = (batch * lhs.rows + range.begin) * rhs.columns;
      const std::byte* left_at = lhs.from(batch, range.begin, 0);
      const std::byte* right_at = nullptr;
      if (work.contracting) {
        product.k = range.end - range.begin;
        place = (group * batches + batch) * lhs.rows * rhs.columns;
        left_at = lhs.from(batch, 0, range.begin);
        right_at = rhs.from(batch, range.begin, 0);
      } else {
        product.m = range.end - range.begin;
        const std::int64_t sharing = batches / rhs_batches;  // batches of the lhs with one rhs
        right_at = rhs.from(group * rhs_batches + batch / sharing, 0, 0);
      }
      const Vmem::Scope scratch(*execution.vmem);
      execution.mxu->multiply(product, left_at, right_at, to + place * bytes, *execution.vmem);
    }
  }
}

}  // namespace understudy::worker::ops
