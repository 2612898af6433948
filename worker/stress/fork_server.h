// SPDX-License-Identifier: Apache-2.0
// A process that is forked before MPI starts, so that contenders come of one that knows nothing of
// MPI and has one thread. It obeys its supervisor: starts a contender, tells how it ended, kills,
// stops and continues it, holds locks, leaves locks of the dead. It ends with its supervisor, and
// everything that it started ends with it. Call from one thread.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <sys/types.h>

#include "configs/base/deadline.h"

namespace understudy::worker {

// What is done in children of the fork server, of the discipline with that number.
struct ChildHooks {
  // The contender in its life-th life; begins when `start` returns. Its exit code is 0.
  std::function<void(std::int64_t discipline, std::int64_t number, std::int64_t life,
                     const std::function<Clock::time_point()>& start)>
      contend;
  // Takes the locks of the contender's folder, calls `held`, keeps them for a while.
  std::function<void(std::int64_t discipline, std::int64_t number,
                     const std::function<void()>& held)>
      hold_locks;
  // In the fork server itself: leaves locks of this process, which has ended.
  std::function<void(std::int64_t discipline, std::int64_t number, pid_t dead)> lay_stale_locks;
};

class ForkServer {
 public:
  // Forks it. *Throws* Error{system}.
  explicit ForkServer(const ChildHooks& child_hooks);
  ~ForkServer();
  ForkServer(const ForkServer&) = delete;
  ForkServer& operator=(const ForkServer&) = delete;

  // The contender is there when this returns, and waits for go(). *Requires* that none runs.
  void start(std::int64_t discipline, std::int64_t number, std::int64_t life);
  void go(Clock::time_point when);
  // SIGKILL, SIGSTOP or SIGCONT for the contender; nothing happens where none runs.
  void signal(int number);
  // Its wait status once it ended; nullopt after `wait_limit`.
  std::optional<int> ended(Clock::duration wait_limit);

  // Both return when the locks are there.
  void hold_locks(std::int64_t discipline, std::int64_t number);
  void lay_stale_locks(std::int64_t discipline, std::int64_t number);

 private:
  void await_done();

  int socket_ = -1;
  pid_t pid_ = -1;
  std::optional<int> status_;  // of a contender whose end was told while something else was awaited
};

}  // namespace understudy::worker
