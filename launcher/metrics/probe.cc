// SPDX-License-Identifier: Apache-2.0
#include "launcher/metrics/probe.h"

#include <algorithm>
#include <cmath>
#include <span>

#include "configs/base/index.h"
#include "launcher/metrics/hidden_shards.h"
#include "launcher/metrics/probe_data.h"
#include "launcher/metrics/probe_runs.h"

namespace understudy::launcher {
namespace {

class ProbeRunner {
 public:
  explicit ProbeRunner(ProbeRuns& runs)
      : runs_(runs), task_(runs.task()), processes_(runs.processes()) {}

  // All arguments of all groups. The groups leave out per-replica arrays that are equal on all
  // replicas: they count as parameters.
  std::vector<std::size_t> moving() const {
    std::vector<std::size_t> found;
    for (const auto& group : task_.groups)
      found.insert(found.end(), group.arguments.begin(), group.arguments.end());
    return found;
  }

  bool differ(std::size_t argument) const {
    const std::vector<Bytes>& tiles = task_.tiles[argument];
    return std::ranges::any_of(tiles, [&](const Bytes& tile) { return tile != tiles[0]; });
  }

  // Changes one shard of a group in a first way; in a second one if some chip does not show it, as
  // a single change may cancel out.
  Influence influence(std::size_t group, std::size_t shard, const ResultValues& base) {
    Influence seen{group, shard, std::vector<Influence::Seen>(base.size()), false};
    for (const Change change : {Change::shifted, Change::negated}) {
      const ResultValues values = runs_.run_changed(seen, task_.tiles, shard, change);
      for (std::size_t i = 0; i < values.size(); ++i) runs_.look(i, base, values, seen.results[i]);
      if (std::ranges::all_of(seen.results,
                              [&](const auto& one) { return one.moved == processes_; }))
        break;
    }
    return seen;
  }

  // Rotates the tiles along one mesh axis. A complete reduction is invariant under a permutation of
  // the shards; a result that only looks reduced is not.
  Rotation rotation(std::size_t axis, const std::vector<std::size_t>& moving,
                    const ResultValues& base) {
    ArgumentTiles tiles = task_.tiles;
    for (const std::size_t i : moving) {
      const auto& tile_of = task_.interface.arguments[i].sharding.tile_of;
      for (std::int64_t rank = 0; rank < processes_; ++rank)
        tiles[i][at(tile_of[at(rank)])] = task_.tiles[i][at(tile_of[at(neighbour(axis, rank))])];
    }
    Rotation rotation{task_.axes[axis].name, {}};
    const ResultValues values = runs_.run(tiles);
    for (std::size_t i = 0; i < values.size(); ++i) {
      double moved = 0;
      for (std::size_t rank = 0; rank < values[i].size(); ++rank)
        moved = std::max(
            moved, difference(task_.interface.results[i].local, base[i][rank], values[i][rank]));
      rotation.moved.push_back(moved);
    }
    return rotation;
  }

 private:
  // The next rank along an axis: coordinate + 1 (cyclic), all other coordinates equal.
  std::int64_t neighbour(std::size_t axis, std::int64_t rank) const {
    for (std::int64_t other = 0; other < processes_; ++other) {
      bool is = true;
      for (std::size_t i = 0; i < task_.axes.size(); ++i) {
        const auto& one = task_.axes[i];
        const std::int64_t wanted =
            i == axis ? (one.coordinate[at(rank)] + 1) % one.size : one.coordinate[at(rank)];
        is = is && one.coordinate[at(other)] == wanted;
      }
      if (is) return other;
    }
    return rank;
  }

  ProbeRuns& runs_;
  const ProbeTask& task_;
  std::int64_t processes_;
};

}  // namespace

// 1 unchanged run, then 1 or 2 runs per shard (influence), more for shards without influence, and 1
// run per mesh axis (rotation).
// The same executable in all runs: only arguments change, so it is compiled once.
Observations observe(PodClient& pod, const ProbeTask& task) {
  pod.load(task.path, task.text, task.numerics, task.interface.replicas);
  ProbeRuns runs(pod, task);
  ProbeRunner runner(runs);
  Observations seen;
  seen.base = runs.run(task.tiles);
  for (std::size_t i = 0; i < seen.base.size(); ++i)
    seen.spread.push_back(spread(task.interface.results[i], seen.base[i]));
  const std::vector<std::size_t> moving = runner.moving();
  seen.has_equal_shards = !moving.empty() && std::ranges::none_of(moving, [&](std::size_t i) {
    return runner.differ(i);
  });
  // Without sharded arguments there is nothing to vary; the data flow analysis alone decides.
  for (std::size_t group = 0; group < task.groups.size(); ++group) {
    const std::size_t first = seen.influences.size();
    for (std::size_t shard = 0; shard < task.groups[group].shards; ++shard)
      seen.influences.push_back(runner.influence(group, shard, seen.base));
    examine_hidden(runs, std::span(seen.influences).subspan(first), seen.base);
  }
  seen.runs = runs.changed_runs();
  for (std::size_t axis = 0; !moving.empty() && axis < task.axes.size(); ++axis)
    seen.rotations.push_back(runner.rotation(axis, moving, seen.base));
  return seen;
}

double value_by(PodClient& pod, const ProbeTask& task, const std::string& text,
                std::size_t result) {
  pod.load(task.path, text, task.numerics, task.interface.replicas);
  ProbeRuns runs(pod, task);
  const ResultValues values = runs.run(task.tiles);
  const std::vector<double> all =
      numbers(task.interface.results[result].local, values[result].front());
  return all.empty() ? std::nan("") : all.front();
}

}  // namespace understudy::launcher
