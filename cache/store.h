// SPDX-License-Identifier: Apache-2.0
// Named byte strings. DiskStore for runs: entries appear whole or not at all, readers take no lock.
// PlainStore re-enacts systems that write straight to the final name. MemoryStore for tests.
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

class Store {
 public:
  virtual ~Store() = default;
  // nullopt: there is no such entry. *Throws* Error{system} where it cannot be read, Error{input}
  // where it is no regular file or too large.
  virtual std::optional<FileBytes> read(const std::string& name) = 0;
  // Publishes all of it under `name`, over an older entry. False: what is there already stays
  // (PlainStore). *Throws* Error{system}; nothing is published then.
  virtual bool write(const std::string& name, Pieces pieces) = 0;
  bool write(const std::string& name, std::string_view bytes) {
    return write(name, Pieces(&bytes, 1));
  }
  // The same for what matters only while somebody waits: it need not come to the disk.
  virtual void mark(const std::string& name, const std::string& bytes) { write(name, bytes); }
  // Moves an entry aside so that nobody reads it again; returns where it lies now. An entry that
  // is gone already is no error. *Throws* Error{system}.
  virtual std::string quarantine(const std::string& name) = 0;
  virtual void remove(const std::string& name) = 0;
  // The errno with which this user may not write here (0: it may), or read an entry that is there.
  virtual int write_refusal() { return 0; }
  virtual int read_refusal(const std::string& /*name*/) { return 0; }
  // Remembers that the entry was used now.
  virtual void mark_used(const std::string& /*name*/) noexcept {}
  // Removes what was used longest ago until all entries together have at most so many bytes; never
  // what somebody reads, nor `keep`. Returns how many went. *Throws* Error{system}.
  virtual std::int64_t evict(std::uint64_t /*max_bytes*/, const std::string& /*keep*/) { return 0; }
};

enum class StoreMode : std::uint8_t { read_write, read_only };

// A folder, made by the first write. Entries are written to a temporary name and renamed.
// read_only: a write is a broken invariant, nothing is ever created, and `also` are searched after
// `directory`. Thread-safe. *Throws* Error{system} naming the folder and the reason where it
// cannot be used.
std::unique_ptr<Store> open_disk_store(FileSystem& files, const std::string& directory,
                                       StoreMode mode, std::vector<std::string> also = {});

// How JAX and torch_xla keep entries: no temporary, no rename, no sync, and an entry that exists is
// never written again.
struct PlainStoreOptions {
  // Beside each entry a file with the time of its last use by the writer's clock; a write looks at
  // all of them first, and fails where one is missing (JAX with a size limit).
  bool keeps_access_times = false;
  std::uint64_t max_bytes = 0;       // with access times: evicts down to it; 0: no limit
  std::int64_t clock_offset_ns = 0;  // how wrong this process's clock is
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
inline constexpr std::string_view kTemporarySuffix = ".tmp";
inline constexpr std::string_view kQuarantineSuffix = ".quarantined";
inline constexpr std::string_view kAccessTimeSuffix = ".atime";
// Owner of who compiles an entry for others; of who compiled and could not write it.
inline constexpr std::string_view kLeaseSuffix = ".compiling";
inline constexpr std::string_view kMarkerSuffix = ".unpublished";
inline constexpr std::string_view kEvictionLock = ".evicting";

}  // namespace understudy::cache
