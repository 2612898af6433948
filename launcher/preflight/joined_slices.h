// SPDX-License-Identifier: Apache-2.0
// Collectives over joined slices. The compiler makes a program for the first slice: it reduces and
// gathers inside the slice, and exchanges between slices by messages (send, recv) that are no
// collectives. Pure functions.
#pragma once

#include <cstdint>
#include <vector>

#include "launcher/preflight/part_pool.h"

namespace understudy::launcher {

// Groups that do not go beyond a slice: only those of the first one, as the compiler lists them.
std::vector<CollectivePart> in_first_slice(std::vector<CollectivePart> parts,
                                           std::int64_t chips_per_slice);

// Accounts for collectives whose groups go beyond a slice. What an all-to-all over slices becomes
// inside of one is not known: it is left.
void over_slices(PartPool& pool, std::int64_t chips_per_slice);

}  // namespace understudy::launcher
