// SPDX-License-Identifier: Apache-2.0
#include "configs/base/folder_owner.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <string_view>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <system_error>
#include <unistd.h>

#include "configs/base/procfs.h"

namespace understudy {
namespace {

constexpr const char* kFile = "owner";
constexpr std::size_t kLongest = 1024;

// At most the first kLongest bytes of a regular file, else "".
std::string text_at(int file) {
  struct stat about {};
  if (::fstat(file, &about) != 0 || !S_ISREG(about.st_mode)) return "";
  std::string text(kLongest, '\0');
  const ssize_t got = ::pread(file, text.data(), text.size(), 0);
  text.resize(static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
  return text;
}

// The final line marks a complete text: the process may die while it writes.
std::string text_of(const FolderOwner& owner) {
  return fmt::format("understudy-owner\n{}\n{}\n{}\n{}\n{}\n.\n", owner.pid, owner.start,
                     owner.boot, owner.pid_namespace, owner.host);
}

template <class Number>
bool read_number(const std::string& text, Number& value) {
  const char* const end = text.data() + text.size();
  const auto [stop, code] = std::from_chars(text.data(), end, value);
  return code == std::errc() && stop == end;
}

// nullopt for an invalid or incomplete text.
std::optional<FolderOwner> parse_owner(std::string_view text) {
  std::array<std::string, 7> lines;
  for (std::string& line : lines) {
    const std::size_t end = text.find('\n');
    if (end == std::string_view::npos) return std::nullopt;
    line = text.substr(0, end);
    text.remove_prefix(end + 1);
  }
  FolderOwner owner{0, 0, lines[3], lines[4], lines[5]};
  const bool whole = lines.front() == "understudy-owner" && lines.back() == "." &&
                     read_number(lines[1], owner.pid) && read_number(lines[2], owner.start);
  return whole && !owner.boot.empty() ? std::optional(owner) : std::nullopt;
}

// Whether the folder is on a local file system, so that only this machine can have created it.
bool is_of_this_machine(const std::string& folder) {
  constexpr std::array<std::int64_t, 6> kLocal = {0xef53,     0x58465342, 0x9123683e,
                                                  0x01021994, 0x794c7630, 0x2fc12fc1};
  struct statfs about {};
  if (::statfs(folder.c_str(), &about) != 0) return false;
  // f_type of ext2 to ext4, xfs, btrfs, tmpfs, overlay and zfs (statfs(2))
  return std::ranges::find(kLocal, static_cast<std::int64_t>(about.f_type)) != kLocal.end();
}

}  // namespace

FolderOwner own_identity() {
  FolderOwner owner;
  owner.pid = ::getpid();
  owner.start = this_process_identity().start;
  owner.boot = boot_id();
  std::error_code ignored;  // no /proc: no owner will be read
  owner.pid_namespace = std::filesystem::read_symlink("/proc/self/ns/pid", ignored).string();
  owner.host = machine_name();
  return owner;
}

bool shares_pids(const FolderOwner& owner) {
  const FolderOwner own = own_identity();
  return !own.boot.empty() && owner.boot == own.boot && owner.pid_namespace == own.pid_namespace &&
         owner.host == own.host;
}

// The lock is taken before the text is written: a process that reads a complete text finds it
// locked.
FolderLock::FolderLock(const std::string& folder) {
  const std::string path = fmt::format("{}/{}", folder, kFile);
  file_ = ::open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (file_ < 0) return;
  const std::string text = text_of(own_identity());
  const bool written = ::flock(file_, LOCK_EX | LOCK_NB) == 0 &&
                       ::pwrite(file_, text.data(), text.size(), 0) == std::ssize(text);
  if (!written) ::unlink(path.c_str());
}

FolderLock::~FolderLock() {
  if (file_ >= 0) ::close(file_);
}

OwnerSeen owner_of_folder(const std::string& folder) {
  const std::string path = fmt::format("{}/{}", folder, kFile);
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  if (file < 0) return {};
  OwnerSeen seen{OwnerState::unknown, parse_owner(text_at(file))};
  // A shared lock: two processes that check at the same time do not see each other as the owner.
  const bool free = seen.owner && ::flock(file, LOCK_SH | LOCK_NB) == 0;
  const bool taken = seen.owner && !free && errno == EWOULDBLOCK;
  ::close(file);
  if (taken) seen.state = OwnerState::alive;
  if (!free) return seen;
  const bool this_kernel = seen.owner->boot == boot_id();
  // After a reboot the boot id differs. The owner is gone if this machine wrote it (host name), and
  // no other machine can have (local file system).
  const bool before =
      !this_kernel && seen.owner->host == machine_name() && is_of_this_machine(folder);
  if (this_kernel || before) seen.state = OwnerState::gone;
  return seen;
}

}  // namespace understudy
