// SPDX-License-Identifier: Apache-2.0
// One host process: the user's script on one emulated host. It has the launcher's streams and runs
// in a session of its own, so that it can be killed with all its children. It gets SIGKILL when the
// launcher ends. Start it from the main thread; the rest from one thread at a time.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <sys/types.h>
#include <vector>

#include "configs/base/deadline.h"
#include "configs/base/procfs.h"

namespace understudy::launcher {

class HostProcess {
 public:
  // Starts words[0] (a path) with exactly `environment` ("NAME=value"). *Throws* Error{system}.
  HostProcess(std::int64_t host, const std::vector<std::string>& words,
              const std::vector<std::string>& environment);
  // Kills the whole session.
  ~HostProcess();
  HostProcess(const HostProcess&) = delete;
  HostProcess& operator=(const HostProcess&) = delete;

  std::int64_t host() const { return host_; }
  ProcessIdentity identity() const { return {pid_, start_}; }
  // The wait status once it has ended.
  std::optional<int> ended();
  // How long it has been stopped by a signal (not by a debugger); 0: it runs.
  Seconds stopped_for();
  void signal(int number);  // to the process alone; no effect after its end
  void kill_all();          // SIGKILL to its session
  double seconds() const;   // from the start to the end, or to now

 private:
  std::int64_t host_;
  pid_t pid_ = -1;
  std::uint64_t start_ = 0;
  Clock::time_point began_;
  std::optional<Clock::time_point> stopped_, over_;
  std::optional<int> status_;
};

}  // namespace understudy::launcher
