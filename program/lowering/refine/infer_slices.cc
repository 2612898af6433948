// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <fmt/format.h>
#include <optional>

#include "program/lowering/refine/open_shapes.h"
#include "program/passes/module/attributes.h"

namespace understudy::program::passes {
namespace {

std::int64_t steps(const Open& open, std::int64_t start, std::int64_t limit, std::int64_t stride) {
  open.require(stride > 0 && start >= 0 && start <= limit,
               fmt::format("invalid slice {}:{}:{}", start, limit, stride));
  // Rounded up: a last, shorter step still takes its first element.
  return (limit - start + stride - 1) / stride;
}

Shape slice_of(const Open& open, const Shape& starts, const Shape& limits, const Shape& strides) {
  Shape shape = open.shape(0);
  for (std::size_t d = 0; d < shape.size(); ++d) {
    open.require(limits.at(d) <= shape[d],
                 fmt::format("slice limit {} exceeds the dimension size {}", limits[d], shape[d]));
    shape[d] = steps(open, starts.at(d), limits[d], strides.at(d));
  }
  return shape;
}

// JAX writes slices of a fixed size at a start that depends on data as limit = start + size.
std::optional<Shape> fixed_sizes(const Open& open) {
  const Operation* const sum = open.op.operands[2]->owner;
  const auto strides = open.lowering.known_operand(open.op, 3);
  // With another stride the number of elements would be another one.
  const bool one = strides && std::ranges::all_of(*strides, [](auto step) { return step == 1; });
  if (!one || sum == nullptr || sum->name != "stablehlo.add") return std::nullopt;
  // The sum may have the start on either side.
  for (const std::size_t size : {0U, 1U})
    if (sum->operands[1 - size] == open.op.operands[1])
      return open.lowering.known_operand(*sum, size);
  return std::nullopt;
}

Shape infer_slice(const Open& open, std::size_t) {
  const std::size_t ndims = open.shape(0).size();
  return slice_of(open, integers_of(open.op, "start_indices"),
                  integers_of(open.op, "limit_indices"), integers_or(open.op, "strides", ndims, 1));
}
Shape infer_real_dynamic_slice(const Open& open, std::size_t) {
  // Starts that are known give the exact check of the bounds, so they are tried first.
  if (!open.lowering.known_operand(open.op, 1))
    if (auto sizes = fixed_sizes(open)) return std::move(*sizes);
  return slice_of(open, open.known(1), open.known(2), open.known(3));
}

constexpr InferRow kSliceShapes[] = {
    {"stablehlo.slice", infer_slice},
    {"stablehlo.real_dynamic_slice", infer_real_dynamic_slice},
};

}  // namespace

std::span<const InferRow> slice_shapes() { return kSliceShapes; }

}  // namespace understudy::program::passes
