// SPDX-License-Identifier: Apache-2.0
// Whether the kernel killed a process of the pod for want of host memory: the counter `oom_kill`
// of the control groups (cgroup v2, `memory.events`; v1, `memory.oom_control`), and the kernel log
// where this user may read it. Thread-compatible.
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
  // Counts from now on in the control group of this process and in all above it.
  explicit OomWatch(MemoryFiles files = {});
  // Follows those of another process too; nothing where it is gone.
  void follow(std::int64_t pid);
  // The kernel names this process, or somebody in a followed group was killed meanwhile.
  bool killed(std::int64_t pid) const;

 private:
  MemoryFiles files_;
  std::map<std::string, std::uint64_t> kills_;  // at the start, by counter file
};

// `oom_kill N` in a text of that kind; nullopt where it has no such line.
std::optional<std::uint64_t> oom_kills_in(std::string_view text);
// Whether a line of the kernel log says that this process was killed for want of memory.
bool names_oom_victim(std::string_view line, std::int64_t pid);

}  // namespace understudy::launcher
