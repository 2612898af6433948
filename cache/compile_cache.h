// SPDX-License-Identifier: Apache-2.0
// The compile cache as a worker sees it: ask for an executable, get it from an entry, from a
// neighbour or from the compiler, by the ownership rules of a policy. Thread-compatible.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "configs/base/deadline.h"
#include "configs/base/ids.h"
#include "program/executable.h"

namespace understudy::cache {

// Everything an executable depends on. No paths, times or names.
struct KeyParts {
  std::string program;  // digest of its source bytes: nobody parses what is cached
  std::string numerics;
  std::int64_t replicas = 0;
  std::string chip;  // name of the chip spec
  std::string chip_digest;
};

// 32 hexadecimal digits over the parts and build_fingerprint().
std::string key_of(const KeyParts& parts);
// Compiler, Boost, architecture and a digest of our sources: entries of another build are stale.
std::string build_fingerprint();

struct CacheRequest {
  std::string directory;  // root; entries lie under <directory>/<host>/
  std::string policy;     // "per-host", "off"
  HostId host;            // emulated host
  Rank rank;
  bool host_leader = false;  // the lowest rank of its emulated host compiles and publishes
  Seconds patience{60};      // how long a neighbour waits for the leader before it compiles itself
  std::function<void()> while_waiting;  // called between looks; may throw to end the wait
};

struct CacheOutcome {
  program::Executable executable;
  std::string key;
  bool cached = false;                // it came from an entry
  double wall_seconds = 0;            // all of it
  double compile_seconds = 0;         // in the compiler; 0 where nothing was compiled
  double wait_seconds = 0;            // for a neighbour
  std::vector<std::string> warnings;  // quarantined entries and the like
};

// *Throws* Error{usage} for an unknown policy, Error{system} for a directory that cannot be used
// (naming it and the reason), and whatever `compile` throws.
CacheOutcome obtain(const CacheRequest& request, const KeyParts& parts,
                    const std::function<program::Executable()>& compile);

std::vector<std::string_view> policy_names();

}  // namespace understudy::cache
