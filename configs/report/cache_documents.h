// SPDX-License-Identifier: Apache-2.0
// The --json output of `understudy cache ls`, `verify`, `explain` and `prune`. Values.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace understudy::configs {

struct CacheEntry {
  std::string path, key;
  std::uint64_t bytes = 0;
  std::string state;                         // "good", "of another build", "torn", "damaged", ...
  std::map<std::string, std::string> parts;  // of the key
};
// A temporary, lock file, lease or marker of a process.
struct CacheLeftover {
  std::string path;
  std::string owner;     // "process 12 of this machine"; empty: unknown
  bool is_dead = false;  // `cache prune` removes it
};
// understudy/cache-ls/1 and, after a verification, understudy/cache-verify/1.
std::string cache_list_json(const std::vector<CacheEntry>& entries,
                            const std::vector<CacheLeftover>& leftovers);
std::string cache_verify_json(const std::vector<CacheEntry>& entries, std::int64_t bad,
                              const std::vector<CacheLeftover>& leftovers);

struct KeyDifference {
  std::string part;
  std::optional<std::string> here, there;
};
// understudy/cache-explain/1
struct CacheExplanation {
  std::string program, key;                  // of the given program
  std::map<std::string, std::string> parts;  // of its key
  std::optional<CacheEntry> against;         // null: the cache has no entry at all
  bool hit = false;                          // the keys are equal and the entry is good
  std::vector<KeyDifference> differences;
  std::vector<std::string> details;  // differences inside the program
};
std::string to_json(const CacheExplanation& explanation);

// understudy/cache-prune/1
struct CachePrune {
  std::int64_t temporaries = 0, locks = 0, quarantined = 0, orphans = 0, stale = 0, evicted = 0;
  std::uint64_t bytes = 0;
  std::vector<std::string> kept, refused;
};
std::string to_json(const CachePrune& pruned);

}  // namespace understudy::configs
