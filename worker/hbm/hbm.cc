// SPDX-License-Identifier: Apache-2.0
#include "worker/hbm/hbm.h"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>
#include <utility>
#include <vector>

#include "configs/base/diagnosis_id.h"
#include "configs/base/error.h"

namespace understudy::worker {
namespace {

// An out-of-memory error lists this many of the largest buffers.
constexpr std::size_t kShownBuffers = 3;

constexpr std::uint64_t kPage = 4096;

// At least one unit even for 0 bytes: every buffer needs an address of its own, as free() finds it
// by its start.
std::uint64_t rounded(std::uint64_t bytes) {
  const std::uint64_t wanted = std::max<std::uint64_t>(bytes, 1);
  return (wanted + Hbm::kAlignment - 1) / Hbm::kAlignment * Hbm::kAlignment;
}

}  // namespace

Hbm::Hbm(std::span<std::byte> arena, std::string name) : arena_(arena), name_(std::move(name)) {
  // Aligned start and sizes keep every buffer aligned, without rounding of addresses.
  UNDERSTUDY_ASSERT(reinterpret_cast<std::uintptr_t>(arena.data()) % kAlignment == 0);
  const std::uint64_t usable = arena.size() / kAlignment * kAlignment;
  if (usable > 0) free_[0] = usable;
}

// The reserved part is the end of the arena; errors report it as XLA reports reserved memory.
void Hbm::limit(std::uint64_t bytes) {
  UNDERSTUDY_ASSERT(taken_.empty());
  const std::uint64_t usable =
      std::min<std::uint64_t>(bytes, arena_.size()) / kAlignment * kAlignment;
  reserved_ = arena_.size() - usable;
  free_.clear();
  if (usable > 0) free_[0] = usable;
  large_ = 0;
}

// Best fit, ties to the lowest address: deterministic, and the buffers of the next step find the
// places of those of equal size that a step freed, so that no page beyond the peak is touched.
Hbm::FreeBlocks::iterator Hbm::best_fit(std::uint64_t size) {
  auto found = free_.end();
  // Linear over free blocks: a program has few buffers outside of its one temporary block.
  for (auto block = free_.begin(); block != free_.end(); ++block)
    if (block->second >= size && (found == free_.end() || block->second < found->second))
      found = block;
  return found;
}

std::byte* Hbm::allocate(std::uint64_t bytes, std::string label) {
  // Larger than the whole: fails with the same message as a full arena.
  if (bytes > capacity()) exhausted(bytes, label);
  const std::uint64_t size = rounded(bytes);
  const bool has_room = size >= kPage && capacity() >= kLeastWithGaps;
  std::uint64_t room = has_room ? kRoom : 0;
  auto found = best_fit(size + room);
  if (found == free_.end() && has_room) {
    room = 0;
    found = best_fit(size);
  }
  if (found == free_.end()) exhausted(bytes, label);
  const auto [block, free] = *found;
  const std::uint64_t before = room > 0 ? gap_at(block) : 0, offset = block + before;
  free_.erase(found);
  if (free > size + room) free_[block + size + room] = free - size - room;
  if (size >= kPage) starts_[large_++ % starts_.size()] = offset % kPage;
  taken_[offset] = {size, std::move(label), before, room - before};
  used_ += size;
  peak_ = std::max(peak_, used_);
  return arena_.data() + offset;
}

// The least that brings a large buffer to another place in its page than the last ones.
std::uint64_t Hbm::gap_at(std::uint64_t offset) const {
  constexpr std::uint64_t kNear = 256;  // neighbouring elements and windows
  const auto end = starts_.begin() + static_cast<std::ptrdiff_t>(std::min(large_, starts_.size()));
  for (std::uint64_t gap = 0; gap <= kRoom; gap += kAlignment) {
    const std::uint64_t start = (offset + gap) % kPage;
    const auto is_near = [&](std::uint64_t other) {
      const std::uint64_t ahead = (start - other) % kPage;
      return std::min(ahead, kPage - ahead) < kNear;
    };
    if (std::none_of(starts_.begin(), end, is_near)) return gap;
  }
  return 0;
}

void Hbm::free(const std::byte* start) {
  const auto offset = static_cast<std::uint64_t>(start - arena_.data());
  const auto found = taken_.find(offset);
  // Freeing what was not allocated would corrupt the lists: a bug of the caller.
  UNDERSTUDY_ASSERT(found != taken_.end());
  used_ -= found->second.bytes;
  std::uint64_t at = offset - found->second.before;
  std::uint64_t size = found->second.before + found->second.bytes + found->second.after;
  taken_.erase(found);

  // Merge with the free blocks directly after and before, so that a sequence of frees restores one
  // large block.
  const auto after = free_.lower_bound(at);
  if (after != free_.end() && after->first == at + size) {
    size += after->second;
    free_.erase(after);
  }
  const auto next = free_.lower_bound(at);
  if (next != free_.begin()) {
    const auto before = std::prev(next);
    if (before->first + before->second == at) {
      at = before->first;
      size += before->second;
    }
  }
  free_[at] = size;
}

void Hbm::exhausted(std::uint64_t bytes, const std::string& label) const {
  std::uint64_t largest = 0;
  for (const auto& [offset, size] : free_) largest = std::max(largest, size);
  Error error(ErrorKind::capacity,
              fmt::format("RESOURCE_EXHAUSTED: Out of memory while trying to allocate {} bytes for "
                          "{}: {} of {} bytes of {} are in use, the largest free block has {}",
                          bytes, label, used_, capacity(), name_, largest));
  error.diagnosed(name_of(DiagnosisId::hbm_exhausted));
  std::vector<const Block*> blocks;
  for (const auto& [offset, block] : taken_) blocks.push_back(&block);
  // Stable: buffers of equal size keep the order of their addresses, and the text is reproducible.
  std::stable_sort(blocks.begin(), blocks.end(),
                   [](const Block* a, const Block* b) { return a->bytes > b->bytes; });
  for (std::size_t i = 0; i < std::min(kShownBuffers, blocks.size()); ++i) {
    error.note(fmt::format("{} bytes are held by {}", blocks[i]->bytes, blocks[i]->label));
  }
  throw error;
}

}  // namespace understudy::worker
