// SPDX-License-Identifier: Apache-2.0
// The segments of this machine's chips as shared memory for collectives: a place is an offset in
// the owner's segment. Call from the executor thread only.
#pragma once

#include <array>
#include <vector>

#include "collectives/shared_memory.h"
#include "worker/pod/memory.h"

namespace understudy::worker {

class Neighbours final : public collectives::SharedMemory {
 public:
  // `memory` outlives this.
  explicit Neighbours(const PodMemory& memory);

  collectives::Board* board(Rank rank) override;
  std::optional<std::uint64_t> place_of(std::span<const std::byte> own) const override;
  std::byte* at(Rank rank, std::uint64_t place) override;
  void touch(Rank rank, std::uint64_t place, std::size_t bytes) override;
  std::span<std::byte> staging(std::size_t lane, collectives::Staging use,
                               std::size_t bytes) override;
  std::size_t cores() const override { return cores_; }
  std::size_t ranks_here() const override { return ranks_here_; }

 private:
  const PodMemory& memory_;
  const std::size_t cores_;
  std::size_t ranks_here_ = 0;
  // Of HBM, in bytes from its start; end 0: empty.
  struct PageRange {
    std::uint64_t begin = 0, end = 0;
  };
  // By rank: what is mapped here of each granule of HBM. A range may have pages in its middle that
  // are not; these cost a fault.
  std::vector<std::vector<PageRange>> touched_;
  std::size_t given_ = 0;  // bytes of scratch
  std::array<std::span<std::byte>, collectives::kLanes * collectives::kStagings> areas_;
};

}  // namespace understudy::worker
