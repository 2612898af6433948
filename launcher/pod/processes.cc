// SPDX-License-Identifier: Apache-2.0
#include "launcher/pod/processes.h"

#include <charconv>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <system_error>

#include "configs/base/procfs.h"

namespace understudy::launcher {
namespace {

// Open MPI sets this variable for each of its processes. Between fork() and execve() a process
// still has the environment of mpirun, which lacks it.
std::optional<std::int64_t> rank_of(std::int64_t pid) {
  constexpr std::string_view kName = "OMPI_COMM_WORLD_RANK=";
  const std::string entries = read_kernel_file(fmt::format("/proc/{}/environ", pid));
  for (std::size_t at = 0; at < entries.size();) {
    const std::size_t end = std::min(entries.find('\0', at), entries.size());
    const std::string_view entry = std::string_view(entries).substr(at, end - at);
    at = end + 1;
    if (!entry.starts_with(kName)) continue;
    std::int64_t rank = -1;
    const std::string_view digits = entry.substr(kName.size());
    if (std::from_chars(digits.data(), digits.data() + digits.size(), rank).ec == std::errc())
      return rank;
  }
  return std::nullopt;
}

}  // namespace

// /proc/PID/task/TID/children lists direct children only; workers on this machine are direct
// children of mpirun.
std::map<std::int64_t, std::int64_t> workers_below(std::int64_t mpirun,
                                                   const std::set<std::int64_t>& known) {
  std::map<std::int64_t, std::int64_t> found;
  std::error_code gone;
  // The kernel lists children per thread of the parent.
  std::filesystem::directory_iterator thread(fmt::format("/proc/{}/task", mpirun), gone);
  for (; !gone && thread != std::filesystem::directory_iterator(); thread.increment(gone)) {
    std::istringstream children(read_kernel_file(thread->path() / "children"));
    for (std::int64_t pid = 0; children >> pid;) {
      if (known.count(pid) != 0) continue;
      if (const auto rank = rank_of(pid)) found[*rank] = pid;
    }
  }
  return found;
}

}  // namespace understudy::launcher
