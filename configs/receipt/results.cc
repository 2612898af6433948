// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <set>

#include "configs/base/digest.h"
#include "configs/receipt/parts.h"

namespace understudy::configs {
namespace {

// Digests of one result by tile, from the chips that reported one.
using TileDigests = std::map<std::int64_t, std::vector<std::string>>;

// `complete`: every chip reported a digest.
TileDigests tile_digests(const RunPlan& plan, std::size_t index, const std::vector<RankSeen>& chips,
                         bool& complete) {
  const PlannedArray& array = plan.results[index];
  TileDigests digests;
  complete = true;
  for (const RankSeen& chip : chips) {
    const auto seen =
        std::ranges::find(chip.results, static_cast<std::int64_t>(index), &ResultSeen::index);
    if (seen == chip.results.end()) {
      complete = false;
    } else {
      digests[array.tile_of[static_cast<std::size_t>(chip.rank)]].push_back(seen->digest);
    }
  }
  return digests;
}

// Counts of the first chip of each tile: the others hold copies.
void add_non_finite(const RunPlan& plan, std::size_t index, const std::vector<RankSeen>& chips,
                    ResultReceipt& result) {
  std::set<std::int64_t> counted;
  result.nans = result.infinities = 0;
  for (const RankSeen& chip : chips) {
    const auto seen =
        std::ranges::find(chip.results, static_cast<std::int64_t>(index), &ResultSeen::index);
    const std::int64_t tile = plan.results[index].tile_of[static_cast<std::size_t>(chip.rank)];
    if (seen == chip.results.end() || !counted.insert(tile).second) continue;
    if (!seen->nans || !seen->infinities) {
      result.nans = result.infinities = std::nullopt;
      return;
    }
    *result.nans += *seen->nans;
    *result.infinities += *seen->infinities;
  }
}

}  // namespace

ResultReceipt result_seen(const RunPlan& plan, std::size_t index,
                          const std::vector<RankSeen>& chips) {
  ResultReceipt result;
  result.index = static_cast<std::int64_t>(index);
  result.element = plan.results[index].element;
  result.shape = plan.results[index].shape;
  result.tile_of = plan.results[index].tile_of;
  bool complete = false;
  const TileDigests digests = tile_digests(plan, index, chips, complete);
  // A digest over some of the tiles would look like one over all.
  if (!complete) return result;
  Digester whole;
  std::int64_t distinct = 0;
  // Chips that hold the same tile should agree; the largest number of different values in any tile
  // shows that they do not. The digest of the result uses the first chip of each tile.
  for (const auto& [tile, told] : digests) {
    const std::set<std::string> values(told.begin(), told.end());
    distinct = std::max(distinct, static_cast<std::int64_t>(values.size()));
    whole.add(std::string_view(told.front()));
  }
  result.digest = digests.size() == 1 ? digests.begin()->second.front() : whole.hex();
  result.distinct_values = distinct;
  add_non_finite(plan, index, chips, result);
  return result;
}

}  // namespace understudy::configs
