// SPDX-License-Identifier: Apache-2.0
// Convolutions: convolution, dynamic_conv.
#include <fmt/format.h>

#include "program/verify/dimensions.h"
#include "program/verify/rules.h"
#include "program/verify/window.h"

namespace understudy::program::rules {
namespace {

// The dimension numbers of one of the three tensors: each dimension is used exactly once.
// Three layouts exist, of input, kernel and output, with the same structure and other names.
struct Layout {
  std::int64_t first = 0, second = 0;  // batch and feature, or input and output features
  Shape spatial;
};

Layout layout_of(const Check& check, const TensorType& type, std::string_view prefix,
                 std::string_view first, std::string_view second) {
  const DialectAttribute& dims = check.structure("dimension_numbers");
  const std::string spatial = fmt::format("{}_spatial_dimensions", prefix);
  Layout out{check.number(dims, fmt::format("{}_{}_dimension", prefix, first)),
             check.number(dims, fmt::format("{}_{}_dimension", prefix, second)),
             check.field(dims, spatial)};
  Shape all = out.spatial;
  all.push_back(out.first);
  all.push_back(out.second);
  // All dimensions together must be a permutation of the tensor's dimensions.
  check.expect_count(spatial, all, type.shape.size());
  check.expect_dimensions(spatial, all, type.ndims());
  return out;
}

// Feature groups split the input features among kernels; batch groups split the batch. The
// specification does not allow both.
void expect_groups(const Check& check, std::int64_t features, std::int64_t batches,
                   const Layout& input, const Layout& kernel) {
  const TensorType& lhs = check.operand(0);
  const TensorType& rhs = check.operand(1);
  // Feature groups and batch groups divide the same output features, so both at once would be
  // ambiguous.
  check.require(features > 0 && batches > 0 && (features == 1 || batches == 1),
                "group counts must be positive, and at least one must be 1");
  const std::int64_t has = lhs.shape[at(input.second)];
  const std::int64_t takes = rhs.shape[at(kernel.first)];
  if (!divides(features, has) || !fit(quotient(has, features), takes))
    check.fail(fmt::format("{} input features in {} groups do not match {} kernel input features",
                           has, features, takes));
  const std::int64_t outputs = rhs.shape[at(kernel.second)];
  // Each group has the same number of outputs.
  check.require(divides(batches, lhs.shape[at(input.first)]) && divides(features, outputs) &&
                    divides(batches, outputs),
                "the group counts must divide the batch size and the output features");
}

}  // namespace

void convolution(const Check& check) {
  const TensorType& lhs = check.operand(0);
  const TensorType& rhs = check.operand(1);
  const TensorType& out = check.result(0);
  if (lhs.element != rhs.element)
    check.fail_operand(1, fmt::format("is {}, but operand 0 is {}: their element types must agree",
                                      text_of(rhs), text_of(lhs)));
  const Layout input = layout_of(check, lhs, "input", "batch", "feature");
  const Layout kernel = layout_of(check, rhs, "kernel", "input_feature", "output_feature");
  const Layout output = layout_of(check, out, "output", "batch", "feature");
  const std::int64_t features = check.integer("feature_group_count");
  const std::int64_t batches = check.integer("batch_group_count");
  expect_groups(check, features, batches, input, kernel);
  Shape sizes;
  for (const std::int64_t d : kernel.spatial) sizes.push_back(rhs.shape[at(d)]);
  const Window window = convolution_window(check, sizes);
  // Its entries are flags without a constraint; only their number is checked.
  check.integers_or("window_reversal", sizes.size(), 0);
  Shape wanted(out.shape.size(), 0);
  wanted[at(output.first)] = quotient(lhs.shape[at(input.first)], batches);
  wanted[at(output.second)] = rhs.shape[at(kernel.second)];
  const bool padding_is_value = check.op().name == "stablehlo.dynamic_conv";
  for (std::size_t d = 0; d < sizes.size(); ++d) {
    // dynamic_conv has its padding as an operand, so spatial sizes of the result are unknown
    // here.
    const std::int64_t size = padding_is_value ? kDynamic : lhs.shape[at(input.spatial[d])];
    wanted[at(output.spatial[d])] = places(check, window, d, size);
  }
  check.expect_shape(0, wanted);
  expect_precision(check);
}

void dynamic_conv(const Check& check) {
  const TensorType& padding = check.operand(2);
  // One row of low and high padding for each spatial dimension.
  const Shape wanted = {check.operand(0).ndims() - 2, 2};
  if (padding.shape != wanted)
    check.fail_operand(2, fmt::format("is {}, but must be {}", text_of(padding),
                                      text_of(TensorType{padding.element, wanted})));
  convolution(check);
}

}  // namespace understudy::program::rules
