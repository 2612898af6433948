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

namespace understudy {
namespace {

// Closes at the end of its scope.
class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  ~Descriptor() {
    if (number_ >= 0) ::close(number_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int number() const { return number_; }

  // Closes now; 0, or -1 with errno.
  int close() {
    const int result = ::close(number_);
    number_ = -1;
    return result;
  }

 private:
  int number_;
};

bool is_users_fault(int error_number) {
  constexpr int kUsers[] = {ENOENT, EISDIR, EACCES, ENOTDIR, EPERM, ELOOP, ENAMETOOLONG};
  return std::ranges::find(kUsers, error_number) != std::end(kUsers);
}

[[noreturn]] void fail_to_read(const std::string& path, int error_number) {
  const Error error = file_error("read", path, error_number);
  throw Error(is_users_fault(error_number) ? ErrorKind::input : ErrorKind::system, error.message());
}

// Reads to the end; files such as those of /proc say nothing true about their size.
template <class Buffer>
Buffer read_all(const std::string& path) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.number() < 0) fail_to_read(path, errno);
  struct stat about {};
  if (::fstat(file.number(), &about) != 0) fail_to_read(path, errno);
  constexpr std::size_t kStep = 64 * 1024;
  Buffer buffer;
  buffer.resize(std::max(static_cast<std::size_t>(about.st_size) + 1, std::size_t{4096}));
  std::size_t filled = 0;
  while (true) {
    if (filled == buffer.size()) buffer.resize(buffer.size() + kStep);
    const ssize_t got = ::read(file.number(), buffer.data() + filled, buffer.size() - filled);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) fail_to_read(path, errno);
    if (got == 0) break;
    filled += static_cast<std::size_t>(got);
  }
  buffer.resize(filled);
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

// The permissions a plain open() would have given: mkostemp's are private to the user.
int widen_permissions(int file) {
  const mode_t mask = ::umask(0);
  ::umask(mask);
  return ::fchmod(file, 0666 & ~mask);
}

// A new name survives a crash of the machine only when its folder was synced too.
int sync_folder(const std::string& folder) {
  const Descriptor opened(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (opened.number() < 0) return errno;
  const bool refused = ::fsync(opened.number()) != 0;
  return refused && errno != EINVAL && errno != EROFS ? errno : 0;
}

int write_temporary(Descriptor& file, std::span<const std::byte> bytes) {
  if (const int error_number = write_all(file.number(), bytes); error_number != 0) {
    return error_number;
  }
  if (widen_permissions(file.number()) != 0) return errno;
  if (::fsync(file.number()) != 0) return errno;
  return file.close() != 0 ? errno : 0;
}

}  // namespace

Error file_error(std::string_view doing, const std::string& path, int error_number) {
  return Error(ErrorKind::system,
               fmt::format("cannot {} {}: {}", doing, path, std::strerror(error_number)));
}

std::string read_text_file(const std::string& path) { return read_all<std::string>(path); }

std::vector<std::byte> read_binary_file(const std::string& path) {
  return read_all<std::vector<std::byte>>(path);
}

void write_file_atomically(const std::string& path, std::span<const std::byte> bytes) {
  std::string temporary = path + ".XXXXXX";
  Descriptor file(::mkostemp(temporary.data(), O_CLOEXEC));
  if (file.number() < 0) throw file_error("write", path, errno);
  int error_number = write_temporary(file, bytes);
  if (error_number == 0 && ::rename(temporary.c_str(), path.c_str()) != 0) error_number = errno;
  if (error_number != 0) {
    ::unlink(temporary.c_str());
    throw file_error("write", path, error_number);
  }
  const std::string folder = std::filesystem::path(path).parent_path().string();
  error_number = sync_folder(folder.empty() ? "." : folder);
  if (error_number != 0) throw file_error("write", path, error_number);
}

void write_file_atomically(const std::string& path, std::string_view text) {
  write_file_atomically(path, std::as_bytes(std::span(text)));
}

}  // namespace understudy
