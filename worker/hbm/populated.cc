// SPDX-License-Identifier: Apache-2.0
#include "worker/hbm/populated.h"

#include <algorithm>
#include <cerrno>
#include <sys/stat.h>
#include <unistd.h>

namespace understudy::worker {

std::optional<Populated> populated_in(int descriptor, std::uint64_t offset, std::uint64_t bytes) {
  struct stat status {};
  if (::fstat(descriptor, &status) != 0) return std::nullopt;
  // st_blksize is the unit in which the kernel allocates: the page size of the memfd, which may be
  // a huge page.
  Populated seen{0, static_cast<std::uint64_t>(status.st_blksize)};
  const auto end = static_cast<off_t>(offset + bytes);
  for (auto at = static_cast<off_t>(offset); at < end;) {
    const off_t data = ::lseek(descriptor, at, SEEK_DATA);
    // ENXIO: there is no data behind `at`.
    if (data < 0 && errno != ENXIO) return std::nullopt;
    if (data < 0 || data >= end) break;
    // SEEK_HOLE always succeeds where there is data: the end of the file counts as a hole.
    const off_t hole = ::lseek(descriptor, data, SEEK_HOLE);
    if (hole < 0) return std::nullopt;
    seen.bytes += static_cast<std::uint64_t>(std::min(hole, end) - data);
    at = hole;
  }
  return seen;
}

}  // namespace understudy::worker
