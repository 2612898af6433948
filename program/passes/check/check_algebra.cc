// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "program/executable/lapack.h"
#include "program/kernels/kernels.h"
#include "program/passes/check/check_fit.h"

namespace understudy::program::passes {

namespace {

std::int64_t size(const Shape& shape) { return static_cast<std::int64_t>(shape.size()); }

Shape picked(const Shape& shape, const Shape& dimensions) {
  Shape sizes;
  for (const std::int64_t d : dimensions) sizes.push_back(shape[static_cast<std::size_t>(d)]);
  return sizes;
}

// Checks a window against its operand `base` and its result, with the formula of
// verify/reduction.cc.
void window(const Window& w, const Shape& base, const Shape& result) {
  const std::size_t ndims = base.size();
  need(w.dimensions.size() == ndims && w.strides.size() == ndims &&
           w.base_dilations.size() == ndims && w.window_dilations.size() == ndims &&
           w.padding_low.size() == ndims && w.padding_high.size() == ndims &&
           result.size() == ndims,
       "the window has a different number of dimensions");
  for (std::size_t d = 0; d < ndims; ++d) {
    need(w.dimensions[d] >= 0 && w.strides[d] > 0 && w.base_dilations[d] > 0 &&
             w.window_dilations[d] > 0,
         "the window has a negative size, or a stride or dilation below 1");
    // Dilation puts base_dilations - 1 holes between elements.
    const std::int64_t spread = base[d] == 0 ? 0 : (base[d] - 1) * w.base_dilations[d] + 1;
    const std::int64_t padded = spread + w.padding_low[d] + w.padding_high[d];
    const std::int64_t reach =
        w.dimensions[d] == 0 ? 0 : (w.dimensions[d] - 1) * w.window_dilations[d] + 1;
    const std::int64_t places =
        padded < reach || padded <= 0 ? 0 : (padded - reach) / w.strides[d] + 1;
    need(result[d] == places, "the result shape does not match the window");
  }
}

// Batch and contracting dimensions of one side are in range and distinct.
bool dot_side(Shape batch, const Shape& contracting, std::int64_t ndims) {
  batch.insert(batch.end(), contracting.begin(), contracting.end());
  return distinct(std::move(batch), ndims);
}

// The remaining dimensions, in order.
void free_sizes(Shape& result, const Shape& shape, const Shape& batch, const Shape& contracting) {
  for (std::int64_t d = 0; d < size(shape); ++d)
    if (std::ranges::find(batch, d) == batch.end() &&
        std::ranges::find(contracting, d) == contracting.end())
      result.push_back(shape[static_cast<std::size_t>(d)]);
}

bool is_square(const TensorType& type) {
  return type.ndims() >= 2 && type.shape.back() == type.shape[type.shape.size() - 2];
}

}  // namespace

// The batch dimensions of a gather's result are those of its indices, without the dimension that
// holds index vectors.
void InstructionChecker::batches(std::int64_t batch, std::int64_t vector_dim,
                                 const Shape& map) const {
  const TensorType& indices = in_[1].type;
  // index_vector_dim one past the last: each element is an index.
  const bool implicit = vector_dim == indices.ndims();
  need(batch == indices.ndims() - (implicit ? 0 : 1), "batch dimensions differ");
  const std::int64_t length = implicit ? 1 : indices.shape[static_cast<std::size_t>(vector_dim)];
  need(length == size(map), "invalid start_index_map");
}

void InstructionChecker::reducing(const Body& body) const {
  const std::size_t count = out_.size();
  need(count > 0 && in_.size() == 2 * count, "wrong number of operands");
  for (std::size_t i = 0; i < count; ++i)
    // Initial values are scalars.
    need(in_[i].type.shape == in_[0].type.shape && in_[count + i].type.elements() == 1 &&
             out_[i].type.shape == out_[0].type.shape,
         "shapes differ");
  takes(body, 2 * count, count);
}

// Only what the executor's index arithmetic relies on: ranges, distinctness, and the sums of
// dimension counts. Index values are clamped at run time.
void InstructionChecker::operator()(const Gather& work) const {
  counts(2, 1);
  const TensorType& operand = in_[0].type;
  const std::int64_t indices = in_[1].type.ndims();
  need(is_integer(in_[1].type.element) && operand.element == out_[0].type.element, "types differ");
  need(no_larger(work.slice_sizes, operand.shape), "slice sizes exceed the operand");
  need(work.index_vector_dim >= 0 && work.index_vector_dim <= indices, "invalid index_vector_dim");
  need(distinct(work.offset_dims, out_[0].type.ndims()) &&
           distinct(work.collapsed_slice_dims, operand.ndims()) &&
           distinct(work.operand_batching_dims, operand.ndims()) &&
           distinct(work.start_index_map, operand.ndims()) &&
           distinct(work.start_indices_batching_dims, indices) &&
           work.operand_batching_dims.size() == work.start_indices_batching_dims.size(),
       "invalid dimension numbers");
  need(work.offset_dims.size() + work.collapsed_slice_dims.size() +
               work.operand_batching_dims.size() ==
           operand.shape.size(),
       "window dimensions do not match");
  batches(out_[0].type.ndims() - size(work.offset_dims), work.index_vector_dim,
          work.start_index_map);
}
// The checks mirror those of Gather, with updates in the place of the result.
void InstructionChecker::operator()(const Scatter& work) const {
  const std::size_t count = out_.size();
  need(count > 0 && in_.size() == 2 * count + 1, "wrong number of operands");
  const TensorType& indices = in_[count].type;
  need(is_integer(indices.element), "indices are not integers");
  need(work.index_vector_dim >= 0 && work.index_vector_dim <= indices.ndims(),
       "invalid index_vector_dim");
  const std::int64_t ndims = in_[0].type.ndims();
  need(distinct(work.update_window_dims, in_[count + 1].type.ndims()) &&
           distinct(work.inserted_window_dims, ndims) &&
           distinct(work.input_batching_dims, ndims) &&
           distinct(work.scatter_dims_to_operand_dims, ndims) &&
           distinct(work.scatter_indices_batching_dims, indices.ndims()) &&
           work.input_batching_dims.size() == work.scatter_indices_batching_dims.size(),
       "invalid dimension numbers");
  need(size(work.update_window_dims) + size(work.inserted_window_dims) +
               size(work.input_batching_dims) ==
           ndims,
       "window dimensions do not match");
  for (std::size_t i = 0; i < count; ++i)
    need(in_[i].type == out_[i].type && in_[i].type.shape == in_[0].type.shape &&
             in_[count + 1 + i].type.shape == in_[count + 1].type.shape,
         "shapes differ");
  takes(work.body, 2 * count, count);
}
void InstructionChecker::operator()(const Reduce& work) const {
  reducing(work.body);
  need(distinct(work.dimensions, in_[0].type.ndims()), "dimension out of range");
  Shape kept;
  for (std::int64_t d = 0; d < in_[0].type.ndims(); ++d)
    if (std::ranges::find(work.dimensions, d) == work.dimensions.end())
      kept.push_back(in_[0].type.shape[static_cast<std::size_t>(d)]);
  for (const Operand& out : out_) need(out.type.shape == kept, "the result shape does not match");
}
void InstructionChecker::operator()(const ArgReduce& work) const {
  counts(3, 2);
  need(kernels::finds_extremes(in_[0].type.element), "no kernel for this type");
  need(within({work.dimension}, in_[0].type.ndims()), "dimension out of range");
  Shape kept = in_[0].type.shape;
  kept.erase(kept.begin() + static_cast<std::ptrdiff_t>(work.dimension));
  const TensorType values{in_[0].type.element, kept}, positions{ElementType::i32, kept};
  need(out_[0].type == values && out_[1].type == positions, "the result types do not match");
  need(in_[1].type == TensorType{values.element, {}} &&
           in_[2].type == TensorType{ElementType::i32, {}},
       "the initial values do not match");
}
void InstructionChecker::operator()(const ReduceWindow& work) const {
  reducing(work.body);
  window(work.window, in_[0].type.shape, out_[0].type.shape);
}
// The source has one element per window of the operand; `select` compares two elements of a window.
void InstructionChecker::operator()(const SelectAndScatter& work) const {
  counts(3, 1);
  need(in_[0].type.shape == out_[0].type.shape, "shapes differ");
  window(work.window, in_[0].type.shape, in_[1].type.shape);
  takes(work.select, 2, 1);
  takes(work.scatter, 2, 1);
}
void InstructionChecker::operator()(const Sort& work) const {
  need(!in_.empty() && in_.size() == out_.size(), "wrong number of operands");
  need(within({work.dimension}, in_[0].type.ndims()), "dimension out of range");
  Shape kept = in_[0].type.shape;
  // A sort may keep the first elements only (a selection); the result is then shorter along the
  // dimension.
  kept[static_cast<std::size_t>(work.dimension)] = out_[0].type.shape.at(
      std::min(out_[0].type.shape.size() - 1, static_cast<std::size_t>(work.dimension)));
  need(no_larger(kept, in_[0].type.shape), "longer than the operand");
  for (std::size_t i = 0; i < in_.size(); ++i)
    need(in_[i].type.element == out_[i].type.element && in_[i].type.shape == in_[0].type.shape &&
             out_[i].type.shape == kept,
         "types differ");
  takes(work.comparator, 2 * in_.size(), 1);
  need(is_pred(work.comparator.results[0].type.element), "the comparator does not return a pred");
}
void InstructionChecker::operator()(const Map& work) const {
  need(!in_.empty() && out_.size() == 1, "wrong number of operands");
  same_shape();
  takes(work.body, in_.size(), 1);
}
// The result shape is recomputed: batch, lhs free, rhs free dimensions.
void InstructionChecker::operator()(const Dot& work) const {
  counts(2, 1);
  const Shape& lhs = in_[0].type.shape;
  const Shape& rhs = in_[1].type.shape;
  need(dot_side(work.lhs_batch, work.lhs_contracting, in_[0].type.ndims()) &&
           dot_side(work.rhs_batch, work.rhs_contracting, in_[1].type.ndims()),
       "invalid dimension numbers");
  need(picked(lhs, work.lhs_contracting) == picked(rhs, work.rhs_contracting) &&
           picked(lhs, work.lhs_batch) == picked(rhs, work.rhs_batch),
       "sizes differ");
  Shape result = picked(lhs, work.lhs_batch);
  free_sizes(result, lhs, work.lhs_batch, work.lhs_contracting);
  free_sizes(result, rhs, work.rhs_batch, work.rhs_contracting);
  need(result == out_[0].type.shape, "the result shape does not match");
}
// Shapes as documented at RaggedDot in executable/work.h.
void InstructionChecker::operator()(const RaggedDot& work) const {
  counts(3, 1);
  const Shape& lhs = in_[0].type.shape;
  const Shape& rhs = in_[1].type.shape;
  const Shape& sizes = in_[2].type.shape;
  need(lhs.size() == 3 && rhs.size() == (work.contracting ? 3u : 4u) && sizes.size() == 2 &&
           in_[2].type.element == ElementType::i64 && work.rows >= 0,
       "wrong number of dimensions");
  const Shape wanted = work.contracting ? Shape{sizes[1], lhs[0], lhs[1], rhs[2]}
                                        : Shape{lhs[0], lhs[1], rhs.back()};
  const Shape& inner = work.contracting ? Shape{lhs[0], lhs[2], rhs[2]}
                                        : Shape{sizes[1], rhs[1], lhs[2], rhs.back()};
  need(rhs == inner && sizes[0] == lhs[0] && out_[0].type.shape == wanted, "sizes differ");
  // The rhs may have fewer batches, each of which serves several of the lhs.
  need(work.contracting || (rhs[1] > 0 ? lhs[0] % rhs[1] == 0 : lhs[0] == 0), "batch sizes differ");
}
// The three dimension layouts are permutations; the window is that of the kernel's spatial sizes.
void InstructionChecker::operator()(const Convolution& work) const {
  counts(2, 1);
  const std::size_t spatial = work.kernel_spatial.size();
  const auto side = [&](std::int64_t a, std::int64_t b, Shape dimensions, const Operand& tensor) {
    need(dimensions.size() == spatial && tensor.type.shape.size() == spatial + 2,
         "wrong number of dimensions");
    dimensions.insert(dimensions.end(), {a, b});
    need(distinct(dimensions, tensor.type.ndims()), "invalid dimension numbers");
  };
  side(work.input_batch, work.input_feature, work.input_spatial, in_[0]);
  side(work.kernel_input_feature, work.kernel_output_feature, work.kernel_spatial, in_[1]);
  side(work.output_batch, work.output_feature, work.output_spatial, out_[0]);
  need(work.reversal.size() == spatial && work.feature_groups > 0 && work.batch_groups > 0,
       "invalid group counts");
  need(work.window.dimensions == picked(in_[1].type.shape, work.kernel_spatial),
       "the window does not match the kernel");
  window(work.window, picked(in_[0].type.shape, work.input_spatial),
         picked(out_[0].type.shape, work.output_spatial));
}
// The transformed dimensions are the last ones. kernel_check.cc checks the element types.
void InstructionChecker::operator()(const Fft& work) const {
  counts(1, 1);
  need(in_[0].type.shape.size() == out_[0].type.shape.size() &&
           work.length.size() <= in_[0].type.shape.size(),
       "wrong number of dimensions");
}
void InstructionChecker::operator()(const Cholesky&) const {
  counts(1, 1);
  need(in_[0].type == out_[0].type && is_square(in_[0].type), "not square matrices");
}
void InstructionChecker::operator()(const TriangularSolve& work) const {
  counts(2, 1);
  const Shape& a = in_[0].type.shape;
  const Shape& b = in_[1].type.shape;
  // a must be square, b must have matching rows (left side) or columns.
  need(is_square(in_[0].type) && in_[1].type == out_[0].type && a.size() == b.size() &&
           a.back() == b[b.size() - (work.left_side ? 2 : 1)],
       "sizes differ");
}
void InstructionChecker::operator()(const Lapack& work) const {
  std::vector<TensorType> in, out;
  for (const Operand& operand : in_) in.push_back(operand.type);
  for (const Operand& operand : out_) out.push_back(operand.type);
  need(misfit(work, in, out).empty(), "operands do not match the routine");
}
void InstructionChecker::operator()(const RngBitGenerator&) const {
  counts(1, 2);
  need(in_[0].type == out_[0].type, "state types differ");
}
void InstructionChecker::operator()(const Rng&) const {
  counts(2, 1);
  need(in_[0].type.elements() == 1 && in_[1].type.elements() == 1, "not scalars");
}

}  // namespace understudy::program::passes
