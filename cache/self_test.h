// SPDX-License-Identifier: Apache-2.0
// What a mount really excludes, found out before anybody relies on it: one holds, another tries.
#pragma once

#include <string>

#include "cache/lock.h"

namespace understudy::cache {

struct Exclusion {
  bool exclusive_create = false;  // a lock file excludes
  bool advisory_lock = false;     // an advisory lock excludes
};

// Between two views of the same folder, as two hosts have them. Makes the folder; leaves nothing
// else behind where it returns. *Throws* Error{system} where the folder cannot be written.
Exclusion test_exclusion(FileSystem& here, FileSystem& there, const std::string& directory);
// Between this process and one that it forks. *Requires* a process with one thread. *Throws*
// Error{system} also where the other one does not come to an end: a mount whose server is gone.
Exclusion test_exclusion(const std::string& directory);

// The discipline that is safe there. *Throws* Error{system} where nothing excludes: a folder that
// all may write is then refused.
LockKind lock_for(const Exclusion& exclusion);

// Why this process cannot use entries there: "" or the words of the system. Writes and reads a
// file.
std::string access_trouble(FileSystem& files, const std::string& directory);

}  // namespace understudy::cache
