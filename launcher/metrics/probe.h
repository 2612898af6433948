// SPDX-License-Identifier: Apache-2.0
// Experiments with a program's results that need no knowledge of the program: run it as it is, with
// one chip's shard changed, with whole shards passed around. Runs on a pod that is there; call from
// the pod's talking thread.
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
  // By result: how many chips of it moved, and whether those that agreed before still do.
  struct Seen {
    std::int64_t moved = 0;
    bool still_agrees = true;
  };
  std::vector<Seen> results;
};

// A run with the shards along one axis passed on to the next chip.
struct Rotation {
  std::string axis;
  std::vector<double> moved;  // by result: largest difference, relative to the largest value
};

struct Observations {
  ResultValues base;
  std::vector<double> spread;  // by result: largest difference between chips, relative
  std::vector<Influence> influences;
  std::vector<Rotation> rotations;
  bool has_equal_shards = false;  // there are sharded arguments, and all their tiles are equal
};

// True where ranks a and b are meant to hold the same of a result.
bool shares(const program::Parameter& result, std::int64_t a, std::int64_t b);

Observations observe(PodClient& pod, const ProbeTask& task);

}  // namespace understudy::launcher
