// SPDX-License-Identifier: Apache-2.0
// Who owns a folder that is made for one run: a file in it names the process, and that process
// holds a lock on the file for as long as it lives. The kernel gives the lock back however the
// process ends, so a reused pid, another pid namespace or a restart cannot be mistaken for the
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
// Whether a pid of that owner means the same process here.
bool shares_pids(const FolderOwner& owner);

// Marks a folder as this process's while the object lives. Where the file system has no locks the
// folder has no owner, and nobody removes it but its maker.
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
  unknown,  // of another machine, or nobody wrote an owner down
};
struct OwnerSeen {
  OwnerState state = OwnerState::unknown;
  std::optional<FolderOwner> owner;
};
OwnerSeen owner_of_folder(const std::string& folder);

}  // namespace understudy
