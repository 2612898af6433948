// SPDX-License-Identifier: Apache-2.0
// File systems: where a path is stored and how much room is left there. Thread-safe.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "configs/base/error.h"

namespace understudy {

struct FileSystem {
  std::uint64_t device = 0;  // the same for all paths of one file system
  std::string mount_point;
  std::string type;  // "tmpfs"; empty: not known
  std::uint64_t free_bytes = 0, total_bytes = 0;
  std::optional<std::uint64_t> free_files;  // inodes; nullopt: it does not count them
  // Some virtual and network file systems do not: their 0 free bytes mean nothing.
  bool counts_bytes() const { return total_bytes != 0; }
};

// The file system of `path`, or of its nearest existing parent; nullopt if unknown.
std::optional<FileSystem> file_system_of(const std::string& path);

// Free bytes of the file system that holds `folder`; 0 if there is no such folder.
std::uint64_t free_bytes(const std::string& folder);

// "file system tmpfs at /run/x: 0 bytes free of 409600".
std::string text_of(const FileSystem& system);

// Whether a write failed for lack of space: ENOSPC, EDQUOT or EFBIG.
bool is_want_of_room(int error_number) noexcept;

// The state of the space after such a failure, for a message about `path`. `bytes`: the size of the
// write, 0 if unknown.
std::string room_text(const std::string& path, int error_number, std::uint64_t bytes);

// The limit of `ulimit -f`; nullopt: none.
std::optional<std::uint64_t> file_size_limit();

}  // namespace understudy
