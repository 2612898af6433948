// SPDX-License-Identifier: Apache-2.0
#include "cache/lock.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <mutex>

#include "cache/folder.h"
#include "cache/owner.h"
#include "configs/base/error.h"

namespace understudy::cache {
namespace {

using std::chrono::milliseconds;

// Discipline `none`: always granted, excludes nobody.
class NoLock final : public Lock {
 public:
  bool try_acquire() override { return true; }
  void release() noexcept override {}
};

// Discipline `process`: one mutex per process, which excludes threads only.
class ProcessLock final : public Lock {
 public:
  // try_lock() of a mutex that this thread holds would be undefined; a request takes it once.
  bool try_acquire() override { return mutex().try_lock(); }
  void release() noexcept override { mutex().unlock(); }

 private:
  static std::mutex& mutex() {
    static std::mutex one;
    return one;
  }
};

// Discipline `directory`: flock(2) on one file. The kernel releases it with its process, so there
// is nothing to break.
class DirectoryLock final : public Lock {
 public:
  explicit DirectoryLock(const LockPlace& place)
      : files_(place.files), directory_(place.directory) {}

  bool try_acquire() override {
    held_ = files_.try_lock(directory_ + "/" + std::string(kDirectoryLock));
    return held_ != nullptr;
  }
  void release() noexcept override { held_.reset(); }
  // The poll interval of the filelock package that JAX uses.
  PollIntervals poll_intervals() const override { return {milliseconds(50), milliseconds(50)}; }

 private:
  FileSystem& files_;
  std::string directory_;
  std::unique_ptr<FileLock> held_;
};

// Discipline `exclusive-file`: whoever creates the file holds the lock. The file names its owner,
// because no kernel releases it after a crash; break_dead_lock() does that.
class ExclusiveFileLock final : public Lock {
 public:
  explicit ExclusiveFileLock(const LockPlace& place)
      : files_(place.files),
        path_(place.directory + "/" + place.key + std::string(kLockSuffix)),
        owner_(text_of(this_process())),
        breaks_(place.breaks_dead_owners),
        trusts_(place.trusts) {}

  bool try_acquire() override {
    if (files_.create_exclusive(path_, owner_)) return true;
    // Not waited for: a user who is not trusted could hold it forever.
    // The status is read after the failed create, so the file is usually there.
    const auto status = trusts_ ? files_.status(path_) : std::nullopt;
    if (status && !trusts_(status->user))
      throw Error(ErrorKind::system, fmt::format("{} belongs to user {}, who is not trusted", path_,
                                                 words_for_user(status->user)));
    if (!breaks_ || !break_dead_lock(files_, path_)) return false;
    ++broken_;
    // Another process may be faster after the break: that is an ordinary failed attempt.
    return files_.create_exclusive(path_, owner_);
  }
  // Removes only its own lock: a process that was wrongly taken for dead may have lost it to
  // another.
  void release() noexcept override {
    try {
      // Compared with its own text: machine, pid and start time.
      if (files_.read(path_, kMostNoteBytes) == owner_) files_.remove(path_);
    } catch (const Error&) {
      return;  // the next process that wants the lock breaks it, once this one is gone
    }
  }
  std::string holder() const override {
    return words_for_owner(files_.read(path_, kMostNoteBytes).value_or(FileBytes()));
  }
  std::int64_t broken() const override { return broken_; }

 private:
  FileSystem& files_;
  std::string path_, owner_;
  bool breaks_;
  std::function<bool(std::uint32_t)> trusts_;
  std::int64_t broken_ = 0;
};

}  // namespace

std::unique_ptr<Lock> make_lock(LockKind kind, const LockPlace& place) {
  switch (kind) {
    case LockKind::none:
      return std::make_unique<NoLock>();
    case LockKind::exclusive_file:
      return std::make_unique<ExclusiveFileLock>(place);
    case LockKind::directory:
      return std::make_unique<DirectoryLock>(place);
    case LockKind::process:
      return std::make_unique<ProcessLock>();
  }
  UNDERSTUDY_ASSERT(false);
  return nullptr;
}

bool break_dead_lock(FileSystem& files, const std::string& path) {
  const auto has_dead_owner = [&] {
    const std::optional<FileStatus> status = files.status(path);
    // create_exclusive() makes regular files that are complete from the start: anything else in
    // this place is not a lock and has no holder.
    // Gone meanwhile: the next attempt creates it.
    if (!status) return false;
    if (!status->is_regular || status->bytes > kMostNoteBytes) return true;
    const std::optional<FileBytes> text = files.read(path, kMostNoteBytes);
    if (!text) return false;
    const std::optional<Owner> owner = parse_owner(*text);
    return owner && is_dead(*owner);
  };
  if (!has_dead_owner()) return false;
  const std::size_t slash = path.rfind('/');
  // Without this lock two processes could both find the owner dead; the slower one would then
  // remove the new lock of the faster one. The flock is released by the kernel if its holder dies,
  // and the second check sees what happened before we got it.
  const auto breaker = files.try_lock(path.substr(0, slash + 1) + ".breaking");
  if (breaker == nullptr || !has_dead_owner()) return false;
  // Under the breaker's lock, with a second look: nobody can have created a new lock in between.
  return files.remove(path);
}

}  // namespace understudy::cache
