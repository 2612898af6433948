// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <fmt/format.h>

#include "configs/base/index.h"
#include "program/lowering/exported_calls.h"
#include "program/passes/module/attributes.h"

namespace understudy::program::passes {

namespace {

// One dimension of a window operation: sizes, padding and dilations, and the number of window
// positions that they give (the StableHLO specification, "reduce_window").
struct Spread {
  std::int64_t size, low, high, base, window, dilation, stride;
  std::int64_t places() const {
    // Interior padding stands between elements only, so none follows the last.
    const std::int64_t padded = (size == 0 ? 0 : (size - 1) * base + 1) + low + high;
    const std::int64_t reach = window == 0 ? 0 : (window - 1) * dilation + 1;
    // A window that does not fit has no place, whatever the stride.
    return padded < reach || padded <= 0 ? 0 : (padded - reach) / stride + 1;
  }
};

// The result shape of a convolution, in the dimension order of its dimension numbers.
Shape convolved(const Open& open, const Shape& low, const Shape& high) {
  constexpr std::string_view kNumbers = "dimension_numbers";
  const auto number = [&](std::string_view key) { return at(number_of(open.op, kNumbers, key)); };
  const Shape input = dimensions_of(open.op, kNumbers, "input_spatial_dimensions");
  const Shape kernel = dimensions_of(open.op, kNumbers, "kernel_spatial_dimensions");
  const Shape output = dimensions_of(open.op, kNumbers, "output_spatial_dimensions");
  const std::size_t spatial = input.size();
  const Shape strides = integers_or(open.op, "window_strides", spatial, 1);
  const Shape base = integers_or(open.op, "lhs_dilation", spatial, 1);
  const Shape dilations = integers_or(open.op, "rhs_dilation", spatial, 1);
  const Shape& lhs = open.shape(0);
  const Shape& rhs = open.shape(1);
  // Two more: batch and feature.
  Shape shape(spatial + 2, 0);
  shape.at(number("output_batch_dimension")) =
      lhs.at(number("input_batch_dimension")) / integer_of(open.op, "batch_group_count", 1);
  shape.at(number("output_feature_dimension")) = rhs.at(number("kernel_output_feature_dimension"));
  for (std::size_t d = 0; d < spatial; ++d)
    shape.at(at(output[d])) = Spread{lhs.at(at(input[d])),  low.at(d),    high.at(d), base[d],
                                     rhs.at(at(kernel[d])), dilations[d], strides[d]}
                                  .places();
  return shape;
}
// The batch dimensions of the indices and the window dimensions, interleaved by offset_dims.
Shape gathered(const Open& open, const Shape& sizes) {
  constexpr std::string_view kNumbers = "dimension_numbers";
  const Shape offsets = dimensions_of(open.op, kNumbers, "offset_dims");
  // Both kinds are missing from the window: one was collapsed, the other is a batch dimension.
  Shape dropped = dimensions_of(open.op, kNumbers, "collapsed_slice_dims");
  const Shape batching = dimensions_of(open.op, kNumbers, "operand_batching_dims");
  dropped.insert(dropped.end(), batching.begin(), batching.end());
  Shape batch = open.shape(1);
  const std::size_t vector = at(number_of(open.op, kNumbers, "index_vector_dim"));
  // index_vector_dim may be one past the last: then there is no such dimension to drop.
  if (vector < batch.size()) batch.erase(batch.begin() + static_cast<std::ptrdiff_t>(vector));
  Shape window;
  for (std::size_t d = 0; d < sizes.size(); ++d)
    if (std::ranges::find(dropped, static_cast<std::int64_t>(d)) == dropped.end())
      window.push_back(sizes[d]);
  Shape shape;
  auto next = batch.begin();
  std::size_t offset = 0;
  for (std::size_t d = 0; d < batch.size() + window.size(); ++d) {
    const bool is_offset =
        std::ranges::find(offsets, static_cast<std::int64_t>(d)) != offsets.end();
    shape.push_back(is_offset ? window.at(offset++) : *next++);
  }
  return shape;
}
Shape infer_gather(const Open& open, std::size_t) {
  return gathered(open, integers_of(open.op, "slice_sizes"));
}
Shape infer_dynamic_gather(const Open& open, std::size_t) { return gathered(open, open.known(2)); }

Shape infer_reduce(const Open& open, std::size_t) {
  const Shape dimensions = integers_of(open.op, "dimensions");
  Shape shape;
  for (std::size_t d = 0; d < open.shape(0).size(); ++d)
    if (std::ranges::find(dimensions, static_cast<std::int64_t>(d)) == dimensions.end())
      shape.push_back(open.shape(0)[d]);
  return shape;
}

Shape infer_reduce_window(const Open& open, std::size_t) {
  const std::size_t ndims = open.shape(0).size();
  const auto [low, high] = pairs_or(open.op, "padding", ndims, 0);
  return windowed(open.shape(0),
                  {.dimensions = integers_of(open.op, "window_dimensions"),
                   .strides = integers_or(open.op, "window_strides", ndims, 1),
                   .base_dilations = integers_or(open.op, "base_dilations", ndims, 1),
                   .window_dilations = integers_or(open.op, "window_dilations", ndims, 1),
                   .padding_low = low,
                   .padding_high = high});
}

Shape infer_convolution(const Open& open, std::size_t) {
  // The dimensions beside batch and feature are spatial.
  const auto [low, high] = pairs_or(open.op, "padding", open.shape(0).size() - 2, 0);
  return convolved(open, low, high);
}
Shape infer_dynamic_conv(const Open& open, std::size_t) {
  // Row-major N x 2: low and high of each dimension in turn.
  const Shape padding = open.known(2);
  Shape low, high;
  for (std::size_t i = 0; i + 1 < padding.size(); i += 2) {
    low.push_back(padding[i]);
    high.push_back(padding[i + 1]);
  }
  return convolved(open, low, high);
}

// Batch dimensions of the lhs, then free dimensions of the lhs, then those of the rhs.
Shape infer_dot_general(const Open& open, std::size_t) {
  constexpr std::string_view kNumbers = "dot_dimension_numbers";
  Shape shape;
  for (const std::int64_t d : dimensions_of(open.op, kNumbers, "lhs_batching_dimensions"))
    shape.push_back(open.shape(0).at(at(d)));
  for (std::size_t side = 0; side < 2; ++side) {
    const std::string_view name = side == 0 ? "lhs" : "rhs";
    Shape taken = dimensions_of(open.op, kNumbers, fmt::format("{}_batching_dimensions", name));
    const Shape more =
        dimensions_of(open.op, kNumbers, fmt::format("{}_contracting_dimensions", name));
    taken.insert(taken.end(), more.begin(), more.end());
    for (std::size_t d = 0; d < open.shape(side).size(); ++d)
      if (std::ranges::find(taken, static_cast<std::int64_t>(d)) == taken.end())
        shape.push_back(open.shape(side)[d]);
  }
  return shape;
}
Shape infer_dot(const Open& open, std::size_t) {
  Shape shape = open.shape(0);
  // Also right for vectors, whose dot is a scalar.
  if (!shape.empty()) shape.pop_back();
  const Shape& rhs = open.shape(1);
  if (!rhs.empty()) shape.insert(shape.end(), rhs.begin() + 1, rhs.end());
  return shape;
}

Shape infer_fft(const Open& open, std::size_t) {
  Shape shape = open.shape(0);
  const std::string type = word_of(open.op, "fft_type", "FFT");
  if (shape.empty()) return shape;
  // The transform of real numbers is symmetric, so half of it and the middle are kept.
  if (type == "RFFT") shape.back() = shape.back() / 2 + 1;
  // The length cannot be derived from the half: an even and an odd length give the same.
  if (type == "IRFFT") shape.back() = integers_of(open.op, "fft_length").back();
  return shape;
}

Shape infer_top_k(const Open& open, std::size_t) {
  Shape shape = open.shape(0);
  if (!shape.empty()) shape.back() = integer_of(open.op, "k", 0);
  return shape;
}

// The first result is like the input (its gradient too); the others hold one number per feature.
Shape infer_batch_norm(const Open& open, std::size_t result) {
  if (result == 0) return open.shape(0);
  return {open.shape(0).at(at(integer_of(open.op, "feature_index", 0)))};
}

constexpr InferRow kAlgebraShapes[] = {
    {"stablehlo.gather", infer_gather},
    {"stablehlo.dynamic_gather", infer_dynamic_gather},
    {"stablehlo.reduce", infer_reduce},
    {"stablehlo.reduce_window", infer_reduce_window},
    {"stablehlo.convolution", infer_convolution},
    {"stablehlo.dynamic_conv", infer_dynamic_conv},
    {"stablehlo.dot_general", infer_dot_general},
    {"stablehlo.dot", infer_dot},
    {"stablehlo.fft", infer_fft},
    {"chlo.top_k", infer_top_k},
    {"stablehlo.batch_norm_training", infer_batch_norm},
    {"stablehlo.batch_norm_inference", infer_batch_norm},
    {"stablehlo.batch_norm_grad", infer_batch_norm},
};

}  // namespace

std::span<const InferRow> algebra_shapes() { return kAlgebraShapes; }

Shape windowed(Shape shape, const Window& window) {
  for (std::size_t d = 0; d < shape.size(); ++d)
    shape[d] = Spread{shape[d],
                      window.padding_low.at(d),
                      window.padding_high.at(d),
                      window.base_dilations.at(d),
                      window.dimensions.at(d),
                      window.window_dilations.at(d),
                      window.strides.at(d)}
                   .places();
  return shape;
}

}  // namespace understudy::program::passes
