// SPDX-License-Identifier: Apache-2.0
#include "worker/chip/vmem.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <sys/mman.h>

#include "fmt/format.h"

#include "configs/base/diagnosis_id.h"
#include "configs/base/error.h"

namespace understudy::worker {
namespace {

// A cache line, and a full AVX-512 register.
constexpr std::uint64_t kAlignment = 64;

double mebibytes(std::uint64_t bytes) { return static_cast<double>(bytes) / (1024.0 * 1024.0); }

}  // namespace

Vmem::Vmem(std::uint64_t capacity) : capacity_(capacity) {
  // mmap instead of malloc: pages of a large VMEM that are never touched cost nothing, and the
  // memory starts page-aligned.
  void* const base = ::mmap(nullptr, std::max<std::uint64_t>(capacity, 1), PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (base == MAP_FAILED) {
    throw Error(ErrorKind::system,
                fmt::format("cannot reserve {} bytes of address space for VMEM: {}", capacity,
                            std::strerror(errno)));
  }
  base_ = static_cast<std::byte*>(base);
}

Vmem::~Vmem() { ::munmap(base_, std::max<std::uint64_t>(capacity_, 1)); }

std::byte* Vmem::take(std::uint64_t bytes) {
  // Written without a sum that could overflow: `bytes` comes from shapes of the program.
  const std::uint64_t start = (used_ + kAlignment - 1) / kAlignment * kAlignment;
  if (start > capacity_ || bytes > capacity_ - start) {
    throw Error(ErrorKind::capacity,
                fmt::format("Ran out of memory in memory space vmem. Used {:.2f}M of {:.2f}M vmem.",
                            mebibytes(start + bytes), mebibytes(capacity_)))
        .diagnosed(name_of(DiagnosisId::vmem_exhausted));
  }
  used_ = start + bytes;
  peak_ = std::max(peak_, used_);
  return base_ + start;
}

}  // namespace understudy::worker
