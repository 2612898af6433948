// SPDX-License-Identifier: Apache-2.0
// Finds the workers of this machine in the process table, before they have written a record:
// children of mpirun whose environment contains their rank. Pure function of /proc.
#pragma once

#include <cstdint>
#include <map>
#include <set>

namespace understudy::launcher {

// Pids by rank, without the pids in `known` and without processes that have no rank yet.
std::map<std::int64_t, std::int64_t> workers_below(std::int64_t mpirun,
                                                   const std::set<std::int64_t>& known);

}  // namespace understudy::launcher
