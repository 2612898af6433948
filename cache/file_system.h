// SPDX-License-Identifier: Apache-2.0
// Every access of the cache to entries, locks and marks. (Housekeeping lists folders, and owners
// look into /proc, by themselves.) Two makes: DiskFileSystem, and FaultyFileSystem
// (cache/faulty_file_system.h), which plays a network mount or a bad day. ESTALE, EBUSY and EINTR
// are tried again a few times; what remains is Error{system} with the path and the reason. No
// operation waits for a peer or follows a link in the last part of a path; what is no regular file
// is Error{input}. Files are made with mode 0644 at most, folders with 0775. Thread-safe.
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

// Entries have at most so many bytes; locks, leases and other small files so many.
inline constexpr std::uint64_t kMostEntryBytes = std::uint64_t{2} << 30;
inline constexpr std::uint64_t kMostNoteBytes = 4096;

struct FileStatus {
  std::uint64_t bytes = 0;
  std::int64_t modified_ns = 0;  // by the clock of the file system
  std::int64_t used_ns = 0;      // last mark_used(), by the same clock
  std::uint32_t user = 0;        // who owns it
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

// Content that lies in several places, in the order in which a file has it.
using Pieces = std::span<const std::string_view>;

class FileSystem {
 public:
  virtual ~FileSystem() = default;
  // nullopt: there is no such file. While it reads, remove_unless_open() leaves the file alone.
  // *Throws* Error{input} where it is no regular file, or has more than `max_bytes`.
  virtual std::optional<FileBytes> read(const std::string& path, std::uint64_t max_bytes) = 0;
  std::optional<FileBytes> read(const std::string& path) { return read(path, kMostEntryBytes); }
  // Creates and writes the file; `soon`: has the kernel begin to write it to the disk, without a
  // wait. *Throws* also where the file exists, which stays; what of a new one is written is gone
  // then.
  virtual void write_new(const std::string& path, Pieces pieces, Sync sync) = 0;
  void write_new(const std::string& path, std::string_view bytes, Sync sync) {
    write_new(path, Pieces(&bytes, 1), sync);
  }
  // Into its final name, over what is there, unsynced: as systems do that are re-enacted here. A
  // file of several names is left alone.
  virtual void write_in_place(const std::string& path, std::string_view bytes) = 0;
  // False: it exists already. It appears with all of its bytes, by link(2), which excludes wherever
  // O_CREAT | O_EXCL does, and on old network mounts too.
  virtual bool create_exclusive(const std::string& path, std::string_view bytes) = 0;
  virtual void rename(const std::string& from, const std::string& to) = 0;
  // False: it was not there.
  virtual bool remove(const std::string& path) = 0;
  // False: somebody reads it, or this process may not remove it. True: it is gone.
  virtual bool remove_unless_open(const std::string& path) = 0;
  // Of the name itself, whatever it is.
  virtual std::optional<FileStatus> status(const std::string& path) = 0;
  // Names in the folder, in no order; empty where there is none.
  virtual std::vector<std::string> list(const std::string& directory) = 0;
  virtual void make_directories(const std::string& directory) = 0;
  // nullptr: somebody else holds it. The file is created where it is missing, and stays.
  virtual std::unique_ptr<FileLock> try_lock(const std::string& path) = 0;
  // Remembers that the entry was used now, by the file system's own clock. Failure is no matter.
  virtual void mark_used(const std::string& path) noexcept = 0;
  // Operations that had to be tried again.
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
  // Called before each attempt: 0, or the errno to act as if the kernel had said it.
  virtual int before(FileOperation /*operation*/, const std::string& /*path*/) { return 0; }
  // How many of the next bytes go out at once, `done` of `all` being written; 0: an errno in
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
