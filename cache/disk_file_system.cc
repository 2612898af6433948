// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cerrno>
#include <chrono>
#include <fcntl.h>
#include <filesystem>
#include <sys/file.h>
#include <sys/stat.h>
#include <system_error>
#include <thread>
#include <unistd.h>
#include <utility>

#include "cache/file_system.h"
#include "cache/owner.h"
#include "configs/base/deadline.h"
#include "configs/base/error.h"
#include "configs/base/file.h"

namespace understudy::cache {
namespace {

using std::chrono::milliseconds;

// Five attempts take 1 + 2 + 4 + 8 ms: longer than a rename on a file server.
constexpr int kAttempts = 5;
constexpr milliseconds kFirstPause{1};
constexpr int kNewFile = O_WRONLY | O_CREAT | O_EXCL;

// Transient: network file systems return these for files that another host has just renamed or
// removed.
bool may_pass(int code) { return code == ESTALE || code == EBUSY || code == EINTR; }

int open_into(FileDescriptor& file, const std::string& path, int flags) {
  return open_regular_file(file, path, flags, Links::refuse);
}

// Creates one folder; an existing one is not an error, because another process may be faster.
int make_folder(const std::string& path) {
  constexpr mode_t kMode = 0775;
  return ::mkdir(path.c_str(), kMode) == 0 || errno == EEXIST ? 0 : errno;
}

std::int64_t nanoseconds(const timespec& time) {
  return time.tv_sec * kNanosecondsPerSecond + time.tv_nsec;
}

}  // namespace

FileLock::~FileLock() { ::close(descriptor_); }

// Retries transient failures with doubling pauses, 15 ms in total.
template <class Attempt>
int DiskFileSystem::attempt(FileOperation operation, const std::string& path, const Attempt& once) {
  milliseconds pause = kFirstPause;
  for (int i = 1;; ++i) {
    int code = before(operation, path);
    if (code == 0) code = once();
    if (!may_pass(code) || i == kAttempts) return code;
    ++retries_;
    std::this_thread::sleep_for(pause);
    pause *= 2;
  }
}

std::optional<FileBytes> DiskFileSystem::read(const std::string& path, std::uint64_t max_bytes) {
  FileBytes bytes;
  const int code = attempt(FileOperation::read, path, [&] {
    FileDescriptor file;
    if (const int failed = open_into(file, path, O_RDONLY); failed != 0) return failed;
    // A shared lock marks the file as being read, for remove_unless_open(). The reader continues
    // even without it: entries are immutable, so it reads a whole entry or none.
    // Not waited for: an exclusive lock is held for the moment of an unlink only.
    (void)::flock(file.get(), LOCK_SH | LOCK_NB);
    return read_whole(file, max_bytes, bytes);
  });
  if (code == ENOENT) return std::nullopt;
  // Kind `system`, not `input`: the file may be a good entry of another user.
  if (code == EACCES || code == EPERM) throw file_error("read", path, code);
  if (code != 0) throw read_error(path, code);
  return bytes;
}

// In the pieces that next_piece() allows: all at once on a real disk, in small ones where failures
// are injected.
void DiskFileSystem::write_bytes(int descriptor, const std::string& path, Pieces pieces) {
  std::size_t all = 0, before_this = 0;
  // The total is needed by the injected failures, which act at a fraction of it.
  for (const std::string_view piece : pieces) all += piece.size();
  for (const std::string_view piece : pieces) {
    for (std::size_t done = 0; done < piece.size();) {
      int code = 0;
      const std::size_t at_once = next_piece(path, before_this + done, all, code);
      if (code != 0) throw file_error("write", path, code);
      const ssize_t n =
          ::write(descriptor, piece.data() + done, std::min(at_once, piece.size() - done));
      // EINTR: nothing was written; the same piece is tried again.
      if (n < 0 && errno != EINTR) throw file_error("write", path, errno);
      if (n > 0) done += static_cast<std::size_t>(n);
    }
    before_this += piece.size();
  }
}

void DiskFileSystem::write_new(const std::string& path, Pieces pieces, Sync sync) {
  FileDescriptor file;
  const int code =
      attempt(FileOperation::create, path, [&] { return open_into(file, path, kNewFile); });
  if (code != 0) throw file_error("write", path, code);
  try {
    write_bytes(file.get(), path, pieces);
    // Starts the write-back without waiting for it (docs/decisions/0006). The envelope detects an
    // entry that a crash of the machine cut off.
    if (sync == Sync::soon) (void)::sync_file_range(file.get(), 0, 0, SYNC_FILE_RANGE_WRITE);
    if (const int closed = file.close(); closed != 0) throw file_error("close", path, closed);
  } catch (const Error&) {
    // A half-written temporary would look like that of a living process until it ends.
    ::unlink(path.c_str());  // its own failure is ignored: the first one is reported
    throw;
  }
}

void DiskFileSystem::write_in_place(const std::string& path, std::string_view bytes) {
  FileDescriptor file;
  const int code = attempt(FileOperation::create, path, [&] {
    if (const int failed = open_into(file, path, O_WRONLY | O_CREAT); failed != 0) return failed;
    struct stat about {};
    if (::fstat(file.get(), &about) != 0) return errno;
    // A second name would make us write into a file outside of the cache.
    if (about.st_nlink > 1) return EMLINK;
    return ::ftruncate(file.get(), 0) == 0 ? 0 : errno;
  });
  if (code != 0) throw file_error("write", path, code);
  write_bytes(file.get(), path, Pieces(&bytes, 1));
  if (const int closed = file.close(); closed != 0) throw file_error("close", path, closed);
}

bool DiskFileSystem::create_exclusive(const std::string& path, std::string_view bytes) {
  // Cheap check first: most attempts on a held lock end here without writing a temporary.
  if (status(path)) return false;
  const std::string temporary = temporary_for(path);
  write_new(temporary, bytes, Sync::no);
  const int code = attempt(FileOperation::create, path, [&] {
    // link(2) fails if the name exists, in one atomic step, also on NFS versions without O_EXCL;
    // and the file has its content from the start.
    return ::link(temporary.c_str(), path.c_str()) == 0 ? 0 : errno;
  });
  // The link keeps the content; the temporary name is not needed any more.
  ::unlink(temporary.c_str());
  if (code != 0 && code != EEXIST) throw file_error("create", path, code);
  return code == 0;
}

void DiskFileSystem::rename(const std::string& from, const std::string& to) {
  const int code = attempt(FileOperation::rename, from,
                           [&] { return ::rename(from.c_str(), to.c_str()) == 0 ? 0 : errno; });
  if (code != 0) throw file_error("rename", from, code);
}

bool DiskFileSystem::remove(const std::string& path) {
  const int code =
      attempt(FileOperation::remove, path, [&] { return ::unlink(path.c_str()) == 0 ? 0 : errno; });
  if (code != 0 && code != ENOENT) throw file_error("remove", path, code);
  // False where another process was faster, which is fine with every caller.
  return code == 0;
}

bool DiskFileSystem::remove_unless_open(const std::string& path) {
  const int code = attempt(FileOperation::remove, path, [&] {
    FileDescriptor file;
    const int failed = open_into(file, path, O_RDONLY);
    // Links and FIFOs are never read, so they need no lock.
    const bool readable = failed != kNotRegularFile && failed != kSymbolicLink;
    if (readable && failed != 0) return failed;
    // Fails while a reader holds its shared lock. The unlink happens under the lock; a reader that
    // opened the file before keeps its bytes.
    if (readable && ::flock(file.get(), LOCK_EX | LOCK_NB) != 0) return errno;
    return ::unlink(path.c_str()) == 0 ? 0 : errno;
  });
  if (code == EWOULDBLOCK || code == EACCES || code == EPERM) return false;
  if (code != 0 && code != ENOENT) throw file_error("remove", path, code);
  return true;
}

std::optional<FileStatus> DiskFileSystem::status(const std::string& path) {
  struct stat seen {};
  const int code = attempt(FileOperation::status, path,
                           [&] { return ::lstat(path.c_str(), &seen) == 0 ? 0 : errno; });
  if (code == ENOENT) return std::nullopt;
  if (code != 0) throw file_error("stat", path, code);
  return FileStatus{static_cast<std::uint64_t>(seen.st_size), nanoseconds(seen.st_mtim),
                    nanoseconds(seen.st_atim), seen.st_uid, S_ISREG(seen.st_mode)};
}

std::vector<std::string> DiskFileSystem::list(const std::string& directory) {
  std::vector<std::string> names;
  const int code = attempt(FileOperation::list, directory, [&] {
    names.clear();
    std::error_code failed;
    std::filesystem::directory_iterator it(directory, failed), end;
    for (; !failed && it != end; it.increment(failed)) names.push_back(it->path().filename());
    return failed.value();
  });
  if (code != 0 && code != ENOENT) throw file_error("list", directory, code);
  return names;
}

void DiskFileSystem::make_directories(const std::string& directory) {
  const int code = attempt(FileOperation::make_directories, directory, [&] {
    std::error_code failed;
    if (std::filesystem::is_directory(directory, failed)) return 0;
    for (std::size_t end = directory.find('/', 1); end != std::string::npos;
         end = directory.find('/', end + 1)) {
      // Existing folders are skipped: mkdir on one may be refused (EACCES, EROFS) before it says
      // EEXIST. A folder that forbids new entries shows at the next mkdir.
      const std::string above = directory.substr(0, end);
      if (::access(above.c_str(), F_OK) == 0) continue;
      if (const int refused = make_folder(above); refused != 0) return refused;
    }
    if (const int refused = make_folder(directory); refused != 0) return refused;
    return std::filesystem::is_directory(directory, failed) ? 0 : ENOTDIR;
  });
  if (code != 0) throw file_error("use the cache directory", directory, code);
}

std::unique_ptr<FileLock> DiskFileSystem::try_lock(const std::string& path) {
  FileDescriptor file;
  const std::string place = lock_place(path);
  const int code = attempt(FileOperation::lock, path, [&] {
    int failed = open_into(file, place, O_RDWR | O_CREAT);
    // Another user's file: flock(2) needs no write permission.
    if (failed == EACCES) failed = open_into(file, place, O_RDONLY);
    if (failed != 0) return failed;
    return ::flock(file.get(), LOCK_EX | LOCK_NB) == 0 ? 0 : errno;
  });
  if (code == EWOULDBLOCK) return nullptr;
  if (code != 0) throw file_error("lock", path, code);
  return std::make_unique<FileLock>(file.release());
}

void DiskFileSystem::mark_used(const std::string& path) noexcept {
  // UTIME_NOW: the clock of the kernel or the file server, the same for the entries of all hosts.
  // Only the access time: the modification time tells when an entry was written.
  const timespec times[2] = {{0, UTIME_NOW}, {0, UTIME_OMIT}};
  (void)::utimensat(AT_FDCWD, path.c_str(), times, AT_SYMLINK_NOFOLLOW);
}

FileSystem& machine_files() {
  static DiskFileSystem files;
  return files;
}

}  // namespace understudy::cache
