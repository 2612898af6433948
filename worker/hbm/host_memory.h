// SPDX-License-Identifier: Apache-2.0
// A chip's share of the memory of its host, for values that a program places there (memory kind
// pinned_host). A sparse memory object, so that its pages can be counted as those of HBM are. Call
// from the executor thread only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "worker/hbm/hbm.h"
#include "worker/hbm/populated.h"

namespace understudy::worker {

class HostMemory {
 public:
  // Nothing is mapped before the first allocation.
  explicit HostMemory(std::uint64_t capacity) : capacity_(capacity) {}
  ~HostMemory();
  HostMemory(const HostMemory&) = delete;
  HostMemory& operator=(const HostMemory&) = delete;

  // *Throws* Error{capacity} in XLA's words, Error{system}.
  std::byte* allocate(std::uint64_t bytes, const std::string& label);
  // *Requires*: `start` came from allocate() and was not freed.
  void free(const std::byte* start) { memory_->free(start); }

  std::uint64_t capacity() const { return capacity_; }
  std::uint64_t peak() const { return memory_ ? memory_->peak() : 0; }
  std::optional<Populated> populated() const;

 private:
  void map();

  std::uint64_t capacity_;
  int descriptor_ = -1;
  std::span<std::byte> arena_;
  std::optional<Hbm> memory_;
};

}  // namespace understudy::worker
