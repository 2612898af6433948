// SPDX-License-Identifier: Apache-2.0
// Black-box experiments on a program: run it unchanged, with one shard changed, and with shards
// rotated along an axis. Uses a running pod; call from the thread that commands it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "launcher/pod/client.h"
#include "launcher/run/tiles.h"
#include "program/analysis/metric_verdict.h"
#include "program/compile.h"

namespace understudy::launcher {

// tiles[i][t]: tile t of argument i.
using ArgumentTiles = std::vector<std::vector<Bytes>>;
// values[i][r]: result i on rank r.
using ResultValues = std::vector<std::vector<Bytes>>;

struct ProbeTask {
  const program::Interface& interface;
  const std::vector<program::analysis::Axis>& axes;
  const std::vector<program::analysis::ArgumentGroup>& groups;
  std::vector<bool> only_exchanged;  // by result: StaticResult::only_exchanged
  std::string path, text, numerics, collectives;
  ArgumentTiles tiles;
};

// The runs in which one shard of all arguments of a group was changed.
struct Influence {
  std::size_t group = 0, shard = 0;
  // By result.
  struct Seen {
    std::int64_t moved = 0;    // on how many chips finite numbers changed it
    bool still_agrees = true;  // copies that agreed before still do
    bool by_poison = false;    // only NaN, or what overflowed, shows
    // Where all chips hold equal data, copies of data that count or other numbers:
    std::int64_t elsewhere = 0;  // on how many chips it shows
    bool could_show = false;     // some change showed in a shard that counts
  };
  std::vector<Seen> results;
  // More changes were tried because some result did not show the first: larger and smaller numbers,
  // copies of a shard that counts, NaN, and changes where all chips hold equal data.
  bool in_depth = false;
};

// A run with each shard moved to the next chip along one axis.
struct Rotation {
  std::string axis;
  std::vector<double> moved;  // by result: largest difference, relative to the largest value
};

struct Observations {
  ResultValues base;
  std::vector<double> spread;         // by result: largest difference between chips, relative
  std::vector<Influence> influences;  // by group and shard
  std::int64_t runs = 0;              // of the program, for the influences
  std::vector<Rotation> rotations;
  bool has_equal_shards = false;  // sharded arguments exist, and all their tiles are equal
};

// *Throws* what PodClient throws; the pod may be used again if a chip only refused the program.
Observations observe(PodClient& pod, const ProbeTask& task);

// The value of a result of one element on chip 0, by another program with the same interface. Loads
// the program. *Throws* what the pod throws.
double value_by(PodClient& pod, const ProbeTask& task, const std::string& text, std::size_t result);

}  // namespace understudy::launcher
