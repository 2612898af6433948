// SPDX-License-Identifier: Apache-2.0
// How a global-view program became the program of a chip, for a receipt. Plain values.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace understudy::configs {

// Collectives of the program of a chip that are alike.
struct InsertedCollective {
  std::string kind;                  // "all_reduce"
  std::int64_t count = 0;            // instructions
  std::uint64_t bytes = 0;           // of the operands of one of them, on one chip
  std::vector<std::string> axes;     // of the user's mesh; empty: the groups follow no axes
  std::int64_t group = 0;            // members of the largest group
  bool in_loop = false;              // runs once per iteration
  std::optional<std::string> place;  // "path:line:column" of the operation that caused it
};

struct PartitionSeen {
  std::string partitioner;  // "shardy" or "gspmd"
  std::string jaxlib;       // the version of XLA's wheel that partitioned it
  bool cached = false;      // from the cache: no helper was needed
  double seconds = 0;       // wall time, with reading the cache
  std::vector<InsertedCollective> collectives;
  std::vector<std::string> warnings;  // XLA's, with their places
};

}  // namespace understudy::configs
