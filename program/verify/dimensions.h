// SPDX-License-Identifier: Apache-2.0
// Small questions about dimension numbers and sizes, which may be open. Pure functions.
#pragma once

#include <algorithm>

#include "configs/base/index.h"
#include "program/verify/check.h"

namespace understudy::program::rules {

inline bool holds(const Shape& list, std::int64_t value) {
  return std::ranges::find(list, value) != list.end();
}

// A dynamic size counts as divisible: it may be, at run time.
inline bool divides(std::int64_t by, std::int64_t size) {
  return size == kDynamic || size % by == 0;
}
inline std::int64_t quotient(std::int64_t size, std::int64_t by) {
  return size == kDynamic ? kDynamic : size / by;
}
// Throws Error{capacity} where the product does not fit 63 bits.
inline std::int64_t product(std::int64_t size, std::int64_t by) {
  return size == kDynamic ? kDynamic : checked_multiply(size, by);
}

// 'precision_config' has at most one entry for each operand.
void expect_precision(const Check& check);

}  // namespace understudy::program::rules
