// SPDX-License-Identifier: Apache-2.0
// Copies between strided arrays: every op that only moves data uses it. A plan is built once and
// may run many times.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "program/ir/types.h"

namespace understudy::worker::ops {

// out[sum i_d * out_strides[d]] = in[sum i_d * in_strides[d]] for all i below sizes. Strides count
// elements and may be negative or zero; source and target do not overlap.
class CopyPlan {
 public:
  CopyPlan(const program::Shape& sizes, const program::Shape& in_strides,
           const program::Shape& out_strides, std::size_t element_bytes);
  void run(const std::byte* in, std::byte* out) const;

 private:
  struct Axis {
    std::int64_t size, in, out;
  };
  void coalesce();
  template <class T>
  void run_as(const T* in, T* out) const;

  std::vector<Axis> outer_;  // slowest first
  Axis middle_{1, 0, 0};     // of a transposition; size 1 else
  Axis inner_{1, 1, 1};      // smallest stride of out
  std::size_t element_bytes_;
  bool empty_ = false;
};

}  // namespace understudy::worker::ops
