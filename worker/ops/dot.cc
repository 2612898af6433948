// SPDX-License-Identifier: Apache-2.0
// dot_general (StableHLO spec): one matrix product per batch index on the MXU. The operands'
// dimensions are split into batch, free and contracting ones; free dimensions are flattened to the
// rows (lhs) or columns (rhs) of a matrix, contracting ones to its other side.
#include <algorithm>
#include <numeric>
#include <vector>

#include "configs/base/error.h"
#include "worker/chip/copy.h"
#include "worker/chip/ops.h"
#include "worker/ops/operands.h"

namespace understudy::worker::ops {
namespace {

// Some dimensions of an operand, outermost first.
struct Axes {
  Shape sizes, strides;
  std::int64_t count() const {
    return std::accumulate(sizes.begin(), sizes.end(), std::int64_t{1}, std::multiplies<>());
  }
};

Axes axes_of(const Shape& dimensions, const Shape& shape) {
  const Shape strides = strides_of(shape);
  Axes axes;
  for (const std::int64_t d : dimensions) {
    axes.sizes.push_back(shape[static_cast<std::size_t>(d)]);
    axes.strides.push_back(strides[static_cast<std::size_t>(d)]);
  }
  return axes;
}

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

// The single stride that walks all of the axes as one, or 0 where there is none: each axis must
// continue the next inner one without a gap. Axes of size 1 do not matter.
std::int64_t common_stride(const Axes& axes) {
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

// One operand as a matrix per batch index: used in place where rows and columns have one stride
// each, else packed into a dense row-major copy. Transposed operands need no copy: the MXU takes
// either direction.
class Side {
 public:
  Side(const Operand& operand, Axes rows, Axes columns, Execution& execution)
      : operand_(operand),
        at_(execution.address(operand.at)),
        rows_(std::move(rows)),
        columns_(std::move(columns)) {
    view_.element = operand.type.element;
    view_.row_stride = common_stride(rows_);
    view_.column_stride = common_stride(columns_);
    packs_ = view_.row_stride == 0 || view_.column_stride == 0;
    if (!packs_) return;
    view_.row_stride = columns_.count();
    view_.column_stride = 1;
    packed_.resize(static_cast<std::size_t>(rows_.count() * columns_.count()) *
                   element_bytes(operand));
  }

  const MatrixView& view() const { return view_; }
  bool packs() const { return packs_; }
  const std::byte* matrix(std::int64_t offset) {
    const std::byte* const at = at_ + offset * static_cast<std::int64_t>(element_bytes(operand_));
    if (!packs_) return at;
    Shape sizes = rows_.sizes;
    Shape strides = rows_.strides;
    sizes.insert(sizes.end(), columns_.sizes.begin(), columns_.sizes.end());
    strides.insert(strides.end(), columns_.strides.begin(), columns_.strides.end());
    // Packed once per batch index, into a buffer that is reused.
    CopyPlan(sizes, strides, strides_of(sizes), element_bytes(operand_)).run(at, packed_.data());
    return packed_.data();
  }

 private:
  const Operand& operand_;
  const std::byte* at_;
  Axes rows_, columns_;
  MatrixView view_;
  bool packs_ = false;
  std::vector<std::byte> packed_;
};

// The dimensions from `first` on.
Axes from(const Axes& axes, std::size_t first) {
  const auto skip = static_cast<std::ptrdiff_t>(first);
  return {Shape(axes.sizes.begin() + skip, axes.sizes.end()),
          Shape(axes.strides.begin() + skip, axes.strides.end())};
}

// The first batch dimension from which on one stride walks all of them, in both operands.
std::size_t first_even(const Axes& lhs, const Axes& rhs) {
  std::size_t first = lhs.sizes.size();
  while (first > 0 && common_stride(from(lhs, first - 1)) != 0 &&
         common_stride(from(rhs, first - 1)) != 0)
    --first;
  return first;
}

std::int64_t offset_at(const Shape& index, const Axes& axes) {
  return std::inner_product(index.begin(), index.end(), axes.strides.begin(), std::int64_t{0});
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

void run(const program::Dot& work, const Instruction& instruction, Execution& execution) {
  const Operand& lhs = instruction.inputs[0];
  const Operand& rhs = instruction.inputs[1];
  const Operand& out = instruction.outputs[0];
  if (out.type.elements() == 0) return;
  Shape lhs_contracting = work.lhs_contracting;
  Shape rhs_contracting = work.rhs_contracting;
  order(lhs_contracting, rhs_contracting);
  const Shape& lhs_shape = lhs.type.shape;
  const Shape& rhs_shape = rhs.type.shape;
  const Axes lhs_batch = axes_of(work.lhs_batch, lhs_shape);
  const Axes rhs_batch = axes_of(work.rhs_batch, rhs_shape);
  const Axes m = axes_of(others(lhs.type.ndims(), work.lhs_batch, lhs_contracting), lhs_shape);
  const Axes n = axes_of(others(rhs.type.ndims(), work.rhs_batch, rhs_contracting), rhs_shape);
  const Axes k = axes_of(lhs_contracting, lhs_shape);
  // m: free dimensions of the lhs, n: of the rhs, k: contracting. The output is dense in the order
  // batch, m, n, so matrices follow each other.
  Side left(lhs, m, k, execution);
  Side right(rhs, axes_of(rhs_contracting, rhs_shape), n, execution);
  const Product product{m.count(),
                        n.count(),
                        k.count(),
                        left.view(),
                        right.view(),
                        out.type.element,
                        passes_of(execution.numerics, work.lhs_precision, work.rhs_precision)};
  std::byte* to = execution.writable(out.at);
  // The innermost batch dimensions in one call where the matrices are evenly spaced along them.
  const auto even =
      left.packs() || right.packs() ? lhs_batch.sizes.size() : first_even(lhs_batch, rhs_batch);
  const Axes lhs_even = from(lhs_batch, even), rhs_even = from(rhs_batch, even);
  const Batches batches{lhs_even.count(), common_stride(lhs_even), common_stride(rhs_even)};
  Counter batch(
      Shape(lhs_batch.sizes.begin(), lhs_batch.sizes.begin() + static_cast<std::ptrdiff_t>(even)));
  do {
    execution.mxu->multiply(product, batches, left.matrix(offset_at(batch.at(), lhs_batch)),
                            right.matrix(offset_at(batch.at(), rhs_batch)), to, *execution.vmem);
    to += batches.count * product.m * product.n * static_cast<std::int64_t>(element_bytes(out));
  } while (batch.next());
}

}  // namespace understudy::worker::ops
