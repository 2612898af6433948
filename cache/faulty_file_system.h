// SPDX-License-Identifier: Apache-2.0
// The machine's files with injected failures, or as a network mount shows them. One object per
// process (or per emulated host of a test); all use the same real files. Thread-safe.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <set>
#include <string>

#include "cache/file_system.h"
#include "configs/base/deadline.h"

namespace understudy::cache {

struct FileFaults {
  std::int64_t host = 0;              // which emulated host looks
  Seconds delay{0};                   // before every operation
  Seconds invisible_for{0};           // files of other hosts become visible after this time
  Seconds remembers_absence{0};       // a missing file is cached as missing for this time
  Seconds first_touch{0};             // extra delay of the first operation of the process
  bool locks_exclude = true;          // false: an advisory lock excludes on its own host only
  bool creates_exclude = true;        // false: nor does an exclusive create
  double stale_handles = 0;           // share of reads that fail with ESTALE
  double busy = 0;                    // share of renames and removals that fail with EBUSY
  bool may_write = true;              // false: every change is refused with EACCES
  bool mount_read_only = false;       // true: with EROFS
  std::uint64_t capacity_bytes = 0;   // of `capacity_of`; then ENOSPC. 0: unlimited
  std::string capacity_of = {};       // a folder
  double write_bytes_per_second = 0;  // 0: at full speed
  // Called when half of a file is written; may end the process.
  std::function<void(const std::string& path)> in_mid_write = {};
  // Called before each operation: 0, or the errno that it fails with; may end the process.
  std::function<int(FileOperation operation, const std::string& path)> on_operation = {};
  // Reads that the server answers in a second, for all processes that share the counter; beyond
  // that they wait and try again (status 429). 0: any number.
  double reads_per_second = 0;
  std::atomic<std::int64_t>* read_clock_ns = nullptr;
  std::uint64_t seed = 1;
};

class FaultyFileSystem final : public DiskFileSystem {
 public:
  explicit FaultyFileSystem(FileFaults faults);

  using FileSystem::read;
  std::optional<FileBytes> read(const std::string& path, std::uint64_t max_bytes) override;
  using FileSystem::write_new;
  void write_new(const std::string& path, Pieces pieces, Sync sync) override;
  void write_in_place(const std::string& path, std::string_view bytes) override;
  bool create_exclusive(const std::string& path, std::string_view bytes) override;
  void rename(const std::string& from, const std::string& to) override;
  std::optional<FileStatus> status(const std::string& path) override;

 protected:
  int before(FileOperation operation, const std::string& path) override;
  std::size_t next_piece(const std::string& path, std::size_t done, std::size_t all,
                         int& code) override;
  std::string lock_place(const std::string& path) override;

 private:
  bool happens(double share);
  bool hidden(const std::string& path);
  void note_own(const std::string& path);
  void await_turn();
  std::string place_of_create(const std::string& path) const;

  FileFaults faults_;
  std::mutex mutex_;
  std::uint64_t random_;                                   // guarded by mutex_
  bool touched_ = false;                                   // guarded by mutex_
  std::set<std::string> own_;                              // guarded by mutex_
  std::map<std::string, Clock::time_point> absent_since_;  // guarded by mutex_
};

}  // namespace understudy::cache
