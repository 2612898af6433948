// SPDX-License-Identifier: Apache-2.0
// What machine code and its caller exchange in memory. Plain data of standard layout: machine code
// has the offsets of its members.
#pragma once

#include <cstddef>
#include <cstdint>

#include "worker/chip/bound_code.h"

namespace understudy::worker::ops::machine {

struct LoopFrame {
  std::byte* const* bases = nullptr;          // of the launch, in the order of BoundBase
  const LinkedStep* const* called = nullptr;  // in the order of LoopGraph::calls
  Execution* execution = nullptr;
  std::uint64_t instructions = 0;  // done, counted on
  // Words of the status. Plain stores to them are what relaxed atomic stores are on this processor.
  std::uint64_t* outer_iterations = nullptr;
  std::uint64_t* inner_iterations = nullptr;
  std::uint32_t* inner_op = nullptr;
  std::uint64_t* done = nullptr;
  std::uint32_t* op = nullptr;
};

using LoopFunction = void (*)(LoopFrame* frame);

}  // namespace understudy::worker::ops::machine
