// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <fmt/format.h>

#include "configs/base/index.h"
#include "program/lowering/exported_calls.h"
#include "program/passes/module/attributes.h"

namespace understudy::program::passes {
namespace {

Shape last_dimension(const Open& open, std::int64_t k) {
  Shape shape = open.shape(0);
  open.require(!shape.empty() && k >= 0 && k <= shape.back(),
               fmt::format("k is {}, but the last dimension of the operand has {} elements", k,
                           shape.empty() ? 0 : shape.back()));
  shape.back() = k;
  return shape;
}

// The attributes of an operation of dialect mhlo are a dictionary of their own.
Shape mhlo_top_k(const Open& open, std::size_t) {
  const Attribute* all = open.op.find("mhlo.attributes");
  const DictionaryAttribute* entries = all == nullptr ? nullptr : all->dictionary();
  const Attribute* k = entries == nullptr ? nullptr : entries->find("k");
  open.require(k != nullptr, "mhlo.attributes lacks k");
  return last_dimension(open, number_of(*k, -1));
}

Shape dynamic_top_k(const Open& open, std::size_t) {
  // The k is operand 1, after the array.
  const Shape k = open.known(1);
  open.require(k.size() == 1, "k must be one number");
  return last_dimension(open, k[0]);
}

Shape dynamic_window(const Open& open, std::size_t result) {
  const DynamicWindow found = dynamic_window_of(open.lowering, open.op);
  open.require(result < found.inputs, "it has more results than inputs");
  open.require(open.shape(result).size() == found.window.dimensions.size(),
               "the window and the input have different numbers of dimensions");
  return windowed(open.shape(result), found.window);
}

// The state, then the bits of the wanted shape.
Shape random_bits(const Open& open, std::size_t result) {
  return result == 0 ? open.shape(0) : open.known(1);
}

constexpr std::pair<std::string_view, Shape (*)(const Open&, std::size_t)> kCustomCallShapes[] = {
    {"mhlo.topk", mhlo_top_k},
    {"stablehlo.dynamic_top_k", dynamic_top_k},
    {"stablehlo.dynamic_reduce_window", dynamic_window},
    {"stablehlo.dynamic_rng_bit_generator", random_bits},
};

}  // namespace

DynamicWindow dynamic_window_of(const Lowering& lowering, const Operation& op) {
  const Open open{lowering, op};
  // Window sizes, strides, base dilations, window dilations and padding follow the arrays.
  constexpr std::size_t kSizes = 5;
  const std::size_t count = op.operands.size();
  open.require(
      count > kSizes && (count - kSizes) % 2 == 0,
      fmt::format("expected inputs, initial values and {} operands, got {}", kSizes, count));
  DynamicWindow found;
  found.inputs = (count - kSizes) / 2;
  const std::size_t first = 2 * found.inputs;
  Window& window = found.window;
  window.dimensions = open.known(first);
  window.strides = open.known(first + 1);
  window.base_dilations = open.known(first + 2);
  window.window_dilations = open.known(first + 3);
  const Shape padding = open.known(first + 4);
  const std::size_t ndims = window.dimensions.size();
  open.require(window.strides.size() == ndims && window.base_dilations.size() == ndims &&
                   window.window_dilations.size() == ndims && padding.size() == 2 * ndims,
               "the sizes of the window have different lengths");
  // Zero would divide by zero in Spread::places().
  const auto positive = [](std::int64_t size) { return size > 0; };
  open.require(std::ranges::all_of(window.dimensions, positive) &&
                   std::ranges::all_of(window.strides, positive) &&
                   std::ranges::all_of(window.base_dilations, positive) &&
                   std::ranges::all_of(window.window_dilations, positive),
               "the sizes, strides and dilations of the window must be positive");
  for (std::size_t d = 0; d < ndims; ++d) {
    window.padding_low.push_back(padding[2 * d]);
    window.padding_high.push_back(padding[2 * d + 1]);
  }
  return found;
}

// Calls may name operands that hold the shapes of their results.
Shape infer_custom_call(const Open& open, std::size_t result) {
  const std::string target = string_of(open.op, "call_target_name", "");
  for (const auto& [name, infer] : kCustomCallShapes)
    if (name == target) return infer(open, result);
  // JAX names the operands by index, one for each result.
  const Attribute* shapes = open.op.find("indices_of_shape_operands");
  if (shapes != nullptr) return open.known(at(integers_of(*shapes).at(result)));
  // Otherwise a result is taken to be like the operand of the same index.
  return result < open.op.operands.size() ? open.shape(result) : Shape();
}

}  // namespace understudy::program::passes
