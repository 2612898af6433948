// SPDX-License-Identifier: Apache-2.0
// A small process that outlives the launcher briefly. If the launcher ends without cleaning up
// (SIGKILL, out of memory, a signal while a run is prepared), the guardian kills the processes of
// the run and removes its folders. Equivalents: Bazel's process-wrapper, a subreaper. Call from the
// main thread.
#pragma once

#include <signal.h>
#include <string>
#include <string_view>
#include <sys/types.h>

#include "configs/base/procfs.h"

namespace understudy::launcher {

// Its name in the process table.
inline constexpr const char* kGuardianName = "us-guardian";

class Guardian {
 public:
  // Forks the guardian. If that fails there is none: workers still watch the launcher themselves,
  // and the next start of understudy removes the folders.
  Guardian();
  // Tells the guardian that everything is cleaned up, and waits for its end.
  ~Guardian();
  Guardian(const Guardian&) = delete;
  Guardian& operator=(const Guardian&) = delete;

  // Registers work for the clean-up: kill a session of processes, remove a folder.
  void end_session_of(const ProcessIdentity& leader) const;
  void remove_folder(std::string_view path) const;

 private:
  void tell(const std::string& line) const;

  pid_t pid_ = -1;
  int pipe_ = -1;
};

// From now on SIGINT, SIGTERM and SIGHUP (unless ignored, as under nohup) end this process at once
// with exit code 128 + signal, after guardians have cleaned up. Code that must complete holds the
// signals back with SignalQueue or SignalsHeld.
void end_at_once_on_signals();

// The receipt is written: from now on such a signal ends this process with `exit_code`, the one in
// the receipt. Call while the signals are held.
void settle_exit_code(int exit_code) noexcept;

// Blocks SIGINT, SIGTERM and SIGHUP during a few system calls.
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
