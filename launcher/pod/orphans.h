// SPDX-License-Identifier: Apache-2.0
// What runs left behind whose launcher and its guardian were killed together: run folders, their
// folders in shared memory, and processes that still run. Only what is this user's and whose owner
// is known to be gone (configs/base/folder_owner.h). Thread-safe.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace understudy::launcher {

struct OrphanPod {
  std::string run_folder;
  std::vector<std::int64_t> pids;
};
// Processes of this user that were started for a run whose launcher is gone.
std::vector<OrphanPod> orphan_pods();
// "kill 12 13 14"
std::string remedy_for(const OrphanPod& pod);

struct Orphans {
  std::vector<std::string> removed;  // folders
  std::vector<OrphanPod> alive;      // their folders are left to them
};
// Removes the folders in `bases` whose owner is gone.
Orphans remove_orphans(const std::vector<std::string>& bases);
// One line for what was removed, one for each pod that still runs; "" where there is nothing.
std::vector<std::string> orphan_lines(const Orphans& orphans);
// The same in the log.
void report_orphans(const Orphans& orphans);

}  // namespace understudy::launcher
