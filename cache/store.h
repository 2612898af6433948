// SPDX-License-Identifier: Apache-2.0
// Named byte strings. DiskStore for runs: entries appear whole or not at all, readers take no lock.
// PlainStore emulates systems that write directly to the final name. MemoryStore for tests.
// Several processes may use one store. Names are file names without a slash or a leading dot.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "cache/file_system.h"

namespace understudy::cache {

// Implementations decide what a reader may see while another process writes.
class Store {
 public:
  virtual ~Store() = default;
  // nullopt: there is no such entry. *Throws* Error{system} if it cannot be read, Error{input} if
  // it is not a regular file or too large.
  virtual std::optional<FileBytes> read(const std::string& name) = 0;
  // Publishes all of it under `name`, over an older entry. False: an existing entry stays
  // (PlainStore). *Throws* Error{system}; nothing is published then.
  virtual bool write(const std::string& name, Pieces pieces) = 0;
  bool write(const std::string& name, std::string_view bytes) {
    return write(name, Pieces(&bytes, 1));
  }
  // The same for notes that matter only while a process waits: not forced to the disk.
  virtual void mark(const std::string& name, const std::string& bytes) { write(name, bytes); }
  // Removes the markers (kMarkerSuffix) that this object wrote and that are still there.
  virtual void remove_own_markers() noexcept {}
  // Renames an entry so that it is not read again; returns its new path. A missing entry is not an
  // error. *Throws* Error{system}.
  virtual std::string quarantine(const std::string& name) = 0;
  virtual void remove(const std::string& name) = 0;
  // The errno with which this user may not write here (0: it may), or read an entry that is there.
  virtual int write_refusal() { return 0; }
  virtual int read_refusal(const std::string& /*name*/) { return 0; }
  // Records that the entry was used now.
  virtual void mark_used(const std::string& /*name*/) noexcept {}
  // Evicts the least recently used entries until all entries together have at most `max_bytes`;
  // never an entry that is being read, nor `keep`. Returns the number of evicted entries. *Throws*
  // Error{system}.
  virtual std::int64_t evict(std::uint64_t /*max_bytes*/, const std::string& /*keep*/) { return 0; }
};

enum class StoreMode : std::uint8_t { read_write, read_only };

// A folder, created by the first write. Entries are written to a temporary name and renamed.
// read_only: a write is a broken invariant, nothing is ever created, and `also` are searched after
// `directory`. Thread-safe. *Throws* Error{system} with the folder and the reason if it cannot
// be used.
std::unique_ptr<Store> open_disk_store(FileSystem& files, const std::string& directory,
                                       StoreMode mode, std::vector<std::string> also = {});

// How JAX and torch_xla store entries: no temporary, no rename, no sync, and an entry that exists
// is never written again.
struct PlainStoreOptions {
  // Beside each entry a file with the time of its last use by the writer's clock; a write looks at
  // all of them first, and fails where one is missing (JAX with a size limit).
  bool keeps_access_times = false;
  std::uint64_t max_bytes = 0;       // with access times: evicts down to it; 0: no limit
  std::int64_t clock_offset_ns = 0;  // error of this process's clock
};
std::unique_ptr<Store> open_plain_store(FileSystem& files, const std::string& directory,
                                        const PlainStoreOptions& options);

// Thread-safe.
class MemoryStore : public Store {
 public:
  std::optional<FileBytes> read(const std::string& name) override;
  using Store::write;
  bool write(const std::string& name, Pieces pieces) override;
  std::string quarantine(const std::string& name) override;
  void remove(const std::string& name) override;

 private:
  std::mutex mutex_;
  std::map<std::string, std::string> entries_;  // guarded by mutex_
};

// Names in a cache folder.
inline constexpr std::string_view kEntrySuffix = ".entry";
inline constexpr std::string_view kQuarantineSuffix = ".quarantined";
inline constexpr std::string_view kAccessTimeSuffix = ".atime";
// Notes with an owner: the process that compiles an entry for others (a lease); the process that
// compiled but could not publish the entry (a marker).
inline constexpr std::string_view kLeaseSuffix = ".compiling";
inline constexpr std::string_view kMarkerSuffix = ".unpublished";
inline constexpr std::string_view kEvictionLock = ".evicting";

}  // namespace understudy::cache
