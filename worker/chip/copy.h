// SPDX-License-Identifier: Apache-2.0
// Copies between strided arrays: every op that only moves data uses it. A plan is built once and
// may run many times.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "program/ir/types.h"
#include "worker/chip/copy_lines.h"

namespace understudy::worker::ops {

// out[sum i_d * out_strides[d]] = in[sum i_d * in_strides[d]] for all i below sizes. Strides count
// elements and may be negative or zero; source and target do not overlap.
class CopyPlan {
 public:
  CopyPlan(const program::Shape& sizes, const program::Shape& in_strides,
           const program::Shape& out_strides, std::size_t element_bytes);
  void run(const std::byte* in, std::byte* out) const;

 private:
  void coalesce();
  void widen();
  void choose_loop();
  void choose_order(std::int64_t total);

  std::vector<Axis> outer_;  // slowest first; all of them before choose_loop()
  Plane plane_;
  void (*loop_)(const Plane&, const std::byte*, std::byte*) = nullptr;
  bool empty_ = false;
};

}  // namespace understudy::worker::ops
