// SPDX-License-Identifier: Apache-2.0
// Child processes, started without a shell and without the terminal, in their own session, with
// their output captured. They get SIGKILL when the thread that started them ends. Also the queue of
// signals that the launcher receives meanwhile. Call from the main thread.
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

// Descriptors that a child gets as its standard streams; its owner closes them. -1: /dev/null as
// input, the captured output.
struct Streams {
  int input = -1, output = -1;
};

class Subprocess {
 public:
  // Starts `words[0]` (a path) in the environment of this process with `variables` ("NAME=value")
  // added or replaced. *Throws* Error{system}.
  explicit Subprocess(const std::vector<std::string>& words,
                      const std::vector<std::string>& variables = {}, Streams streams = {});
  // Kills and reaps the child if it is still running.
  ~Subprocess();
  Subprocess(const Subprocess&) = delete;
  Subprocess& operator=(const Subprocess&) = delete;

  pid_t pid() const { return pid_; }
  // It is the leader of its session.
  ProcessIdentity identity() const { return {pid_, start_}; }
  // The wait status if it has ended, else nullopt. Does not wait.
  std::optional<int> ended();
  // Waits for the end, at most until the deadline.
  std::optional<int> wait(Deadline deadline);
  // Sends a signal to the child only; no effect after its end.
  void signal(int number);
  // Its captured output so far: on both streams, or errors only.
  std::string output() const;

 private:
  pid_t pid_ = -1;
  std::uint64_t start_ = 0;  // ProcessStat::start
  int output_ = -1;          // a memory file
  std::optional<int> status_;
};

// "it was ended by signal 9 (Killed)", of a wait status; nullopt: it has closed its output and
// runs.
std::string ending_text(const std::optional<int>& status);

struct Finished {
  std::optional<int> status;  // nullopt: killed at the time limit
  std::string output;
};

// Runs a short helper to its end or to the limit.
Finished run_to_end(const std::vector<std::string>& words, Seconds limit);

// Blocks SIGINT, SIGTERM, SIGHUP (unless ignored) and SIGCHLD during its lifetime, also in threads
// started meanwhile, and returns them one by one. A signal that was not taken stays pending: an
// outer queue gets it, or its handler runs when the last queue is destroyed
// (end_at_once_on_signals).
class SignalQueue {
 public:
  SignalQueue();
  ~SignalQueue();
  SignalQueue(const SignalQueue&) = delete;
  SignalQueue& operator=(const SignalQueue&) = delete;

  // The next signal, or nullopt after `wait_limit`.
  std::optional<int> next(Seconds wait_limit);
  // The next pending signal that asks this process to end, if any.
  std::optional<int> stop_signal();

 private:
  sigset_t held_{};
  sigset_t before_{};
};

}  // namespace understudy::launcher
