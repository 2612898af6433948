// SPDX-License-Identifier: Apache-2.0
// Which temporaries of a compiled program live at the same time, for messages about memory. Pure
// function. Equivalent: the "Largest program allocations in hbm" of XLA:TPU.
#pragma once

#include <cstdint>
#include <vector>

#include "program/executable/executable.h"

namespace understudy::program::analysis {

struct LiveBuffer {
  std::uint64_t bytes = 0;
  TensorType type;
  std::uint32_t op = 0;  // that writes it: ordinal of the operation in the module
};

// The temporaries in HBM that are live when their sum is largest; largest first, ties in the order
// in which they are written. Buffers that hold several values one after the other are told apart.
std::vector<LiveBuffer> live_at_peak(const Code& code);

}  // namespace understudy::program::analysis
