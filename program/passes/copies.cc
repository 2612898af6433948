// SPDX-License-Identifier: Apache-2.0
#include "program/passes/copies.h"

#include <cstddef>
#include <functional>
#include <numeric>
#include <variant>

namespace understudy::program::passes {

StridedCopy simplified(const StridedCopy& copy) {
  StridedCopy simple;
  // Dimensions of size 1 take no step, so their strides do not matter.
  simple.in_base = copy.in_base;
  simple.out_base = copy.out_base;
  for (std::size_t d = 0; d < copy.sizes.size(); ++d) {
    if (copy.sizes[d] == 1) continue;
    if (!simple.sizes.empty() && simple.in_strides.back() == copy.in_strides[d] * copy.sizes[d] &&
        simple.out_strides.back() == copy.out_strides[d] * copy.sizes[d]) {
      simple.sizes.back() *= copy.sizes[d];
      simple.in_strides.back() = copy.in_strides[d];
      simple.out_strides.back() = copy.out_strides[d];
      continue;
    }
    simple.sizes.push_back(copy.sizes[d]);
    simple.in_strides.push_back(copy.in_strides[d]);
    simple.out_strides.push_back(copy.out_strides[d]);
  }
  return simple;
}

std::int64_t elements_of(const StridedCopy& copy) {
  return std::accumulate(copy.sizes.begin(), copy.sizes.end(), std::int64_t{1},
                         std::multiplies<>());
}

bool fills_in_order(const Instruction& copy) {
  const auto& work = std::get<StridedCopy>(copy.work);
  std::int64_t run = 1;
  for (std::size_t d = work.sizes.size(); d-- > 0; run *= work.sizes[d])
    if (work.out_strides[d] != run) return false;
  return work.out_base == 0 && run == copy.outputs[0].type.elements();
}

}  // namespace understudy::program::passes
