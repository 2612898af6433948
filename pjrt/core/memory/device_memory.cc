// SPDX-License-Identifier: Apache-2.0
#include "pjrt/core/memory/device_memory.h"

#include <algorithm>
#include <cerrno>
#include <sys/mman.h>
#include <unistd.h>

#include "configs/base/error.h"
#include "configs/base/file.h"
#include "configs/base/host_memory.h"
#include "worker/hbm/capacity.h"

namespace understudy::pjrt {
namespace {

std::span<std::byte> map(int descriptor, std::uint64_t offset, std::uint64_t bytes) {
  void* const start = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE,
                             descriptor, static_cast<off_t>(offset));
  const int code = errno;
  // A mapping keeps the memory object alive without its descriptor.
  ::close(descriptor);
  if (start == MAP_FAILED) throw file_error("map", "the memory of a chip", code);
  // A child of this process (multiprocessing) must not hold the chip's memory.
  (void)::madvise(start, bytes, MADV_DONTFORK);
  return {static_cast<std::byte*>(start), bytes};
}

}  // namespace

DeviceMemory::DeviceMemory(int descriptor, std::uint64_t offset, std::uint64_t bytes,
                           std::uint64_t usable_from, std::uint64_t usable_bytes)
    : hbm_(map(descriptor, offset, bytes)), allocator_(hbm_.subspan(usable_from, usable_bytes)) {}

DeviceMemory::~DeviceMemory() { (void)::munmap(hbm_.data(), hbm_.size()); }

BlockRef DeviceMemory::allocate(std::uint64_t bytes, const std::string& label, bool for_program) {
  // Emulated HBM has no backing until it is touched, so an allocation may succeed that the machine
  // cannot hold; the check prevents an OOM kill.
  constexpr std::uint64_t kLarge = 1 << 26;  // smaller ones need no look at the machine's memory
  if (bytes >= kLarge) require_host_memory(bytes, label);
  std::byte* start = nullptr;
  {
    const std::scoped_lock lock(mutex_);
    start = for_program ? worker::reserve_for_program(allocator_, bytes, label)
                        : allocator_.allocate(bytes, label);
    used_.store(allocator_.used(), std::memory_order_relaxed);
    peak_.store(allocator_.peak(), std::memory_order_relaxed);
    largest_.store(std::max(largest_.load(std::memory_order_relaxed), bytes),
                   std::memory_order_relaxed);
    allocations_.fetch_add(1, std::memory_order_relaxed);
  }
  return std::make_shared<Block>(shared_from_this(), start, bytes);
}

// The deleter holds the block itself, so its memory lives at least as long as the reader. Its
// release pairs with the acquire in is_read(): the copy's reads are before any write of a later
// launch.
std::shared_ptr<DeviceMemory::Block> DeviceMemory::Block::reader(
    const std::shared_ptr<Block>& block) {
  block->readers_.fetch_add(1, std::memory_order_acq_rel);
  return {block.get(),
          [block](Block* one) { one->readers_.fetch_sub(1, std::memory_order_acq_rel); }};
}

std::span<std::byte> DeviceMemory::place(std::uint64_t at, std::uint64_t bytes) const {
  if (at > hbm_.size() || bytes > hbm_.size() - at)
    throw Error(ErrorKind::protocol, "a chip named a place outside of its HBM");
  return hbm_.subspan(at, bytes);
}

void DeviceMemory::free(const std::byte* start) {
  const std::scoped_lock lock(mutex_);
  allocator_.free(start);
  used_.store(allocator_.used(), std::memory_order_relaxed);
}

// Without the lock: it is asked for before every compile, with Python's interpreter lock held.
HbmStats DeviceMemory::stats() const {
  const auto number = [](const std::atomic<std::uint64_t>& value) {
    return static_cast<std::int64_t>(value.load(std::memory_order_relaxed));
  };
  return {number(used_), number(peak_), static_cast<std::int64_t>(allocator_.capacity()),
          number(largest_), number(allocations_)};
}

// With the lock, as an allocation that runs meanwhile raises the peak from what is in use then.
void DeviceMemory::clear_stats() {
  const std::scoped_lock lock(mutex_);
  peak_.store(allocator_.used(), std::memory_order_relaxed);
  largest_.store(0, std::memory_order_relaxed);
  allocations_.store(0, std::memory_order_relaxed);
}

}  // namespace understudy::pjrt
