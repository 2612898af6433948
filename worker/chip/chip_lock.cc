// SPDX-License-Identifier: Apache-2.0
#include "worker/chip/chip_lock.h"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <sstream>
#include <sys/file.h>
#include <system_error>
#include <thread>
#include <unistd.h>

#include "configs/base/diagnosis_id.h"
#include "configs/base/error.h"
#include "configs/base/file.h"
#include "configs/base/procfs.h"

namespace understudy::worker {
namespace {

// Exponential back-off between looks at a busy device.
constexpr Seconds kFirstPause{0.05}, kLongestPause{1.0};

// Zero bytes separate the words of a command line in /proc.
std::string command_of(std::int64_t pid) {
  try {
    std::string text = read_text_file(fmt::format("/proc/{}/cmdline", pid));
    std::ranges::replace(text, '\0', ' ');
    while (text.ends_with(' ')) text.pop_back();
    return text;
  } catch (const Error&) {
    return "";  // it is gone, or another user's
  }
}

// The error text of libtpu, with the holder's command added.
Error in_use(const LockHolder& holder, HostId host) {
  const std::string command = command_of(holder.pid);
  return Error(ErrorKind::system,
               fmt::format("the TPU of host {} is already in use by process with pid {}{}",
                           host.value, holder.pid,
                           command.empty() ? "" : fmt::format(" ({})", command)))
      .diagnosed(name_of(DiagnosisId::chip_in_use));
}

bool is_alive(const LockHolder& holder) { return living({holder.pid, holder.start}).has_value(); }

void write_holder(int descriptor, const std::string& path) {
  const std::string text = text_of(own_holder());
  // Truncate, then write at the start: readers see an empty file or the whole text.
  const bool written =
      ::ftruncate(descriptor, 0) == 0 &&
      ::pwrite(descriptor, text.data(), text.size(), 0) == static_cast<ssize_t>(text.size());
  if (!written) throw file_error("write", path, errno);
}

}  // namespace

ChipPlace chip_place(const std::string& run_dir, HostId host, std::int64_t chip) {
  const std::string folder = fmt::format("{}/hosts/{}", run_dir, host.value);
  std::error_code refused;
  std::filesystem::create_directories(folder, refused);
  if (refused) throw file_error("create", folder, refused.value());
  return {fmt::format("{}/libtpu_lockfile{}", folder, chip),
          fmt::format("{}/accel{}", folder, chip)};
}

std::string text_of(const LockHolder& holder) {
  return fmt::format("{} {} {}\n", holder.pid, holder.uid, holder.start);
}

std::optional<LockHolder> parse_holder(const std::string& text) {
  std::istringstream in(text);
  LockHolder holder;
  if (!(in >> holder.pid >> holder.uid >> holder.start)) return std::nullopt;
  return holder;
}

LockHolder own_holder() {
  const ProcessIdentity self = this_process_identity();
  return {self.pid, static_cast<std::int64_t>(::getuid()), self.start};
}

int try_lock(const std::string& path) {
  FileDescriptor file;
  const int failed = open_regular_file(file, path, O_RDWR | O_CREAT, Links::refuse, 0600);
  if (failed != 0) throw file_error("open", path, failed);
  if (::flock(file.get(), LOCK_EX | LOCK_NB) == 0) return file.release();
  const int code = errno;
  if (code != EWOULDBLOCK) throw file_error("lock", path, code);
  return -1;
}

void ChipLock::take_lock(const std::string& path, HostId host) {
  // The old contents are read before the file is locked and overwritten: they tell a stale lock
  // (its holder is dead) from a new one. As libtpu does, a stale lock is an error and not taken
  // over.
  std::error_code missing;
  const bool was_there = std::filesystem::exists(path, missing);
  const auto before = was_there ? parse_holder(read_text_file(path)) : std::nullopt;
  const auto uid = static_cast<std::int64_t>(::getuid());
  if (before && before->uid != uid)
    throw Error(ErrorKind::system,
                fmt::format("host {}: the lock file {} belongs to user {}, this process to user {}",
                            host.value, path, before->uid, uid))
        .diagnosed(name_of(DiagnosisId::lock_of_other_user));
  lock_.value = try_lock(path);
  if (lock_.value < 0) throw in_use(before.value_or(LockHolder{}), host);
  if (before && !is_alive(*before)) {
    throw Error(ErrorKind::system,
                fmt::format("host {}: stale lock file {}: process {} no longer runs", host.value,
                            path, before->pid))
        .diagnosed(name_of(DiagnosisId::lock_stale));
  }
  write_holder(lock_.value, path);
}

void ChipLock::open_device(const ChipPlace& place, HostId host, Seconds wait_limit) {
  const Clock::time_point begin = Clock::now();
  const Deadline deadline = Deadline::after(wait_limit);
  for (Seconds pause = kFirstPause;; pause = std::min(2 * pause, kLongestPause)) {
    device_.value = try_lock(place.device);
    if (device_.value >= 0) break;
    // A busy device with a live holder: somebody deleted the lock file of a chip in use. Without
    // one: the driver still clears up after a process that ended, which is worth waiting for.
    const auto holder = parse_holder(read_text_file(place.device));
    if (holder && is_alive(*holder)) {
      Error error = in_use(*holder, host);
      throw error.note("that process holds the device, but the lock file does not name it")
          .diagnosed(name_of(DiagnosisId::lock_removed));
    }
    if (deadline.passed())
      throw Error(ErrorKind::system,
                  fmt::format("host {}: the device {} is still busy after {:.0f} s", host.value,
                              place.device, wait_limit.count()))
          .diagnosed(name_of(DiagnosisId::chip_busy));
    std::this_thread::sleep_for(pause);
  }
  waited_ = Clock::now() - begin;
  write_holder(device_.value, place.device);
}

// The lock file first, then the device, in the order of libtpu: which of the two refuses tells a
// live holder, a stale file and a deleted file apart.
ChipLock::ChipLock(const ChipPlace& place, HostId host, Seconds wait_limit) {
  take_lock(place.lock, host);
  open_device(place, host, wait_limit);
}

ChipLock::Descriptor::~Descriptor() {
  if (value >= 0) ::close(value);
}

}  // namespace understudy::worker
