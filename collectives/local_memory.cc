// SPDX-License-Identifier: Apache-2.0
#include "collectives/local_memory.h"

#include <algorithm>
#include <thread>

namespace understudy::collectives {

LocalBoards::LocalBoards(std::size_t ranks) {
  for (std::size_t rank = 0; rank < ranks; ++rank) boards_.push_back(std::make_unique<Board>());
}

// Tests emulate several machines in one process: ranks with another machine number get no board, so
// the algorithms take the path by messages.
Board* LocalMemory::board(Rank rank) {
  const auto machine = [&](Rank of) { return machine_.at(static_cast<std::size_t>(of.value)); };
  if (!machine_.empty() && machine(rank) != machine(self_)) return nullptr;
  return &boards_.board(rank);
}

std::optional<std::uint64_t> LocalMemory::place_of(std::span<const std::byte> own) const {
  // With private buffers only staging memory has a place, as on a machine where the operands are
  // not in a shared segment.
  const bool staged = std::any_of(staging_.begin(), staging_.end(), [&](const auto& area) {
    return own.data() >= area.data() && own.data() + own.size() <= area.data() + area.size();
  });
  if (buffers_ == Buffers::private_ && !staged) return std::nullopt;
  // In one process a place is an address, so at() needs no rank.
  return reinterpret_cast<std::uint64_t>(own.data());
}

std::byte* LocalMemory::at(Rank /*rank*/, std::uint64_t place) {
  return reinterpret_cast<std::byte*>(place);
}

std::span<std::byte> LocalMemory::staging(std::size_t lane, Staging use, std::size_t bytes) {
  auto& memory = staging_.at(lane * kStagings + static_cast<std::size_t>(use));
  // The old memory may move: staging keeps nothing between calls.
  if (memory.size() < bytes) memory.resize(bytes);
  return std::span(memory).first(bytes);
}

std::size_t LocalMemory::cores() const {
  return std::max<std::size_t>(1, std::thread::hardware_concurrency());
}

}  // namespace understudy::collectives
