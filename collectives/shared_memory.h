// SPDX-License-Identifier: Apache-2.0
// Memory that the ranks of one machine share, as seen by one rank: the board and buffers of each
// rank. Implementations: a worker's segments, the heap of an in-process pod. Used by the rank's
// executor thread. Equivalents: MPI_Win_allocate_shared, XPMEM.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "collectives/board.h"
#include "configs/base/ids.h"

namespace understudy::collectives {

// Uses of staging memory: operands and results that are in private memory, blocks cut out of an
// operand or not joined yet, an operand that its result would overwrite.
enum class Staging : std::uint8_t { in = 0, out = 1, packed = 2, unpacked = 3, copied = 4 };
inline constexpr std::size_t kStagings = 5;

// All methods are for one rank, whose memory is "ours".
class SharedMemory {
 public:
  virtual ~SharedMemory() = default;
  // nullptr: the rank is on another machine.
  virtual Board* board(Rank rank) = 0;
  // The position of bytes of ours, as at() of a neighbour takes it. nullopt: they are in private
  // memory.
  virtual std::optional<std::uint64_t> place_of(std::span<const std::byte> own) const = 0;
  // *Requires* board(rank) != nullptr and a place that the rank published.
  virtual std::byte* at(Rank rank, std::uint64_t place) = 0;
  // A hint that we are about to read or write these bytes. An implementation that pays for each
  // page at its first use by each process can map them all at once.
  virtual void touch(Rank /*rank*/, std::uint64_t /*place*/, std::size_t /*bytes*/) {}
  // Memory of ours that neighbours see. The next call for the same lane and use returns the same
  // bytes. *Throws* Error{capacity}.
  virtual std::span<std::byte> staging(std::size_t lane, Staging use, std::size_t bytes) = 0;
  // Cores that the ranks of this machine may use. With fewer cores than ranks a waiting rank yields
  // at once.
  virtual std::size_t cores() const = 0;
  virtual std::size_t ranks_here() const = 0;
};

}  // namespace understudy::collectives
