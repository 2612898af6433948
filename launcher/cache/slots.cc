// SPDX-License-Identifier: Apache-2.0
#include "launcher/cache/slots.h"

#include <cerrno>
#include <memory>
#include <sys/mman.h>

#include "configs/base/file.h"

namespace understudy::launcher {
namespace {

constexpr std::size_t kAlign = 64;

std::size_t rounded(std::size_t bytes) { return (bytes + kAlign - 1) / kAlign * kAlign; }

}  // namespace

SharedPage::SharedPage(std::size_t slots, std::size_t counts) {
  const std::size_t head = rounded(sizeof(Common)), middle = rounded(slots * sizeof(Slot));
  bytes_ = head + middle + counts * sizeof(KeyCount);
  start_ = ::mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (start_ == MAP_FAILED) throw file_error("map", "shared memory", errno);
  auto* const bytes = static_cast<std::byte*>(start_);
  common_ = std::construct_at(reinterpret_cast<Common*>(bytes));
  auto* const first_slot = reinterpret_cast<Slot*>(bytes + head);
  std::uninitialized_default_construct_n(first_slot, slots);
  auto* const first_count = reinterpret_cast<KeyCount*>(bytes + head + middle);
  std::uninitialized_default_construct_n(first_count, counts);
  slots_ = {first_slot, slots};
  counts_ = {first_count, counts};
}

SharedPage::~SharedPage() { ::munmap(start_, bytes_); }

}  // namespace understudy::launcher
