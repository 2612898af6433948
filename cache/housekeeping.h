// SPDX-License-Identifier: Apache-2.0
// Maintenance of a cache folder while pods use it: nothing here blocks a reader or a writer, and
// nothing that a living process needs is removed. Thread-safe.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cache/entry.h"
#include "cache/file_system.h"
#include "cache/key.h"

namespace understudy::cache {

struct EntrySeen {
  std::string path, key;  // key: of the name
  std::uint64_t bytes = 0;
  Refusal refusal = Refusal::none;
  NamedParts parts;      // empty if the entry has no valid ones
  std::string contents;  // filled by read_entry() only
};

// All entries below the folder, sorted by path. Each is read as a run reads it, but not kept in
// memory.
std::vector<EntrySeen> entries_below(FileSystem& files, const std::string& directory);
// *Throws* Error{input} if there is no such file.
EntrySeen read_entry(FileSystem& files, const std::string& path);
// The entry that `word` means: a path, or the beginning of a key in the folder.
// *Throws* Error{input} if there is none, or several.
std::string find_entry(FileSystem& files, const std::string& directory, const std::string& word);

struct PruneRules {
  bool stale = false;           // entries of other builds too
  std::uint64_t max_bytes = 0;  // of each folder; 0: no bound
};
struct Pruned {
  std::int64_t temporaries = 0, locks = 0, quarantined = 0, orphans = 0, stale = 0, evicted = 0;
  std::uint64_t bytes = 0;           // freed
  std::vector<std::string> kept;     // temporaries and locks of processes that may be alive
  std::vector<std::string> refused;  // files that could not be read or removed, with the reason
};
// Temporaries and locks of dead owners, temporaries of other machines after an hour by the file
// system's own clock, quarantined entries, access times without an entry; and what the rules say.
// Locks of other machines stay: this machine cannot tell whether they are held.
Pruned prune(FileSystem& files, const std::string& directory, const PruneRules& rules);

// A temporary, lock file, lease or marker.
struct Leftover {
  std::string path;
  std::string owner;     // "process 12 of this machine"; empty if unknown
  bool is_dead = false;  // its process is gone, or it is not a file of ours: prune() removes it
};
// All below the folder, of all processes, sorted by path.
std::vector<Leftover> leftovers_below(FileSystem& files, const std::string& directory);
std::int64_t count_leftovers(const std::string& directory);

}  // namespace understudy::cache
