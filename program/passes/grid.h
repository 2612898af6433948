// SPDX-License-Identifier: Apache-2.0
// Programs that bring their own grid of processes (interpreter.run_parallel, as StableHLO's test
// suites use it): which function each process runs, and who feeds and hears whom. Pure functions.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

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

// By channel: (source, target) processes. Of several senders on one channel the first sends to the
// first receiver, and so on; where all of them are senders and receivers, to the next one. Throws
// Error{input} where somebody would wait for nobody.
using Wiring = std::map<std::int64_t, std::vector<std::pair<std::int64_t, std::int64_t>>>;
Wiring wiring_of(const Module& module, const Grid& grid);

}  // namespace understudy::program::passes
