// SPDX-License-Identifier: Apache-2.0
// What a bound step does to memory, element by element or as a whole. Pure functions.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "worker/ops/machine_code/loop_graph.h"

namespace understudy::worker::ops::machine {

// Numbers of elements, counted from the places of the step; modulo 2^64.
struct ElementMove {
  std::size_t from = 0, to = 0;
};

// Of an instruction that only moves elements, in the order of its kernel; nullopt for any other.
std::optional<std::vector<ElementMove>> element_moves(const program::Instruction& part);

// The bytes that a step which is called reads, and those that it writes.
std::vector<Range> read_ranges(const BoundStep& step);
std::vector<Range> written_ranges(const BoundStep& step);

}  // namespace understudy::worker::ops::machine
