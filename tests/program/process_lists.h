// SPDX-License-Identifier: Apache-2.0
// Groups and pairs of processes as plain numbers, for tests.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "program/executable/process_groups.h"

namespace understudy::program {

inline std::vector<ProcessGroup> groups(const std::vector<std::vector<std::int64_t>>& rows) {
  std::vector<ProcessGroup> all;
  for (const auto& row : rows) {
    all.emplace_back();
    for (const std::int64_t process : row) all.back().emplace_back(process);
  }
  return all;
}

inline std::vector<ProcessPair> pairs(
    const std::vector<std::pair<std::int64_t, std::int64_t>>& numbers) {
  std::vector<ProcessPair> all;
  all.reserve(numbers.size());
  for (const auto& [source, target] : numbers)
    all.push_back({ProcessId(source), ProcessId(target)});
  return all;
}

}  // namespace understudy::program
