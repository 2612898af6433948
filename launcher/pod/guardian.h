// SPDX-License-Identifier: Apache-2.0
// A small process beside the launcher that outlives it by a moment: when the launcher ends without
// having cleaned up (SIGKILL, out of memory, a signal while a run is prepared), it kills what the
// run started and removes the run's folders. Equivalents: Bazel's process-wrapper, a subreaper.
// Call from the main thread.
#pragma once

#include <signal.h>
#include <string>
#include <string_view>
#include <sys/types.h>

#include "configs/base/procfs.h"

namespace understudy::launcher {

// What the process table calls it.
inline constexpr const char* kGuardianName = "us-guardian";

class Guardian {
 public:
  // Forks. Where no process can be made there is none: workers still watch the launcher
  // themselves, and the next start removes the folders.
  Guardian();
  // Says that all is cleaned up, and waits for the process's end.
  ~Guardian();
  Guardian(const Guardian&) = delete;
  Guardian& operator=(const Guardian&) = delete;

  // What it does at the end: kill a session of processes, remove a folder.
  void end_session_of(const ProcessIdentity& leader) const;
  void remove_folder(std::string_view path) const;

 private:
  void tell(const std::string& line) const;

  pid_t pid_ = -1;
  int pipe_ = -1;
};

// From now on SIGINT, SIGTERM and SIGHUP (unless ignored, as under nohup) end this process at
// once with the exit code 128 + signal; guardians clean up first. What has to come to its own end
// holds the signals back meanwhile (SignalQueue).
void end_at_once_on_signals();

// Holds SIGINT, SIGTERM and SIGHUP back for the time of a few system calls.
class SignalsHeld {
 public:
  SignalsHeld();
  ~SignalsHeld();
  SignalsHeld(const SignalsHeld&) = delete;
  SignalsHeld& operator=(const SignalsHeld&) = delete;

 private:
  sigset_t before_{};
};

}  // namespace understudy::launcher
