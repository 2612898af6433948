// SPDX-License-Identifier: Apache-2.0
// What a contender tells its supervisor, in memory that both map, so that it outlives whoever is
// killed; and what all ranks of one machine share. Mapped before the fork. Each field has one
// writer at a time and may be read at any time.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace understudy::worker {

// Plain numbers; a killed contender may leave one half counted, which only the report sees.
struct Tally {
  double compile_seconds = 0, lock_seconds = 0, wait_seconds = 0, read_seconds = 0,
         write_seconds = 0;
  std::int64_t compiles = 0, wrong_results = 0;
  std::int64_t lock_timeouts = 0, wait_timeouts = 0, locks_broken = 0, write_failures = 0;
  std::int64_t quarantined = 0, removed = 0, evicted = 0, retries = 0, writes = 0;
};

struct Slot {
  static constexpr std::size_t kMostWaits = 2048;
  static constexpr std::size_t kTextBytes = 400;
  std::atomic<std::int64_t> progress{0};     // requests finished, in all lives
  std::atomic<std::int64_t> finished_ns{0};  // when this round was done, steady clock; 0: not yet
  Tally tally;
  std::atomic<std::uint32_t> waits{0};
  std::array<float, kMostWaits> lock_waits{};  // seconds, the first of them
  std::array<char, kTextBytes> warning{};      // the first
};

// Of one contender and one key.
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

  // As new.
  void clear();
  Slot& slot() { return *slot_; }
  std::span<KeyCount> counts() { return counts_; }

 private:
  void* start_ = nullptr;
  std::size_t bytes_ = 0;
  Slot* slot_ = nullptr;
  std::span<KeyCount> counts_;
};

// What the ranks of one machine share: a mapped file beside the caches, whose name has the machine
// in it. Zero at first. *Throws* Error{system}.
class MachinePage {
 public:
  explicit MachinePage(const std::string& directory);
  ~MachinePage();
  MachinePage(const MachinePage&) = delete;
  MachinePage& operator=(const MachinePage&) = delete;

  struct Content {
    std::atomic<std::int64_t> read_clock_ns;  // of a server with a rate limit
    std::atomic<std::int32_t> epoch;          // deletions of the directory that are complete
    std::atomic<std::int32_t> finished;       // contenders that are done with this round
  };
  Content& operator*() { return *content_; }
  Content* operator->() { return content_; }

 private:
  Content* content_ = nullptr;
};

}  // namespace understudy::worker
