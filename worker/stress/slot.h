// SPDX-License-Identifier: Apache-2.0
// The report of a contender to its supervisor, in memory that both map, so that it survives a
// killed contender; and the page that all ranks of one machine share. Mapped before the fork. Each
// field has one writer at a time and may be read at any time.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "cache/compile_cache.h"

namespace understudy::worker {

// Plain numbers: a killed contender may leave a count half updated, which only affects the report.
struct Tally {
  double compile_seconds = 0, lock_seconds = 0, wait_seconds = 0, read_seconds = 0,
         write_seconds = 0;
  std::int64_t wrong_results = 0, retries = 0;
  cache::CacheCounters counters;
};

struct Slot {
  // Enough for quantiles; further waits are not recorded.
  static constexpr std::size_t kMostWaits = 2048;
  static constexpr std::size_t kTextBytes = 400;
  std::atomic<std::int64_t> progress{0};     // requests finished, in all lives
  std::atomic<std::int64_t> finished_ns{0};  // end of this round, steady clock; 0: not yet
  Tally tally;
  std::atomic<std::uint32_t> waits{0};
  std::array<float, kMostWaits> lock_waits{};  // seconds, the first of them
  std::array<char, kTextBytes> warning{};      // the first
};

// The counts of one contender for one key.
struct KeyCount {
  std::atomic<std::int32_t> compiles{0};
  std::atomic<std::int32_t> written_epoch{0};  // 1 + epoch in which a write was reported last
  std::atomic<std::int32_t> bad_reads{0};      // entries met that could not be used
};

// One contender's, anonymous shared memory. *Throws* Error{system}.
class ContenderMemory {
 public:
  explicit ContenderMemory(std::size_t keys);
  ~ContenderMemory();
  ContenderMemory(const ContenderMemory&) = delete;
  ContenderMemory& operator=(const ContenderMemory&) = delete;

  // Resets everything to zero.
  void clear();
  Slot& slot() { return *slot_; }
  std::span<KeyCount> counts() { return counts_; }

 private:
  void* start_ = nullptr;
  std::size_t bytes_ = 0;
  Slot* slot_ = nullptr;
  std::span<KeyCount> counts_;
};

// The page that the ranks of one machine share: a mapped file beside the caches, named after the
// machine. Zero at first. *Throws* Error{system}.
class MachinePage {
 public:
  explicit MachinePage(const std::string& directory);
  ~MachinePage();
  MachinePage(const MachinePage&) = delete;
  MachinePage& operator=(const MachinePage&) = delete;

  struct Content {
    std::atomic<std::int64_t> read_clock_ns;  // of a server with a rate limit
    std::atomic<std::int32_t> epoch;          // completed deletions of the directory
    std::atomic<std::int32_t> finished;       // contenders that have finished this round
  };
  Content& operator*() { return *content_; }
  Content* operator->() { return content_; }

 private:
  Content* content_ = nullptr;
};

}  // namespace understudy::worker
