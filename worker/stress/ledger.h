// SPDX-License-Identifier: Apache-2.0
// Who compiled and wrote which entry, and what is there afterwards: every rank's counts by key,
// joined by folder at rank 0. Values.
#pragma once

#include <cstdint>
#include <vector>

#include "configs/receipt/cache_stress.h"
#include "worker/stress/setup.h"
#include "worker/stress/slot.h"

namespace understudy::worker {

// One rank's words about one key since the last settlement; travels as it lies.
struct KeyReport {
  enum Seen : std::uint8_t { nothing, good, bad };
  std::int32_t compiles = 0, bad_reads = 0;
  bool written = false;  // reported as written, and nobody deleted everything since
  // Of who keeps the folder:
  bool damaged = false;  // by a fault, at some time
  Seen seen = nothing;   // the entry, at the end
  std::uint64_t bytes = 0;
};

// Takes the counts of `memory`, which start anew, and looks at the entries where `damaged` (one for
// each key) is not empty: this rank keeps the folder.
std::vector<KeyReport> settle(const StressSetup& setup, const Contender& contender,
                              ContenderMemory& memory, std::int32_t epoch,
                              const std::vector<bool>& damaged);

struct Ledger {
  std::int64_t compiles = 0, duplicates = 0, torn = 0, damaged_reads = 0, lost = 0;
  std::uint64_t unique_bytes = 0;

  // What all ranks reported, by rank. `forgives`: what was written need not be there.
  void add(const StressSetup& setup, const std::vector<std::vector<KeyReport>>& by_rank,
           bool forgives);
};

}  // namespace understudy::worker
