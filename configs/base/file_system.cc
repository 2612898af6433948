// SPDX-License-Identifier: Apache-2.0
#include "configs/base/file_system.h"

#include <cerrno>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <sstream>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/sysmacros.h>
#include <system_error>

namespace understudy {
namespace {

namespace fs = std::filesystem;

// Finds the mount of `path` in the kernel's table (proc(5), mountinfo): ID PARENT MAJOR:MINOR ROOT
// POINT OPTIONS [TAGS...] - TYPE SOURCE OPTIONS. One device may be mounted several times (bind
// mounts): the longest mount point above `path` is the right one.
void name_mount(FileSystem& system, const std::string& path) {
  const std::string wanted = fmt::format("{}:{}", major(system.device), minor(system.device));
  std::ifstream table("/proc/self/mountinfo");
  for (std::string line; std::getline(table, line);) {
    std::istringstream words(line);
    std::string id, parent, device, root, point, word, type;
    words >> id >> parent >> device >> root >> point;
    while (words >> word && word != "-") {
    }
    words >> type;
    const bool above = path.starts_with(point) &&
                       (point == "/" || path.size() == point.size() || path[point.size()] == '/');
    if (device != wanted || !above || point.size() < system.mount_point.size()) continue;
    system.mount_point = point;
    system.type = type;
  }
}

// f_bavail, not f_bfree: blocks reserved for root do not help us.
std::uint64_t free_bytes(const struct statvfs& about) {
  return static_cast<std::uint64_t>(about.f_bavail) * about.f_frsize;
}

}  // namespace

std::optional<FileSystem> file_system_of(const std::string& path) {
  std::error_code code;
  fs::path there = fs::absolute(path, code).lexically_normal();
  struct stat about {};
  // The path may not exist yet: its nearest existing parent decides where it will be created.
  while (::stat(there.c_str(), &about) != 0) {
    if (there == there.parent_path()) return std::nullopt;
    there = there.parent_path();
  }
  struct statvfs room {};
  if (::statvfs(there.c_str(), &room) != 0) return std::nullopt;
  FileSystem system;
  system.device = about.st_dev;
  system.free_bytes = free_bytes(room);
  system.total_bytes = static_cast<std::uint64_t>(room.f_blocks) * room.f_frsize;
  // btrfs and others report 0 inodes: they create them on demand.
  if (room.f_files != 0) system.free_files = room.f_favail;
  // Mount points in the table are without symbolic links.
  const fs::path real = fs::canonical(there, code);
  name_mount(system, code ? there.string() : real.string());
  if (system.mount_point.empty()) system.mount_point = there.string();
  return system;
}

std::uint64_t free_bytes(const std::string& folder) {
  struct statvfs about {};
  return ::statvfs(folder.c_str(), &about) == 0 ? free_bytes(about) : 0;
}

std::string text_of(const FileSystem& system) {
  return fmt::format("file system {}{}at {}: {} bytes free of {}{}", system.type,
                     system.type.empty() ? "" : " ", system.mount_point, system.free_bytes,
                     system.total_bytes, system.free_files == 0 ? ", no free inodes" : "");
}

bool is_want_of_room(int error_number) noexcept {
  return error_number == ENOSPC || error_number == EDQUOT || error_number == EFBIG;
}

std::string room_text(const std::string& path, int error_number, std::uint64_t bytes) {
  std::string text;
  if (error_number == EFBIG) {
    const std::optional<std::uint64_t> limit = file_size_limit();
    text = limit ? fmt::format("file size limit (ulimit -f): {} bytes", *limit)
                 : std::string("larger than the file system allows");
  } else if (const std::optional<FileSystem> system = file_system_of(path)) {
    text = text_of(*system);
  }
  if (bytes != 0) text += fmt::format("{}{} bytes needed", text.empty() ? "" : ", ", bytes);
  return text;
}

std::optional<std::uint64_t> file_size_limit() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_FSIZE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY)
    return std::nullopt;
  return limit.rlim_cur;
}

}  // namespace understudy
