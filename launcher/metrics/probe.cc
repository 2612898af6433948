// SPDX-License-Identifier: Apache-2.0
#include "launcher/metrics/probe.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>

#include "launcher/metrics/probe_data.h"

namespace understudy::launcher {
namespace {

using program::Parameter;
using program::analysis::ArgumentGroup;

std::size_t at(std::int64_t index) { return static_cast<std::size_t>(index); }

// Shards of a group that are examined in depth where they show no influence: each costs up to 8
// runs, and chips that a program leaves out are alike.
constexpr std::size_t kMostInDepth = 16;

class ProbeRunner {
 public:
  ProbeRunner(PodClient& pod, const ProbeTask& task)
      : pod_(pod), task_(task), processes_(task.interface.processes()) {}

  ResultValues run(const ArgumentTiles& tiles) {
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
      attempt(seen, task_.tiles, shard, change, base);
      if (std::ranges::all_of(seen.results,
                              [&](const auto& one) { return one.moved == processes_; }))
        break;
    }
    return seen;
  }

  // Tries harder with shards that some result does not show although it shows others of the group.
  // `first` is the group's first influence.
  void deepen(std::span<Influence> of_group, const ResultValues& base) {
    const std::optional<std::size_t> counting = counting_shard(of_group);
    if (!counting) return;
    std::size_t examined = 0;
    for (Influence& one : of_group) {
      if (!hides(of_group, one) || ++examined > kMostInDepth) continue;
      one.in_depth = true;
      for (const Change change : {Change::shifted, Change::larger, Change::smaller})
        attempt(one, task_.tiles, *counting, change, base);
      attempt(one, task_.tiles, one.shard, Change::poisoned, base);
    }
    deepen_alike(of_group, *counting);
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
    const ResultValues values = run(tiles);
    for (std::size_t i = 0; i < values.size(); ++i) {
      double moved = 0;
      for (std::size_t rank = 0; rank < values[i].size(); ++rank)
        moved = std::max(
            moved, difference(task_.interface.results[i].local, base[i][rank], values[i][rank]));
      rotation.moved.push_back(moved);
    }
    return rotation;
  }

  std::int64_t runs() const { return runs_; }

 private:
  // The tile of an argument of a group that is the group's shard.
  std::size_t tile(const ArgumentGroup& group, std::size_t argument, std::size_t shard) const {
    const auto rank = std::ranges::find(group.shard_of, static_cast<std::int64_t>(shard));
    return at(task_.interface.arguments[argument]
                  .sharding.tile_of[static_cast<std::size_t>(rank - group.shard_of.begin())]);
  }

  // All tiles that are this shard: of replicas with equal data there are several.
  void put(const ArgumentGroup& group, std::size_t argument, std::size_t shard, const Bytes& bytes,
           ArgumentTiles& tiles) const {
    const auto& tile_of = task_.interface.arguments[argument].sharding.tile_of;
    for (std::size_t rank = 0; rank < tile_of.size(); ++rank)
      if (group.shard_of[rank] == static_cast<std::int64_t>(shard))
        tiles[argument][at(tile_of[rank])] = bytes;
  }

  // Runs with the shard `seen.shard` of `start` replaced by changed data of the shard `from`.
  ResultValues run_changed(const Influence& seen, const ArgumentTiles& start, std::size_t from,
                           Change change) {
    const ArgumentGroup& group = task_.groups[seen.group];
    ArgumentTiles tiles = start;
    for (const std::size_t argument : group.arguments)
      put(group, argument, seen.shard,
          changed(task_.interface.arguments[argument].local,
                  start[argument][tile(group, argument, from)], change),
          tiles);
    ++runs_;
    return run(tiles);
  }

  void attempt(Influence& seen, const ArgumentTiles& start, std::size_t from, Change change,
               const ResultValues& base) {
    const ResultValues values = run_changed(seen, start, from, change);
    for (std::size_t i = 0; i < values.size(); ++i) look(i, base, values, seen.results[i]);
  }

  // Results that should agree, that this shard does not influence, and another one does.
  bool hides(std::span<const Influence> of_group, const Influence& one, std::size_t result) const {
    return one.results[result].moved == 0 &&
           std::ranges::any_of(
               of_group, [&](const Influence& other) { return other.results[result].moved > 0; });
  }
  bool hides(std::span<const Influence> of_group, const Influence& one) const {
    for (std::size_t i = 0; i < one.results.size(); ++i)
      if (is_shared(i) && hides(of_group, one, i)) return true;
    return false;
  }

  bool is_shared(std::size_t result) const {
    return processes_ > 1 && shares(task_.interface.results[result], 0, processes_ - 1);
  }

  // A shard that shows in a result which another shard does not show in.
  std::optional<std::size_t> counting_shard(std::span<const Influence> of_group) const {
    for (const Influence& hidden : of_group)
      for (std::size_t i = 0; i < hidden.results.size(); ++i)
        if (is_shared(i) && hides(of_group, hidden, i))
          for (const Influence& one : of_group)
            if (one.results[i].moved > 0) return one.shard;
    return std::nullopt;
  }

  // All chips get the data of a chip whose data count, so that no mask, label or rare value makes
  // the difference; then each hidden shard is changed again. Where even a change of the counting
  // shard shows nothing now, nothing is learnt, and the shard passes as one that may show.
  void deepen_alike(std::span<Influence> of_group, std::size_t counting) {
    const auto& shard_of = task_.groups[of_group.front().group].shard_of;
    const auto rank = static_cast<std::size_t>(
        std::ranges::find(shard_of, static_cast<std::int64_t>(counting)) - shard_of.begin());
    ArgumentTiles alike = task_.tiles;
    for (const ArgumentGroup& group : task_.groups)
      for (const std::size_t argument : group.arguments)
        for (Bytes& bytes : alike[argument])
          bytes =
              task_.tiles[argument][at(task_.interface.arguments[argument].sharding.tile_of[rank])];
    const ResultValues base = run(alike);
    Influence reference{of_group.front().group, counting, {}, false};
    for (const Change change : {Change::shifted, Change::larger, Change::smaller}) {
      const ResultValues known = run_changed(reference, alike, counting, change);
      for (Influence& one : of_group) {
        if (!one.in_depth) continue;
        const ResultValues values = run_changed(one, alike, counting, change);
        for (std::size_t i = 0; i < values.size(); ++i)
          if (known[i] == base[i] || values[i] != base[i]) one.results[i].when_alike = true;
      }
    }
  }

  bool overflowed(std::size_t i, const Bytes& before, const Bytes& after) const {
    const auto finite = [&](const Bytes& bytes) {
      return std::ranges::all_of(numbers(task_.interface.results[i].local, bytes),
                                 [](double value) { return std::isfinite(value); });
    };
    return before != after && finite(before) && !finite(after);
  }

  // Compares bits, not values: any effect of a change counts, however small.
  void look(std::size_t i, const ResultValues& base, const ResultValues& values,
            Influence::Seen& seen) const {
    std::int64_t moved = 0;
    for (std::int64_t rank = 0; rank < processes_; ++rank) {
      if (overflowed(i, base[i][at(rank)], values[i][at(rank)])) {
        seen.by_poison = true;
      } else {
        moved += values[i][at(rank)] != base[i][at(rank)] ? 1 : 0;
      }
    }
    seen.moved = std::max(seen.moved, moved);
    const Parameter& parameter = task_.interface.results[i];
    for (std::int64_t a = 0; a < processes_; ++a)
      for (std::int64_t b = a + 1; b < processes_; ++b) {
        const bool agreed = base[i][at(a)] == base[i][at(b)];
        if (shares(parameter, a, b) && agreed && values[i][at(a)] != values[i][at(b)])
          seen.still_agrees = false;
      }
  }

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

  PodClient& pod_;
  const ProbeTask& task_;
  std::int64_t processes_;
  std::int64_t runs_ = 0;
  std::uint64_t next_ = 1;
};

}  // namespace

// 1 unchanged run, then 1 or 2 runs per shard (influence), more for shards without influence, and 1
// run per mesh axis (rotation).
Observations observe(PodClient& pod, const ProbeTask& task) {
  pod.load(task.path, task.text, task.numerics, task.interface.replicas);
  ProbeRunner runner(pod, task);
  Observations seen;
  seen.base = runner.run(task.tiles);
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
    runner.deepen(std::span(seen.influences).subspan(first), seen.base);
  }
  seen.runs = runner.runs();
  for (std::size_t axis = 0; !moving.empty() && axis < task.axes.size(); ++axis)
    seen.rotations.push_back(runner.rotation(axis, moving, seen.base));
  return seen;
}

double value_by(PodClient& pod, const ProbeTask& task, const std::string& text,
                std::size_t result) {
  pod.load(task.path, text, task.numerics, task.interface.replicas);
  ProbeRunner runner(pod, task);
  const ResultValues values = runner.run(task.tiles);
  const std::vector<double> all =
      numbers(task.interface.results[result].local, values[result].front());
  return all.empty() ? std::nan("") : all.front();
}

}  // namespace understudy::launcher
