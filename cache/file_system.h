// SPDX-License-Identifier: Apache-2.0
// Every access of the cache to entries, locks and marks. (Housekeeping lists folders, and owners
// look into /proc, by themselves.) Two implementations: DiskFileSystem, and FaultyFileSystem
// (cache/faulty_file_system.h), which emulates a network mount and injects failures. ESTALE, EBUSY
// and EINTR are retried a few times; then they are Error{system} with the path and the reason. No
// operation waits for a peer or follows a link in the last part of a path; anything but a regular
// file is Error{input}. Files are made with mode 0644 at most, folders with 0775. Thread-safe.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "configs/base/file.h"

namespace understudy::cache {

// The largest entry; the largest lock, lease or other small file.
inline constexpr std::uint64_t kMostEntryBytes = std::uint64_t{2} << 30;
inline constexpr std::uint64_t kMostNoteBytes = 4096;

struct FileStatus {
  std::uint64_t bytes = 0;
  std::int64_t modified_ns = 0;  // by the clock of the file system
  std::int64_t used_ns = 0;      // last mark_used(), by the same clock
  std::uint32_t user = 0;        // the owner
  bool is_regular = true;        // false: a link, FIFO, folder or the like
};

// Released by its destructor, and by the kernel when its process dies. Equivalent: flock(2).
class FileLock {
 public:
  explicit FileLock(int descriptor) : descriptor_(descriptor) {}
  ~FileLock();
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;

 private:
  int descriptor_;
};

enum class Sync : std::uint8_t { no, soon };

// Content in several pieces, in the order of the file.
using Pieces = std::span<const std::string_view>;

// The operations that the cache needs, and no more: each has one defined behaviour under concurrent
// use.
class FileSystem {
 public:
  virtual ~FileSystem() = default;
  // nullopt: there is no such file. While it reads, remove_unless_open() leaves the file alone.
  // *Throws* Error{input} if it is not a regular file, or has more than `max_bytes`.
  virtual std::optional<FileBytes> read(const std::string& path, std::uint64_t max_bytes) = 0;
  std::optional<FileBytes> read(const std::string& path) { return read(path, kMostEntryBytes); }
  // Creates and writes the file; `soon`: has the kernel begin to write it to the disk, without a
  // wait. *Throws* also where the file exists, which stays; what of a new one is written is gone
  // then.
  virtual void write_new(const std::string& path, Pieces pieces, Sync sync) = 0;
  void write_new(const std::string& path, std::string_view bytes, Sync sync) {
    write_new(path, Pieces(&bytes, 1), sync);
  }
  // Writes to the final name, over an existing file, without sync: as the emulated systems do. A
  // file with several hard links is refused.
  virtual void write_in_place(const std::string& path, std::string_view bytes) = 0;
  // False: it exists already. It appears with all of its bytes, by link(2), which excludes wherever
  // O_CREAT | O_EXCL does, and on old network mounts too.
  virtual bool create_exclusive(const std::string& path, std::string_view bytes) = 0;
  virtual void rename(const std::string& from, const std::string& to) = 0;
  // False: it did not exist.
  virtual bool remove(const std::string& path) = 0;
  // False: a process reads it, or this process may not remove it. True: it is gone.
  virtual bool remove_unless_open(const std::string& path) = 0;
  // Of the name itself; links are not followed.
  virtual std::optional<FileStatus> status(const std::string& path) = 0;
  // Names in the folder, unsorted; empty if there is no such folder.
  virtual std::vector<std::string> list(const std::string& directory) = 0;
  virtual void make_directories(const std::string& directory) = 0;
  // nullptr: another process holds it. The file is created if missing, and stays.
  virtual std::unique_ptr<FileLock> try_lock(const std::string& path) = 0;
  // Records that the entry was used now, by the file system's own clock. Failures are ignored.
  virtual void mark_used(const std::string& path) noexcept = 0;
  // The number of operations that were retried.
  virtual std::int64_t retries() const = 0;
};

enum class FileOperation : std::uint8_t {
  read,
  create,
  rename,
  remove,
  status,
  list,
  make_directories,
  lock,
};

class DiskFileSystem : public FileSystem {
 public:
  using FileSystem::read;
  std::optional<FileBytes> read(const std::string& path, std::uint64_t max_bytes) override;
  using FileSystem::write_new;
  void write_new(const std::string& path, Pieces pieces, Sync sync) override;
  void write_in_place(const std::string& path, std::string_view bytes) override;
  bool create_exclusive(const std::string& path, std::string_view bytes) override;
  void rename(const std::string& from, const std::string& to) override;
  bool remove(const std::string& path) override;
  bool remove_unless_open(const std::string& path) override;
  std::optional<FileStatus> status(const std::string& path) override;
  std::vector<std::string> list(const std::string& directory) override;
  void make_directories(const std::string& directory) override;
  std::unique_ptr<FileLock> try_lock(const std::string& path) override;
  void mark_used(const std::string& path) noexcept override;
  std::int64_t retries() const override { return retries_; }

 protected:
  // Called before each attempt: 0, or an errno to report instead of calling the kernel.
  virtual int before(FileOperation /*operation*/, const std::string& /*path*/) { return 0; }
  // How many of the remaining bytes to write at once, after `done` of `all`; 0: an errno is in
  // `code`.
  virtual std::size_t next_piece(const std::string& /*path*/, std::size_t done, std::size_t all,
                                 int& /*code*/) {
    return all - done;
  }
  // The file that is locked in place of `path`.
  virtual std::string lock_place(const std::string& path) { return path; }

 private:
  template <class Attempt>
  int attempt(FileOperation operation, const std::string& path, const Attempt& once);
  void write_bytes(int descriptor, const std::string& path, Pieces pieces);

  std::atomic<std::int64_t> retries_{0};
};

// The machine's own; one for the process.
FileSystem& machine_files();

}  // namespace understudy::cache
