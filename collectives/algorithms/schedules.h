// SPDX-License-Identifier: Apache-2.0
// All schedules. Each function accepts any task of its kind; a group of one member gets a copy.
// docs/collectives.md counts them and states the order in which they fold. Pure.
#pragma once

#include "collectives/schedule.h"

namespace understudy::collectives {

// ring.cc: partial results go round to the right, then results do; broadcast down a chain.
Schedule all_reduce_ring(const Task& task);
Schedule all_gather_ring(const Task& task);
Schedule reduce_scatter_ring(const Task& task);
Schedule broadcast_chain(const Task& task);

// ring_bidirectional.cc: half of everything goes each way.
Schedule all_reduce_both_ways(const Task& task);
Schedule all_gather_both_ways(const Task& task);
Schedule reduce_scatter_both_ways(const Task& task);
Schedule broadcast_both_ways(const Task& task);

// pairwise.cc: in step s a member sends to the one s places to its right; both ways, also to the
// one s places to its left.
Schedule all_to_all_pairwise(const Task& task);
Schedule all_to_all_both_ways(const Task& task);

// torus.cc: along the axes of the slice, all axes and directions at once. A group that is
// not a grid of the slice (task.layout) gets the ring's schedule.
Schedule all_reduce_torus(const Task& task);
Schedule all_gather_torus(const Task& task);
Schedule reduce_scatter_torus(const Task& task);
Schedule all_to_all_torus(const Task& task);
Schedule broadcast_torus(const Task& task);

// halving.cc: distances double while data halves.
Schedule all_reduce_halving(const Task& task);
Schedule all_gather_halving(const Task& task);
Schedule reduce_scatter_halving(const Task& task);

// doubling.cc: as few steps as can be.
Schedule all_reduce_doubling(const Task& task);
Schedule all_gather_bruck(const Task& task);
Schedule all_to_all_bruck(const Task& task);
Schedule broadcast_tree(const Task& task);

}  // namespace understudy::collectives
