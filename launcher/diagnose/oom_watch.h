// SPDX-License-Identifier: Apache-2.0
// Detects kills by the OOM killer of the kernel: from the counter `oom_kill` of the control groups
// (cgroup v2: `memory.events`; v1: `memory.oom_control`), and from the kernel log if this user may
// read it. Thread-compatible.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace understudy::launcher {

// Paths of /proc and /sys, replaced in tests.
struct MemoryFiles {
  std::string proc = "/proc";
  std::string cgroups = "/sys/fs/cgroup";
  std::string kernel_log = "/dev/kmsg";
};

class OomWatch {
 public:
  // Starts counting in the control group of this process and its ancestors.
  explicit OomWatch(MemoryFiles files = {});
  // Adds the control groups of another process; no effect if it has ended.
  void follow(std::int64_t pid);
  // True if the kernel log names this process, or an OOM kill happened in a followed group.
  bool killed(std::int64_t pid) const;

 private:
  MemoryFiles files_;
  std::map<std::string, std::uint64_t> kills_;  // counter file, count at the start
};

// The N of the line "oom_kill N"; nullopt if there is no such line.
std::optional<std::uint64_t> oom_kills_in(std::string_view text);
// Whether a line of the kernel log reports that the OOM killer killed this process.
bool names_oom_victim(std::string_view line, std::int64_t pid);

}  // namespace understudy::launcher
