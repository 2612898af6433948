// SPDX-License-Identifier: Apache-2.0
#include "worker/hbm/host_memory.h"

#include <cerrno>
#include <sys/mman.h>
#include <unistd.h>

#include "configs/base/file.h"

namespace understudy::worker {

HostMemory::~HostMemory() {
  if (!arena_.empty()) ::munmap(arena_.data(), arena_.size());
  if (descriptor_ >= 0) ::close(descriptor_);
}

std::byte* HostMemory::allocate(std::uint64_t bytes, const std::string& label) {
  // Mapped at the first use: most programs keep nothing on the host.
  if (!memory_) map();
  return memory_->allocate(bytes, label);
}

void HostMemory::map() {
  constexpr const char* kWhat = "a chip's host memory";
  // A memfd, like HBM: populated() can count its pages.
  descriptor_ = ::memfd_create("understudy-host", MFD_CLOEXEC);
  if (descriptor_ < 0) throw file_error("create", kWhat, errno);
  if (::ftruncate(descriptor_, static_cast<off_t>(capacity_)) != 0)
    throw file_error("extend", kWhat, errno);
  void* const start = ::mmap(nullptr, capacity_, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE,
                             descriptor_, 0);
  if (start == MAP_FAILED) throw file_error("map", kWhat, errno);
  arena_ = {static_cast<std::byte*>(start), capacity_};
  memory_.emplace(arena_, "host memory");
}

std::optional<Populated> HostMemory::populated() const {
  // Never mapped means nothing populated, which is an answer, not an error.
  if (!memory_) return Populated{};
  return populated_in(descriptor_, 0, capacity_);
}

}  // namespace understudy::worker
