// SPDX-License-Identifier: Apache-2.0
// The plan of a stress run as ranks use it, and the place of each process in it. Values and pure
// functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "cache/compile_cache.h"
#include "cache/stress_faults.h"
#include "configs/base/deadline.h"
#include "configs/launch/stress_plan.h"

namespace understudy::worker {

struct StressSetup {
  configs::StressPlan plan;
  cache::StressFaults faults;
  configs::StressDiscipline discipline;  // the current one
  std::string directory;                 // its caches
};
// Without a discipline. *Throws* Error{usage} for an unknown fault.
StressSetup setup_of(const configs::StressPlan& plan);

struct Contender {
  std::int64_t number = 0, host = 0;
  std::int64_t life = 0;  // how often it was started
  bool host_leader = false, pod_leader = false, may_write = true;
};
Contender contender_at(const StressSetup& setup, std::int64_t number);

// Number of the contender's folder: contenders of one folder share their counts of compiles.
// Without a cache each contender counts alone.
std::size_t folders_of(const StressSetup& setup);
// The keeper of the contender's folder: the lowest contender that uses it.
bool keeps_folder(const StressSetup& setup, const Contender& contender);
// The folder's path; empty: no cache.
std::string folder_path(const StressSetup& setup, const Contender& contender);

cache::CacheRequest request_of(const StressSetup& setup, const Contender& contender);
// The file name of its entry.
std::string entry_file(std::int64_t key);

}  // namespace understudy::worker
