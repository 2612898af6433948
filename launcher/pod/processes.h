// SPDX-License-Identifier: Apache-2.0
// The workers of this machine as the process table shows them, before they can write a record:
// children of mpirun whose environment tells their rank. Pure function of /proc.
#pragma once

#include <cstdint>
#include <map>
#include <set>

namespace understudy::launcher {

// Pids by rank; not those of `known`, nor of processes whose rank does not show yet.
std::map<std::int64_t, std::int64_t> workers_below(std::int64_t mpirun,
                                                   const std::set<std::int64_t>& known);

}  // namespace understudy::launcher
