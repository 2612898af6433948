// SPDX-License-Identifier: Apache-2.0
// A row is the part of the output with one index in all dimensions before `axis`, where `axis` is
// the last dimension in which the window is not trivial. All later dimensions pass through
// unchanged, so the elements of a row come in blocks of their product, and kernels work on whole
// blocks.
#include "worker/ops/window/window.h"

#include <algorithm>
#include <functional>
#include <numeric>

namespace understudy::worker::ops {

namespace {

std::int64_t product(const Shape& shape, std::size_t begin, std::size_t end) {
  return std::accumulate(shape.begin() + static_cast<std::ptrdiff_t>(begin),
                         shape.begin() + static_cast<std::ptrdiff_t>(end), std::int64_t{1},
                         std::multiplies<>());
}

std::int64_t ceiling(std::int64_t a, std::int64_t b) { return a <= 0 ? 0 : (a + b - 1) / b; }

}  // namespace

bool does_nothing(const program::Window& window, std::size_t d) {
  return window.dimensions[d] == 1 && window.strides[d] == 1 && window.base_dilations[d] == 1 &&
         window.padding_low[d] == 0 && window.padding_high[d] == 0;
}

Rows::Rows(const program::Window& window, const Shape& input, const Shape& output)
    : window_(window), input_(input) {
  for (std::size_t d = input.size(); d-- > 1;)
    if (!does_nothing(window, d)) {
      axis_ = d;
      break;
    }
  if (input.empty()) return;
  block_ = product(input, axis_ + 1, input.size());
  columns_ = output[axis_];
  outer_.assign(output.begin(), output.begin() + static_cast<std::ptrdiff_t>(axis_));
  positions_.assign(window.dimensions.begin(),
                    window.dimensions.begin() + static_cast<std::ptrdiff_t>(axis_ + 1));
  strides_ = strides_of(input);
}

std::optional<Run> Rows::run(const Shape& row, const Shape& position) const {
  if (input_.empty()) return Run{0, 1, 0, 0};
  std::int64_t base = 0;
  for (std::size_t d = 0; d < axis_; ++d) {
    // The position in the padded, dilated tensor; it is an element if it is a multiple of the
    // dilation.
    const std::int64_t padded = row[d] * window_.strides[d] +
                                position[d] * window_.window_dilations[d] - window_.padding_low[d];
    if (padded < 0 || padded % window_.base_dilations[d] != 0) return std::nullopt;
    const std::int64_t at = padded / window_.base_dilations[d];
    if (at >= input_[d]) return std::nullopt;
    base += at * strides_[d];
  }
  return columns_of(position[axis_], base);
}

// Solves for the columns c with 0 <= (c * stride + shift) / base dilation < size where the division
// is exact. c * stride + shift is a multiple of the dilation for every `period`-th c, or for none:
// trying one period finds the first.
std::optional<Run> Rows::columns_of(std::int64_t position, std::int64_t base) const {
  const std::int64_t stride = window_.strides[axis_];
  const std::int64_t dilation = window_.base_dilations[axis_];
  const std::int64_t shift =
      position * window_.window_dilations[axis_] - window_.padding_low[axis_];
  const std::int64_t period = dilation / std::gcd(stride, dilation);
  std::int64_t first = ceiling(-shift, stride);
  std::int64_t tries = 0;
  while (tries < period && (first * stride + shift) % dilation != 0) ++first, ++tries;
  const std::int64_t last = (input_[axis_] - 1) * dilation - shift;  // of c * stride
  if (tries == period || last < 0) return std::nullopt;
  const std::int64_t end = std::min(columns_, last / stride + 1);
  if (first >= end) return std::nullopt;
  Run run;
  run.first = first;
  run.count = (end - first + period - 1) / period;
  run.period = period;
  run.element = base + (first * stride + shift) / dilation * strides_[axis_];
  run.step = period * stride / dilation * strides_[axis_];
  return run;
}

}  // namespace understudy::worker::ops
