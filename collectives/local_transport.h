// SPDX-License-Identifier: Apache-2.0
// A pod inside one process: each rank is a thread. For tests and for the thread sanitizer. LocalPod
// owns the transports and must outlive the threads that use them. Thread-safe: one lock for all.
#pragma once

#include <memory>

#include "collectives/fabric.h"
#include "collectives/local_memory.h"

namespace understudy::collectives {

class LocalPod {
 public:
  LocalPod(int ranks, WaitLimit wait_limit);
  LocalPod(PodLayout layout, WaitLimit wait_limit,
           LocalMemory::Buffers buffers = LocalMemory::Buffers::shared,
           const std::vector<std::int64_t>& machine = {});
  ~LocalPod();
  LocalPod(const LocalPod&) = delete;
  LocalPod& operator=(const LocalPod&) = delete;

  // The transport of one rank: one thread at a time calls it.
  Transport& transport(Rank rank);
  // The same with all that the pod shares: chips of one host in a row, unless a layout was given.
  Fabric fabric(Rank rank);
  // The peers of this rank see its process as ended from now on.
  void declare_dead(Rank rank);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace understudy::collectives
