// SPDX-License-Identifier: Apache-2.0
#include "pjrt/core/memory/strided_copy.h"

#include <algorithm>
#include <cstring>

#include "configs/base/error.h"

namespace understudy::pjrt {

std::vector<std::int64_t> dense_strides(std::span<const std::int64_t> shape, std::size_t element) {
  std::vector<std::int64_t> strides(shape.size());
  auto step = static_cast<std::int64_t>(element);
  for (std::size_t i = shape.size(); i > 0; --i) {
    strides[i - 1] = step;
    step *= shape[i - 1];
  }
  return strides;
}

std::vector<std::int64_t> strides_of_layout(std::span<const std::int64_t> shape,
                                            std::span<const std::int64_t> minor_to_major,
                                            std::size_t element) {
  std::vector<std::int64_t> strides(shape.size(), -1);
  auto step = static_cast<std::int64_t>(element);
  for (const std::int64_t dimension : minor_to_major) {
    const auto at = static_cast<std::size_t>(dimension);
    if (dimension < 0 || at >= shape.size() || strides[at] >= 0) break;
    strides[at] = step;
    step *= shape[at];
  }
  if (minor_to_major.size() != shape.size() || std::ranges::count(strides, -1) > 0)
    throw Error(ErrorKind::input,
                "a layout whose minor_to_major is no permutation of the dimensions");
  return strides;
}

void copy_strided(std::span<const std::int64_t> shape, std::size_t element, const std::byte* from,
                  std::span<const std::int64_t> from_strides, std::byte* to,
                  std::span<const std::int64_t> to_strides) {
  // No element: the odometer below would copy one.
  if (std::ranges::count(shape, 0) > 0) return;
  // The longest tail of dimensions that is dense on both sides is one block.
  std::size_t outer = shape.size();
  std::size_t block = element;
  // Two dense arrays are one memcpy(); a transposed one copies element by element.
  while (outer > 0 && from_strides[outer - 1] == static_cast<std::int64_t>(block) &&
         to_strides[outer - 1] == static_cast<std::int64_t>(block)) {
    block *= static_cast<std::size_t>(shape[outer - 1]);
    --outer;
  }
  // An odometer over the other dimensions.
  std::vector<std::int64_t> at(outer, 0);
  for (;;) {
    std::memcpy(to, from, block);
    std::size_t axis = outer;
    for (; axis > 0; --axis) {
      const std::size_t i = axis - 1;
      from += from_strides[i];
      to += to_strides[i];
      if (++at[i] < shape[i]) break;
      from -= from_strides[i] * shape[i];
      to -= to_strides[i] * shape[i];
      at[i] = 0;
    }
    if (axis == 0) return;
  }
}

}  // namespace understudy::pjrt
