// SPDX-License-Identifier: Apache-2.0
// Building blocks of several algorithms: members in a circle or in a line pass parts of a buffer to
// their neighbours. At the end each member *owns* ranges of items. All functions add n-1 steps to a
// schedule, from `first_step` on; a part that travels through several members is passed on in the
// step after it was received. Pure.
#pragma once

#include <vector>

#include "collectives/schedule.h"

namespace understudy::collectives {

// Members of the group by their places in the circle or line, ours among them, and what each owns.
struct Circle {
  std::vector<std::size_t> members;
  std::size_t at = 0;
  std::vector<Ranges> owned;
  std::size_t size() const { return members.size(); }
};
// Rightwards: towards higher places.
enum class Direction : std::uint8_t { rightwards, leftwards };

// All members of the task in their order; `owned` must still be filled.
Circle circle_of(const Task& task);

// Partials of all ranges are folded on their way to the owner. Rightwards, the part of the owner at
// k starts at k+1 and the received partial is the left operand; leftwards, it starts at k-1 and the
// received partial is the right operand.
void fold_around(Schedule& schedule, std::size_t first_step, const Circle& circle,
                 Direction direction);
// Results travel from their owners until all members have them.
void gather_around(Schedule& schedule, std::size_t first_step, const Circle& circle,
                   Direction direction);

// The same in a line, whose ends are not joined: both directions at once. The owner at k adds what
// came from the left on its left, then what came from the right on its right: the order of the
// line.
void fold_along(Schedule& schedule, std::size_t first_step, const Circle& line);
void gather_along(Schedule& schedule, std::size_t first_step, const Circle& line);

}  // namespace understudy::collectives
