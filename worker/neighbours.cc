// SPDX-License-Identifier: Apache-2.0
#include "worker/neighbours.h"

#include <algorithm>
#include <bit>
#include <fmt/format.h>
#include <sched.h>

#include "configs/base/error.h"

namespace understudy::worker {
namespace {

// What this process may run on, not what the machine has.
std::size_t allowed_cores() {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (::sched_getaffinity(0, sizeof(set), &set) != 0) return 1;
  return static_cast<std::size_t>(std::max(1, CPU_COUNT(&set)));
}

}  // namespace

Neighbours::Neighbours(const PodMemory& memory) : memory_(memory), cores_(allowed_cores()) {
  for (std::size_t rank = 0; rank < memory.size(); ++rank) {
    ranks_here_ += memory.of(Rank(static_cast<std::int64_t>(rank))) != nullptr ? 1U : 0U;
  }
}

collectives::Board* Neighbours::board(Rank rank) {
  const Segment* const segment = memory_.of(rank);
  return segment == nullptr ? nullptr : &segment->board();
}

std::optional<std::uint64_t> Neighbours::place_of(std::span<const std::byte> own) const {
  const auto all = memory_.own().all();
  const std::less_equal<const std::byte*> before;
  const bool inside =
      before(all.data(), own.data()) && before(own.data() + own.size(), all.data() + all.size());
  if (!inside) return std::nullopt;
  return static_cast<std::uint64_t>(own.data() - all.data());
}

std::byte* Neighbours::at(Rank rank, std::uint64_t place) {
  return memory_.of(rank)->all().data() + place;
}

// Areas grow by powers of two, so that what they leave behind is no more than what they have.
std::span<std::byte> Neighbours::staging(std::size_t lane, collectives::Staging use,
                                         std::size_t bytes) {
  constexpr std::size_t kLeast = 4096;
  auto& area = areas_.at(lane * collectives::kStagings + static_cast<std::size_t>(use));
  if (area.size() >= bytes) return area.first(bytes);
  const std::scoped_lock lock(mutex_);
  const auto scratch = memory_.own().scratch();
  const std::size_t size =
      std::min(std::bit_ceil(std::max(bytes, kLeast)), std::max(bytes, scratch.size() - given_));
  if (size > scratch.size() - given_) {
    throw Error(ErrorKind::capacity,
                fmt::format("RESOURCE_EXHAUSTED: no {} bytes are left of {} for what collectives "
                            "pack and unpack",
                            bytes, scratch.size()));
  }
  area = scratch.subspan(given_, size);
  given_ += size;
  return area.first(bytes);
}

}  // namespace understudy::worker
