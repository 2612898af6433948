// SPDX-License-Identifier: Apache-2.0
// The faults of a stress run, as given on the command line: failures of each contender's file
// system, and what its supervisor does to the contender and to the folder.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cache/faulty_file_system.h"

namespace understudy::cache {

// Zero is "not".
struct StressFaults {
  double kills_per_second = 0;   // of contenders, anywhere
  double stops_per_second = 0;   // of contenders, for a moment each
  double kill_in_mid_write = 0;  // share of writes that their writer does not survive
  std::uint64_t capacity_bytes = 0;
  bool fills = false;             // the disk has capacity_bytes, or half of the needed space
  bool takes_permission = false;  // from the last process of each host
  double corrupts_per_second = 0, truncates_per_second = 0, deletes_per_second = 0;
  bool stale_locks = false;
  double skew_seconds = 0;         // of every second process's clock
  double hold_seconds = 0;         // time that another process holds the lock at the start
  FileFaults mount;                // failures of the mount, for all contenders
  std::vector<std::string> words;  // as they were given

  // Of the disk that is full, where so many bytes are to be written.
  std::uint64_t capacity_for(std::uint64_t needed) const {
    return capacity_bytes > 0 ? capacity_bytes : needed / 2;
  }
};

struct FaultKind {
  std::string_view name;
  std::string_view value;  // the value after "=", with the default
  std::string_view summary;
  void (*set)(StressFaults& faults, std::optional<double> value);
};
const std::vector<FaultKind>& fault_kinds();

// "kill", "kill=20". *Throws* Error{usage} with the known names.
void add_fault(StressFaults& faults, const std::string& word);

}  // namespace understudy::cache
