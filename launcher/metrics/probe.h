// SPDX-License-Identifier: Apache-2.0
// Black-box experiments on a program: run it unchanged, with the shard of one chip changed, and
// with shards rotated along an axis. Uses a running pod; call from the thread that commands it.
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
  std::string path, text, numerics, collectives;
  ArgumentTiles tiles;
};

// A run with the shard of one chip changed.
struct Influence {
  std::int64_t rank = 0;
  // By result: on how many chips it changed, and whether copies that agreed before still agree.
  struct Seen {
    std::int64_t moved = 0;
    bool still_agrees = true;
  };
  std::vector<Seen> results;
};

// A run with each shard moved to the next chip along one axis.
struct Rotation {
  std::string axis;
  std::vector<double> moved;  // by result: largest difference, relative to the largest value
};

struct Observations {
  ResultValues base;
  std::vector<double> spread;  // by result: largest difference between chips, relative
  std::vector<Influence> influences;
  std::vector<Rotation> rotations;
  bool has_equal_shards = false;  // sharded arguments exist, and all their tiles are equal
};

// Whether ranks a and b should hold the same part of a result.
bool shares(const program::Parameter& result, std::int64_t a, std::int64_t b);

Observations observe(PodClient& pod, const ProbeTask& task);

}  // namespace understudy::launcher
