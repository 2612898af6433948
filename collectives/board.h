// SPDX-License-Identifier: Apache-2.0
// The flags by which the ranks of one machine meet: one Board per rank, in memory that all of them
// map. Zero-filled memory is a valid initial state. All words are lock-free atomics, so a process
// may die at any instruction without leaving a lock behind.
//
// A *gate* belongs to a group and a lane and is stored on the board of the group's first member.
// Each member adds itself to the count; the member that completes the count opens the gate. A
// *slot* belongs to one rank and says where its buffers are. It does not change between the arrival
// and the end of the operation.
//
// Memory orders. A member writes its slot with relaxed stores and publishes it by `arrived`
// (acq_rel), so the last member to arrive sees all slots. That member writes the results of the
// check with relaxed stores and publishes them, and transitively all slots, by `epoch` (seq_cst
// store, acquire load). Workers publish the chunks that they wrote by `completed` (acq_rel); the
// one that completes the count sees all of them and publishes them by `epoch`.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "collectives/transport.h"

namespace understudy::collectives {

inline constexpr std::size_t kGates = 256;        // groups that one rank can lead
inline constexpr std::size_t kLanes = 4;          // concurrent operations of one rank
inline constexpr std::size_t kBitmapRanks = 512;  // higher ranks are not in a slot's bitmap
inline constexpr std::size_t kLine = 128;         // two cache lines: prefetchers fetch pairs

inline constexpr auto kRelaxed = std::memory_order_relaxed;
inline constexpr auto kAcquire = std::memory_order_acquire;

// Words that different ranks write at the same time are on lines of their own: `arrived` is
// incremented by every member, `epoch` is polled by every waiting member, `completed` is
// incremented by every worker.
struct Gate {
  std::atomic<std::uint64_t> group{0};                   // 0: free; never released once taken
  alignas(kLine) std::atomic<std::uint64_t> arrived{0};  // never reset: n per operation
  // A futex. Operation q of the group (from 0) is open from 2q+1 on and done from 2q+2 on. It only
  // grows and wraps around, so it is compared by signed difference.
  alignas(kLine) std::atomic<std::uint32_t> epoch{0};
  std::atomic<std::uint32_t> sleepers{0};
  std::atomic<std::uint32_t> refused{0};                   // 1: calls did not match; ends the pod
  std::atomic<double> emulated_seconds{0};                 // the latest clock
  std::atomic<std::uint64_t> first_out{0};                 // the first member's Slot::out
  alignas(kLine) std::atomic<std::uint64_t> completed{0};  // chunks of the current operation
};

// The words are atomic because a rank that waits too long reads slots that their owner may be
// changing.
struct alignas(kLine) Slot {
  std::atomic<std::uint64_t> group{0};
  std::atomic<std::uint64_t> ticket{0};  // operation q of the group: q+1, once arrived
  std::atomic<std::uint64_t> signature{0}, bytes{0};
  std::atomic<std::uint64_t> in{0}, out{0};  // places in the owner's memory
  std::atomic<double> emulated_seconds{0};
  std::atomic<std::uint64_t> holds{0};  // the ticket while the owner works on a chunk
  std::atomic<std::uint64_t> members{0};
  std::atomic<std::uint32_t> leader{0}, gate{0};  // position of the group's gate
  std::array<std::atomic<std::uint64_t>, kBitmapRanks / 64> ranks{};
  std::array<std::atomic<std::uint64_t>, 21> call{};  // MessageHeader::call
  // The number of claimed chunks of the owner's share, with the tag of the operation in the upper
  // bits. The tag makes a stale compare-exchange fail: the owner may already be in the next
  // operation, of another group, while a slow member still looks for chunks of this one.
  alignas(kLine) std::atomic<std::uint64_t> claimed{0};
};
static_assert(sizeof(Slot::call) == sizeof(MessageHeader::call));

// In each lane a rank meets one group at a time, except in a permute: there it gives to one rank
// and takes from another, so it needs two slots.
enum class Role : std::uint8_t { member = 0, giver = 1, taker = 2 };
inline constexpr std::size_t kRoles = 3;

inline constexpr int kClaimBits = 24;  // of Slot::claimed that count; the others are the tag

struct Board {
  std::array<std::array<Slot, kRoles>, kLanes> slots;
  std::array<Gate, kGates> gates;
};
static_assert(std::atomic<std::uint64_t>::is_always_lock_free);
static_assert(std::atomic<double>::is_always_lock_free);

}  // namespace understudy::collectives
