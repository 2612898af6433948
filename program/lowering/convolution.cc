// SPDX-License-Identifier: Apache-2.0
// Convolutions. One Convolution instruction covers all forms, including those of gradients: input
// dilation (base_dilations), kernel dilation, window reversal, feature groups and batch groups.
#include <algorithm>
#include <fmt/format.h>

#include "program/lowering/lowering.h"
#include "program/passes/module/attributes.h"

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

// Everything but the padding, which dynamic_conv takes as an operand.
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

// Pads and dilates the lhs with edges known only at run time. The result type is static, so the
// padded size is known: as far as the windows of the result reach. Only the low edge is read from
// the operand; the high edge is what remains. The convolution itself then has nothing left to pad.
Operand padded_for(Lowering& lowering, const Operation& op, Convolution& work, const Operand& x,
                   const Operand& padding) {
  const TensorType& result = lowering.result_type(op);
  const TensorType vector{padding.type.element, {x.type.ndims()}};
  TensorType wide = x.type;
  Shape interior(x.type.shape.size(), 0), rest = interior, rows = interior;
  for (std::size_t d = 0; d < work.kernel_spatial.size(); ++d) {
    const auto at = static_cast<std::size_t>(work.input_spatial[d]);
    const Window& window = work.window;
    // The result's size is the number of window positions.
    const std::int64_t places = result.shape[static_cast<std::size_t>(work.output_spatial[d])];
    const std::int64_t size = x.type.shape[at];
    interior[at] = window.base_dilations[d] - 1;
    // As far as the last window reaches from the first one's start.
    // Without a window nothing is read.
    wide.shape[at] = places == 0 ? 0
                                 : (places - 1) * window.strides[d] +
                                       (window.dimensions[d] - 1) * window.window_dilations[d] + 1;
    // What both edges add together.
    rest[at] = wide.shape[at] - size - std::max<std::int64_t>(size - 1, 0) * interior[at];
    // Row d of the N x 2 operand, column 0, plus 1 so that 0 means "no edge to read".
    rows[at] = static_cast<std::int64_t>(2 * d) + 1;  // 0: no edge to read
  }
  const Operand low = lowering.make(vector);
  for (std::size_t d = 0; d < rows.size(); ++d) {
    const auto place = static_cast<std::int64_t>(d);
    const std::int64_t none[] = {0};
    const Operand zero = lowering.integers({vector.element, {}}, none);
    lowering.emit_copy({{1}, {1}, {1}, std::max<std::int64_t>(rows[d] - 1, 0), place},
                       rows[d] == 0 ? zero : padding, low);
  }
  const Operand high = lowering.binary(BinaryOp::subtract, lowering.integers(vector, rest), low);
  work.window.base_dilations.assign(work.kernel_spatial.size(), 1);
  work.window.padding_low.assign(work.kernel_spatial.size(), 0);
  work.window.padding_high = work.window.padding_low;
  return lowering.emit(
      DynamicPad{},
      {x, lowering.scalar(x.type.element, 0), low, high, lowering.integers(vector, interior)},
      wide);
}

// The padding is an N x 2 value.
void lower_dynamic_conv(Lowering& lowering, const Operation& op) {
  const Operand x = lowering.operand(op, 0);
  const Operand kernel = lowering.operand(op, 1);
  Convolution work = convolution_of(op, kernel);
  const auto padding = lowering.known_operand(op, 2);
  if (!padding) {
    const Operand wide = padded_for(lowering, op, work, x, lowering.operand(op, 2));
    return lowering.emit_result(op, std::move(work), {wide, kernel});
  }
  for (std::size_t i = 0; i < padding->size(); i += 2) {
    work.window.padding_low.push_back((*padding)[i]);
    work.window.padding_high.push_back((*padding)[i + 1]);
  }
  lowering.emit_result(op, std::move(work), {x, kernel});
}

}  // namespace

void add_convolution(LowerTable& table) {
  table.emplace("stablehlo.convolution", lower_convolution);
  table.emplace("stablehlo.dynamic_conv", lower_dynamic_conv);
}

}  // namespace understudy::program::passes
