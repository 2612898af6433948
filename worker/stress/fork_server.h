// SPDX-License-Identifier: Apache-2.0
// A process that is forked before MPI starts, so that contenders descend from a single-threaded
// process without MPI. On its supervisor's orders it starts a contender, reports its exit status,
// kills, stops and continues it, holds locks, and leaves locks of dead processes. It ends with its
// supervisor, and every process that it started ends with it. Call from one thread.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <sys/types.h>

#include "configs/base/deadline.h"

namespace understudy::worker {

// Work done in children of the fork server, for the discipline with that number.
struct ChildHooks {
  // Runs the contender's life number `life`; begins when `start` returns. Exit code 0.
  std::function<void(std::int64_t discipline, std::int64_t number, std::int64_t life,
                     const std::function<Clock::time_point()>& start)>
      contend;
  // Takes the locks of the contender's folder, calls `held`, keeps them for a while.
  std::function<void(std::int64_t discipline, std::int64_t number,
                     const std::function<void()>& held)>
      hold_locks;
  // In the fork server itself: writes locks of this process, which has ended by then.
  std::function<void(std::int64_t discipline, std::int64_t number, pid_t dead)> lay_stale_locks;
};

class ForkServer {
 public:
  // Forks it. *Throws* Error{system}.
  explicit ForkServer(const ChildHooks& child_hooks);
  ~ForkServer();
  ForkServer(const ForkServer&) = delete;
  ForkServer& operator=(const ForkServer&) = delete;

  // The contender exists when this returns, and waits for go(). *Requires* that none runs.
  void start(std::int64_t discipline, std::int64_t number, std::int64_t life);
  void go(Clock::time_point when);
  // Sends SIGKILL, SIGSTOP or SIGCONT to the contender; no effect where none runs.
  void signal(int number);
  // Its wait status once it ended; nullopt after `wait_limit`.
  std::optional<int> ended(Clock::duration wait_limit);

  // Both return when the locks exist.
  void hold_locks(std::int64_t discipline, std::int64_t number);
  void lay_stale_locks(std::int64_t discipline, std::int64_t number);

 private:
  void await_done();

  int socket_ = -1;
  pid_t pid_ = -1;
  std::optional<int>
      status_;  // of a contender whose end was reported while another answer was awaited
};

}  // namespace understudy::worker
