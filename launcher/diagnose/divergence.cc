// SPDX-License-Identifier: Apache-2.0
#include "launcher/diagnose/divergence.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace understudy::launcher {
namespace {

using configs::FlightSeen;

const std::vector<FlightSeen>* flight_of(const WatchedRun& watched, std::int64_t rank) {
  const auto at = static_cast<std::size_t>(rank);
  if (at >= watched.records.size() || !watched.records[at]) return nullptr;
  return &watched.records[at]->flight;
}

// Identifies the collective that a rank entered at a call, as far as its flight recorder shows it.
auto way_of(const FlightSeen& entry) {
  return std::tuple(entry.kind, entry.bytes, entry.members, entry.call);
}

}  // namespace

// A pod that takes commands has no last step, so nothing follows from its number of steps.
bool has_finished(const WatchedRun& watched, const configs::RunPlan& plan, std::int64_t rank) {
  const auto at = static_cast<std::size_t>(rank);
  if (!plan.command_socket.empty() || at >= watched.records.size()) return false;
  const auto* const step = last_of<configs::Stepped>(watched.records[at]);
  return step != nullptr && step->index + 1 == plan.steps;
}

// Groups all ranks by the collective that they entered at the failing call and compares the sizes
// of the groups.
std::optional<Divergence> other_collective(const WatchedRun& watched, std::int64_t rank) {
  const std::vector<FlightSeen>* const own = flight_of(watched, rank);
  if (own == nullptr || own->empty()) return std::nullopt;
  // Sequence numbers count the collectives of each rank, so the same number is the same call
  // everywhere. The recorder keeps only the latest calls; a rank that has already overwritten this
  // one is skipped.
  const std::uint64_t call = own->back().sequence;
  std::map<decltype(way_of(own->back())), std::vector<std::int64_t>> ways;
  std::map<std::int64_t, FlightSeen> entries;
  for (std::int64_t one = 0; one < std::ssize(watched.records); ++one) {
    const std::vector<FlightSeen>* const flight = flight_of(watched, one);
    if (flight == nullptr) continue;
    const auto found = std::ranges::find(*flight, call, &FlightSeen::sequence);
    if (found == flight->end()) continue;
    ways[way_of(*found)].push_back(one);
    entries[one] = *found;
  }
  // Only a clear minority may be blamed: with three or more variants, or a tie, no side is known to
  // be wrong.
  if (ways.size() != 2) return std::nullopt;
  const std::vector<std::int64_t>*fewer = &ways.begin()->second, *more = &ways.rbegin()->second;
  if (fewer->size() == more->size()) return std::nullopt;
  if (fewer->size() > more->size()) std::swap(fewer, more);
  return Divergence{*fewer, *more, entries.at(fewer->front())};
}

// The ranks that wait must be the minority: if most ranks wait, the few that finished are the ones
// that skipped a collective.
std::optional<Divergence> left_alone(const WatchedRun& watched, const configs::RunPlan& plan) {
  Divergence found;
  for (std::int64_t rank = 0; rank < std::ssize(watched.records); ++rank) {
    const std::vector<FlightSeen>* const flight = flight_of(watched, rank);
    if (flight == nullptr) return std::nullopt;
    if (has_finished(watched, plan, rank)) {
      found.others.push_back(rank);
      continue;
    }
    // A rank that neither finished nor waits in a collective may still enter it.
    if (flight->empty() || flight->back().done_ns) return std::nullopt;
    if (found.ranks.empty()) found.entry = flight->back();
    found.ranks.push_back(rank);
  }
  if (found.ranks.empty() || found.ranks.size() >= found.others.size()) return std::nullopt;
  return found;
}

}  // namespace understudy::launcher
