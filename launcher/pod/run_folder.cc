// SPDX-License-Identifier: Apache-2.0
#include "launcher/pod/run_folder.h"

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <sys/stat.h>
#include <system_error>

#include "configs/base/file.h"
#include "configs/base/file_system.h"
#include "configs/base/log.h"
#include "launcher/pod/orphans.h"

namespace understudy::launcher {
namespace {

// The place of POSIX shared memory on Linux (shm_overview(7)): a tmpfs on almost every system.
const std::string kSharedMemory = "/dev/shm";

// A short name: Open MPI creates UNIX sockets in it, whose paths are limited to 107 bytes.
std::string make_folder(const std::string& base) {
  std::string path = base + "/understudy-XXXXXX";
  if (mkdtemp(path.data()) == nullptr) {
    Error error = file_error("create a run folder in", base, errno);
    throw error.note("set TMPDIR to create run folders elsewhere");
  }
  return path;
}

void remove_folder(const std::string& path) noexcept {
  std::error_code code;
  std::filesystem::remove_all(path, code);
  if (code) log_warn(fmt::format("cannot remove {}: {}", path, code.message()));
}

}  // namespace

RunFolder::RunFolder(const std::string& base) {
  // Every start also cleans up after killed runs, so leftovers do not accumulate.
  report_orphans(remove_orphans({base, kSharedMemory}));
  // A signal must not arrive between creating the folder and registering it with the guardian.
  const SignalsHeld held;
  path_ = make_folder(base);
  guardian_.remove_folder(path_);
  // Held until the end of this process. A later start that can take the lock knows that the folder
  // is an orphan.
  lock_.emplace(path_);
  for (const char* name : {"/records", "/arguments", "/results"}) {
    std::error_code code;
    std::filesystem::create_directory(path_ + name, code);
    if (code) {
      remove_folder(path_);
      throw file_error("create", path_ + name, code.value());
    }
  }
}

RunFolder::~RunFolder() {
  // The locks are released last, so that no other process sees the folder as an orphan and removes
  // it.
  remove_folder(path_);
  if (!backing_.empty()) remove_folder(backing_);
}

std::string RunFolder::record(std::int64_t rank) const {
  return fmt::format("{}/records/{}", path_, rank);
}

// MPI's shared memory is fastest on a tmpfs; many containers have a /dev/shm of only 64 MiB.
std::string RunFolder::make_backing_folder(std::uint64_t bytes) {
  const std::string path = kSharedMemory + path_.substr(path_.rfind('/'));
  const SignalsHeld held;
  // If /dev/shm is too small, not writable or has a folder of that name, use the run folder.
  if (free_bytes(kSharedMemory) < bytes || mkdir(path.c_str(), S_IRWXU) != 0) {
    shared_memory_bytes_ = bytes;
    return path_;
  }
  backing_ = path;
  guardian_.remove_folder(path);
  backing_lock_.emplace(path);
  return backing_;
}

void RunFolder::write(std::string_view name, std::span<const std::byte> bytes) const {
  const std::string path = fmt::format("{}/{}", path_, name);
  std::error_code ignored;  // the open below reports it
  std::filesystem::create_directories(std::filesystem::path(path).parent_path(), ignored);
  write_file(path, bytes);
}

void RunFolder::write(std::string_view name, std::string_view text) const {
  write(name, std::as_bytes(std::span(text.data(), text.size())));
}

}  // namespace understudy::launcher
