// SPDX-License-Identifier: Apache-2.0
#include "configs/base/host_memory.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <fstream>
#include <new>
#include <stdexcept>
#include <string>
#include <sys/sysinfo.h>

#include "configs/base/diagnosis_id.h"
#include "configs/base/units.h"

namespace understudy {
namespace {

// The memory limit of this process's control group (cgroup v2); none if the file has "max" or does
// not exist.
std::uint64_t limit_of_group() {
  std::ifstream file("/sys/fs/cgroup/memory.max");
  std::string line;
  std::uint64_t bytes = 0;
  if (!std::getline(file, line)) return UINT64_MAX;
  const auto [end, code] = std::from_chars(line.data(), line.data() + line.size(), bytes);
  return code == std::errc() ? bytes : UINT64_MAX;
}

}  // namespace

std::uint64_t host_memory_bytes() {
  struct sysinfo about {};
  if (sysinfo(&about) != 0) return UINT64_MAX;
  return std::min((about.totalram + about.totalswap) * about.mem_unit, limit_of_group());
}

void require_host_memory(std::uint64_t bytes, std::string_view what) {
  const std::uint64_t there = host_memory_bytes();
  if (bytes <= there) return;
  Error error(ErrorKind::capacity,
              fmt::format("{}: needs {} of host memory, but this machine has {}", what,
                          bytes_text(bytes), bytes_text(there)));
  error.note("use a machine with more memory, or several machines with --hostfile");
  throw error.diagnosed(name_of(DiagnosisId::host_memory_exceeded));
}

Error error_from(const std::exception& exception) {
  // length_error comes from a container asked for more than it can ever hold: too large a size, not
  // a bug.
  const bool memory = dynamic_cast<const std::bad_alloc*>(&exception) != nullptr ||
                      dynamic_cast<const std::length_error*>(&exception) != nullptr;
  if (!memory) return {ErrorKind::internal, exception.what()};
  Error error(ErrorKind::system,
              fmt::format("out of host memory on this machine ({})", exception.what()));
  return error.note("use smaller arrays, or a machine with more memory");
}

}  // namespace understudy
