// SPDX-License-Identifier: Apache-2.0
// The weaknesses here are intended: they are those of the emulated systems. The envelope around
// every entry detects their effects, so a torn entry costs a compile, never a wrong result.
#include <algorithm>
#include <bit>
#include <chrono>
#include <cstring>
#include <fmt/format.h>
#include <utility>

#include "cache/store.h"
#include "configs/base/error.h"

namespace understudy::cache {
namespace {

class PlainStore : public Store {
 public:
  PlainStore(FileSystem& files, std::string directory, PlainStoreOptions options)
      : files_(files), directory_(std::move(directory)), options_(options) {
    files_.make_directories(directory_);
  }

  std::optional<FileBytes> read(const std::string& name) override {
    // Check, then read: the entry may vanish in between, which is then an error and not a miss.
    if (!files_.status(path_of(name))) return std::nullopt;
    std::optional<FileBytes> bytes = files_.read(path_of(name));
    // JAX's cache fails in this way too: an exception in place of a miss.
    if (!bytes)
      throw Error(ErrorKind::system,
                  fmt::format("cannot read {}: No such file or directory", path_of(name)));
    if (options_.keeps_access_times) write_access_time(name);
    return bytes;
  }

  bool write(const std::string& name, Pieces pieces) override {
    std::string bytes;
    for (const std::string_view piece : pieces) bytes += piece;
    // An existing entry is never replaced, even if it is damaged: later readers find it again.
    // Between this check and the write another process may write as well; both then write in place.
    if (files_.status(path_of(name))) return false;
    if (options_.keeps_access_times) make_room(bytes.size());
    files_.write_in_place(path_of(name), bytes);
    if (options_.keeps_access_times) write_access_time(name);
    return true;
  }

  // These systems have no quarantine; a bad entry can only be deleted.
  std::string quarantine(const std::string& name) override {
    files_.remove(path_of(name));
    return "nowhere";
  }

  void remove(const std::string& name) override { files_.remove(path_of(name)); }

 private:
  struct Entry {
    std::int64_t used_ns;
    std::string name;
    std::uint64_t bytes;
    bool operator<(const Entry& other) const { return used_ns < other.used_ns; }
  };

  std::string path_of(const std::string& name) const { return directory_ + "/" + name; }
  std::string access_path(const std::string& name) const {
    return path_of(name) + std::string(kAccessTimeSuffix);
  }

  // By this process's clock, as the emulated system does: a wrong clock makes its entries look new
  // or old.
  void write_access_time(const std::string& name) {
    const std::int64_t now = std::chrono::duration_cast<std::chrono::nanoseconds>(
                                 std::chrono::system_clock::now().time_since_epoch())
                                 .count() +
                             options_.clock_offset_ns;
    std::string text(sizeof(now), '\0');
    std::memcpy(text.data(), &now, sizeof(now));
    files_.write_in_place(access_path(name), text);
  }

  std::int64_t access_time(const std::string& name) {
    const std::optional<FileBytes> text = files_.read(access_path(name), kMostNoteBytes);
    if (!text)
      throw Error(ErrorKind::system,
                  fmt::format("cannot read {}: No such file or directory", access_path(name)));
    std::int64_t time = 0;
    // A note that is too short gives an old time, so its entry is evicted first.
    std::memcpy(&time, text->view().data(), std::min(sizeof(time), text->size()));
    return time;
  }

  // Scans the whole folder at every write, as JAX's LRU cache does.
  void make_room(std::uint64_t more) {
    std::vector<Entry> entries;
    std::uint64_t all = more;
    for (const std::string& name : files_.list(directory_)) {
      if (!name.ends_with(kEntrySuffix)) continue;
      const std::optional<FileStatus> status = files_.status(path_of(name));
      if (!status) throw Error(ErrorKind::system, "an entry disappeared during eviction");
      all += status->bytes;
      entries.push_back({access_time(name), name, status->bytes});
    }
    std::sort(entries.begin(), entries.end());
    for (std::size_t i = 0;
         options_.max_bytes > 0 && i < entries.size() && all > options_.max_bytes; ++i) {
      files_.remove(path_of(entries[i].name));
      files_.remove(access_path(entries[i].name));
      all -= entries[i].bytes;
    }
  }

  FileSystem& files_;
  std::string directory_;
  PlainStoreOptions options_;
};

}  // namespace

std::unique_ptr<Store> open_plain_store(FileSystem& files, const std::string& directory,
                                        const PlainStoreOptions& options) {
  return std::make_unique<PlainStore>(files, directory, options);
}

}  // namespace understudy::cache
