// SPDX-License-Identifier: Apache-2.0
// What contenders tell their supervisor: memory that all of them map, so that it outlives whoever
// is killed. A slot is written by one contender at a time and read by the supervisor at any time.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>

namespace understudy::launcher {

// Plain numbers; a killed contender may leave one half counted, which only the report sees.
struct Tally {
  double compile_seconds = 0, lock_seconds = 0, wait_seconds = 0, read_seconds = 0,
         write_seconds = 0;
  std::int64_t torn_reads = 0, damaged_reads = 0, wrong_results = 0;
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

// Shared by all: what is counted by key and folder.
struct KeyCount {
  std::atomic<std::int32_t> compiles{0};
  std::atomic<std::int32_t> written_epoch{0};  // 1 + epoch in which a write was reported last
  std::atomic<bool> damaged{false};            // by the supervisor, at some time
};

// Anonymous shared memory, zero-filled. *Throws* Error{system}.
class SharedPage {
 public:
  SharedPage(std::size_t slots, std::size_t counts);
  ~SharedPage();
  SharedPage(const SharedPage&) = delete;
  SharedPage& operator=(const SharedPage&) = delete;

  struct Common {
    std::atomic<std::int64_t> go_ns{0};  // the start of the round, steady clock; 0: not yet
    std::atomic<bool> held{false};       // somebody holds the locks, for the fault of that name
    std::atomic<std::int32_t> epoch{0};  // deletions of the directory so far
    std::atomic<std::int64_t> read_clock_ns{0};  // of a server with a rate limit
  };
  Common& common() { return *common_; }
  std::span<Slot> slots() { return slots_; }
  std::span<KeyCount> counts() { return counts_; }

 private:
  void* start_ = nullptr;
  std::size_t bytes_ = 0;
  Common* common_ = nullptr;
  std::span<Slot> slots_;
  std::span<KeyCount> counts_;
};

}  // namespace understudy::launcher
