// SPDX-License-Identifier: Apache-2.0
// The first level of the compile cache: global-view programs and the per-chip programs that were
// made of them, in the subfolder `partitioned` of the cache folder. Entries have the envelope of
// cache/envelope.h, are written atomically, and are believed only if their owner is trusted.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cache/key.h"
#include "launcher/partition/derived_cache.h"
#include "program/partitioner.h"

namespace understudy::launcher {

// Everything that the answer depends on. `helper`: digest of the helper's sources; `version`: the
// version of jaxlib that it is pinned to.
cache::NamedParts partition_key(const program::PartitionRequest& request,
                                const std::vector<std::string>& xla_flags,
                                const std::string& helper, const std::string& version);

// nullopt: no entry, or one that is damaged, of another user, or for another key.
std::optional<program::PerChipProgram> find_partitioned(const CacheChoice& cache,
                                                        const cache::NamedParts& key);
// Without effect if the policy or the folder does not allow it: the program runs all the same.
void keep_partitioned(const CacheChoice& cache, const cache::NamedParts& key,
                      const program::PerChipProgram& made);

}  // namespace understudy::launcher
