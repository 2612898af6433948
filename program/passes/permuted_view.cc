// SPDX-License-Identifier: Apache-2.0
#include "program/passes/permuted_view.h"

#include <algorithm>
#include <numeric>
#include <vector>

namespace understudy::program::passes {

namespace {

// Dimensions by falling stride; nullopt unless they are those of a dense array. Dimensions of one
// element come first.
std::optional<std::vector<std::size_t>> dense_order(const Shape& sizes, const Shape& strides) {
  std::vector<std::size_t> order(sizes.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  // The stride of a dimension of one element is never used, so it may be anything.
  const auto key = [&](std::size_t d) { return sizes[d] == 1 ? INT64_MAX : strides[d]; };
  std::ranges::stable_sort(order, std::greater<>(), key);
  std::int64_t dense = 1;
  for (std::size_t i = order.size(); i-- > 0;) {
    // From the fastest dimension: each stride is the product of the sizes after it.
    if (sizes[order[i]] == 1) continue;
    if (strides[order[i]] != dense) return std::nullopt;
    dense *= sizes[order[i]];
  }
  return order;
}

}  // namespace

bool makes_dense_array(const Instruction& instruction) {
  const auto* copy = std::get_if<StridedCopy>(&instruction.work);
  if (copy == nullptr || copy->in_base != 0 || copy->out_base != 0) return false;
  const TensorType& out = instruction.outputs[0].type;
  const auto elements =
      std::accumulate(copy->sizes.begin(), copy->sizes.end(), std::int64_t{1}, std::multiplies<>());
  return elements > 0 && out.elements() == elements &&
         instruction.inputs[0].type.element == out.element &&
         dense_order(copy->sizes, copy->out_strides).has_value();
}

// A permutation moves every element once: both sides are dense, in different orders.
bool is_permutation(const Instruction& instruction) {
  if (!makes_dense_array(instruction)) return false;
  const auto& copy = std::get<StridedCopy>(instruction.work);
  return instruction.inputs[0].type.elements() == instruction.outputs[0].type.elements() &&
         dense_order(copy.sizes, copy.in_strides).has_value();
}

std::optional<Shape> strides_through(const StridedCopy& copy, const Shape& shape) {
  Shape strides(shape.size(), 0);
  std::int64_t stride = 1;  // of the dimension in the output
  // Dimensions from the fastest, with the strides of a dense array.
  for (std::size_t d = shape.size(); d-- > 0; stride *= shape[d]) {
    if (shape[d] == 1) continue;
    // The axis of the copy in which the whole dimension lies.
    for (std::size_t a = 0; a < copy.sizes.size(); ++a) {
      const std::int64_t first = copy.out_strides[a], end = first * copy.sizes[a];
      // The dimension begins in another axis.
      if (copy.sizes[a] == 1 || stride < first || stride >= end) continue;
      // The dimension reaches across an axis: no single stride walks it.
      if (stride % first != 0 || stride * shape[d] > end) return std::nullopt;
      strides[d] = stride / first * copy.in_strides[a];
    }
  }
  return strides;
}

std::optional<PermutedView> permuted_view(const StridedCopy& copy, const Shape& shape) {
  const auto strides = strides_through(copy, shape);
  if (!strides) return std::nullopt;
  const auto order = dense_order(shape, *strides);
  if (!order) return std::nullopt;
  PermutedView view;
  // position[d] is where dimension d stands in the array before the copy.
  view.position.resize(shape.size());
  for (std::size_t i = 0; i < order->size(); ++i) {
    view.shape.push_back(shape[(*order)[i]]);
    view.position[(*order)[i]] = static_cast<std::int64_t>(i);
  }
  return view;
}

std::optional<StridedCopy> composed(const StridedCopy& earlier, const StridedCopy& later) {
  // The array between them, with the axes of `later` as its dimensions.
  const auto order = dense_order(later.sizes, later.in_strides);
  if (!order) return std::nullopt;
  Shape between;
  for (const std::size_t a : *order) between.push_back(later.sizes[a]);
  const auto strides = strides_through(earlier, between);
  if (!strides) return std::nullopt;
  StridedCopy both = later;
  // Whether the two copies undo each other.
  bool plain = true;
  for (std::size_t i = 0; i < order->size(); ++i) {
    const std::size_t a = (*order)[i];
    both.in_strides[a] = (*strides)[i];
    plain = plain && (both.sizes[a] == 1 || both.in_strides[a] == both.out_strides[a]);
  }
  if (!plain) return both;
  const auto elements =
      std::accumulate(later.sizes.begin(), later.sizes.end(), std::int64_t{1}, std::multiplies<>());
  return StridedCopy{{elements}, {1}, {1}, 0, 0};
}

bool exchanges(const StridedCopy& copy, std::int64_t batch, std::int64_t rows,
               std::int64_t columns) {
  const auto strides = strides_through(copy, {batch, columns, rows});
  if (!strides) return false;
  const Shape wanted{rows * columns, 1, columns};
  const Shape sizes{batch, columns, rows};
  for (std::size_t d = 0; d < sizes.size(); ++d)
    if (sizes[d] != 1 && (*strides)[d] != wanted[d]) return false;
  return true;
}

}  // namespace understudy::program::passes
