// SPDX-License-Identifier: Apache-2.0
#include "launcher/diagnose/missed_op.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace understudy::launcher {
namespace {

using configs::FlightSeen;
using configs::RecordContent;

// The collective that a rank entered and has not left; nullptr: none.
// Entries are in the order in which the rank entered them, so the last one tells where it is.
const FlightSeen* open_entry(const std::vector<FlightSeen>& flight) {
  return flight.empty() || flight.back().done_ns ? nullptr : &flight.back();
}

struct Wait {
  std::size_t peers = 0;
  MissedOp first;
};

}  // namespace

// 1. The lost worker's own open collective. 2. Otherwise the collectives in which its peers wait,
// later than the last one that it left; the one with the most waiting peers. 3. Otherwise the
// sampled operation.
std::optional<MissedOp> missed_op(const LostWorker& lost,
                                  const std::vector<std::optional<RecordContent>>& records) {
  if (lost.phase < configs::Phase::programs_allowed) return std::nullopt;
  if (const FlightSeen* const own = open_entry(lost.flight)) return MissedOp{lost.rank, own->op};
  const std::uint64_t done = lost.flight.empty() ? 0 : lost.flight.back().sequence;
  // Key: (waits for another rank, call, operation). `false` sorts first, so peers that wait for the
  // lost worker, or do not say for whom, win over peers that wait for another rank.
  std::map<std::tuple<bool, std::uint64_t, std::int64_t>, Wait> waits;
  for (std::int64_t rank = 0; rank < std::ssize(records); ++rank) {
    const auto& record = records[static_cast<std::size_t>(rank)];
    if (!record || rank == lost.rank) continue;
    const FlightSeen* const entry = open_entry(record->flight);
    // A call that the lost worker has already left cannot be the one it is missed in.
    if (entry == nullptr || entry->sequence <= done) continue;
    const bool elsewhere = record->waiting_for != 0 &&
                           record->waiting_for != static_cast<std::uint32_t>(lost.rank + 1);
    Wait& wait = waits[{elsewhere, entry->sequence, entry->op}];
    if (wait.peers++ == 0) wait.first = {rank, entry->op};
  }
  if (waits.empty()) {
    const std::int64_t op = static_cast<std::int64_t>(lost.op) - 1;
    // All entries of the flight recorder have been left here. A sample that still shows one of
    // those collectives is older than the recorder.
    const bool stale =
        std::ranges::any_of(lost.flight, [op](const FlightSeen& entry) { return entry.op == op; });
    if (op < 0 || stale) return std::nullopt;
    return MissedOp{lost.rank, op};
  }
  const Wait* best = nullptr;
  const bool elsewhere = std::get<bool>(waits.begin()->first);
  for (const auto& [key, wait] : waits) {
    // The map is ordered, so all waits of the preferred class come first; the earliest call wins a
    // tie.
    if (std::get<bool>(key) != elsewhere) break;
    if (best == nullptr || wait.peers > best->peers) best = &wait;
  }
  return best->first;
}

}  // namespace understudy::launcher
