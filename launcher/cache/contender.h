// SPDX-License-Identifier: Apache-2.0
// One process of a stress run: obtains every key through the cache and tells its slot. It stands
// for a worker at start-up, with a slept compile and an executable that is told apart by its key.
#pragma once

#include <cstdint>
#include <string>

#include "cache/compile_cache.h"
#include "launcher/cache/slots.h"
#include "launcher/cache/stress.h"

namespace understudy::launcher {

// Where a process of a stress run stands.
struct Contender {
  std::int64_t number = 0, host = 0, life = 0;
  bool host_leader = false, pod_leader = false, may_write = true;
};
Contender contender_at(const StressSetup& setup, std::int64_t number);

// Folders of a policy: what share counts of compiles. *off* and the like have one for each process.
std::size_t folders_of(const StressSetup& setup, const Discipline& discipline);
std::size_t folder_of(const StressSetup& setup, const Discipline& discipline,
                      const Contender& contender);

cache::CacheRequest request_of(const StressSetup& setup, const Discipline& discipline,
                               const Contender& contender);
cache::KeyParts key_parts(std::int64_t key);
program::Executable stand_in(std::int64_t key, std::uint64_t bytes);

// Waits for the start, obtains all keys in order, returns the exit code of the process.
int contend(const StressSetup& setup, const Discipline& discipline, const Contender& contender,
            SharedPage& page);

}  // namespace understudy::launcher
