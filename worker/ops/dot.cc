// SPDX-License-Identifier: Apache-2.0
// dot_general (StableHLO spec): one matrix product per batch index on the MXU. The operands'
// dimensions are split into batch, free and contracting ones; free dimensions are flattened to the
// rows (lhs) or columns (rhs) of a matrix, contracting ones to its other side.
#include <algorithm>
#include <numeric>
#include <vector>

#include "configs/base/error.h"
#include "worker/chip/ops.h"
#include "worker/ops/dot_plan.h"
#include "worker/ops/operands.h"
#include "worker/ops/reduce_shape.h"

namespace understudy::worker::ops {
namespace {

Shape others(std::int64_t ndims, const Shape& a, const Shape& b) {
  Shape rest;
  for (std::int64_t d = 0; d < ndims; ++d) {
    const auto in = [d](const Shape& some) {
      return std::find(some.begin(), some.end(), d) != some.end();
    };
    if (!in(a) && !in(b)) rest.push_back(d);
  }
  return rest;
}

// Sorts the pairs of contracting dimensions by the lhs. Their order does not change the
// mathematical result, but adjacent dimensions can then be walked with one stride, and the order of
// summation does not depend on how the program lists them.
void order(Shape& lhs, Shape& rhs) {
  std::vector<std::pair<std::int64_t, std::int64_t>> pairs;
  for (std::size_t i = 0; i < lhs.size(); ++i) pairs.emplace_back(lhs[i], rhs[i]);
  std::sort(pairs.begin(), pairs.end());
  for (std::size_t i = 0; i < lhs.size(); ++i) std::tie(lhs[i], rhs[i]) = pairs[i];
}

}  // namespace

std::int64_t DotPlan::Axes::count() const {
  return std::accumulate(sizes.begin(), sizes.end(), std::int64_t{1}, std::multiplies<>());
}

DotPlan::Axes DotPlan::axes_of(const Shape& dimensions, const Shape& shape) {
  const Shape strides = strides_of(shape);
  Axes axes;
  for (const std::int64_t d : dimensions) {
    axes.sizes.push_back(shape[static_cast<std::size_t>(d)]);
    axes.strides.push_back(strides[static_cast<std::size_t>(d)]);
  }
  return axes;
}

// The dimensions from `first` on.
DotPlan::Axes DotPlan::from(const Axes& axes, std::size_t first) {
  const auto skip = static_cast<std::ptrdiff_t>(first);
  return {Shape(axes.sizes.begin() + skip, axes.sizes.end()),
          Shape(axes.strides.begin() + skip, axes.strides.end())};
}

// The single stride that walks all of the axes as one, or 0 where there is none: each axis must
// continue the next inner one without a gap. Axes of size 1 do not matter.
std::int64_t DotPlan::common_stride(const Axes& axes) {
  std::int64_t stride = 0;
  std::int64_t size = 1;
  for (std::size_t d = axes.sizes.size(); d-- > 0;) {
    if (axes.sizes[d] == 1) continue;
    if (stride == 0) {
      stride = axes.strides[d];
    } else if (axes.strides[d] != stride * size) {
      return 0;
    }
    size *= axes.sizes[d];
  }
  return stride == 0 ? 1 : stride;
}

// The first batch dimension from which on one stride walks all of them, in both operands.
std::size_t DotPlan::first_even(const Axes& lhs, const Axes& rhs) {
  std::size_t first = lhs.sizes.size();
  while (first > 0 && common_stride(from(lhs, first - 1)) != 0 &&
         common_stride(from(rhs, first - 1)) != 0)
    --first;
  return first;
}

DotPlan::Side::Side(const Operand& operand, const Axes& rows, const Axes& columns) {
  view.element = operand.type.element;
  view.row_stride = common_stride(rows);
  view.column_stride = common_stride(columns);
  if (view.row_stride != 0 && view.column_stride != 0) return;
  view.row_stride = columns.count();
  view.column_stride = 1;
  Shape sizes = rows.sizes, strides = rows.strides;
  sizes.insert(sizes.end(), columns.sizes.begin(), columns.sizes.end());
  strides.insert(strides.end(), columns.strides.begin(), columns.strides.end());
  pack.emplace(sizes, strides, strides_of(sizes), element_bytes(operand));
  packed_bytes = static_cast<std::size_t>(rows.count() * columns.count()) * element_bytes(operand);
}

const std::byte* DotPlan::Side::matrix(const std::byte* at, std::byte* room) const {
  if (!pack) return at;
  pack->run(at, room);
  return room;
}

DotPlan::DotPlan(const program::Dot& work, const Instruction& instruction) {
  const Operand& lhs = instruction.inputs[0];
  const Operand& rhs = instruction.inputs[1];
  const Operand& out = instruction.outputs[0];
  empty_ = out.type.elements() == 0;
  if (empty_) return;
  Shape lhs_contracting = work.lhs_contracting;
  Shape rhs_contracting = work.rhs_contracting;
  order(lhs_contracting, rhs_contracting);
  const Shape& lhs_shape = lhs.type.shape;
  const Shape& rhs_shape = rhs.type.shape;
  const Axes m = axes_of(others(lhs.type.ndims(), work.lhs_batch, lhs_contracting), lhs_shape);
  const Axes n = axes_of(others(rhs.type.ndims(), work.rhs_batch, rhs_contracting), rhs_shape);
  const Axes k = axes_of(lhs_contracting, lhs_shape);
  // m: free dimensions of the lhs, n: of the rhs, k: contracting. The output is dense in the order
  // batch, m, n, so matrices follow each other.
  left_.emplace(lhs, m, k);
  right_.emplace(rhs, axes_of(rhs_contracting, rhs_shape), n);
  product_ = {m.count(),    n.count(),        k.count(),  left_->view,
              right_->view, out.type.element, Passes::one};
  find_batches(work, instruction);
}

// The innermost batch dimensions go in one call where the matrices are evenly spaced along them.
void DotPlan::find_batches(const program::Dot& work, const Instruction& instruction) {
  lhs_batch_ = axes_of(work.lhs_batch, instruction.inputs[0].type.shape);
  rhs_batch_ = axes_of(work.rhs_batch, instruction.inputs[1].type.shape);
  const auto even =
      left_->pack || right_->pack ? lhs_batch_.sizes.size() : first_even(lhs_batch_, rhs_batch_);
  const Axes lhs_even = from(lhs_batch_, even), rhs_even = from(rhs_batch_, even);
  batches_ = {lhs_even.count(), common_stride(lhs_even), common_stride(rhs_even)};
  for (Shape* const shape :
       {&lhs_batch_.sizes, &lhs_batch_.strides, &rhs_batch_.sizes, &rhs_batch_.strides})
    shape->resize(even);
  outer_ = lhs_batch_.sizes;
  out_bytes_ = static_cast<std::size_t>(batches_.count * product_.m * product_.n) *
               element_bytes(instruction.outputs[0]);
}

void DotPlan::run(const program::Dot& work, const Instruction& instruction,
                  Execution& execution) const {
  if (empty_) return;
  Product product = product_;
  product.passes = passes_of(execution.numerics, work.lhs_precision, work.rhs_precision);
  const std::byte* const lhs = execution.address(instruction.inputs[0].at);
  const std::byte* const rhs = execution.address(instruction.inputs[1].at);
  std::byte* to = execution.writable(instruction.outputs[0].at);
  // Packed once per batch index, into room that is reused.
  std::byte* const left_room = execution.vmem->take(left_->packed_bytes);
  std::byte* const right_room = execution.vmem->take(right_->packed_bytes);
  const auto multiply = [&](const std::byte* left, const std::byte* right) {
    execution.mxu->multiply(product, batches_, left_->matrix(left, left_room),
                            right_->matrix(right, right_room), to, *execution.vmem);
    to += out_bytes_;
  };
  if (outer_.empty()) return multiply(lhs, rhs);
  const auto left_bytes = static_cast<std::int64_t>(element_bytes(instruction.inputs[0]));
  const auto right_bytes = static_cast<std::int64_t>(element_bytes(instruction.inputs[1]));
  Counter batch(outer_);
  do {
    multiply(lhs + offset_at(batch.at(), lhs_batch_.strides) * left_bytes,
             rhs + offset_at(batch.at(), rhs_batch_.strides) * right_bytes);
  } while (batch.next());
}

void run(const program::Dot& work, const Instruction& instruction, Execution& execution) {
  DotPlan(work, instruction).run(work, instruction, execution);
}

}  // namespace understudy::worker::ops
