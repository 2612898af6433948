// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "program/verify/dimensions.h"
#include "program/verify/rules.h"
#include "program/verify/window.h"

namespace understudy::program::rules {
namespace {

// Checks N inputs of one shape, followed by N scalar initial values. Returns N.
std::size_t inputs_and_inits(const Check& check) {
  check.require(check.operands() % 2 == 0, "needs one initial value for each input");
  const std::size_t count = check.operands() / 2;
  check.expect_results(count);
  for (std::size_t i = 0; i < count; ++i) {
    // Dynamic dimensions fit any size.
    if (!fit(check.operand(i).shape, check.operand(0).shape)) {
      check.fail_operand(i, fmt::format("is {}, but operand 0 is {}", text_of(check.operand(i)),
                                        text_of(check.operand(0))));
    }
    check.expect_scalar(count + i);
  }
  return count;
}

// The region may compute in a wider type than its operands.
void expect_promotable_inputs(const Check& check, const std::vector<ElementType>& elements) {
  for (std::size_t i = 0; i < elements.size(); ++i) {
    check.expect_promotable(i, elements[i]);
    check.expect_promotable(elements.size() + i, elements[i]);
  }
}

// Padding as (low, high) per dimension; nothing means zeros.
void read_padding(const Check& check, Window& window, std::size_t ndims) {
  window.low.assign(ndims, 0);
  window.high.assign(ndims, 0);
  if (check.op().find("padding") == nullptr) return;
  const Shape pairs = check.integers("padding");
  check.expect_count("padding", pairs, 2 * ndims);
  for (std::size_t d = 0; d < ndims; ++d) {
    window.low[d] = pairs[2 * d];
    window.high[d] = pairs[2 * d + 1];
  }
}

}  // namespace

Window window_of(const Check& check, std::size_t ndims) {
  Window window;
  window.sizes = check.integers("window_dimensions");
  check.expect_count("window_dimensions", window.sizes, ndims);
  window.strides = check.integers_or("window_strides", ndims, 1);
  window.base_dilations = check.integers_or("base_dilations", ndims, 1);
  window.dilations = check.integers_or("window_dilations", ndims, 1);
  read_padding(check, window, ndims);
  return window;
}

Window convolution_window(const Check& check, const Shape& kernel) {
  Window window;
  window.sizes = kernel;
  window.strides = check.integers_or("window_strides", kernel.size(), 1);
  window.base_dilations = check.integers_or("lhs_dilation", kernel.size(), 1);
  window.dilations = check.integers_or("rhs_dilation", kernel.size(), 1);
  read_padding(check, window, kernel.size());
  return window;
}

// The number of window positions along dimension d, of an operand with `size` elements there:
// floor((padded - reach) / stride) + 1, where padded = (size - 1) * base_dilation + 1 + low + high
// and reach = (window - 1) * dilation + 1; 0 if the window does not fit.
std::int64_t places(const Check& check, const Window& window, std::size_t d, std::int64_t size) {
  check.require(window.strides[d] > 0 && window.base_dilations[d] > 0 && window.dilations[d] > 0,
                fmt::format("strides and dilations of dimension {} must be positive", d));
  // Sizes that are not known cannot be checked.
  if (size == kDynamic || window.sizes[d] == kDynamic) return kDynamic;
  check.require(window.sizes[d] > 0, fmt::format("the window of dimension {} is empty", d));
  const auto spread = [&](std::int64_t count, std::int64_t by) {
    std::int64_t out = 0;
    const bool fits = count == 0 || (!__builtin_mul_overflow(count - 1, by, &out) &&
                                     !__builtin_add_overflow(out, std::int64_t{1}, &out));
    check.require(fits, fmt::format("the dilation of dimension {} is too large", d));
    return out;
  };
  std::int64_t padded = spread(size, window.base_dilations[d]);
  const bool fits = !__builtin_add_overflow(padded, window.low[d], &padded) &&
                    !__builtin_add_overflow(padded, window.high[d], &padded);
  check.require(fits, fmt::format("the padding of dimension {} is too large", d));
  const std::int64_t reach = spread(window.sizes[d], window.dilations[d]);
  return padded < reach || padded <= 0 ? 0 : (padded - reach) / window.strides[d] + 1;
}

// The result has the dimensions that are not reduced, and the element types of the region.
void reduce(const Check& check) {
  const std::size_t count = inputs_and_inits(check);
  const Shape dimensions = check.integers("dimensions");
  check.expect_dimensions("dimensions", dimensions, check.operand(0).ndims());
  const std::vector<ElementType> elements = check.expect_reducer(0, count);
  expect_promotable_inputs(check, elements);
  std::vector<bool> gone(check.operand(0).shape.size(), false);
  for (const std::int64_t d : dimensions) gone[at(d)] = true;
  Shape kept;
  for (std::size_t d = 0; d < gone.size(); ++d) {
    if (!gone[d]) kept.push_back(check.operand(0).shape[d]);
  }
  for (std::size_t i = 0; i < count; ++i) check.expect_result(i, TensorType{elements[i], kept});
}

// One result dimension per operand dimension: the number of window positions there.
void reduce_window(const Check& check) {
  const std::size_t count = inputs_and_inits(check);
  const Shape& from = check.operand(0).shape;
  const Window window = window_of(check, from.size());
  const std::vector<ElementType> elements = check.expect_reducer(0, count);
  expect_promotable_inputs(check, elements);
  Shape wanted;
  for (std::size_t d = 0; d < from.size(); ++d) {
    wanted.push_back(places(check, window, d, from[d]));
  }
  for (std::size_t i = 0; i < count; ++i) check.expect_result(i, TensorType{elements[i], wanted});
}

// The source has one element per window position of the operand; the result has the operand's
// shape.
void select_and_scatter(const Check& check) {
  const TensorType& from = check.operand(0);
  // Floats may differ in precision.
  const auto same = [&](ElementType element) {
    return element == from.element || (is_float(element) && is_float(from.element));
  };
  const Window window = window_of(check, from.shape.size());
  Shape places_of;
  for (std::size_t d = 0; d < from.shape.size(); ++d) {
    places_of.push_back(places(check, window, d, from.shape[d]));
  }
  if (!fit(check.operand(1).shape, places_of) || !same(check.operand(1).element)) {
    check.fail_operand(1, fmt::format("is {}, but the window gives {}", text_of(check.operand(1)),
                                      text_of(TensorType{from.element, places_of})));
  }
  const Type& scalar = check.expect_scalars(0);
  check.require(same(scalar.tensor.element),
                fmt::format("region 0 compares {}, but operand 0 is {}",
                            mlir_name(scalar.tensor.element), text_of(from)));
  check.expect_region(0, {scalar, scalar}, {Type::of(TensorType{ElementType::pred, {}})});
  const std::vector<ElementType> elements = check.expect_reducer(1, 1);
  for (std::size_t i = 0; i < 3; ++i) check.expect_promotable(i, elements[0]);
  check.expect_result(0, TensorType{elements[0], from.shape});
}

}  // namespace understudy::program::rules
