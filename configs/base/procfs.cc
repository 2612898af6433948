// SPDX-License-Identifier: Apache-2.0
#include "configs/base/procfs.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <sstream>
#include <sys/syscall.h>
#include <unistd.h>

namespace understudy {

namespace {

// The start of a small file of /proc; empty where the process is gone.
std::string read_small(const std::string& path) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return "";
  std::array<char, 1024> buffer;
  ssize_t got = 0;
  do {
    got = ::read(file, buffer.data(), buffer.size());
  } while (got < 0 && errno == EINTR);
  ::close(file);
  // ESRCH: it ended between open and read.
  return got <= 0 ? "" : std::string(buffer.data(), static_cast<std::size_t>(got));
}

}  // namespace

// Format: proc(5), /proc/PID/stat. A process may choose its own name, which may hold blanks and
// parentheses.
std::optional<ProcessStat> parse_process_stat(std::string_view line) {
  // The last parenthesis ends the name: everything behind it is numbers and one letter.
  const std::size_t bracket = line.rfind(')');
  if (bracket == std::string_view::npos || bracket + 2 >= line.size()) return std::nullopt;
  std::string_view rest = line.substr(bracket + 2);
  ProcessStat stat;
  stat.state = rest.front();
  constexpr int kState = 3, kParent = 4, kSession = 6, kStart = 22;
  for (int field = kState + 1; field <= kStart; ++field) {
    const std::size_t blank = rest.find(' ');
    if (blank == std::string_view::npos) return std::nullopt;
    rest.remove_prefix(blank + 1);
    const char* const end = rest.data() + rest.size();
    std::from_chars_result parsed{rest.data(), std::errc()};
    if (field == kParent) parsed = std::from_chars(rest.data(), end, stat.parent);
    if (field == kSession) parsed = std::from_chars(rest.data(), end, stat.session);
    if (field == kStart) parsed = std::from_chars(rest.data(), end, stat.start);
    if (parsed.ec != std::errc()) return std::nullopt;
  }
  return stat;
}

ProcessIdentity this_process_identity() {
  const std::int64_t pid = ::getpid();
  const auto stat = process_stat(pid);
  return {pid, stat ? stat->start : 0};
}

// A zombie counts as gone: it does not run any more and holds no lock. A different start time means
// that the pid was reused.
std::optional<ProcessStat> living(const ProcessIdentity& process) {
  const auto stat = process_stat(process.pid);
  if (!stat || stat->state == 'Z' || stat->state == 'X') return std::nullopt;
  if (process.start != 0 && stat->start != process.start) return std::nullopt;
  return stat;
}

std::optional<ProcessStat> process_stat(std::int64_t pid) {
  const std::string line = read_small(fmt::format("/proc/{}/stat", pid));
  return line.empty() ? std::nullopt : parse_process_stat(line);
}

std::vector<std::int64_t> all_processes() {
  std::vector<std::int64_t> pids;
  std::error_code code;
  std::filesystem::directory_iterator entry("/proc", code);
  for (; !code && entry != std::filesystem::directory_iterator(); entry.increment(code)) {
    const std::string name = entry->path().filename();
    std::int64_t pid = 0;
    const auto [stop, parsed] = std::from_chars(name.data(), name.data() + name.size(), pid);
    if (parsed == std::errc() && stop == name.data() + name.size()) pids.push_back(pid);
  }
  return pids;
}

// A raw system call, because the header of glibc 2.36 that declares pidfd_open() cannot be included
// from C++ everywhere.
int open_pidfd(std::int64_t pid) {
  return static_cast<int>(::syscall(SYS_pidfd_open, static_cast<pid_t>(pid), 0));
}

std::string read_kernel_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  if (file) text << file.rdbuf();
  return text.str();
}

std::string machine_name() {
  std::array<char, 256> name{};
  return ::gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "";
}

std::string boot_id() {
  std::string id = read_kernel_file("/proc/sys/kernel/random/boot_id");
  id.resize(std::min(id.find('\n'), id.size()));
  return id;
}

std::string process_name(std::int64_t pid) {
  std::string name = read_small(fmt::format("/proc/{}/comm", pid));
  if (name.ends_with('\n')) name.pop_back();
  return name;
}

}  // namespace understudy
