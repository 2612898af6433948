// SPDX-License-Identifier: Apache-2.0
// Gradients of sums of windows side by side (average pooling): JAX puts zeros between the elements
// and sums windows of that. Each window has one element, so the result repeats it. A sum begins
// with 0, which makes +0 of -0. Equivalent: the window that XLA's pad is folded into.
#include <algorithm>

#include "program/lowering/lowering.h"
#include "program/lowering/pad.h"
#include "program/passes/module/attributes.h"

namespace understudy::program::passes {

void remember_spread(Lowering& lowering, const Operand& x, const Operand& value,
                     const Padding& padding, const Operand& out) {
  if (lowering.in_body() || !lowering.origins().is_asked() || !lowering.is_zero(value)) return;
  Origins::Spread spread{x, {}, {}};
  bool has_gaps = false;
  for (std::size_t d = 0; d < padding.interior.size(); ++d) {
    const std::int64_t between = padding.interior[d];
    if (padding.low[d] != between || padding.high[d] < between) return;
    has_gaps = has_gaps || between > 0;
    spread.factors.push_back(between + 1);
    spread.behind.push_back(padding.high[d] - between);
  }
  if (has_gaps) lowering.origins().remember_spread(out, std::move(spread));
}

namespace {

// The elements of x, each repeated by the factors, before zeros.
Operand repeated_before_zeros(Lowering& lowering, const Operand& x, const Shape& factors,
                              const TensorType& type) {
  const Operand out = lowering.fill(lowering.scalar(type.element, 0), type);
  const Shape from = row_major_strides(x.type.shape), to = row_major_strides(type.shape);
  StridedCopy copy{{}, {}, {}, 0, 0};
  for (std::size_t d = 0; d < factors.size(); ++d) {
    copy.sizes.insert(copy.sizes.end(), {x.type.shape[d], factors[d]});
    copy.in_strides.insert(copy.in_strides.end(), {from[d], 0});
    copy.out_strides.insert(copy.out_strides.end(), {to[d] * factors[d], to[d]});
  }
  lowering.emit_copy(std::move(copy), x, out);
  return out;
}

}  // namespace

std::optional<Operand> sums_of_spread(Lowering& lowering, const ReduceWindow& work,
                                      const Parts& inputs) {
  const auto are = [](const Shape& numbers, std::int64_t n) {
    return std::ranges::all_of(numbers, [n](std::int64_t number) { return number == n; });
  };
  const Window& window = work.window;
  const Origins::Spread* const found = lowering.origins().spread(inputs[0]);
  if (found == nullptr || work.reduction != Reduction::sum || !lowering.is_zero(inputs[1]) ||
      is_pred(inputs[0].type.element) || window.dimensions != found->factors ||
      !are(window.strides, 1) || !are(window.base_dilations, 1) ||
      !are(window.window_dilations, 1) || !are(window.padding_low, 0) ||
      !are(window.padding_high, 0))
    return std::nullopt;
  const Operand x = found->of;
  const Shape factors = found->factors, behind = found->behind;
  const Shape from = row_major_strides(x.type.shape);
  TensorType divided{x.type.element, {}}, result{x.type.element, {}};
  Shape strides;
  for (std::size_t d = 0; d < factors.size(); ++d) {
    divided.shape.insert(divided.shape.end(), {x.type.shape[d], factors[d]});
    strides.insert(strides.end(), {from[d], 0});
    result.shape.push_back(x.type.shape[d] * factors[d]);
  }
  if (result.elements() == 0) return std::nullopt;
  if (!are(behind, 0)) {
    for (std::size_t d = 0; d < behind.size(); ++d) result.shape[d] += behind[d];
    const Operand sums = is_integer(x.type.element)
                             ? x
                             : lowering.binary(BinaryOp::add, x, lowering.splat(x.type, 0));
    return repeated_before_zeros(lowering, sums, factors, result);
  }
  const Operand repeated{lowering.gather_strided(x, divided, std::move(strides), 0).at, result};
  if (is_integer(result.element)) return repeated;
  return lowering.binary(BinaryOp::add, repeated, lowering.splat(result, 0));
}

}  // namespace understudy::program::passes
