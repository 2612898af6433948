// SPDX-License-Identifier: Apache-2.0
// The partitioner of one command: XLA in a helper process, behind a cache on disk. The process is
// started for the first program that is not in the cache, and serves all later ones. Call from the
// main thread.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "launcher/partition/derived_cache.h"
#include "launcher/partition/helper.h"
#include "program/partitioner.h"

namespace understudy::launcher {

struct Environment;

// Where the partitioner is found.
struct PartitionerPlaces {
  std::string folder;  // holds the package understudy_partitioner
  std::string python;  // $UNDERSTUDY_PYTHON; empty: the first of `pythons` that exists
  std::vector<std::string> pythons;  // virtual environments that deploy/install-partitioner makes,
                                     // then that of the script, if it has the pinned version
  std::vector<std::string> xla_flags;  // $UNDERSTUDY_XLA_FLAGS
};
// Only the paths: whether a Python is there is looked up when a program needs it.
PartitionerPlaces partitioner_places(const Environment& environment);
// The version of jaxlib that the helper in `places.folder` needs; "" where it is not installed,
// which the first program that needs it reports.
std::string pinned_jaxlib(const PartitionerPlaces& places);

struct Partitioned {
  program::PerChipProgram program;
  bool cached = false;  // no helper was needed
  std::string version;  // of jaxlib
  double seconds = 0;   // wall time of all of it
};

class Partitioning {
 public:
  // `end`: the deadline of the command, which bounds every wait for the helper.
  explicit Partitioning(PartitionerPlaces places, std::string cache_home,
                        std::optional<Deadline> end = {})
      : places_(std::move(places)), cache_home_(std::move(cache_home)), end_(end) {}

  // *Throws* what Partitioner::partition() throws; its notes say how to install what is missing.
  Partitioned partition(const program::PartitionRequest& request, const CacheChoice& cache);
  const std::string& cache_home() const { return cache_home_; }

 private:
  program::PerChipProgram ask(const program::PartitionRequest& request);
  Helper& helper();

  PartitionerPlaces places_;
  std::string cache_home_;
  std::optional<Deadline> end_;
  std::optional<Helper> helper_;
};

}  // namespace understudy::launcher
