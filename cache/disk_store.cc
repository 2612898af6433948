// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cerrno>
#include <mutex>
#include <set>
#include <utility>

#include "cache/folder.h"
#include "cache/owner.h"
#include "cache/store.h"
#include "configs/base/error.h"

namespace understudy::cache {
namespace {

// Entries are immutable: each is written to a temporary name and renamed over its final name. A
// reader opens the old entry, the new one or none, and needs no lock.
class DiskStore : public Store {
 public:
  DiskStore(FileSystem& files, std::string directory, StoreMode mode, std::vector<std::string> also)
      : files_(files), directory_(std::move(directory)), mode_(mode), also_(std::move(also)) {
    if (mode_ == StoreMode::read_write) files_.make_directories(directory_);
  }

  std::optional<FileBytes> read(const std::string& name) override {
    // A note of the size of an entry is not one of ours: reading it would only cost memory.
    const bool is_note = name.ends_with(kLeaseSuffix) || name.ends_with(kMarkerSuffix);
    // Notes are read before their owner is known, so their size is bounded.
    const std::uint64_t most = is_note ? kMostNoteBytes : kMostEntryBytes;
    std::optional<FileBytes> bytes = files_.read(path_of(name), most);
    // Further folders, in the order of the policy; the first hit wins.
    for (std::size_t i = 0; !bytes && i < also_.size(); ++i)
      bytes = files_.read(also_[i] + "/" + name, most);
    return bytes;
  }

  int write_refusal() override {
    const int code = cache::write_refusal(directory_);
    // A mount that is read-only on this host may be writable for the process that publishes.
    return mode_ == StoreMode::read_only && code == EROFS ? 0 : code;
  }
  int read_refusal(const std::string& name) override { return cache::read_refusal(path_of(name)); }

  bool write(const std::string& name, Pieces pieces) override {
    publish(name, pieces, Sync::soon);
    return true;
  }

  void mark(const std::string& name, const std::string& bytes) override {
    const std::string_view piece = bytes;
    publish(name, Pieces(&piece, 1), Sync::no);
    const std::scoped_lock held(markers_lock_);
    if (name.ends_with(kMarkerSuffix)) markers_.insert(name);
  }

  void remove_own_markers() noexcept override {
    const std::scoped_lock held(markers_lock_);
    for (const std::string& name : markers_) {
      try {
        files_.remove(path_of(name));
      } catch (const Error&) {
        continue;  // the next process that compiles this program, or `cache prune`, removes it
      }
    }
    markers_.clear();
  }

  std::string quarantine(const std::string& name) override {
    UNDERSTUDY_ASSERT(mode_ == StoreMode::read_write);
    const std::string from = path_of(name), to = from + std::string(kQuarantineSuffix);
    // Several processes may quarantine the same entry; only the first finds it.
    // The second process finds nothing, and reports the same place.
    if (files_.status(from)) files_.rename(from, to);
    return to;
  }

  void remove(const std::string& name) override {
    UNDERSTUDY_ASSERT(mode_ == StoreMode::read_write);
    files_.remove(path_of(name));
  }

  void mark_used(const std::string& name) noexcept override { files_.mark_used(path_of(name)); }

  std::int64_t evict(std::uint64_t max_bytes, const std::string& keep) override {
    // One eviction at a time is enough; other processes skip theirs.
    const auto sweep = files_.try_lock(directory_ + "/" + std::string(kEvictionLock));
    if (sweep == nullptr) return 0;
    struct Entry {
      std::int64_t used_ns;
      std::string path;
      std::uint64_t bytes;
      // Least recently used first.
      bool operator<(const Entry& other) const { return used_ns < other.used_ns; }
    };
    // The folder is listed once; entries that appear or vanish meanwhile are tolerated.
    std::vector<Entry> entries;
    std::uint64_t all = 0;
    for (const std::string& name : files_.list(directory_)) {
      if (!name.ends_with(kEntrySuffix)) continue;
      const std::optional<FileStatus> status = files_.status(path_of(name));
      if (!status) continue;
      all += status->bytes;
      // The entry just published must survive its own eviction, however small the limit.
      if (name != keep)
        entries.push_back(
            {std::max(status->used_ns, status->modified_ns), path_of(name), status->bytes});
    }
    std::sort(entries.begin(), entries.end());
    std::int64_t gone = 0;
    for (std::size_t i = 0; i < entries.size() && all > max_bytes; ++i) {
      // Being read, or another user's: it stays, and the next oldest is tried.
      if (!files_.remove_unless_open(entries[i].path)) continue;
      all -= entries[i].bytes;
      ++gone;
    }
    return gone;
  }

 private:
  void publish(const std::string& name, Pieces pieces, Sync sync) {
    UNDERSTUDY_ASSERT(mode_ == StoreMode::read_write);
    const std::string temporary = temporary_for(path_of(name));
    try {
      files_.write_new(temporary, pieces, sync);
    } catch (const Error&) {
      // Another process may have removed the whole folder; create it again, once.
      if (files_.status(directory_)) throw;
      files_.make_directories(directory_);
      files_.write_new(temporary, pieces, sync);
    }
    try {
      // Atomic, also on NFS. The temporary is in the same folder, so it is the same file system.
      files_.rename(temporary, path_of(name));
    } catch (const Error&) {
      files_.remove(temporary);
      throw;
    }
  }

  std::string path_of(const std::string& name) const { return directory_ + "/" + name; }

  FileSystem& files_;
  std::string directory_;
  StoreMode mode_;
  std::vector<std::string> also_;
  std::mutex markers_lock_;
  std::set<std::string> markers_;  // written by this object
};

}  // namespace

std::unique_ptr<Store> open_disk_store(FileSystem& files, const std::string& directory,
                                       StoreMode mode, std::vector<std::string> also) {
  return std::make_unique<DiskStore>(files, directory, mode, std::move(also));
}

}  // namespace understudy::cache
