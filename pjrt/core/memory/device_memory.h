// SPDX-License-Identifier: Apache-2.0
// The HBM of one local chip as this process maps and manages it: the allocator, and blocks that are
// given back when nobody holds them any more. A launch holds the blocks that it uses until the chip
// has reported it, so a free block may be written at once. Thread-safe.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <string>

#include "worker/hbm/hbm.h"

namespace understudy::pjrt {

struct HbmStats {
  std::int64_t in_use = 0, peak = 0, limit = 0, largest = 0, allocations = 0;
};

class DeviceMemory : public std::enable_shared_from_this<DeviceMemory> {
 public:
  // A part of HBM; freed with the last reference. `at`: bytes from the start of HBM.
  class Block {
   public:
    Block(std::shared_ptr<DeviceMemory> owner, std::byte* start, std::uint64_t bytes)
        : owner_(std::move(owner)), start_(start), bytes_(bytes) {}
    ~Block() { owner_->free(start_); }
    Block(const Block&) = delete;
    Block& operator=(const Block&) = delete;
    std::byte* start() const { return start_; }
    std::uint64_t bytes() const { return bytes_; }
    std::uint64_t at() const { return owner_->offset_of(start_); }
    // A reference that counts as a copy to the host which has not ended: no launch may write here.
    static std::shared_ptr<Block> reader(const std::shared_ptr<Block>& block);
    bool is_read() const { return readers_.load(std::memory_order_acquire) > 0; }

   private:
    std::shared_ptr<DeviceMemory> owner_;
    std::byte* start_;
    std::uint64_t bytes_;
    std::atomic<int> readers_{0};
  };

  // Takes ownership of `descriptor`; HBM begins at `offset` of the memory object, and this process
  // may use `usable_bytes` of it from `usable_from` on. *Throws* Error{system}.
  DeviceMemory(int descriptor, std::uint64_t offset, std::uint64_t bytes, std::uint64_t usable_from,
               std::uint64_t usable_bytes);
  ~DeviceMemory();
  DeviceMemory(const DeviceMemory&) = delete;
  DeviceMemory& operator=(const DeviceMemory&) = delete;

  // *Throws* Error{capacity} in XLA's words. `for_program`: in those of a program that does not
  // load.
  std::shared_ptr<Block> allocate(std::uint64_t bytes, const std::string& label,
                                  bool for_program = false);
  std::uint64_t offset_of(const std::byte* start) const {
    return static_cast<std::uint64_t>(start - hbm_.data());
  }
  // *Throws* Error{protocol} outside of HBM.
  std::span<std::byte> place(std::uint64_t at, std::uint64_t bytes) const;
  std::uint64_t used() const { return used_.load(std::memory_order_relaxed); }
  HbmStats stats() const;
  // From here on the peak counts from what is in use, and allocations from none.
  void clear_stats();
  const worker::Hbm& allocator() const { return allocator_; }  // its limits, which never change

 private:
  friend class Block;
  void free(const std::byte* start);

  std::span<std::byte> hbm_;
  std::mutex mutex_;  // guards allocator_
  worker::Hbm allocator_;
  std::atomic<std::uint64_t> used_{0}, peak_{0}, largest_{0}, allocations_{0};
};
using BlockRef = std::shared_ptr<DeviceMemory::Block>;

}  // namespace understudy::pjrt
