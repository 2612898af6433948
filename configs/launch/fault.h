// SPDX-License-Identifier: Apache-2.0
// Faults that a run injects, as written on the command line: "kill:rank=3,at=all_reduce#5". One
// table lists them with their keys (docs/faults.md). Values; pure functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "configs/base/ids.h"

namespace understudy::configs {

enum class FaultKind : std::uint8_t {
  kill,
  stop,
  delay,
  drop_host,
  mismatch,
  env,
  binary_skew,
  program_byte,
  late_env,
  late_spmd,
  second_framework,
  chip_locked,
  lock_stale,
  lock_foreign,
  lock_deleted,
  chip_busy,
  wrong_device_kind,
  missing_chip,
  wrong_coordinates,
  cache_key,
  host_limit,
  host_fallback,
  hbm_limit,
  hbm_held,
  hbm_leak,
  vmem_limit,
  bad_chip,
  clock_skew,
  sync_point,
  leave_early,
};

// When a fault is injected.
enum class FaultStage : std::uint8_t {
  start,       // before the worker becomes a process of its host, or in the launcher
  gates,       // at a gate, or while the rank runs the program
  collective,  // as a rank enters a collective
};

// One row for each fault.
struct FaultForm {
  FaultKind kind;
  FaultStage stage;
  std::string_view name;    // before the colon
  std::string_view target;  // the required key: "rank", "host", or "rank|host" for either
  std::string_view needs;   // further required keys, separated by blanks
  std::string_view takes;   // optional keys
  std::string_view example;
  std::string_view summary;
  bool anywhere = false;  // the target is optional; without it, all ranks
};
// In the order of the help.
std::span<const FaultForm> fault_forms();

// The n-th collective of a kind that a rank enters, from 1: "all_reduce#5".
struct FaultMoment {
  std::size_t kind = 0;  // index of kCollectiveKinds
  std::uint64_t number = 0;
};

struct Fault {
  FaultKind kind = FaultKind::kill;
  FaultStage stage = FaultStage::collective;
  std::int64_t target = 0;  // rank, or emulated host
  bool of_host = false;
  bool anywhere = false;          // on all ranks
  std::optional<FaultMoment> at;  // unset: the first collective; for a delay, every one
  double milliseconds = 0, seconds = 0;
  std::uint64_t bytes = 0;
  std::string op;                    // of the program: "dot_general"
  std::string name;                  // of a variable
  std::optional<std::string> value;  // of the variable; unset: it is removed

  bool hits(Rank rank, HostId host) const {
    if (anywhere) return true;
    return of_host ? target == host.value : target == rank.value;
  }
};

// *Throws* Error{usage} with the problem and an example of the fault.
Fault parse_fault(const std::string& text);

}  // namespace understudy::configs
