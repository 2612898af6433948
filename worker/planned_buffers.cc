// SPDX-License-Identifier: Apache-2.0
// Buffers of a planned run between its steps: which memory they are in, which results become
// arguments, which arguments a launch may consume.
#include <algorithm>
#include <vector>

#include "worker/planned_run.h"

namespace understudy::worker {

bool PlannedRun::is_on_host(std::size_t argument) const {
  return std::ranges::binary_search(host_arguments_, static_cast<std::uint32_t>(argument));
}

// The donated arguments that no later step reads: all in the last step, before it those that a
// carried result or data of their own replace. Another argument may be the same buffer.
std::vector<std::size_t> PlannedRun::donated() const {
  std::vector<std::size_t> all;
  for (const std::uint32_t argument : donated_) {
    const auto is_target = [&](const auto& carry) { return carry.second == argument; };
    const bool renewed = next_step_ + 1 == plan_.steps ||
                         std::ranges::any_of(plan_.carry, is_target) ||
                         plan_.arguments[argument].steps > 1;
    if (renewed && std::ranges::count(arguments_, arguments_[argument]) == 1)
      all.push_back(argument);
  }
  return all;
}

// A carried result becomes an argument by name, without a copy. Buffers that no name refers to any
// more are freed.
void PlannedRun::carry_over(const std::vector<BufferName>& results) {
  std::vector<BufferName> old = arguments_;
  old.insert(old.end(), results.begin(), results.end());
  for (const auto& [result, argument] : plan_.carry) {
    arguments_.at(static_cast<std::size_t>(argument)) =
        results.at(static_cast<std::size_t>(result));
  }
  std::vector<BufferName> used = arguments_;
  std::ranges::sort(used);
  std::ranges::sort(old);
  const auto repeated = std::ranges::unique(old);
  old.erase(repeated.begin(), repeated.end());
  for (const BufferName name : old)
    if (!std::ranges::binary_search(used, name) && !gone_.contains(name))
      queue_.emplace_back(FreeBuffer{name});
}

}  // namespace understudy::worker
