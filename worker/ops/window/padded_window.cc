// SPDX-License-Identifier: Apache-2.0
#include "worker/ops/window/padded_window.h"

#include <algorithm>

#include "worker/chip/copy.h"

namespace understudy::worker::ops {
namespace {

// Outputs at a time: with what they read, half of a first-level cache.
constexpr std::int64_t kChunk = 2048;

std::int64_t elements_of(const Shape& sizes, std::size_t first = 0) {
  std::int64_t n = 1;
  for (std::size_t d = first; d < sizes.size(); ++d) n *= sizes[d];
  return n;
}

std::int64_t offset_of(const Shape& index, const Shape& strides, const Shape& steps) {
  std::int64_t offset = 0;
  for (std::size_t d = 0; d < index.size(); ++d) offset += index[d] * strides[d] * steps[d];
  return offset;
}

}  // namespace

PaddedWindow padded_window(const program::Window& window, const Shape& input, const Shape& output) {
  PaddedWindow padded;
  for (std::size_t d = 0; d < input.size(); ++d) {
    const std::int64_t reach = (output[d] - 1) * window.strides[d] +
                               (window.dimensions[d] - 1) * window.window_dilations[d] + 1;
    padded.shape.push_back(reach);
    padded.is_input = padded.is_input && window.padding_low[d] == 0 &&
                      window.base_dilations[d] == 1 && reach <= input[d];
  }
  padded.strides = strides_of(padded.is_input ? input : padded.shape);
  return padded;
}

void fill_padded_window(const program::Window& window, const Shape& input, const std::byte* in,
                        const std::byte* value, std::size_t bytes, const PaddedWindow& padded,
                        std::byte* out) {
  replicate(value, bytes, out, static_cast<std::size_t>(elements_of(padded.shape)));
  const Shape from = strides_of(input);
  Shape sizes, to = padded.strides;
  std::int64_t first_in = 0, first_out = 0;
  for (std::size_t d = 0; d < input.size(); ++d) {
    const std::int64_t step = window.base_dilations[d], low = window.padding_low[d];
    const std::int64_t first = low >= 0 ? 0 : (-low + step - 1) / step;
    const std::int64_t room = padded.shape[d] - 1 - low;
    const std::int64_t last = room < 0 ? -1 : std::min(input[d] - 1, room / step);
    sizes.push_back(std::max<std::int64_t>(0, last - first + 1));
    first_in += first * from[d];
    first_out += (low + first * step) * to[d];
    to[d] *= step;
  }
  const auto wide = static_cast<std::int64_t>(bytes);
  if (elements_of(sizes) > 0)
    CopyPlan(sizes, from, to, bytes).run(in + first_in * wide, out + first_out * wide);
}

void reduce_padded_window(const program::Window& window, const PaddedWindow& padded,
                          const Shape& output, std::size_t bytes, const WindowStep& step,
                          std::byte* out, Vmem& vmem) {
  const auto wide = static_cast<std::int64_t>(bytes);
  // A chunk: some indices of dimension `split`, all of the later ones.
  std::size_t split = output.empty() ? 0 : output.size() - 1;
  while (split > 0 && elements_of(output, split) <= kChunk) --split;
  const std::int64_t inner = elements_of(output, split + 1);
  const std::int64_t rows = output.empty() ? 1 : output[split];
  const std::int64_t most = std::clamp<std::int64_t>(kChunk / inner, 1, rows);
  std::byte* const met = vmem.take(static_cast<std::uint64_t>(most * inner * wide));
  Shape sizes(output.begin() + static_cast<std::ptrdiff_t>(split), output.end()), from;
  for (std::size_t d = split; d < output.size(); ++d)
    from.push_back(padded.strides[d] * window.strides[d]);
  Counter outer(Shape(output.begin(), output.begin() + static_cast<std::ptrdiff_t>(split)));
  std::vector<std::int64_t> offsets;
  Counter position(window.dimensions);
  for (bool more = !position.empty(); more; more = position.next())
    offsets.push_back(offset_of(position.at(), padded.strides, window.window_dilations));
  const auto plan_of = [&](std::int64_t count) {
    if (!sizes.empty()) sizes[0] = count;
    return CopyPlan(sizes, from, strides_of(sizes), bytes);
  };
  const CopyPlan whole = plan_of(most), rest = plan_of(rows % most);
  // Windows one element apart, as a sliding sum has them: what they meet lies there already.
  const bool is_dense = !sizes.empty() && from == strides_of(sizes);
  for (bool more = !outer.empty(); more; more = outer.next()) {
    const std::int64_t base = offset_of(outer.at(), padded.strides, window.strides);
    for (std::int64_t row = 0; row < rows; row += most) {
      const std::int64_t count = std::min(most, rows - row);
      const std::int64_t at = base + (from.empty() ? 0 : row * from[0]);
      const auto some = static_cast<std::size_t>(count * inner);
      replicate(step.init, bytes, out, some);
      if (is_dense && step.sliding != nullptr) {
        step.sliding(padded.at + at * wide, offsets, out, some);
        out += count * inner * wide;
        continue;
      }
      for (const std::int64_t offset : offsets) {
        const std::byte* elements = padded.at + (at + offset) * wide;
        if (!is_dense) {
          (count == most ? whole : rest).run(elements, met);
          elements = met;
        }
        step.combine(out, elements, out, some);
      }
      out += count * inner * wide;
    }
  }
}

}  // namespace understudy::worker::ops
