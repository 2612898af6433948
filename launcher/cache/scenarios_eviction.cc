// SPDX-License-Identifier: Apache-2.0

#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <sys/file.h>
#include <thread>
#include <unistd.h>

#include "cache/housekeeping.h"
#include "cache/owner.h"
#include "cache/store.h"
#include "launcher/cache/scenario_world.h"
#include "launcher/cache/scenarios.h"

namespace understudy::launcher {
namespace {

using configs::ScenarioSide;
using World = ScenarioWorld;

namespace fs = std::filesystem;

cache::CacheRequest bounded(const World& world, const std::string& discipline,
                            std::uint64_t entries) {
  constexpr std::uint64_t kEntryBytes = 17 * 1024;  // of a CompileRequest, with its envelope
  cache::CacheRequest request = world.request(discipline);
  request.max_bytes = entries * kEntryBytes;
  return request;
}

// ---- C6: the entry is evicted between the lookup and the read

ScenarioSide c6_unsafe(World& world) {
  const cache::CacheRequest asked = world.request("shared:none");
  const std::string entry = world.entry_path(asked);
  world.play([&](Heard& heard) { obtain(heard, asked, {0}); });
  const Heard reader = world.play([&](Heard& heard) {
    cache::FileFaults faults;
    faults.on_operation = [&](cache::FileOperation operation, const std::string& path) {
      // Runs between the lookup and the read, at the moment at which an eviction does the harm.
      if (operation == cache::FileOperation::read && path == entry) ::unlink(entry.c_str());
      return 0;
    };
    obtain(heard, asked, {0}, faults);
  });
  return {"shared:none", reader.said().find("No such file") != std::string_view::npos,
          std::string(reader.said())};
}
ScenarioSide c6_safe(World& world) {
  const cache::CacheRequest asked = world.request("per-host");
  const std::string entry = world.entry_path(asked);
  world.play([&](Heard& heard) { obtain(heard, asked, {0}); });
  const int reader = ::open(entry.c_str(), O_RDONLY | O_CLOEXEC);  // as a reader in mid-read
  // The same lock that a reading store takes; eviction must see it as held.
  ::flock(reader, LOCK_SH);
  const auto store = cache::open_disk_store(cache::machine_files(), fs::path(entry).parent_path(),
                                            cache::StoreMode::read_write);
  const std::int64_t while_read = store->evict(0, "");
  ::close(reader);
  const std::int64_t afterwards = store->evict(0, "");
  const Heard next = world.play([&](Heard& heard) { obtain(heard, asked, {0}); });
  return {"per-host",
          while_read == 0 && afterwards == 1 && next.compiles == 1 && next.said().empty(),
          fmt::format("evicted during a read: {}, afterwards: {}; the next reader had a "
                      "plain miss",
                      while_read, afterwards)};
}

// ---- C7: the size limit has room for 3 of 5 programs

ScenarioSide storm(World& world, const std::string& discipline) {
  const Heard one = world.play([&](Heard& heard) {
    cache::CompileCache cache(bounded(world, discipline, 3));
    for (int pass = 0; pass < 3; ++pass)
      for (std::int64_t key = 0; key < 5; ++key) obtain(heard, cache, {key});
  });
  const bool told = one.said().find("thrashes") != std::string_view::npos;
  // Least-recently-used order with 5 programs in rotation and room for 3 evicts each before its
  // next use.
  return {discipline, one.hits == 0 && told,
          fmt::format("{} hits in {} requests. {}", one.hits, one.requests,
                      told ? one.said() : "no warning")};
}
ScenarioSide c7_unsafe(World& world) {
  // A new cache object per request forgets what it has seen, so it cannot detect the thrashing.
  const Heard one = world.play([&](Heard& heard) {
    for (int pass = 0; pass < 3; ++pass)
      for (std::int64_t key = 0; key < 5; ++key)
        obtain(heard, bounded(world, "shared:directory", 3), {key});
  });
  return {"shared:directory", one.hits == 0 && one.said().empty(),
          fmt::format("{} hits in {} requests and no warning", one.hits, one.requests)};
}
ScenarioSide c7_safe(World& world) { return storm(world, "per-host"); }

// ---- C18: one host clears the cache while others run

// Unsafe: one host deletes the folder. Safe: `cache prune`, which keeps entries and the temporary
// file of a running process.
ScenarioSide cleared(World& world, bool safely) {
  const auto asked = [&] { return world.request(safely ? "per-host" : "shared:process"); };
  world.play([&](Heard& heard) {
    for (std::int64_t key = 0; key < 4; ++key) obtain(heard, asked(), {key});
  });
  const std::string folder = cache::CompileCache(asked()).folder();
  cache::machine_files().write_new(cache::temporary_for(folder + "/at-work"), "x", cache::Sync::no);
  std::size_t kept = 0;
  if (safely) {
    kept = cache::prune(cache::machine_files(), folder, {true, 0}).kept.size();
  } else {
    fs::remove_all(folder);
  }
  const Heard others = world.play([&](Heard& heard) {
    for (std::int64_t key = 0; key < 4; ++key) obtain(heard, asked(), {key});
  });
  return {safely ? "per-host, prune" : "shared:process, clear",
          safely ? others.hits == 4 && kept == 1 : others.compiles == 4,
          fmt::format("the other hosts had {} hits and compiled {} times{}", others.hits,
                      others.compiles,
                      safely ? fmt::format("; {} file of a running process was kept", kept) : "")};
}
ScenarioSide c18_unsafe(World& world) { return cleared(world, false); }
ScenarioSide c18_safe(World& world) { return cleared(world, true); }

// ---- C21: thousands of tiny entries

// Entries are faked as small files: only the number of files matters to a policy that scans the
// folder.
Heard write_beside_many(World& world, const std::string& discipline) {
  constexpr int kEntries = 3000;
  const std::string folder = cache::CompileCache(world.request(discipline)).folder();
  fs::create_directories(folder);
  for (int i = 0; i < kEntries; ++i) {
    const std::string entry = fmt::format("{}/{:032}{}", folder, i, cache::kEntrySuffix);
    for (const std::string& path : {entry, entry + std::string(cache::kAccessTimeSuffix)}) {
      const int file = ::open(path.c_str(), O_CREAT | O_WRONLY | O_CLOEXEC, 0644);
      if (file < 0 || ::write(file, "12345678", 8) != 8) break;
      ::close(file);
    }
  }
  return world.play([&](Heard& heard) {
    cache::FileFaults faults;  // counts the file operations of one write
    faults.on_operation = [&heard](cache::FileOperation, const std::string&) {
      ++heard.note;
      return 0;
    };
    obtain(heard, world.request(discipline), {0}, faults);
  });
}
ScenarioSide many_entries(World& world, const std::string& discipline, bool suffers) {
  const Heard one = write_beside_many(world, discipline);
  // A write touches the entry, its temporary file and the lock; the bound leaves room for a retry.
  constexpr std::int64_t kFew = 100;
  return {discipline, one.writes == 1 && (suffers ? one.note > 3000 : one.note < kFew),
          fmt::format("one write among 3000 entries: {} file operations, {:.1f} ms", one.note,
                      1e3 * one.write_seconds)};
}
ScenarioSide c21_unsafe(World& world) { return many_entries(world, "shared:directory", true); }
ScenarioSide c21_safe(World& world) { return many_entries(world, "per-host", false); }

// ---- C22: a host whose clock is an hour behind

// The entry with the newest content gets an access time one hour in the past. Eviction by the
// writers' clocks then removes it first.
ScenarioSide skewed(World& world, const std::string& discipline, bool suffers) {
  const auto behind = [&](std::int64_t key) {
    world.play([&world, &discipline, key](Heard& heard) {
      constexpr std::int64_t kHourNs = 3'600'000'000'000;
      cache::CacheRequest request = bounded(world, discipline, 3);
      request.clock_offset_ns = -kHourNs;
      obtain(heard, request, {key});
    });
  };
  const auto right = [&](std::int64_t key) {
    world.play([&world, &discipline, key](Heard& heard) {
      obtain(heard, bounded(world, discipline, 3), {key});
    });
  };
  right(1);
  right(2);
  behind(0);  // the newest entry; by its clock it is one hour older than all others
  right(3);   // the limit of 3 entries forces one eviction
  const bool there = fs::exists(world.entry_path(world.request(discipline), 0));
  return {discipline, there != suffers,
          fmt::format("the newest entry, written by the host whose clock is behind, is {}",
                      there ? "kept" : "evicted first")};
}
ScenarioSide c22_unsafe(World& world) { return skewed(world, "shared:directory", true); }
ScenarioSide c22_safe(World& world) { return skewed(world, "per-host", false); }

}  // namespace

std::span<const Scenario> eviction_scenarios() {
  static constexpr Scenario kAll[] = {
      {"C6", "an entry is evicted while another process loads it",
       "a read fails although the entry existed", "entries in use stay; otherwise a plain miss",
       c6_unsafe, c6_safe},
      {"C7", "an eviction storm: the size limit is below the working set", "no hits and no warning",
       "the cache warns that it thrashes", c7_unsafe, c7_safe},
      {"C18", "one host clears the cache while others run", "all other hosts miss",
       "prune keeps all files that a pod uses", c18_unsafe, c18_safe},
      {"C21", "thousands of tiny entries", "each write scans all entries",
       "a write accesses only its own entry", c21_unsafe, c21_safe},
      {"C22", "a clock that is one hour behind, and eviction by time",
       "the entries of that host are evicted first", "the file system's clock decides the order",
       c22_unsafe, c22_safe},
  };
  return kAll;
}

}  // namespace understudy::launcher
