// SPDX-License-Identifier: Apache-2.0
// In which order processes of this machine end, however seldom somebody looks: the kernel queues
// the ends of processes that are followed through pidfds. Owns the descriptors. Thread-compatible.
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

  // From now on. A process that cannot be followed (no descriptors left, already gone) is left out:
  // whoever asks has to look at the process table too.
  void follow(std::int64_t rank, std::int64_t pid) noexcept;
  // Ranks whose processes have ended since the start, first to last.
  const std::vector<std::int64_t>& ended();

 private:
  int queue_ = -1;                        // epoll
  std::map<std::int64_t, int> followed_;  // rank, pidfd
  std::vector<std::int64_t> ended_;
};

}  // namespace understudy::launcher
