// SPDX-License-Identifier: Apache-2.0
#include "worker/ops/indexing/window_runs.h"

namespace understudy::worker::ops {

void WindowRuns::expand(std::span<const std::int64_t> windows, std::span<std::int64_t> out) const {
  std::int64_t* at = out.data();
  for (const std::int64_t window : windows)
    for (const std::int64_t offset : offsets) *at++ = window < 0 ? -1 : window + offset;
}

std::optional<WindowRuns> window_runs(const Shape& shape, const Shape& extents) {
  constexpr std::int64_t kMostRuns = 1024;
  WindowRuns found;
  std::size_t d = shape.size();
  bool is_whole = true;  // all dimensions so far
  while (d > 0 && is_whole) {
    --d;
    found.run *= extents[d];
    is_whole = extents[d] == shape[d];
  }
  const Shape outer(extents.begin(), extents.begin() + static_cast<std::ptrdiff_t>(d));
  std::int64_t runs = 1;
  for (const std::int64_t size : outer) runs *= size;
  if (found.run == 0 || runs == 0 || runs > kMostRuns) return std::nullopt;
  const Shape strides = strides_of(shape);
  Counter counter(outer);
  do {
    std::int64_t offset = 0;
    for (std::size_t i = 0; i < d; ++i) offset += counter.at()[i] * strides[i];
    found.offsets.push_back(offset);
  } while (counter.next());
  return found;
}

ElementIndices indices_of(std::span<const std::int64_t> offsets, const Shape& shape,
                          std::int64_t run) {
  ElementIndices indices;
  indices.at = reinterpret_cast<const std::byte*>(offsets.data());
  indices.type = program::ElementType::i64;
  indices.sizes[0] = 1;
  for (const std::int64_t size : shape) indices.sizes[0] *= size;
  indices.strides[0] = 1;
  indices.count = static_cast<std::int64_t>(offsets.size());
  indices.run = run;
  return indices;
}

}  // namespace understudy::worker::ops
