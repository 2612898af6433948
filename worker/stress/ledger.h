// SPDX-License-Identifier: Apache-2.0
// Accounts for all entries: which rank compiled and wrote which key, and whether the entry exists
// afterwards. Every rank's counts by key are joined by folder at rank 0. Values.
#pragma once

#include <cstdint>
#include <vector>

#include "configs/receipt/cache_stress.h"
#include "worker/stress/setup.h"
#include "worker/stress/slot.h"

namespace understudy::worker {

// One rank's report about one key since the last settlement; sent as plain bytes.
struct KeyReport {
  enum Seen : std::uint8_t { nothing, good, bad };
  std::int32_t compiles = 0, bad_reads = 0;
  bool written = false;  // reported as written, and not followed by a deletion of everything
  // Only from the keeper of the folder:
  bool damaged = false;  // by a fault, at some time
  Seen seen = nothing;   // the entry, at the end
  std::uint64_t bytes = 0;
};

// Takes and resets the counts of `memory`. If `damaged` is not empty (one flag per key), this rank
// keeps the folder and looks at its entries.
std::vector<KeyReport> settle(const StressSetup& setup, const Contender& contender,
                              ContenderMemory& memory, std::int32_t epoch,
                              const std::vector<bool>& damaged);

struct Ledger {
  std::int64_t compiles = 0, duplicates = 0, torn = 0, damaged_reads = 0, lost = 0;
  std::uint64_t unique_bytes = 0;

  // Adds the reports of all ranks, by rank. `forgives`: a written entry may be missing.
  void add(const StressSetup& setup, const std::vector<std::vector<KeyReport>>& by_rank,
           bool forgives);
};

}  // namespace understudy::worker
