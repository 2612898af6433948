// SPDX-License-Identifier: Apache-2.0
// Convolutions.
#include <algorithm>
#include <fmt/format.h>

#include "program/passes/attributes.h"
#include "program/passes/lowering.h"

namespace understudy::program::passes {

namespace {

constexpr std::string_view kNumbers = "dimension_numbers";

Convolution numbers_of(const Operation& op) {
  Convolution work;
  work.input_batch = number_of(op, kNumbers, "input_batch_dimension");
  work.input_feature = number_of(op, kNumbers, "input_feature_dimension");
  work.input_spatial = dimensions_of(op, kNumbers, "input_spatial_dimensions");
  work.kernel_input_feature = number_of(op, kNumbers, "kernel_input_feature_dimension");
  work.kernel_output_feature = number_of(op, kNumbers, "kernel_output_feature_dimension");
  work.kernel_spatial = dimensions_of(op, kNumbers, "kernel_spatial_dimensions");
  work.output_batch = number_of(op, kNumbers, "output_batch_dimension");
  work.output_feature = number_of(op, kNumbers, "output_feature_dimension");
  work.output_spatial = dimensions_of(op, kNumbers, "output_spatial_dimensions");
  return work;
}

// Everything but the padding.
Convolution convolution_of(const Operation& op, const Operand& kernel) {
  Convolution work = numbers_of(op);
  const std::size_t spatial = work.kernel_spatial.size();
  for (const std::int64_t d : work.kernel_spatial)
    work.window.dimensions.push_back(kernel.type.shape.at(static_cast<std::size_t>(d)));
  work.window.strides = integers_or(op, "window_strides", spatial, 1);
  work.window.base_dilations = integers_or(op, "lhs_dilation", spatial, 1);
  work.window.window_dilations = integers_or(op, "rhs_dilation", spatial, 1);
  for (const std::int64_t flag : integers_or(op, "window_reversal", spatial, 0))
    work.reversal.push_back(flag != 0);
  work.feature_groups = integer_of(op, "feature_group_count", 1);
  work.batch_groups = integer_of(op, "batch_group_count", 1);
  std::tie(work.lhs_precision, work.rhs_precision) = precisions_of(op);
  return work;
}

void lower_convolution(Lowering& lowering, const Operation& op) {
  const Operand kernel = lowering.operand(op, 1);
  Convolution work = convolution_of(op, kernel);
  std::tie(work.window.padding_low, work.window.padding_high) =
      pairs_or(op, "padding", work.kernel_spatial.size(), 0);
  lowering.emit_result(op, std::move(work), {lowering.operand(op, 0), kernel});
}

// The padding is an N x 2 value that must be known now.
void lower_dynamic_conv(Lowering& lowering, const Operation& op) {
  const Operand kernel = lowering.operand(op, 1);
  Convolution work = convolution_of(op, kernel);
  const auto padding = lowering.known_integers(lowering.operand(op, 2));
  if (!padding || padding->size() != 2 * work.kernel_spatial.size())
    throw error_at(op.location, ErrorKind::unsupported,
                   fmt::format("{}: a padding that is only known at run time", op.name));
  for (std::size_t i = 0; i < padding->size(); i += 2) {
    work.window.padding_low.push_back((*padding)[i]);
    work.window.padding_high.push_back((*padding)[i + 1]);
  }
  lowering.emit_result(op, std::move(work), {lowering.operand(op, 0), kernel});
}

}  // namespace

void add_convolution(LowerTable& table) {
  table.emplace("stablehlo.convolution", lower_convolution);
  table.emplace("stablehlo.dynamic_conv", lower_dynamic_conv);
}

}  // namespace understudy::program::passes
