// SPDX-License-Identifier: Apache-2.0
// Answers of the TPU compiler in the subfolder `preflight` of the compile cache. Entries have the
// envelope of cache/envelope.h, are written atomically, and are believed only if their owner is
// trusted.
#pragma once

#include <optional>

#include "cache/key.h"
#include "launcher/partition/derived_cache.h"
#include "launcher/preflight/compiler_process.h"

namespace understudy::launcher {

// nullopt: no entry, or one that is damaged, of another user, or for another key.
std::optional<CompilerReply> find_answer(const CacheChoice& cache, const cache::NamedParts& key);
// Without effect if the policy or the folder does not allow it: the answer is given all the same.
void keep_answer(const CacheChoice& cache, const cache::NamedParts& key,
                 const CompilerReply& reply);

}  // namespace understudy::launcher
