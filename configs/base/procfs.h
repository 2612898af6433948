// SPDX-License-Identifier: Apache-2.0
// What /proc says about a process. Thread-safe.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace understudy {

struct ProcessStat {
  char state = '?';  // R, S, D, T (stopped), Z, ...
  std::uint64_t start =
      0;  // field 22 of /proc/PID/stat, clock ticks since boot: tells a reused pid
  std::int64_t parent = 0, session = 0;  // fields 4 and 6
};

// nullopt when there is no such process (any more).
std::optional<ProcessStat> process_stat(std::int64_t pid);

// Its command name, of 15 letters at most; empty where there is no such process (any more).
std::string process_name(std::int64_t pid);

// One process among all that ever had its pid.
struct ProcessIdentity {
  std::int64_t pid = 0;
  std::uint64_t start = 0;  // ProcessStat::start; 0: not known, the pid has to do
};
ProcessIdentity this_process_identity();
// What that process is now; nullopt: it is gone, though its parent may not have heard (a zombie).
std::optional<ProcessStat> living(const ProcessIdentity& process);

// The line of /proc/PID/stat taken apart; nullopt when it is none. The name in brackets may hold
// anything, brackets and blanks too.
std::optional<ProcessStat> parse_process_stat(std::string_view line);

}  // namespace understudy
