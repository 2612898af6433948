// SPDX-License-Identifier: Apache-2.0
#include "cache/housekeeping.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <set>
#include <utility>

#include "cache/folder.h"
#include "cache/lock.h"
#include "cache/owner.h"
#include "cache/store.h"
#include "configs/base/error.h"

namespace understudy::cache {
namespace {

namespace fs = std::filesystem;

// One hour: temporaries of other machines, whose processes cannot be checked from here, are then
// removed. No write takes that long.
constexpr std::int64_t kAbandonedNs = 3'600'000'000'000;

std::string stem_of(const std::string& path, std::string_view suffix) {
  const std::string name = path.substr(path.rfind('/') + 1);
  return name.substr(0, name.size() - suffix.size());
}

// All files below, sorted. Links are listed, not followed.
std::vector<std::string> files_below(const std::string& directory) {
  std::vector<std::string> paths;
  std::error_code code;
  const auto options = fs::directory_options::skip_permission_denied;
  fs::recursive_directory_iterator it(directory, options, code), end;
  // Errors end the walk or skip one file; a folder that other hosts use changes all the time.
  for (; !code && it != end; it.increment(code)) {
    std::error_code gone;
    if (it->symlink_status(gone).type() != fs::file_type::directory) paths.push_back(it->path());
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

bool is_temporary(const std::string& path) {
  // The leading dot is part of the name that temporary_for() makes.
  return path.ends_with(kTemporarySuffix) && path.substr(path.rfind('/') + 1).starts_with('.');
}

bool is_lock(const std::string& path) {
  return path.ends_with(kLockSuffix) || path.ends_with(kLeaseSuffix) ||
         path.ends_with(kMarkerSuffix);
}

EntrySeen seen_of(const std::string& path, std::string_view contents) {
  EntrySeen seen;
  seen.path = path;
  seen.key = stem_of(path, kEntrySuffix);
  seen.bytes = contents.size();
  const Opened opened = load_entry(contents).opened;
  seen.refusal = opened.refusal;
  seen.parts = opened.parts;
  // The file name must be the key: an entry copied to another name would answer for another
  // program.
  const bool whole = opened.refusal == Refusal::none || opened.refusal == Refusal::stale;
  if (whole && opened.key != seen.key) seen.refusal = Refusal::wrong_key;
  return seen;
}

EntrySeen refused(const std::string& path, Refusal refusal) {
  EntrySeen seen;
  seen.path = path;
  seen.key = stem_of(path, kEntrySuffix);
  seen.refusal = refusal;
  return seen;
}

// The entry as a run with this cache folder would see it; nullopt: it was removed meanwhile.
std::optional<EntrySeen> look_at(FileSystem& files, const std::string& directory,
                                 const std::string& path) {
  try {
    const std::optional<FileBytes> contents = files.read(path);
    if (!contents) return std::nullopt;
    EntrySeen seen = seen_of(path, *contents);
    const bool believed = !contents->owner || (!contents->owner->everybody_writes &&
                                               // Names of --set cache.trust are not known here, so
                                               // their entries show as untrusted.
                                               is_trusted(contents->owner->user, directory, {}));
    if (seen.refusal == Refusal::none && !believed) seen.refusal = Refusal::untrusted;
    return seen;
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::input) return refused(path, Refusal::special);
    if (read_refusal(path) != 0) return refused(path, Refusal::unreadable);
    throw;
  }
}

// A lock or note that is not a regular file cannot be ours: it counts as dead.
Leftover leftover_at(FileSystem& files, const std::string& path) {
  Leftover left{path, "", false};
  std::optional<Owner> owner;
  try {
    if (is_temporary(path)) {
      owner = owner_of_temporary(path.substr(path.rfind('/') + 1));
    } else if (const auto text = files.read(path, kMostNoteBytes)) {
      owner = parse_owner(*text);
    }
  } catch (const Error& error) {
    left.is_dead = error.kind() == ErrorKind::input;
  }
  if (!owner) return left;
  left.owner = words_for_owner(text_of(*owner));
  left.is_dead = is_dead(*owner);
  return left;
}

class Pruner {
 public:
  Pruner(FileSystem& files, std::string directory, const PruneRules& rules)
      : files_(files), directory_(std::move(directory)), rules_(rules) {}

  // The list is taken once. Files that appear later are not touched, files that vanish are skipped.
  Pruned run() {
    const std::vector<std::string> paths = files_below(directory_);
    // Access times are kept or removed together with their entries.
    const std::set<std::string> known(paths.begin(), paths.end());
    std::set<std::string> folders;
    for (const std::string& path : paths) {
      folders.insert(path.substr(0, path.rfind('/')));
      unless_refused([&] { prune_file(path, known); });
    }
    // After the single files, so that dead ones do not count for the limit.
    for (const std::string& folder : folders) unless_refused([&] { evict(folder); });
    return std::move(pruned_);
  }

 private:
  // A file that this user may not remove is reported; the others are still processed.
  template <class Act>
  void unless_refused(const Act& act) {
    try {
      act();
    } catch (const Error& error) {
      pruned_.refused.push_back(error.message());
    }
  }

  void prune_file(const std::string& path, const std::set<std::string>& known) {
    if (is_temporary(path)) prune_temporary(path);
    if (is_lock(path)) prune_lock(path);
    if (path.ends_with(kQuarantineSuffix)) remove(path, pruned_.quarantined);
    if (path.ends_with(kAccessTimeSuffix) && !known.contains(entry_of(path)))
      remove(path, pruned_.orphans);
    if (rules_.stale && path.ends_with(kEntrySuffix)) prune_stale(path);
  }

  static std::string entry_of(const std::string& access_time) {
    return access_time.substr(0, access_time.size() - kAccessTimeSuffix.size());
  }

  void remove(const std::string& path, std::int64_t& count) {
    const auto status = files_.status(path);
    if (!files_.remove(path)) return;
    ++count;
    pruned_.bytes += status ? status->bytes : 0;
  }

  void prune_temporary(const std::string& path) {
    const auto owner = owner_of_temporary(path.substr(path.rfind('/') + 1));
    // Certain by the owner, or old enough to be abandoned.
    if ((owner && is_dead(*owner)) || is_abandoned(path, owner)) {
      remove(path, pruned_.temporaries);
    } else if (files_.status(path)) {
      pruned_.kept.push_back(path);
    }
  }

  void prune_lock(const std::string& path) {
    // Leases and markers have the same content as locks, and the same rule: they go only when their
    // owner is dead.
    if (break_dead_lock(files_, path)) {
      ++pruned_.locks;
    } else if (files_.status(path)) {
      pruned_.kept.push_back(path);
    }
  }

  // By the file system's own clock, read from a new file of ours: the clocks of the hosts may
  // differ.
  bool is_abandoned(const std::string& path, const std::optional<Owner>& owner) {
    // On this machine a living owner is certain, however old the file is.
    if (owner && owner->machine == this_process().machine) return false;
    const auto status = files_.status(path);
    return status && now_ns(path) - status->modified_ns > kAbandonedNs;
  }

  std::int64_t now_ns(const std::string& beside) {
    const std::string probe = temporary_for(beside);
    files_.write_new(probe, "", Sync::no);
    const auto status = files_.status(probe);
    files_.remove(probe);
    return status ? status->modified_ns : 0;
  }

  void prune_stale(const std::string& path) {
    // Folders and links are never entries.
    const std::optional<FileStatus> status = files_.status(path);
    if (!status || !status->is_regular) return;
    const std::optional<FileBytes> contents = files_.read(path);
    if (!contents) return;
    const Refusal refusal = open(*contents).refusal;
    if (refusal != Refusal::stale && refusal != Refusal::other_format) return;
    // A run of another build may be reading it.
    if (!files_.remove_unless_open(path)) return;
    ++pruned_.stale;
    pruned_.bytes += contents->size();
  }

  void evict(const std::string& folder) {
    if (rules_.max_bytes == 0) return;
    const auto store = open_disk_store(files_, folder, StoreMode::read_write);
    pruned_.evicted += store->evict(rules_.max_bytes, "");
  }

  FileSystem& files_;
  std::string directory_;
  PruneRules rules_;
  Pruned pruned_;
};

}  // namespace

std::vector<EntrySeen> entries_below(FileSystem& files, const std::string& directory) {
  std::vector<EntrySeen> all;
  for (const std::string& path : files_below(directory)) {
    if (!path.ends_with(kEntrySuffix)) continue;
    if (auto seen = look_at(files, directory, path)) all.push_back(std::move(*seen));
  }
  return all;
}

EntrySeen read_entry(FileSystem& files, const std::string& path) {
  const std::optional<FileBytes> contents = files.read(path);
  if (!contents) throw Error(ErrorKind::input, fmt::format("cannot read {}: no such entry", path));
  EntrySeen seen = seen_of(path, *contents);
  seen.contents = contents->view();
  return seen;
}

// The beginning of a key is enough if it is unique; the same key in several folders is one key.
std::string find_entry(FileSystem& files, const std::string& directory, const std::string& word) {
  if (files.status(word)) return word;
  std::vector<std::string> found;
  for (const std::string& path : files_below(directory))
    if (path.ends_with(kEntrySuffix) && stem_of(path, kEntrySuffix).starts_with(word))
      found.push_back(path);
  std::set<std::string> keys;
  for (const std::string& path : found) keys.insert(stem_of(path, kEntrySuffix));
  if (keys.size() == 1) return found.front();
  Error error(ErrorKind::input, keys.empty() ? fmt::format("no entry {} in {}", word, directory)
                                             : fmt::format("{} keys in {} begin with {}",
                                                           keys.size(), directory, word));
  throw error.note("understudy cache ls lists the entries");
}

Pruned prune(FileSystem& files, const std::string& directory, const PruneRules& rules) {
  return Pruner(files, directory, rules).run();
}

std::vector<Leftover> leftovers_below(FileSystem& files, const std::string& directory) {
  std::vector<Leftover> all;
  for (const std::string& path : files_below(directory))
    if (is_temporary(path) || is_lock(path)) all.push_back(leftover_at(files, path));
  return all;
}

std::int64_t count_leftovers(const std::string& directory) {
  return std::ranges::count_if(files_below(directory), [](const std::string& path) {
    return is_temporary(path) || is_lock(path);
  });
}

}  // namespace understudy::cache
