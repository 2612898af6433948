// SPDX-License-Identifier: Apache-2.0
// Child processes: started without a shell, without the terminal, in a session of their own, with
// everything they say captured; SIGTERM reaches them when the thread that started them ends. And
// the signals that the launcher itself gets meanwhile. Call from the main thread.
#pragma once

#include <cstdint>
#include <optional>
#include <signal.h>
#include <string>
#include <sys/types.h>
#include <vector>

#include "configs/base/deadline.h"
#include "configs/base/procfs.h"

namespace understudy::launcher {

class Subprocess {
 public:
  // Starts `words[0]` (a path) with /dev/null as its input, in this process's environment with
  // `variables` ("NAME=value") over it. *Throws* Error{system}.
  explicit Subprocess(const std::vector<std::string>& words,
                      const std::vector<std::string>& variables = {});
  // Kills and reaps a child that still runs.
  ~Subprocess();
  Subprocess(const Subprocess&) = delete;
  Subprocess& operator=(const Subprocess&) = delete;

  pid_t pid() const { return pid_; }
  // The leader of its session.
  ProcessIdentity identity() const { return {pid_, start_}; }
  // The wait status once it ended, else nullopt. Does not wait.
  std::optional<int> ended();
  // Waits for the end, at most until the deadline.
  std::optional<int> wait(Deadline deadline);
  // Sends a signal, to the child only; one that has ended is left alone.
  void signal(int number);
  // All that it wrote on both streams so far.
  std::string output() const;

 private:
  pid_t pid_ = -1;
  std::uint64_t start_ = 0;  // ProcessStat::start
  int output_ = -1;          // a memory file
  std::optional<int> status_;
};

struct Finished {
  std::optional<int> status;  // nullopt: it was killed at the deadline
  std::string output;
};

// Runs a short helper to its end or to the limit.
Finished run_to_end(const std::vector<std::string>& words, Seconds limit);

// Holds back SIGINT, SIGTERM, SIGHUP (unless ignored) and SIGCHLD while it lives and hands them out
// one by one; also from threads that are started meanwhile. What it did not hand out is left to the
// one around it, else it has its effect when this one goes (end_at_once_on_signals).
class SignalQueue {
 public:
  SignalQueue();
  ~SignalQueue();
  SignalQueue(const SignalQueue&) = delete;
  SignalQueue& operator=(const SignalQueue&) = delete;

  // The next signal, or nullopt after `wait_limit`.
  std::optional<int> next(Seconds wait_limit);
  // The next one that asks this process to end, if there is one.
  std::optional<int> stop_signal();

 private:
  sigset_t held_{};
  sigset_t before_{};
};

}  // namespace understudy::launcher
