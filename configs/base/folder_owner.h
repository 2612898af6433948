// SPDX-License-Identifier: Apache-2.0
// The owner of a folder that is created for one run. A file in the folder identifies the process,
// which holds a lock on the file as long as it lives. The kernel releases the lock however the
// process ends, so a reused pid, another pid namespace or a reboot cannot be mistaken for the
// owner. Thread-safe.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace understudy {

struct FolderOwner {
  std::int64_t pid = 0;       // in its pid namespace
  std::uint64_t start = 0;    // ProcessStat::start
  std::string boot;           // the kernel's boot id
  std::string pid_namespace;  // "pid:[4026531836]"
  std::string host;           // host name
  bool operator==(const FolderOwner&) const = default;
};
// This process.
FolderOwner own_identity();
// Whether the owner's pid denotes the same process here: same boot, pid namespace and host.
bool shares_pids(const FolderOwner& owner);

// Marks a folder as owned by this process while the object lives. On a file system without locks
// the folder has no owner, and only its creator removes it.
class FolderLock {
 public:
  explicit FolderLock(const std::string& folder);
  ~FolderLock();
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

 private:
  int file_ = -1;
};

enum class OwnerState : std::uint8_t {
  alive,
  gone,
  unknown,  // on another machine, or no owner is recorded
};
struct OwnerSeen {
  OwnerState state = OwnerState::unknown;
  std::optional<FolderOwner> owner;
};
// Never `gone` on a guess: a folder whose owner cannot be read, or may be on another machine, is
// `unknown`. Does not throw.
OwnerSeen owner_of_folder(const std::string& folder);

}  // namespace understudy
