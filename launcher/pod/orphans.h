// SPDX-License-Identifier: Apache-2.0
// Leftovers of runs whose launcher and guardian were killed together: run folders, their folders in
// /dev/shm, and running processes. Considers only files and processes of this user whose owner is
// known to have ended (configs/base/folder_owner.h). Thread-safe.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace understudy::launcher {

struct OrphanPod {
  std::string run_folder;
  std::vector<std::int64_t> pids;
};
// Processes of this user that belong to a run whose launcher has ended.
std::vector<OrphanPod> orphan_pods();
// "kill -9 12 13 14"
std::string remedy_for(const OrphanPod& pod);

struct Orphans {
  std::vector<std::string> removed;  // folders
  std::vector<OrphanPod> alive;      // still running; their folders are kept
};
// Removes the folders in `bases` whose owner has ended.
Orphans remove_orphans(const std::vector<std::string>& bases);
// One line for the removed folders, one per pod that still runs; empty if there are none.
std::vector<std::string> orphan_lines(const Orphans& orphans);
// Logs the same lines.
void report_orphans(const Orphans& orphans);

}  // namespace understudy::launcher
