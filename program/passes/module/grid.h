// SPDX-License-Identifier: Apache-2.0
// Programs with their own grid of processes (interpreter.run_parallel, as StableHLO's test suites
// use it): the function that each process runs, and the messages between processes. Pure functions.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "program/executable/process_groups.h"
#include "program/ir/ir.h"

namespace understudy::program::passes {

struct Grid {
  std::int64_t replicas = 1;
  std::int64_t partitions = 1;
  std::vector<std::string> functions;  // by process, replica by replica
  std::vector<std::string> infeed;     // the queue, first to last

  bool same_size(const Grid& other) const {
    return replicas == other.replicas && partitions == other.partitions;
  }
};

// Of one interpreter.run_parallel. Throws Error{input} where the rows are not equally long or
// empty.
Grid grid_of(const Operation& op);

// The grid of every run_parallel that `entry` leads to; nullopt where there is none. Throws
// Error{unsupported} where two differ in size.
std::optional<Grid> grid_of(const Module& module, const Function& entry);

// By channel: (source, target) processes. The i-th sender is paired with the i-th receiver; if the
// same processes send and receive, each sends to the next one. Throws Error{input} if a process
// would wait without a peer.
using Wiring = std::map<std::int64_t, std::vector<ProcessPair>>;
Wiring wiring_of(const Module& module, const Grid& grid);

}  // namespace understudy::program::passes
