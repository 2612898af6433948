// SPDX-License-Identifier: Apache-2.0
#include "launcher/pod/process_session.h"

#include <csignal>
#include <string>
#include <thread>

namespace understudy::launcher {

// Zombies (Z, X) are dead already; their parent will reap them.
// A session and not a process group: Open MPI gives every worker a group of its own, but all of
// them stay in the session of mpirun.
std::vector<std::int64_t> processes_of_session(const ProcessIdentity& leader) {
  std::vector<std::int64_t> pids;
  const auto first = process_stat(leader.pid);
  // If the pid now belongs to a process with another start time, the session has ended: the kernel
  // does not reuse a pid while a session of that number exists.
  if (first && leader.start != 0 && first->start != leader.start) return pids;
  for (const std::int64_t pid : all_processes()) {
    const auto stat = process_stat(pid);
    if (stat && stat->session == leader.pid && stat->state != 'Z' && stat->state != 'X')
      pids.push_back(pid);
  }
  return pids;
}

bool end_session(const ProcessIdentity& leader, Deadline deadline) {
  // A process with much mapped memory takes milliseconds to exit; a busy loop would compete with
  // it.
  constexpr std::chrono::milliseconds kLook{5};
  // A process may fork between the scan and the kill, so scan again until the session is empty.
  for (;;) {
    const std::vector<std::int64_t> pids = processes_of_session(leader);
    if (pids.empty()) return true;
    for (const std::int64_t pid : pids) static_cast<void>(::kill(static_cast<pid_t>(pid), SIGKILL));
    if (deadline.passed()) return false;
    std::this_thread::sleep_for(kLook);
  }
}

}  // namespace understudy::launcher
