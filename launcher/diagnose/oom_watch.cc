// SPDX-License-Identifier: Apache-2.0
#include "launcher/diagnose/oom_watch.h"

#include <array>
#include <charconv>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <sstream>
#include <unistd.h>
#include <vector>

#include "configs/base/procfs.h"

namespace understudy::launcher {
namespace {

namespace fs = std::filesystem;

// The counter files for a line "ID:CONTROLLERS:PATH" of /proc/PID/cgroup: of the group itself and
// of all its ancestors, because any of them may have the limit that was exceeded.
std::vector<std::string> counters_of(std::string_view line, const std::string& mount) {
  const std::size_t first = line.find(':');
  const std::size_t second = line.find(':', first + 1);
  if (first == std::string_view::npos || second == std::string_view::npos) return {};
  const std::string_view controllers = line.substr(first + 1, second - first - 1);
  const bool unified = controllers.empty();
  if (!unified && controllers.find("memory") == std::string_view::npos) return {};
  // cgroup v2 has one hierarchy and an empty controller list; v1 mounts one hierarchy per
  // controller.
  const std::string root = unified ? mount : mount + "/memory";
  const char* const name = unified ? "memory.events" : "memory.oom_control";
  std::vector<std::string> files;
  fs::path group(std::string(line.substr(second + 1)));
  while (true) {
    files.push_back(fmt::format("{}{}{}{}", root, group.string(),
                                group.string().ends_with('/') ? "" : "/", name));
    if (!group.has_relative_path()) break;
    group = group.parent_path();
  }
  return files;
}

// Whether the kernel log names the process as a victim. Each open of /dev/kmsg reads from its
// oldest line; O_NONBLOCK ends the read at the newest one.
bool kernel_log_names(const std::string& path, std::int64_t pid) {
  const int file = ::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  if (file < 0) return false;
  std::array<char, 8192> line;  // each read() of /dev/kmsg returns one line
  bool found = false;
  // More than the largest ring buffer holds; bounds the loop while the kernel keeps writing.
  constexpr int kMostLines = 100'000;
  for (int i = 0; i < kMostLines && !found; ++i) {
    const ssize_t got = ::read(file, line.data(), line.size());
    if (got < 0 && errno == EPIPE)
      continue;  // EPIPE: the ring buffer overwrote this line; the next read continues
    if (got <= 0) break;
    found = names_oom_victim({line.data(), static_cast<std::size_t>(got)}, pid);
  }
  ::close(file);
  return found;
}

}  // namespace

// "oom_kill N" is a line of its own; "oom_kill_disable" and "oom_group_kill" do not match the key
// with its blank.
std::optional<std::uint64_t> oom_kills_in(std::string_view text) {
  constexpr std::string_view kKey = "oom_kill ";
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view line = text.substr(at, end - at);
    at = end + 1;
    if (!line.starts_with(kKey)) continue;
    std::uint64_t count = 0;
    const std::string_view digits = line.substr(kKey.size());
    if (std::from_chars(digits.data(), digits.data() + digits.size(), count).ec == std::errc())
      return count;
  }
  return std::nullopt;
}

bool names_oom_victim(std::string_view line, std::int64_t pid) {
  return line.find(fmt::format("Killed process {} (", pid)) != std::string_view::npos;
}

OomWatch::OomWatch(MemoryFiles files) : files_(std::move(files)) { follow(::getpid()); }

// The counter is cumulative, so its value at the start is the baseline. Workers may be in another
// group than the launcher (systemd, Slurm), so each one is followed.
void OomWatch::follow(std::int64_t pid) {
  std::istringstream groups(read_kernel_file(fmt::format("{}/{}/cgroup", files_.proc, pid)));
  for (std::string line; std::getline(groups, line);)
    for (const std::string& file : counters_of(line, files_.cgroups)) {
      if (kills_.count(file) != 0) continue;
      if (const auto count = oom_kills_in(read_kernel_file(file))) kills_[file] = *count;
    }
}

// The kernel log names the victim but is often not readable; the counter is always readable but
// only says that something in the group was killed.
bool OomWatch::killed(std::int64_t pid) const {
  if (pid > 0 && kernel_log_names(files_.kernel_log, pid)) return true;
  for (const auto& [file, before] : kills_)
    if (oom_kills_in(read_kernel_file(file)).value_or(before) > before) return true;
  return false;
}

}  // namespace understudy::launcher
