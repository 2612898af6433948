// SPDX-License-Identifier: Apache-2.0
// The flight recorder: the last collectives of one rank, with the times at which it entered and
// left them. It is part of the rank's record, which outlives the rank, and of its segment, which
// peers read. One thread writes, any process reads at any time. Equivalent: PyTorch's NCCL flight
// recorder.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "configs/launch/collective_kind.h"

namespace understudy::configs {

// One collective as a reader sees it.
struct FlightSeen {
  std::uint64_t sequence = 0;  // of all collectives of this rank, from 1
  std::string kind;
  std::uint64_t number = 0;                  // of this kind, from 1: "all_reduce#5"
  std::int64_t op = -1;                      // ordinal in the program
  std::uint64_t bytes = 0;                   // operand
  std::uint64_t members = 0;                 // of the group; 0: the operation has pairs instead
  std::string algorithm;                     // empty until done
  std::int64_t entered_ns = 0;               // CLOCK_MONOTONIC of the rank's machine
  std::optional<std::int64_t> done_ns = {};  // null: the rank never left it
  std::uint16_t call = 0;                    // hash of the call's other properties
};

// What a rank records on entering.
struct FlightEntry {
  std::size_t kind = 0;  // index of kCollectiveKinds
  std::uint64_t number = 0;
  std::uint32_t op = 0;
  std::uint64_t bytes = 0;
  std::uint32_t members = 0;
  std::int64_t entered_ns = 0;
  std::uint16_t call = 0;
};

// The ring buffer itself, in shared memory. Zero-filled memory is a valid initial state. Entry
// `sequence` is in slot `sequence % kEntries`, so the owner overwrites the oldest entry.
class FlightRecord {
 public:
  static constexpr std::size_t kEntries = 64;

  // Owner only. `sequence` counts up from 1.
  void enter(std::uint64_t sequence, const FlightEntry& entry) noexcept;
  void done(std::uint64_t sequence, std::string_view algorithm, std::int64_t done_ns) noexcept;

  // Oldest first; entries that are being written are left out.
  std::vector<FlightSeen> read() const;
  // When the owner entered this collective; nullopt if it is not in the ring.
  std::optional<std::int64_t> entered(std::size_t kind, std::uint64_t number,
                                      std::uint32_t op) const noexcept;
  // The sequence number of the newest entry.
  std::uint64_t last() const noexcept { return last_.load(std::memory_order_acquire); }

 private:
  // One cache line, a seqlock of its own: `sequence` is 0 while the rest is written. All words are
  // atomic, because readers may see a slot that is being overwritten.
  struct alignas(64) Slot {
    std::atomic<std::uint64_t> sequence{0};
    std::atomic<std::int64_t> entered_ns{0}, done_ns{0};
    std::atomic<std::uint64_t> bytes_and_call{0};
    std::atomic<std::uint64_t> number_and_kind{0};
    std::atomic<std::uint64_t> op_and_members{0};
    std::array<std::atomic<std::uint64_t>, 2> algorithm{};  // its number, or letters
  };
  static_assert(sizeof(Slot) == 64);

  const Slot& slot(std::uint64_t sequence) const { return slots_[sequence % kEntries]; }
  Slot& slot(std::uint64_t sequence) { return slots_[sequence % kEntries]; }

  std::atomic<std::uint64_t> last_{0};
  std::array<Slot, kEntries> slots_{};
};

// "all_reduce#5"
std::string name_of(const FlightSeen& seen);

}  // namespace understudy::configs
