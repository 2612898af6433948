// SPDX-License-Identifier: Apache-2.0
// The dimensions of a reduction. Pure functions.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "worker/ops/operands.h"

namespace understudy::worker::ops {

// The input's dimensions, split into kept ones, which index the results, and reduced ones, which
// each result is computed from.
struct Split {
  Shape kept_sizes, kept_strides;
  Shape reduced_sizes, reduced_strides;
  // The innermost dimensions of one kind, merged into one dense run and removed from the lists
  // above. Its kind decides the method: reduced -> fold_runs, kept -> RowAdder.
  std::int64_t run = 1;
  bool run_is_reduced = false;
};

inline Split split_of(const Shape& shape, const Shape& dimensions) {
  Split split;
  const Shape strides = strides_of(shape);
  const auto is_reduced = [&](std::size_t d) {
    return std::find(dimensions.begin(), dimensions.end(), static_cast<std::int64_t>(d)) !=
           dimensions.end();
  };
  std::size_t end = shape.size();
  // Dimensions of size 1 belong to either kind: they never interrupt a dense run.
  while (end > 0 && shape[end - 1] == 1) --end;
  split.run_is_reduced = end == 0 || is_reduced(end - 1);
  while (end > 0 && (is_reduced(end - 1) == split.run_is_reduced || shape[end - 1] == 1)) {
    split.run *= shape[--end];
  }
  for (std::size_t d = 0; d < end; ++d) {
    if (shape[d] == 1) continue;
    Shape& sizes = is_reduced(d) ? split.reduced_sizes : split.kept_sizes;
    Shape& steps = is_reduced(d) ? split.reduced_strides : split.kept_strides;
    // Neighbours of one kind are one dimension.
    if (!steps.empty() && steps.back() == shape[d] * strides[d]) {
      sizes.back() *= shape[d];
      steps.back() = strides[d];
    } else {
      sizes.push_back(shape[d]);
      steps.push_back(strides[d]);
    }
  }
  return split;
}

inline std::int64_t offset_at(const Shape& index, const Shape& strides) {
  std::int64_t offset = 0;
  for (std::size_t d = 0; d < index.size(); ++d) offset += index[d] * strides[d];
  return offset;
}

// The offsets of all indices in row-major order, computed once and used for every result.
inline std::vector<std::int64_t> offsets_of(const Shape& sizes, const Shape& strides) {
  std::vector<std::int64_t> offsets;
  Counter counter(sizes);
  if (counter.empty()) return offsets;
  do {
    offsets.push_back(offset_at(counter.at(), strides));
  } while (counter.next());
  return offsets;
}

// Calls use(offset) for each index of all dimensions but the last.
template <class Use>
void for_each_outer(const Shape& sizes, const Shape& strides, const Use& use) {
  if (sizes.empty()) return use(0);
  Counter outer(Shape(sizes.begin(), sizes.end() - 1));
  do {
    use(offset_at(outer.at(), strides));
  } while (outer.next());
}

// The innermost of the dimensions, apart from the offsets of the others.
struct Inner {
  Inner(const Shape& sizes, const Shape& strides) {
    if (sizes.empty()) return;
    size = sizes.back();
    stride = strides.back();
  }
  std::int64_t size = 1, stride = 0;
};
inline Shape without_last(Shape shape) {
  if (!shape.empty()) shape.pop_back();
  return shape;
}

}  // namespace understudy::worker::ops
