// SPDX-License-Identifier: Apache-2.0
#include "cache/self_test.h"

#include <cerrno>
#include <chrono>
#include <csignal>
#include <fmt/format.h>
#include <functional>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

#include "cache/owner.h"
#include "cache/store.h"
#include "configs/base/deadline.h"
#include "configs/base/error.h"
#include "configs/base/file.h"

namespace understudy::cache {
namespace {

// A hanging NFS server may block a lock for minutes; half a minute is enough to call it unusable.
constexpr Seconds kPatience{30};
constexpr std::chrono::milliseconds kPause{1};

// Whether `act` is true in a child process. A child, because flock(2) does not exclude two locks of
// the same process on every file system.
bool holds_in_child(const std::string& directory, const std::function<bool()>& act) {
  const pid_t child = ::fork();
  if (child < 0) throw file_error("test the locks of", directory, errno);
  if (child == 0) {
    int code = 1;
    try {
      code = act() ? 0 : 1;
    } catch (...) {
      code = 1;  // a failed attempt did not succeed; no exception may leave the child
    }
    ::_exit(code);
  }
  int status = 0;
  const Deadline deadline = Deadline::after(kPatience);
  while (::waitpid(child, &status, WNOHANG) != child) {
    if (deadline.passed()) {
      ::kill(child, SIGKILL);  // it may hang in the kernel: not waited for
      throw Error(ErrorKind::system, fmt::format("cannot test the locks of {}: no answer within "
                                                 "{:.0f} s",
                                                 directory, kPatience.count()));
    }
    std::this_thread::sleep_for(kPause);
  }
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

// `other` runs the attempt of the other side while this one holds.
// Both kinds of lock on new files with unique names, so that a test cannot disturb a run in the
// same folder.
Exclusion probe(FileSystem& here, FileSystem& there, const std::string& directory,
                const std::function<bool(const std::function<bool()>&)>& other) {
  here.make_directories(directory);
  Exclusion seen;
  const std::string created = temporary_for(directory + "/create"),
                    locked = temporary_for(directory + "/lock");
  const bool made = here.create_exclusive(created, text_of(this_process()));
  seen.exclusive_create = made && !other([&] { return there.create_exclusive(created, "other"); });
  {
    const auto held = here.try_lock(locked);
    seen.advisory_lock =
        // Granted twice means that the lock excludes nobody.
        held != nullptr && !other([&] { return there.try_lock(locked) != nullptr; });
  }
  here.remove(created);
  here.remove(locked);
  return seen;
}

}  // namespace

Exclusion test_exclusion(FileSystem& here, FileSystem& there, const std::string& directory) {
  return probe(here, there, directory, [](const std::function<bool()>& act) { return act(); });
}

Exclusion test_exclusion(const std::string& directory) {
  return probe(machine_files(), machine_files(), directory,
               [&](const std::function<bool()>& act) { return holds_in_child(directory, act); });
}

LockKind lock_for(const Exclusion& exclusion) {
  // Preferred: it names its owner, so that dead ones can be told.
  if (exclusion.exclusive_create) return LockKind::exclusive_file;
  if (exclusion.advisory_lock) return LockKind::directory;
  throw Error(ErrorKind::system,
              "cannot share the cache folder: no lock on this file system excludes other hosts")
      .note("--cache-policy per-host gives each host its own folder");
}

// Entries are read too: a folder that can be written but not read is as useless.
std::string access_trouble(FileSystem& files, const std::string& directory) {
  try {
    files.make_directories(directory);
    const std::string probe = temporary_for(directory + "/access");
    files.write_new(probe, "x", Sync::no);
    files.remove(probe);
    for (const std::string& name : files.list(directory))
      if (name.ends_with(kEntrySuffix)) files.read(directory + "/" + name);
  } catch (const Error& error) {
    return error.message();
  }
  return "";
}

}  // namespace understudy::cache
