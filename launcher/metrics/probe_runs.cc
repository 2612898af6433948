// SPDX-License-Identifier: Apache-2.0
#include "launcher/metrics/probe_runs.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "configs/base/index.h"

namespace understudy::launcher {
namespace {

using program::Parameter;
using program::analysis::ArgumentGroup;

}  // namespace

ResultValues ProbeRuns::run(const ArgumentTiles& tiles) {
  std::vector<std::uint64_t> arguments, results;
  for (std::size_t i = 0; i < tiles.size(); ++i) {
    arguments.push_back(next_++);
    const Parameter& argument = task_.interface.arguments[i];
    pod_.put(arguments.back(), argument.local, [&](std::int64_t rank) {
      const Bytes& tile = tiles[i][at(argument.sharding.tile_of[at(rank)])];
      return std::span<const std::byte>(tile);
    });
  }
  for (std::size_t i = 0; i < task_.interface.results.size(); ++i) results.push_back(next_++);
  pod_.execute(arguments, results, task_.collectives);
  ResultValues values;
  for (const std::uint64_t result : results) {
    values.push_back(pod_.get(result));
    pod_.free(result);
  }
  // Every run frees its buffers, so the number of experiments is not limited by HBM.
  for (const std::uint64_t argument : arguments) pod_.free(argument);
  return values;
}

ResultValues ProbeRuns::run_changed(const Influence& seen, const ArgumentTiles& start,
                                    std::size_t from, Change change) {
  const ArgumentGroup& group = task_.groups[seen.group];
  ArgumentTiles tiles = start;
  for (const std::size_t argument : group.arguments)
    put(group, argument, seen.shard,
        changed(task_.interface.arguments[argument].local,
                start[argument][tile(group, argument, from)], change),
        tiles);
  ++changed_runs_;
  return run(tiles);
}

ResultValues ProbeRuns::run_replaced(const Influence& seen, const ArgumentTiles& start,
                                     const ArgumentTiles& source, std::size_t from) {
  const ArgumentGroup& group = task_.groups[seen.group];
  ArgumentTiles tiles = start;
  for (const std::size_t argument : group.arguments)
    put(group, argument, seen.shard, source[argument][tile(group, argument, from)], tiles);
  ++changed_runs_;
  return run(tiles);
}

// The tile of an argument of a group that is the group's shard.
std::size_t ProbeRuns::tile(const ArgumentGroup& group, std::size_t argument,
                            std::size_t shard) const {
  const auto rank = std::ranges::find(group.shard_of, static_cast<std::int64_t>(shard));
  return at(task_.interface.arguments[argument]
                .sharding.tile_of[static_cast<std::size_t>(rank - group.shard_of.begin())]);
}

// All tiles that are this shard: of replicas with equal data there are several.
void ProbeRuns::put(const ArgumentGroup& group, std::size_t argument, std::size_t shard,
                    const Bytes& bytes, ArgumentTiles& tiles) const {
  const auto& tile_of = task_.interface.arguments[argument].sharding.tile_of;
  for (std::size_t rank = 0; rank < tile_of.size(); ++rank)
    if (group.shard_of[rank] == static_cast<std::int64_t>(shard))
      tiles[argument][at(tile_of[rank])] = bytes;
}

// A change that makes a finite result infinite or NaN may act through 0 * inf, so it does not count
// as an influence.
bool ProbeRuns::overflowed(std::size_t i, const Bytes& before, const Bytes& after) const {
  const auto finite = [&](const Bytes& bytes) {
    return std::ranges::all_of(numbers(task_.interface.results[i].local, bytes),
                               [](double value) { return std::isfinite(value); });
  };
  return before != after && finite(before) && !finite(after);
}

std::int64_t ProbeRuns::chips_that_show(std::size_t i, const ResultValues& base,
                                        const ResultValues& values) const {
  std::int64_t chips = 0;
  for (std::size_t rank = 0; rank < base[i].size(); ++rank)
    if (values[i][rank] != base[i][rank] && !overflowed(i, base[i][rank], values[i][rank])) ++chips;
  return chips;
}

void ProbeRuns::look(std::size_t i, const ResultValues& base, const ResultValues& values,
                     Influence::Seen& seen) const {
  for (std::size_t rank = 0; rank < base[i].size(); ++rank)
    seen.by_poison = seen.by_poison || overflowed(i, base[i][rank], values[i][rank]);
  seen.moved = std::max(seen.moved, chips_that_show(i, base, values));
  const Parameter& parameter = task_.interface.results[i];
  for (std::int64_t a = 0; a < processes_; ++a)
    for (std::int64_t b = a + 1; b < processes_; ++b) {
      const bool agreed = base[i][at(a)] == base[i][at(b)];
      if (shares(parameter, a, b) && agreed && values[i][at(a)] != values[i][at(b)])
        seen.still_agrees = false;
    }
}

}  // namespace understudy::launcher
