// SPDX-License-Identifier: Apache-2.0
// Tests which locks work on a mount before a run relies on them: one side holds, another tries.
#pragma once

#include <string>

#include "cache/lock.h"

namespace understudy::cache {

struct Exclusion {
  bool exclusive_create = false;  // a lock file excludes
  bool advisory_lock = false;     // an advisory lock excludes
};

// Between two views of the same folder, as two hosts have them. Makes the folder; leaves nothing
// else behind where it returns. *Throws* Error{system} if the folder cannot be written.
Exclusion test_exclusion(FileSystem& here, FileSystem& there, const std::string& directory);
// Between this process and one that it forks. *Requires* a process with one thread. *Throws*
// Error{system} also if the other process does not end: the server of the mount is gone.
Exclusion test_exclusion(const std::string& directory);

// The lock that is safe on the mount. *Throws* Error{system} if none is: the policy `shared` is
// then refused.
LockKind lock_for(const Exclusion& exclusion);

// Why this process cannot use entries there: "" or the words of the system. Writes and reads a
// file.
std::string access_trouble(FileSystem& files, const std::string& directory);

}  // namespace understudy::cache
