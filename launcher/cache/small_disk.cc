// SPDX-License-Identifier: Apache-2.0
#include "launcher/cache/small_disk.h"

#include <cerrno>
#include <cstring>
#include <fmt/format.h>
#include <sched.h>
#include <sys/mount.h>
#include <utility>

#include "configs/base/error.h"

namespace understudy::launcher {
namespace {

// Nothing in a cache is executed; the flags must be repeated at a remount, else the kernel clears
// them.
constexpr unsigned long kFlags = MS_NOSUID | MS_NODEV | MS_NOEXEC;

std::string words_for(const char* what) {
  return fmt::format("{}: {}", what, std::strerror(errno));
}

}  // namespace

SmallDisk::SmallDisk(std::string directory, std::uint64_t bytes)
    : directory_(std::move(directory)), bytes_(bytes), trouble_(mount()) {}

SmallDisk::~SmallDisk() {
  // Detached: a process of the run that still has a file open must not keep the mount.
  if (trouble_.empty()) ::umount2(directory_.c_str(), MNT_DETACH);
}

void SmallDisk::make_read_only() const {
  if (::mount(nullptr, directory_.c_str(), nullptr, MS_REMOUNT | MS_RDONLY | kFlags, nullptr) != 0)
    throw Error(ErrorKind::system, words_for("cannot remount the disk read-only"));
}

// Returns the reason of a failure instead of throwing: without root rights the caller simulates the
// full disk.
std::string SmallDisk::mount() const {
  // A private mount namespace: the kernel removes the mount with its last process, even after a
  // kill.
  if (::unshare(CLONE_NEWNS) != 0) return words_for("cannot create a mount namespace");
  if (::mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0)
    return words_for("cannot make the mounts private");
  const std::string options = fmt::format("size={},mode=0755", bytes_);
  if (::mount("understudy", directory_.c_str(), "tmpfs", kFlags, options.c_str()) != 0)
    return words_for("cannot mount a tmpfs");
  return "";
}

}  // namespace understudy::launcher
