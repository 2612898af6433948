// SPDX-License-Identifier: Apache-2.0
// What /proc and the kernel say about processes and this machine. Thread-safe.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace understudy {

struct ProcessStat {
  char state = '?';  // R, S, D, T (stopped), Z, ...
  std::uint64_t start =
      0;  // field 22 of /proc/PID/stat, clock ticks since boot: detects a reused pid
  std::int64_t parent = 0, session = 0;  // fields 4 and 6
};

// nullopt if there is no such process (any more).
std::optional<ProcessStat> process_stat(std::int64_t pid);

// Its command name, at most 15 characters (the kernel truncates); empty if the process does not
// exist.
std::string process_name(std::int64_t pid);

// Identifies one process among all that ever had its pid.
struct ProcessIdentity {
  std::int64_t pid = 0;
  std::uint64_t start = 0;  // ProcessStat::start; 0: unknown, only the pid is compared
};
ProcessIdentity this_process_identity();
// The process's current state; nullopt: it has ended, even if its parent has not reaped it (a
// zombie).
std::optional<ProcessStat> living(const ProcessIdentity& process);

// All processes that this process can see, in no particular order.
std::vector<std::int64_t> all_processes();
// A descriptor that becomes readable when the process ends (pidfd_open); -1 if it already has, or
// before Linux 5.3. The caller closes it.
int open_pidfd(std::int64_t pid);

// The whole content of a file of /proc or of a control group, whose size the kernel does not state;
// empty if it cannot be read.
std::string read_kernel_file(const std::string& path);

// The name of this machine as the kernel has it; empty if it has none.
std::string machine_name();
// A random id of this boot of the kernel, which tells machines apart that share a name; empty where
// /proc is not mounted.
std::string boot_id();

// Parses a line of /proc/PID/stat; nullopt if it is invalid. The name in parentheses may contain
// any characters, also parentheses and blanks.
std::optional<ProcessStat> parse_process_stat(std::string_view line);

}  // namespace understudy
