// SPDX-License-Identifier: Apache-2.0
// Entries beside the executables of a compile cache: what another program (XLA's partitioner, the
// TPU compiler) answers, kept under a key of everything that the answer depends on. An entry is
// sealed and read like an executable's (cache/envelope.h), its payload is one frame (wire.h).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cache/key.h"
#include "launcher/partition/wire.h"

namespace understudy::launcher {

struct CacheChoice {
  std::string folder;  // of the compile cache
  std::string policy = "per-host";
  std::vector<std::string> trust = {};  // more users whose entries are accepted
};

// Where entries of a kind are: the subfolder of the cache, and the suffix of their files. Not the
// suffix of executables: the verbs of the cache list those only.
struct DerivedKind {
  std::string_view folder, suffix;
  // How a frame stores an answer. It is a part of the key, so that an entry of another encoding,
  // older or newer, is not found. Give it another value whenever a header or payload is written or
  // understood in another way.
  std::string_view encoding;
};

// nullopt: no entry, or one that is damaged, of another user, or for another key. An answer does
// not depend on the build of understudy, so an entry of another build is as good.
std::optional<Frame> find_derived(const CacheChoice& cache, const DerivedKind& kind,
                                  const cache::NamedParts& question);
// Without effect if the policy or the folder does not allow it: the answer is made again.
void keep_derived(const CacheChoice& cache, const DerivedKind& kind,
                  const cache::NamedParts& question, const Frame& frame);

}  // namespace understudy::launcher
