// SPDX-License-Identifier: Apache-2.0
#include "configs/base/file.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "configs/base/diagnosis_id.h"
#include "configs/base/file_system.h"

namespace understudy {
namespace {

// Codes that the user can fix by naming another file or changing its permissions.
bool is_users_fault(int code) {
  constexpr int kUsers[] = {ENOENT, EISDIR,       EACCES, ENOTDIR,         EPERM,
                            ELOOP,  ENAMETOOLONG, EFBIG,  kNotRegularFile, kSymbolicLink};
  return std::ranges::find(kUsers, code) != std::end(kUsers);
}

// open(2) reports ENXIO for a socket, or for a FIFO without a reader, and ELOOP for a link that is
// not followed.
int code_of_failed_open(const std::string& path, int code, Links links) {
  if (code == ENXIO || code == ENODEV) return kNotRegularFile;
  struct stat about {};
  if (code != ELOOP || links == Links::follow || ::lstat(path.c_str(), &about) != 0) return code;
  return S_ISLNK(about.st_mode) ? kSymbolicLink : code;
}

// Reads to the end, whatever the size says: files in /proc report 0.
template <class Buffer>
int read_into(Buffer& buffer, int file, const struct stat& about, std::uint64_t max_bytes) {
  constexpr std::size_t kLeast = 4096, kStep = 64 * 1024;
  const auto promised = static_cast<std::uint64_t>(about.st_size);
  if (promised > max_bytes) return EFBIG;
  // One byte more than the size, so that the end of the file is seen without another resize.
  buffer.resize(std::max(static_cast<std::size_t>(promised) + 1, kLeast));
  std::size_t filled = 0;
  while (true) {
    if (filled > max_bytes) return EFBIG;
    // Geometric growth for files that grow while they are read, or do not report a size.
    if (filled == buffer.size()) buffer.resize(buffer.size() + std::max(kStep, buffer.size() / 2));
    const ssize_t got = ::read(file, buffer.data() + filled, buffer.size() - filled);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return errno;
    if (got == 0) break;
    filled += static_cast<std::size_t>(got);
  }
  buffer.resize(filled);
  return 0;
}

// Reads a file that the user named: links are followed.
template <class Buffer>
Buffer read_all(const std::string& path, std::uint64_t max_bytes) {
  FileDescriptor file;
  struct stat about {};
  int code = open_regular_file(file, path, O_RDONLY, Links::follow);
  if (code == 0 && ::fstat(file.get(), &about) != 0) code = errno;
  Buffer buffer;
  if (code == 0) code = read_into(buffer, file.get(), about, max_bytes);
  if (code == EFBIG)
    throw Error(ErrorKind::input,
                fmt::format("cannot read {}: it has {} bytes, more than the limit of {}", path,
                            about.st_size, max_bytes));
  if (code != 0) throw read_error(path, code);
  return buffer;
}

int write_all(int file, std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t put = ::write(file, bytes.data(), bytes.size());
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) return errno;
    bytes = bytes.subspan(static_cast<std::size_t>(put));
  }
  return 0;
}

// Sets the permissions that a plain open() would have given; mkostemp creates private files. umask
// can only be read by setting it.
int widen_permissions(int file) {
  const mode_t mask = ::umask(0);
  ::umask(mask);
  return ::fchmod(file, 0666 & ~mask);
}

// A rename survives a crash of the machine only if the folder is synced too. Some file systems
// cannot sync a folder (EINVAL, EROFS): that is not an error.
int sync_folder(const std::string& folder) {
  const FileDescriptor opened(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (opened.get() < 0) return errno;
  const bool refused = ::fsync(opened.get()) != 0;
  return refused && errno != EINVAL && errno != EROFS ? errno : 0;
}

int write_temporary(FileDescriptor& file, std::span<const std::byte> bytes) {
  if (const int error_number = write_all(file.get(), bytes); error_number != 0) {
    return error_number;
  }
  if (widen_permissions(file.get()) != 0) return errno;
  if (::fsync(file.get()) != 0) return errno;
  return file.close();
}

}  // namespace

void FileDescriptor::reset(int number) {
  if (number_ >= 0) ::close(number_);
  number_ = number;
}

int FileDescriptor::close() { return ::close(release()) == 0 ? 0 : errno; }

void FileBytes::resize(std::size_t size) {
  // Shrinking keeps the memory.
  if (size > size_) {
    auto larger = std::make_unique_for_overwrite<char[]>(size);
    view().copy(larger.get(), size_);
    data_ = std::move(larger);
  }
  size_ = size;
}

int open_regular_file(FileDescriptor& file, const std::string& path, int flags, Links links,
                      unsigned mode) {
  // O_NONBLOCK: opening a FIFO does not wait for its other end. O_NOCTTY: a terminal does not
  // become ours.
  const int never_waits = O_CLOEXEC | O_NONBLOCK | O_NOCTTY;
  const int no_links = links == Links::refuse ? O_NOFOLLOW : 0;
  file.reset(::open(path.c_str(), flags | never_waits | no_links, mode));
  if (file.get() < 0) return code_of_failed_open(path, errno, links);
  struct stat about {};
  int code = ::fstat(file.get(), &about) == 0 ? 0 : errno;
  if (code == 0 && S_ISDIR(about.st_mode)) code = EISDIR;
  if (code == 0 && !S_ISREG(about.st_mode)) code = kNotRegularFile;
  if (code != 0) file.reset(-1);
  return code;
}

int read_whole(const FileDescriptor& file, std::uint64_t max_bytes, FileBytes& bytes) {
  struct stat about {};
  if (::fstat(file.get(), &about) != 0) return errno;
  bytes = FileBytes();
  bytes.owner = FileOwner{about.st_uid, (about.st_mode & S_IWOTH) != 0};
  return read_into(bytes, file.get(), about, max_bytes);
}

std::string words_for_code(int code) {
  if (code == kNotRegularFile) return "not a regular file (FIFO, socket or device)";
  if (code == kSymbolicLink) return "is a symbolic link; links are not followed here";
  return std::strerror(code);
}

Error file_error(std::string_view doing, const std::string& path, int code, std::uint64_t bytes) {
  std::string text = fmt::format("cannot {} {}: {}", doing, path, words_for_code(code));
  if (is_want_of_room(code))
    if (const std::string room = room_text(path, code, bytes); !room.empty())
      text += fmt::format(" ({})", room);
  Error error(ErrorKind::system, std::move(text));
  if (is_want_of_room(code)) error.diagnosed(name_of(DiagnosisId::disk_full));
  return error;
}

Error read_error(const std::string& path, int code) {
  const Error error = file_error("read", path, code);
  return Error(is_users_fault(code) ? ErrorKind::input : ErrorKind::system, error.message());
}

FileBytes read_file(const std::string& path, std::uint64_t max_bytes) {
  return read_all<FileBytes>(path, max_bytes);
}

std::string read_text_file(const std::string& path, std::uint64_t max_bytes) {
  return read_all<std::string>(path, max_bytes);
}

std::vector<std::byte> read_binary_file(const std::string& path, std::uint64_t max_bytes) {
  return read_all<std::vector<std::byte>>(path, max_bytes);
}

// For headers of large files: a .npy of many gigabytes is checked by its first bytes.
FileStart read_file_start(const std::string& path, std::size_t count) {
  FileDescriptor file;
  struct stat about {};
  int code = open_regular_file(file, path, O_RDONLY, Links::follow);
  if (code == 0 && ::fstat(file.get(), &about) != 0) code = errno;
  FileStart start{std::vector<std::byte>(count), static_cast<std::uint64_t>(about.st_size)};
  std::size_t filled = 0;
  while (code == 0 && filled < count) {
    const ssize_t got = ::read(file.get(), start.bytes.data() + filled, count - filled);
    if (got < 0 && errno != EINTR) code = errno;
    if (got == 0) break;
    if (got > 0) filled += static_cast<std::size_t>(got);
  }
  if (code != 0) throw read_error(path, code);
  start.bytes.resize(filled);
  return start;
}

// Order matters: the content is on disk before the rename makes it visible, and the folder is
// synced last. After a crash the old or the new content is there, never an empty file.
void write_file_atomically(const std::string& path, std::span<const std::byte> bytes) {
  std::string temporary = path + ".XXXXXX";
  FileDescriptor file(::mkostemp(temporary.data(), O_CLOEXEC));
  if (file.get() < 0) throw file_error("write", path, errno, bytes.size());
  int error_number = write_temporary(file, bytes);
  if (error_number == 0 && ::rename(temporary.c_str(), path.c_str()) != 0) error_number = errno;
  if (error_number != 0) {
    ::unlink(temporary.c_str());
    throw file_error("write", path, error_number, bytes.size());
  }
  const std::string folder = std::filesystem::path(path).parent_path().string();
  error_number = sync_folder(folder.empty() ? "." : folder);
  if (error_number != 0) throw file_error("write", path, error_number);
}

void write_file_atomically(const std::string& path, std::string_view text) {
  write_file_atomically(path, std::as_bytes(std::span(text)));
}

void write_file(const std::string& path, std::span<const std::byte> bytes) {
  const int flags = O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NONBLOCK | O_NOCTTY;
  FileDescriptor file(::open(path.c_str(), flags, 0666));
  int code = file.get() < 0 ? errno : write_all(file.get(), bytes);
  if (const int closed = code == 0 ? file.close() : 0; closed != 0) code = closed;
  if (code != 0) throw file_error("write", path, code, bytes.size());
}

}  // namespace understudy
