// SPDX-License-Identifier: Apache-2.0
// What a chain does, one unit for each link, and the order of the units: one whose result the next
// takes from registers runs right before it where that is possible. Pure functions.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "worker/ops/fused/fused_chain.h"

namespace understudy::worker::ops {

struct UnitOperand {
  std::size_t step = 0, input = 0;  // of the candidates
  std::size_t unit = SIZE_MAX;      // that makes it, if one of the chain does
};

struct ChainUnit {
  // multiply_add: a product that nobody else reads, and the sum of it.
  enum class Kind : std::uint8_t { step, rotation, multiply_add };
  static constexpr std::size_t kNone = SIZE_MAX;
  Kind kind = Kind::step;
  std::size_t first = 0, last = 0;    // candidates; the last makes the result
  std::vector<UnitOperand> operands;  // in the order of the step, or as its link has them
  bool stores = false;                // a step outside reads the result, or it is one of the loop
  bool shows_nan = false;             // somebody may see the pattern of a NaN
};

// Of the steps [first, first + count). Units come in the order of their last steps.
std::vector<ChainUnit> units_of(std::span<const ChainCandidate> candidates, std::size_t first,
                                std::size_t count);

// The order in which they run, as indices: any order gives the same bits. What is written to memory
// and what is read from there keep their order.
std::vector<std::size_t> order_of(std::span<const ChainCandidate> candidates,
                                  const std::vector<ChainUnit>& units);

// Whether the operand is read from memory, not from a piece of the chain nor from the source of a
// filled value.
bool reads_memory(std::span<const ChainCandidate> candidates, const std::vector<ChainUnit>& units,
                  const UnitOperand& operand);

}  // namespace understudy::worker::ops
