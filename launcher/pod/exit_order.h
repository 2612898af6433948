// SPDX-License-Identifier: Apache-2.0
// Records the order in which processes of this machine end. The kernel queues the ends of processes
// that are followed through pidfds, so the order is exact even if it is polled rarely. Owns the
// descriptors. Thread-compatible.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

namespace understudy::launcher {

class ExitOrder {
 public:
  ExitOrder();
  ~ExitOrder();
  ExitOrder(const ExitOrder&) = delete;
  ExitOrder& operator=(const ExitOrder&) = delete;

  // Follows a process from now on. A process that cannot be followed (no descriptors left, already
  // ended) is ignored, so callers must also check the process table.
  void follow(std::int64_t rank, std::int64_t pid) noexcept;
  // The ranks of all followed processes that have ended, in the order of their ends.
  const std::vector<std::int64_t>& ended();

 private:
  int queue_ = -1;                        // epoll
  std::map<std::int64_t, int> followed_;  // rank, pidfd
  std::vector<std::int64_t> ended_;
};

}  // namespace understudy::launcher
