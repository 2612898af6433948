// SPDX-License-Identifier: Apache-2.0
// Faults that a run injects, as people write them: "kill:rank=3,at=all_reduce#5". One table says
// which there are and what each takes (docs/faults.md). Values; pure functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace understudy::configs {

enum class FaultKind : std::uint8_t { kill, stop, delay, drop_host, mismatch, cache_key };

// One row for each fault.
struct FaultForm {
  FaultKind kind;
  std::string_view name;    // before the colon
  std::string_view target;  // the key that must be given: "rank" or "host"
  bool takes_milliseconds;  // "ms", which then must be given
  std::string_view example;
  std::string_view summary;
};
std::span<const FaultForm> fault_forms();

// The n-th collective of a kind that a rank enters, from 1: "all_reduce#5".
struct FaultMoment {
  std::size_t kind = 0;  // index of kCollectiveKinds
  std::uint64_t number = 0;
};

struct Fault {
  FaultKind kind = FaultKind::kill;
  std::int64_t target = 0;        // rank or emulated host
  std::optional<FaultMoment> at;  // unset: the first collective, for a delay every one
  double milliseconds = 0;
};

// *Throws* Error{usage} that says what is wrong and what the fault takes.
Fault parse_fault(const std::string& text);

}  // namespace understudy::configs
