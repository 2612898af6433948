// SPDX-License-Identifier: Apache-2.0
// How the starts of a window that moves over an array become an offset. Pure functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "program/executable/executable.h"

namespace understudy::worker::ops {

// The start of a window along a dimension in which it can move.
struct MovingStart {
  std::size_t dimension = 0;
  program::ElementType type = program::ElementType::i32;
  std::int64_t most = 0;    // StableHLO clamps each start so that the window fits
  std::int64_t stride = 0;  // in bytes
};

// The last dimension first: bound steps have their starts in this order.
inline std::vector<MovingStart> moving_starts(const program::TensorType& whole,
                                              const program::Shape& window,
                                              std::span<const program::Operand> starts) {
  std::vector<MovingStart> moving;
  auto stride = static_cast<std::int64_t>(program::byte_size(whole.element));
  for (std::size_t d = whole.shape.size(); d-- > 0; stride *= whole.shape[d]) {
    const std::int64_t most = whole.shape[d] - window[d];
    if (most != 0) moving.push_back({d, starts[d].type.element, most, stride});
  }
  return moving;
}

}  // namespace understudy::worker::ops
