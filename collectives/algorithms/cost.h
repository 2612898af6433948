// SPDX-License-Identifier: Apache-2.0
// What each algorithm sends: steps, messages and payload bytes of one member, counted over its
// schedule. The transport's counts are tested against it. Pure functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "collectives/schedule.h"

namespace understudy::collectives {

// One call, seen from one member. `elements` is the operand's: of one member's block for
// all_gather, of the whole input for the others.
struct Shape {
  std::size_t members = 1;
  std::size_t self = 0;
  std::size_t elements = 0;
  std::size_t element_bytes = 0;
  std::size_t accumulator_bytes = 0;  // of reductions
  std::size_t root = 0;               // of broadcast
  // Where the members stand, for algorithms that ask.
  const PodLayout* layout = nullptr;
  std::span<const Rank> ranks = {};
};

struct Cost {
  std::uint64_t steps = 0;  // exchanges that follow each other, over all members
  std::uint64_t messages = 0;
  std::uint64_t bytes = 0;
  bool operator==(const Cost&) const = default;
};

Schedule schedule_of(std::string_view algorithm, Kind kind, const Shape& shape);
Cost cost_of(const Schedule& schedule, std::size_t element_bytes, std::size_t accumulator_bytes);
// *Throws* Error{usage} if there is no such schedule; also for "auto" and "direct", which choose at
// the call.
Cost cost_of(std::string_view algorithm, Kind kind, const Shape& shape);

}  // namespace understudy::collectives
