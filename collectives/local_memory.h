// SPDX-License-Identifier: Apache-2.0
// The shared memory of a pod inside one process: everything is shared, a place is an address.
// Thread-safe to the extent that SharedMemory requires.
#pragma once

#include <array>
#include <memory>
#include <utility>
#include <vector>

#include "collectives/shared_memory.h"

namespace understudy::collectives {

// The boards of all ranks.
class LocalBoards {
 public:
  explicit LocalBoards(std::size_t ranks);
  Board& board(Rank rank) { return *boards_.at(static_cast<std::size_t>(rank.value)); }
  std::size_t size() const { return boards_.size(); }

 private:
  std::vector<std::unique_ptr<Board>> boards_;
};

// One rank's view. With `buffers` private, all but the staging memory counts as private; ranks
// whose `machine` is not ours share nothing with us.
class LocalMemory final : public SharedMemory {
 public:
  enum class Buffers : bool { shared, private_ };
  // `machine`: by rank; empty: one machine.
  LocalMemory(LocalBoards& boards, Rank self, Buffers buffers, std::vector<std::int64_t> machine)
      : boards_(boards), self_(self), buffers_(buffers), machine_(std::move(machine)) {}

  Board* board(Rank rank) override;
  std::optional<std::uint64_t> place_of(std::span<const std::byte> own) const override;
  std::byte* at(Rank rank, std::uint64_t place) override;
  std::span<std::byte> staging(std::size_t lane, Staging use, std::size_t bytes) override;
  std::size_t cores() const override;
  std::size_t ranks_here() const override { return boards_.size(); }

 private:
  LocalBoards& boards_;
  Rank self_;
  Buffers buffers_;
  std::vector<std::int64_t> machine_;
  std::array<std::vector<std::byte>, kLanes * kStagings> staging_;
};

}  // namespace understudy::collectives
