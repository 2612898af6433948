// SPDX-License-Identifier: Apache-2.0
// The flags by which ranks of one machine meet: a Board per rank, in memory that all of them map.
// Zero-filled memory is a valid start. Only lock-free atomics, so that a process may die anywhere.
//
// A *gate* belongs to a group and a lane and stands on the board of the group's first member. Every
// member counts itself in; whoever completes the count opens the gate. A *slot* belongs to one rank
// and says where its buffers are; it stays as it is from the arrival until the operation is done.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "collectives/transport.h"

namespace understudy::collectives {

inline constexpr std::size_t kGates = 256;        // groups that one rank can lead
inline constexpr std::size_t kLanes = 4;          // operations that one rank has under way at once
inline constexpr std::size_t kBitmapRanks = 512;  // ranks beyond are not in a slot's bitmap
inline constexpr std::size_t kLine = 128;         // two cache lines: prefetchers fetch pairs

struct Gate {
  std::atomic<std::uint64_t> group{0};                   // 0: free. Taken once, kept for good
  alignas(kLine) std::atomic<std::uint64_t> arrived{0};  // never reset: n per operation
  // A futex. Operation q of the group is open from 2q+1 on and done from 2q+2 on.
  alignas(kLine) std::atomic<std::uint32_t> epoch{0};
  std::atomic<std::uint32_t> sleepers{0};
  std::atomic<std::uint32_t> refused{0};                   // 1: the members' calls did not match
  std::atomic<double> emulated_seconds{0};                 // the latest clock
  std::atomic<std::uint64_t> first_out{0};                 // the first member's Slot::out
  alignas(kLine) std::atomic<std::uint64_t> completed{0};  // chunks, of the operation at work
};

// Words are atomic because a rank that waits too long looks at slots that change.
struct alignas(kLine) Slot {
  std::atomic<std::uint64_t> group{0};
  std::atomic<std::uint64_t> ticket{0};  // operation q of the group: q+1, once arrived
  std::atomic<std::uint64_t> signature{0}, bytes{0};
  std::atomic<std::uint64_t> in{0}, out{0};  // places in the owner's memory
  std::atomic<double> emulated_seconds{0};
  std::atomic<std::uint64_t> holds{0};  // the ticket while a chunk is worked on
  std::atomic<std::uint64_t> members{0};
  std::atomic<std::uint32_t> leader{0}, gate{0};  // where the group's gate stands
  std::array<std::atomic<std::uint64_t>, kBitmapRanks / 64> ranks{};
  std::array<std::atomic<std::uint64_t>, 21> call{};  // MessageHeader::call
  // Chunks of the owner's share, above them the tag of the operation that they belong to: the owner
  // may be in the next operation, of another group, while somebody still looks for chunks of this.
  alignas(kLine) std::atomic<std::uint64_t> claimed{0};
};
static_assert(sizeof(Slot::call) == sizeof(MessageHeader::call));

// A rank meets one group at a time in each lane, but for a permute: there it gives to one and takes
// from another.
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
