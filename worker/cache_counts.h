// SPDX-License-Identifier: Apache-2.0
// Counts of the compile cache for this worker, as receipts and metrics reports show them: under the
// names that torch_xla prints, plus some of our own. Thread-compatible.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "cache/compile_cache.h"
#include "configs/receipt/record/record.h"

namespace understudy::worker {

struct CacheCounts {
  std::int64_t compile_handles_destroyed = 0;
  std::int64_t data_handles_created = 0, data_handles_destroyed = 0;

  // Adds one request. Each lookup on disk counts once: as a hit, as an unusable entry, or as a
  // miss.
  void add(const cache::CacheOutcome& outcome, const cache::CacheRequest& request);
  std::map<std::string, std::int64_t> named(std::int64_t executes) const;

 private:
  cache::CacheCounters sum_;
  std::int64_t hits_ = 0, misses_ = 0, failures_ = 0;
};

configs::Compiled compiled_by(const cache::CacheOutcome& outcome,
                              const cache::CacheRequest& request, const cache::KeyParts& parts);

}  // namespace understudy::worker
