// SPDX-License-Identifier: Apache-2.0
#include "program/passes/column_arrays.h"

#include <algorithm>

namespace understudy::program::passes {

std::int64_t ColumnArrays::elements() const {
  std::int64_t count = 1;
  for (std::size_t d = 0; d < sizes.size(); ++d) count *= strides[d] == 0 ? 1 : sizes[d];
  return count;
}

Shape dense_strides(const Shape& sizes) {
  Shape strides(sizes.size());
  std::int64_t stride = 1;
  for (std::size_t d = sizes.size(); d-- > 0; stride *= sizes[d]) strides[d] = stride;
  return strides;
}

std::optional<ColumnArrays> column_arrays(const StridedCopy& copy, std::int64_t columns) {
  if (copy.sizes.empty() || copy.out_base != 0 || copy.out_strides != dense_strides(copy.sizes) ||
      copy.sizes.back() % columns != 0 ||
      std::ranges::any_of(copy.in_strides, [](std::int64_t stride) { return stride < 0; }))
    return std::nullopt;
  ColumnArrays arrays{{}, {}, copy.in_base, copy.in_strides.back()};
  const auto add = [&](std::int64_t size, std::int64_t stride) {
    if (size == 1) return;
    if (!arrays.sizes.empty() && arrays.strides.back() == stride * size) {
      arrays.sizes.back() *= size;
      arrays.strides.back() = stride;
    } else {
      arrays.sizes.push_back(size);
      arrays.strides.push_back(stride);
    }
  };
  for (std::size_t d = 0; d + 1 < copy.sizes.size(); ++d) add(copy.sizes[d], copy.in_strides[d]);
  add(copy.sizes.back() / columns, copy.in_strides.back() * columns);
  return arrays;
}

}  // namespace understudy::program::passes
