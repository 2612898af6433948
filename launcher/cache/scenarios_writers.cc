// SPDX-License-Identifier: Apache-2.0

#include <cerrno>
#include <csignal>
#include <filesystem>
#include <fmt/format.h>
#include <unistd.h>

#include "cache/store.h"
#include "launcher/cache/scenario_world.h"
#include "launcher/cache/scenarios.h"

namespace understudy::launcher {
namespace {

using configs::ScenarioSide;
using World = ScenarioWorld;

namespace fs = std::filesystem;

constexpr std::int64_t kWriters = 6;
// Longer than the start of all actors takes, so that all of them miss before the first has written.
constexpr Seconds kCompile{0.05};
constexpr double kSlow = 1e5;  // bytes per second: a sixth of a second for an entry

// ---- C1

// Without a lock each writer misses, compiles and writes. With an exclusive lock file the first
// compiles and all others read its entry.
ScenarioSide cold_start(World& world, const std::string& discipline, bool suffers) {
  for (std::int64_t i = 0; i < kWriters; ++i)
    world.start([&world, discipline, i](Heard& heard) {
      obtain(heard, world.request(discipline, i), {0, kCompile});
    });
  const Heard all = total(world.finish());
  return {discipline,
          suffers ? all.compiles > 1
                  : all.compiles == 1 && all.writes == 1 && all.hits == kWriters - 1 &&
                        all.bad_entries == 0,
          fmt::format("{} processes, {} compiles, {} writes, {} bad entries found", kWriters,
                      all.compiles, all.writes, all.bad_entries)};
}
ScenarioSide c1_unsafe(World& world) { return cold_start(world, "shared:none", true); }
ScenarioSide c1_safe(World& world) { return cold_start(world, "shared:exclusive-file", false); }

// ---- C2: a reader opens the entry while the writer has written only a part of it

// The reader starts as soon as the writer has written some bytes to a file with the entry suffix.
ScenarioSide slow_write(World& world, const std::string& discipline, bool suffers) {
  const std::string entry = world.entry_path(world.request(discipline));
  world.start_now(
      [&](Heard& heard) { obtain(heard, world.request(discipline), {0}, slow_writer(kSlow)); });
  const std::string folder = entry.substr(0, entry.rfind('/'));
  World::eventually([&] {
    std::error_code code;
    for (const auto& item : fs::directory_iterator(folder, code))
      // Also a temporary file of the entry, whose name contains the suffix: the safe side writes
      // there.
      if (item.file_size(code) > 0 && item.path().string().find(".entry") != std::string::npos)
        return true;
    return false;
  });
  world.start_now([&](Heard& heard) { obtain(heard, world.request(discipline, 1), {0}); });
  const Heard reader = world.finish().back();
  return {discipline,
          suffers ? reader.bad_entries > 0
                  : reader.bad_entries == 0 && reader.hits + reader.compiles == 1,
          fmt::format("the reader found {} torn and {} complete entries, and compiled {} times",
                      reader.bad_entries, reader.hits, reader.compiles)};
}
ScenarioSide c2_unsafe(World& world) { return slow_write(world, "shared:none", true); }
ScenarioSide c2_safe(World& world) { return slow_write(world, "per-host", false); }

// ---- C3: the reader deletes the entry that the writer is still writing

// A reader that finds a torn entry may delete it. If its writer is still writing to that file, the
// finished entry has no name any more.
ScenarioSide deleted_under_writer(World& world, const std::string& discipline, bool suffers) {
  const cache::CacheRequest asked = world.request(discipline);
  const std::string entry = world.entry_path(asked);
  world.start_now([&](Heard& heard) { obtain(heard, asked, {0}, slow_writer(kSlow)); });
  World::eventually([&] {
    std::error_code code;
    return fs::exists(entry, code) || fs::exists(entry.substr(0, entry.size() - 6) + ".lock", code);
  });
  world.start_now([&](Heard& heard) {
    cache::FileFaults hands_off;  // it reads and deletes, but its own write fails
    hands_off.on_operation = [](cache::FileOperation operation, const std::string& path) {
      const bool writes = operation == cache::FileOperation::create;
      return writes && path.ends_with(".entry") ? ENOSPC : 0;
    };
    obtain(heard, world.request(discipline, 1), {0}, hands_off);
  });
  const std::vector<Heard> both = world.finish();
  const bool there = fs::exists(entry);
  const Heard restart =
      world.play([&](Heard& heard) { obtain(heard, world.request(discipline, 2), {0}); });
  return {discipline,
          both[0].writes == 1 && (suffers ? !there && restart.compiles == 1
                                          : there && restart.hits == 1 && restart.compiles == 0),
          fmt::format("the writer reported {} write, the reader deleted {}; the entry is {}; the "
                      "restart compiled {} times",
                      both[0].writes, both[1].removed, there ? "present" : "missing",
                      restart.compiles)};
}
ScenarioSide c3_unsafe(World& world) { return deleted_under_writer(world, "shared:process", true); }
ScenarioSide c3_safe(World& world) {
  return deleted_under_writer(world, "shared:exclusive-file", false);
}

// ---- C4: the writer is killed during a write

// A write in place leaves a partial entry under the final name. A write to a temporary name leaves
// no entry.
ScenarioSide killed_writer(World& world, const std::string& discipline, bool poisoned) {
  const Heard writer = world.play(
      [&](Heard& heard) { obtain(heard, world.request(discipline), {0}, killed_in_mid_write()); });
  const bool there = fs::exists(world.entry_path(world.request(discipline)));
  std::vector<Heard> restarts;
  for (int i = 0; i < 3; ++i)
    restarts.push_back(
        world.play([&](Heard& heard) { obtain(heard, world.request(discipline), {0}); }));
  const Heard all = total(restarts);
  const bool as_expected = poisoned ? there && all.compiles == 3 && all.bad_entries == 3
                                    : !there && all.compiles == 1 && all.bad_entries == 0;
  return {
      discipline, writer.signal == SIGKILL && as_expected,
      fmt::format("after the kill the entry is {}; 3 restarts found {} torn entries and compiled "
                  "{} times",
                  there ? "partly written" : "absent", all.bad_entries, all.compiles)};
}
ScenarioSide c4_unsafe(World& world) { return killed_writer(world, "shared:none", true); }
ScenarioSide c4_safe(World& world) { return killed_writer(world, "per-host", false); }

// ---- C5: the writer is killed between writing the entry and its metadata

// With the directory lock the cache keeps an access time file beside each entry, as JAX does. An
// entry without one makes every later write fail.
ScenarioSide c5_unsafe(World& world) {
  const std::string discipline = "shared:directory";
  world.play([&](Heard& heard) {
    cache::FileFaults faults;
    faults.on_operation = [](cache::FileOperation operation, const std::string& path) {
      const bool beside = path.ends_with(cache::kAccessTimeSuffix);
      if (beside && operation == cache::FileOperation::create) ::kill(::getpid(), SIGKILL);
      return 0;
    };
    obtain(heard, world.request(discipline), {0}, faults);
  });
  const Heard later = world.play([&](Heard& heard) {
    for (std::int64_t key = 1; key <= 3; ++key) obtain(heard, world.request(discipline), {key});
  });
  return {discipline, later.write_failures == 3,
          fmt::format("of 3 later writes {} failed: {}", later.write_failures, later.said())};
}
ScenarioSide c5_safe(World& world) {
  const auto bounded = [&] {
    cache::CacheRequest request = world.request("per-host");
    request.max_bytes = 1 << 20;
    return request;
  };
  world.play([&](Heard& heard) {
    cache::FileFaults faults;
    faults.on_operation = [](cache::FileOperation operation, const std::string& path) {
      // Kill at the eviction sweep after the first write: only the entry itself exists by then.
      const bool sweeps = operation == cache::FileOperation::lock;
      if (sweeps && path.find(cache::kEvictionLock) != std::string::npos)
        ::kill(::getpid(), SIGKILL);
      return 0;
    };
    obtain(heard, bounded(), {0}, faults);
  });
  const Heard later = world.play([&](Heard& heard) {
    for (std::int64_t key = 0; key <= 3; ++key) obtain(heard, bounded(), {key});
  });
  return {"per-host", later.write_failures == 0 && later.hits == 1 && later.writes == 3,
          fmt::format("of 3 later writes {} failed; the entry without metadata was used {} time",
                      later.write_failures, later.hits)};
}

}  // namespace

std::span<const Scenario> writer_scenarios() {
  static constexpr Scenario kAll[] = {
      {"C1", "N cold writers, one key, the same instant", "every process compiles and writes",
       "one compile, no bad entry", c1_unsafe, c1_safe},
      {"C2", "a reader opens during a slow write", "the reader finds a partial entry",
       "a complete entry or a miss", c2_unsafe, c2_safe},
      {"C3", "a reader deletes a bad entry while its writer still writes",
       "the writer reports success, the entry is gone", "the entry remains", c3_unsafe, c3_safe},
      {"C4", "the writer is killed during a write", "a corrupted entry that is never replaced",
       "no entry after the kill, one compile", c4_unsafe, c4_safe},
      {"C5", "killed between the entry and its metadata", "every later write fails",
       "the entry without metadata stays usable", c5_unsafe, c5_safe},
  };
  return kAll;
}

}  // namespace understudy::launcher
