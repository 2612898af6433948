// SPDX-License-Identifier: Apache-2.0
#include "launcher/metrics/probe.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "program/kernels/kernels.h"

namespace understudy::launcher {
namespace {

using program::ElementType;
using program::Parameter;

std::size_t at(std::int64_t index) { return static_cast<std::size_t>(index); }

// Converts to doubles for measuring differences; complex numbers become pairs. Empty for an element
// type without a conversion.
std::vector<double> numbers(const program::TensorType& type, const Bytes& bytes) {
  const bool is_complex = program::is_complex(type.element);
  const auto convert = program::kernels::select("").convert(
      type.element, is_complex ? ElementType::c128 : ElementType::f64);
  const auto n = at(type.elements());
  if (convert == nullptr) return {};
  std::vector<double> values(is_complex ? 2 * n : n);
  convert(bytes.data(), values.data(), n);
  return values;
}

// Largest difference relative to the largest magnitude of differing elements; infinity if only one
// of the two is finite.
double difference(const program::TensorType& type, const Bytes& a, const Bytes& b) {
  if (a == b) return 0;
  const std::vector<double> x = numbers(type, a), y = numbers(type, b);
  if (x.empty()) return INFINITY;  // the bits differ, by how much is unknown
  double largest = 0, scale = 0;
  // NaN equals NaN and infinities of equal sign are equal: only differences between copies count.
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (std::isnan(x[i]) && std::isnan(y[i])) continue;
    if (x[i] == y[i]) continue;
    if (!std::isfinite(x[i]) || !std::isfinite(y[i])) return INFINITY;
    largest = std::max(largest, std::fabs(x[i] - y[i]));
    scale = std::max({scale, std::fabs(x[i]), std::fabs(y[i])});
  }
  return scale == 0 ? 0 : largest / scale;
}

// Changed data of the same kind. Floats are scaled and shifted. Integers and booleans (labels,
// indices, masks) are rotated by one place, so that they stay in their valid range.
Bytes changed(const program::TensorType& type, const Bytes& bytes, int round) {
  Bytes fresh = bytes;
  const std::size_t width = program::byte_size(type.element);
  const auto convert_out = program::kernels::select("").convert(ElementType::f64, type.element);
  if (program::is_float(type.element) && convert_out != nullptr) {
    std::vector<double> values = numbers(type, bytes);
    // Large enough changes for narrow floats; the second round also flips signs.
    const double factor = round == 0 ? 1.375 : -2.75;
    for (std::size_t i = 0; i < values.size(); ++i)
      values[i] = values[i] * factor + 0.0625 * static_cast<double>(1 + (i + at(round)) % 5);
    convert_out(values.data(), fresh.data(), values.size());
  } else if (fresh.size() > width) {
    std::rotate(fresh.begin(), fresh.begin() + static_cast<std::ptrdiff_t>(width * at(1 + round)),
                fresh.end());
  }
  return fresh;
}

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

  // The arguments that are sharded, so that changing the tile of one chip is meaningful.
  // Per-replica arrays that are all equal count as parameters and are left alone.
  std::vector<std::size_t> moving() const {
    std::vector<std::size_t> found;
    for (std::size_t i = 0; i < task_.tiles.size(); ++i) {
      const bool shards = !task_.interface.arguments[i].sharding.per_replica;
      if (task_.tiles[i].size() > 1 && (shards || differ(i))) found.push_back(i);
    }
    return found;
  }

  bool differ(std::size_t argument) const {
    const std::vector<Bytes>& tiles = task_.tiles[argument];
    return std::ranges::any_of(tiles, [&](const Bytes& tile) { return tile != tiles[0]; });
  }

  // Changes the tiles of one rank and records which chips see a different result. Two rounds with
  // different changes: a single change may cancel out, for example inside a max or a clipped value.
  Influence influence(std::int64_t rank, const std::vector<std::size_t>& moving,
                      const ResultValues& base) {
    Influence influence{rank, std::vector<Influence::Seen>(base.size())};
    constexpr int kRounds =
        2;  // a second change of data, for results that the first one did not affect everywhere
    for (int round = 0; round < kRounds; ++round) {
      ArgumentTiles tiles = task_.tiles;
      for (const std::size_t i : moving) {
        const Parameter& argument = task_.interface.arguments[i];
        Bytes& tile = tiles[i][at(argument.sharding.tile_of[at(rank)])];
        tile = changed(argument.local, tile, round);
      }
      const ResultValues values = run(tiles);
      bool all_moved = true;
      for (std::size_t i = 0; i < values.size(); ++i) {
        look(i, base, values, influence.results[i]);
        all_moved = all_moved && influence.results[i].moved == processes_;
      }
      if (all_moved) break;
    }
    return influence;
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

  double spread(std::size_t result, const ResultValues& values) const {
    const Parameter& parameter = task_.interface.results[result];
    double largest = 0;
    for (std::int64_t a = 0; a < processes_; ++a)
      for (std::int64_t b = a + 1; b < processes_; ++b)
        if (shares(parameter, a, b))
          largest = std::max(
              largest, difference(parameter.local, values[result][at(a)], values[result][at(b)]));
    return largest;
  }

  std::int64_t processes() const { return processes_; }

 private:
  // Compares bits, not values: any effect of a change counts, however small.
  void look(std::size_t i, const ResultValues& base, const ResultValues& values,
            Influence::Seen& seen) const {
    std::int64_t moved = 0;
    for (std::int64_t rank = 0; rank < processes_; ++rank)
      moved += values[i][at(rank)] != base[i][at(rank)] ? 1 : 0;
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
  std::uint64_t next_ = 1;
};

}  // namespace

bool shares(const Parameter& result, std::int64_t a, std::int64_t b) {
  return result.sharding.per_replica ||
         result.sharding.tile_of[at(a)] == result.sharding.tile_of[at(b)];
}

// 1 unchanged run, then up to 2 runs per rank (influence) and 1 run per mesh axis (rotation).
Observations observe(PodClient& pod, const ProbeTask& task) {
  pod.greet();
  pod.load(task.path, task.text, task.numerics, task.interface.replicas);
  ProbeRunner probe_runner(pod, task);
  Observations seen;
  seen.base = probe_runner.run(task.tiles);
  for (std::size_t i = 0; i < seen.base.size(); ++i)
    seen.spread.push_back(probe_runner.spread(i, seen.base));
  const std::vector<std::size_t> moving = probe_runner.moving();
  seen.has_equal_shards = !moving.empty() && std::ranges::none_of(moving, [&](std::size_t i) {
    return probe_runner.differ(i);
  });
  // Without sharded arguments there is nothing to vary; the data flow analysis alone decides.
  if (!moving.empty()) {
    for (std::int64_t rank = 0; rank < probe_runner.processes(); ++rank)
      seen.influences.push_back(probe_runner.influence(rank, moving, seen.base));
    for (std::size_t axis = 0; axis < task.axes.size(); ++axis)
      seen.rotations.push_back(probe_runner.rotation(axis, moving, seen.base));
  }
  pod.finish();
  return seen;
}

}  // namespace understudy::launcher
