// SPDX-License-Identifier: Apache-2.0
// Which pages of a memory object hold data: an observation of what was really used, made by the
// kernel and not by the allocator. Thread-safe.
#pragma once

#include <cstdint>
#include <optional>

namespace understudy::worker {

struct Populated {
  std::uint64_t bytes = 0;       // whole pages
  std::uint64_t page_bytes = 0;  // of the memory object: larger where the kernel uses huge pages
};

// Of `bytes` bytes at `offset` of a memfd. The kernel adds a page at its first access, by any
// process that maps the object, and keeps it until the object is gone, also while it is swapped
// out. SEEK_DATA and SEEK_HOLE tell this for a range; mincore() would miss swapped pages, and
// fstat() counts the whole object. nullopt: the file system has no SEEK_DATA.
std::optional<Populated> populated_in(int descriptor, std::uint64_t offset, std::uint64_t bytes);

}  // namespace understudy::worker
