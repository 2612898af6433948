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
#include "configs/base/error.h"
#include "configs/base/file.h"

namespace understudy::cache {
namespace {

using std::chrono::milliseconds;

constexpr int kAttempts = 5;
constexpr milliseconds kFirstPause{1};
constexpr int kNewFile = O_WRONLY | O_CREAT | O_EXCL;
constexpr std::int64_t kNanosecondsPerSecond = 1'000'000'000;

// Network file systems say these of files that others renamed or removed meanwhile.
bool may_pass(int code) { return code == ESTALE || code == EBUSY || code == EINTR; }

class Descriptor {
 public:
  explicit Descriptor(int number = -1) : number_(number) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (number_ >= 0) ::close(number_);
  }
  void reset(int number) {
    if (number_ >= 0) ::close(number_);
    number_ = number;
  }
  int get() const { return number_; }
  int release() { return std::exchange(number_, -1); }

 private:
  int number_;
};

int open_into(Descriptor& descriptor, const std::string& path, int flags) {
  descriptor.reset(::open(path.c_str(), flags | O_CLOEXEC, 0666));
  return descriptor.get() < 0 ? errno : 0;
}

// The whole file; an errno.
int read_all(int descriptor, FileBytes& bytes) {
  struct stat status {};
  if (::fstat(descriptor, &status) != 0) return errno;
  // One more, so that the end of the file shows.
  bytes = FileBytes(static_cast<std::size_t>(status.st_size) + 1);
  std::size_t done = 0;
  for (;;) {
    const ssize_t n = ::read(descriptor, bytes.data() + done, bytes.size() - done);
    if (n < 0 && errno != EINTR) return errno;
    if (n == 0) break;
    if (n > 0) done += static_cast<std::size_t>(n);
    if (done < bytes.size()) continue;
    // It grew meanwhile.
    FileBytes more(2 * bytes.size());
    bytes.view().copy(more.data(), done);
    bytes = std::move(more);
  }
  bytes.shorten(done);
  return 0;
}

std::int64_t nanoseconds(const timespec& time) {
  return time.tv_sec * kNanosecondsPerSecond + time.tv_nsec;
}

}  // namespace

FileLock::~FileLock() { ::close(descriptor_); }

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

std::optional<FileBytes> DiskFileSystem::read(const std::string& path) {
  FileBytes bytes;
  const int code = attempt(FileOperation::read, path, [&] {
    Descriptor file;
    if (const int failed = open_into(file, path, O_RDONLY); failed != 0) return failed;
    // For remove_unless_open(); whether it was got makes no difference to the reader.
    (void)::flock(file.get(), LOCK_SH | LOCK_NB);
    return read_all(file.get(), bytes);
  });
  if (code == ENOENT) return std::nullopt;
  if (code != 0) throw file_error("read", path, code);
  return bytes;
}

void DiskFileSystem::write_bytes(int descriptor, const std::string& path, Pieces pieces) {
  std::size_t all = 0, before_this = 0;
  for (const std::string_view piece : pieces) all += piece.size();
  for (const std::string_view piece : pieces) {
    for (std::size_t done = 0; done < piece.size();) {
      int code = 0;
      const std::size_t at_once = next_piece(path, before_this + done, all, code);
      if (code != 0) throw file_error("write", path, code);
      const ssize_t n =
          ::write(descriptor, piece.data() + done, std::min(at_once, piece.size() - done));
      if (n < 0 && errno != EINTR) throw file_error("write", path, errno);
      if (n > 0) done += static_cast<std::size_t>(n);
    }
    before_this += piece.size();
  }
}

void DiskFileSystem::write_new(const std::string& path, Pieces pieces, Sync sync) {
  Descriptor file;
  const int code =
      attempt(FileOperation::create, path, [&] { return open_into(file, path, kNewFile); });
  if (code != 0) throw file_error("write", path, code);
  try {
    write_bytes(file.get(), path, pieces);
    // Not waited for (docs/decisions/0006). Where a file system cannot, it writes when it likes.
    if (sync == Sync::soon) (void)::sync_file_range(file.get(), 0, 0, SYNC_FILE_RANGE_WRITE);
    if (::close(file.release()) != 0) throw file_error("close", path, errno);
  } catch (const Error&) {
    ::unlink(path.c_str());  // the first failure is the one to tell
    throw;
  }
}

void DiskFileSystem::write_in_place(const std::string& path, std::string_view bytes) {
  Descriptor file;
  const int code = attempt(FileOperation::create, path,
                           [&] { return open_into(file, path, O_WRONLY | O_CREAT | O_TRUNC); });
  if (code != 0) throw file_error("write", path, code);
  write_bytes(file.get(), path, Pieces(&bytes, 1));
  if (::close(file.release()) != 0) throw file_error("close", path, errno);
}

bool DiskFileSystem::create_exclusive(const std::string& path, std::string_view bytes) {
  if (status(path)) return false;
  const std::string temporary = temporary_for(path);
  write_new(temporary, bytes, Sync::no);
  const int code = attempt(FileOperation::create, path, [&] {
    return ::link(temporary.c_str(), path.c_str()) == 0 ? 0 : errno;
  });
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
  return code == 0;
}

bool DiskFileSystem::remove_unless_open(const std::string& path) {
  const int code = attempt(FileOperation::remove, path, [&] {
    Descriptor file;
    if (const int failed = open_into(file, path, O_RDONLY); failed != 0) return failed;
    if (::flock(file.get(), LOCK_EX | LOCK_NB) != 0) return errno;
    return ::unlink(path.c_str()) == 0 ? 0 : errno;
  });
  if (code == EWOULDBLOCK) return false;
  if (code != 0 && code != ENOENT) throw file_error("remove", path, code);
  return true;
}

std::optional<FileStatus> DiskFileSystem::status(const std::string& path) {
  struct stat seen {};
  const int code = attempt(FileOperation::status, path,
                           [&] { return ::stat(path.c_str(), &seen) == 0 ? 0 : errno; });
  if (code == ENOENT) return std::nullopt;
  if (code != 0) throw file_error("look at", path, code);
  return FileStatus{static_cast<std::uint64_t>(seen.st_size), nanoseconds(seen.st_mtim),
                    nanoseconds(seen.st_atim)};
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
    std::filesystem::create_directories(directory, failed);
    return failed.value();
  });
  if (code != 0) throw file_error("use the cache directory", directory, code);
}

std::unique_ptr<FileLock> DiskFileSystem::try_lock(const std::string& path) {
  Descriptor file;
  const std::string place = lock_place(path);
  const int code = attempt(FileOperation::lock, path, [&] {
    if (const int failed = open_into(file, place, O_RDWR | O_CREAT); failed != 0) return failed;
    return ::flock(file.get(), LOCK_EX | LOCK_NB) == 0 ? 0 : errno;
  });
  if (code == EWOULDBLOCK) return nullptr;
  if (code != 0) throw file_error("lock", path, code);
  return std::make_unique<FileLock>(file.release());
}

void DiskFileSystem::mark_used(const std::string& path) noexcept {
  // UTIME_NOW: the clock of the kernel, or of the server, that everybody's entries get.
  const timespec times[2] = {{0, UTIME_NOW}, {0, UTIME_OMIT}};
  (void)::utimensat(AT_FDCWD, path.c_str(), times, 0);
}

FileSystem& machine_files() {
  static DiskFileSystem files;
  return files;
}

}  // namespace understudy::cache
