// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <functional>
#include <map>
#include <utility>

#include "configs/receipt/parts.h"

namespace understudy::configs {
namespace {

constexpr const char* kClock =
    "monotonic clock of one machine; members on other machines are not compared";

using LateRanks = std::map<std::int64_t, LateRank>;

void add(LateRanks& to, const LateRank& late) {
  LateRank& sum = to[late.rank];
  sum.rank = late.rank;
  sum.times += late.times;
  sum.behind_seconds += late.behind_seconds;
  sum.behind_max_seconds = std::max(sum.behind_max_seconds, late.behind_max_seconds);
}

template <class Key>
// Largest first by the given key; equal ranks stay in rank order.
std::vector<LateRank> sorted(const LateRanks& ranks, Key key) {
  std::vector<LateRank> list;
  for (const auto& [rank, late] : ranks) list.push_back(late);
  std::ranges::stable_sort(list, std::greater{}, key);
  return list;
}

struct Site {
  ArrivalsSeen seen;
  LateRanks late;
};

// Several groups run the same collective; each reports through its first member. `compared` is the
// smallest, because it limits what the statistics say.
void add(Site& site, const Arrivals& arrivals) {
  ArrivalsSeen& seen = site.seen;
  const bool first = seen.times == 0;
  seen.members = std::max(seen.members, arrivals.members);
  seen.compared = first ? arrivals.compared : std::min(seen.compared, arrivals.compared);
  seen.times += arrivals.times;
  seen.spread_seconds += arrivals.spread_seconds;
  seen.spread_max_seconds = std::max(seen.spread_max_seconds, arrivals.spread_max_seconds);
  for (const LateRank& late : arrivals.last) add(site.late, late);
}

}  // namespace

// By place in the program, over all groups, and by rank, over all places: the first shows where
// time is lost, the second by whom.
std::optional<Stragglers> stragglers_in(const std::vector<std::optional<RecordContent>>& records,
                                        const LauncherFacts& facts) {
  std::map<std::pair<std::int64_t, std::string>, Site> sites;
  LateRanks ranks;
  for (const auto& record : records) {
    if (!record) continue;
    for (const Observation& observation : record->observations) {
      const auto* const arrivals = std::get_if<Arrivals>(&observation);
      if (arrivals == nullptr) continue;
      Site& site = sites[{arrivals->op_index, arrivals->kind}];
      site.seen.kind = arrivals->kind;
      site.seen.op_index = arrivals->op_index;
      if (facts.place_of && !site.seen.place)
        site.seen.place = facts.place_of(record->rank, arrivals->op_index);
      add(site, *arrivals);
      for (const LateRank& late : arrivals->last) add(ranks, late);
    }
  }
  if (sites.empty()) return std::nullopt;
  Stragglers stragglers;
  stragglers.clock = kClock;
  for (auto& [key, site] : sites) {
    site.seen.last = sorted(site.late, &LateRank::times);
    stragglers.sites.push_back(std::move(site.seen));
  }
  stragglers.ranks = sorted(ranks, &LateRank::behind_seconds);
  return stragglers;
}

}  // namespace understudy::configs
