// SPDX-License-Identifier: Apache-2.0
#include <cerrno>
#include <chrono>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <utility>

#include "cache/store.h"
#include "configs/base/error.h"

namespace understudy::cache {
namespace {

namespace fs = std::filesystem;

// A temporary file this old belongs to a writer that was killed.
constexpr std::chrono::hours kAbandoned{1};
constexpr std::string_view kTemporary = ".tmp";

[[noreturn]] void refuse(std::string_view doing, const std::string& path, int code) {
  throw Error(ErrorKind::system,
              fmt::format("cannot {} {}: {}", doing, path, std::generic_category().message(code)));
}

// Owns a descriptor; close() reports what the kernel could not write, the destructor cannot.
class File {
 public:
  File(std::string path, int flags) : path_(std::move(path)) {
    descriptor_ = ::open(path_.c_str(), flags | O_CLOEXEC, 0666);
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  ~File() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }
  bool good() const { return descriptor_ >= 0; }
  int get() const { return descriptor_; }

  void write_all(std::string_view bytes) const {
    while (!bytes.empty()) {
      const ssize_t n = ::write(descriptor_, bytes.data(), bytes.size());
      if (n < 0 && errno == EINTR) continue;
      if (n < 0) refuse("write", path_, errno);
      bytes.remove_prefix(static_cast<std::size_t>(n));
    }
  }
  void sync() const {
    if (::fsync(descriptor_) != 0) refuse("sync", path_, errno);
  }
  void close() {
    if (::close(std::exchange(descriptor_, -1)) != 0) refuse("close", path_, errno);
  }
  std::string read_all() const {
    struct stat status {};
    if (::fstat(descriptor_, &status) != 0) refuse("read", path_, errno);
    std::string bytes(static_cast<std::size_t>(status.st_size), '\0');
    std::size_t done = 0;
    while (done < bytes.size()) {
      const ssize_t n = ::read(descriptor_, bytes.data() + done, bytes.size() - done);
      if (n < 0 && errno == EINTR) continue;
      if (n < 0) refuse("read", path_, errno);
      if (n == 0) break;
      done += static_cast<std::size_t>(n);
    }
    bytes.resize(done);
    return bytes;
  }

 private:
  std::string path_;
  int descriptor_ = -1;
};

class DiskStore : public Store {
 public:
  explicit DiskStore(std::string directory) : directory_(std::move(directory)) {
    std::error_code code;
    fs::create_directories(directory_, code);
    if (code) refuse("use the cache directory", directory_, code.value());
    if (::access(directory_.c_str(), R_OK | W_OK | X_OK) != 0) {
      refuse("use the cache directory", directory_, errno);
    }
    remove_abandoned();
  }

  std::optional<std::string> read(const std::string& name) override {
    const File file(path_of(name), O_RDONLY);
    if (!file.good() && errno == ENOENT) return std::nullopt;
    if (!file.good()) refuse("read the cache entry", path_of(name), errno);
    return file.read_all();
  }

  void write(const std::string& name, const std::string& bytes) override {
    const std::string temporary = fresh_temporary(name);
    try {
      File file(temporary, O_WRONLY | O_CREAT | O_EXCL);
      if (!file.good()) refuse("write", temporary, errno);
      file.write_all(bytes);
      file.sync();
      file.close();
      if (::rename(temporary.c_str(), path_of(name).c_str()) != 0) {
        refuse("rename", temporary, errno);
      }
    } catch (const Error&) {
      std::error_code ignored;  // the first failure is the one to tell
      fs::remove(temporary, ignored);
      throw;
    }
    sync_directory();
  }

  std::string quarantine(const std::string& name) override {
    const std::string from = path_of(name), to = from + ".quarantined";
    if (::rename(from.c_str(), to.c_str()) != 0 && errno != ENOENT) refuse("rename", from, errno);
    return to;
  }

  void remove(const std::string& name) override {
    if (::unlink(path_of(name).c_str()) != 0 && errno != ENOENT) {
      refuse("remove", path_of(name), errno);
    }
  }

 private:
  std::string path_of(const std::string& name) const { return directory_ + "/" + name; }

  // Unique among processes by pid (and by time, where pid namespaces share a folder).
  std::string fresh_temporary(const std::string& name) const {
    const auto now = std::chrono::steady_clock::now().time_since_epoch().count();
    return fmt::format("{}/.{}.{}.{:x}{}", directory_, name, ::getpid(), now, kTemporary);
  }

  // The entry is whole without this; it only survives a power cut later.
  void sync_directory() const {
    const File folder(directory_, O_RDONLY | O_DIRECTORY);
    if (folder.good()) folder.sync();
  }

  void remove_abandoned() const {
    std::error_code code;
    const auto now = fs::file_time_type::clock::now();
    for (fs::directory_iterator it(directory_, code), end; !code && it != end; it.increment(code)) {
      if (it->path().extension() != kTemporary) continue;
      std::error_code gone;  // another process may be at the same work
      const auto written = it->last_write_time(gone);
      if (!gone && now - written > kAbandoned) fs::remove(it->path(), gone);
    }
  }

  std::string directory_;
};

}  // namespace

std::unique_ptr<Store> open_disk_store(const std::string& directory) {
  return std::make_unique<DiskStore>(directory);
}

}  // namespace understudy::cache
