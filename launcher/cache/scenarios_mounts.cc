// SPDX-License-Identifier: Apache-2.0

#include <atomic>
#include <cerrno>
#include <filesystem>
#include <fmt/format.h>
#include <memory>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cache/self_test.h"
#include "configs/base/error.h"
#include "configs/base/file.h"
#include "launcher/cache/scenario_world.h"
#include "launcher/cache/scenarios.h"

namespace understudy::launcher {
namespace {

using configs::ScenarioSide;
using World = ScenarioWorld;

namespace fs = std::filesystem;

// The user "nobody" of Linux distributions; it owns no file.
constexpr uid_t kNobody = 65534;

// ---- C11: the mount caches the absence of an entry (negative lookup cache of NFS)

// NFS clients cache failed lookups, so an entry that another host has just written may stay
// invisible for seconds.
ScenarioSide remembered_absence(World& world, const std::string& discipline, bool suffers) {
  const cache::CacheRequest writer = world.request(discipline);
  const std::string entry = world.entry_path(writer);
  const Heard reader = world.play([&](Heard& heard) {
    cache::FileFaults faults;
    faults.host = 1;
    faults.remembers_absence = Seconds(10);
    cache::FaultyFileSystem files(faults);
    files.read(entry);  // first lookup, before the entry exists
    files.status(entry);
    Heard other;
    obtain(other, writer, {0});
    const std::optional<cache::FileStatus> before = cache::machine_files().status(entry);
    cache::CacheRequest request = world.request(discipline, 1, 1);
    request.wait_limit = Seconds(0.05);
    request.files = &files;
    cache::CompileCache cache(request);
    obtain(heard, cache, {0});
    const std::optional<cache::FileStatus> after = cache::machine_files().status(entry);
    // 1: the entry was written again.
    heard.note = before && after && before->modified_ns == after->modified_ns ? 0 : 1;
  });
  return {
      discipline, reader.compiles == 1 && reader.note == (suffers ? 1 : 0),
      fmt::format("the reader missed an existing entry, compiled {} times, and {}", reader.compiles,
                  reader.note == 1 ? "overwrote the entry in place" : "left it alone")};
}
ScenarioSide c11_unsafe(World& world) { return remembered_absence(world, "shared:none", true); }
ScenarioSide c11_safe(World& world) { return remembered_absence(world, "single-writer", false); }

// ---- C12: the disk is full in the middle of a write

// The fault layer returns ENOSPC in the middle of the entry.
ScenarioSide full_disk(World& world, const std::string& discipline, bool suffers) {
  const cache::CacheRequest asked = world.request(discipline);
  const Heard writer = world.play([&](Heard& heard) {
    cache::FileFaults faults;
    faults.capacity_of = world.path();
    faults.capacity_bytes = 8 * 1024;  // half of an entry
    obtain(heard, asked, {0}, faults);
  });
  std::size_t left = 0;
  for (const auto& item : fs::recursive_directory_iterator(world.path()))
    // Lock and marker files are smaller; only a torn entry is this large.
    left += item.is_regular_file() && item.file_size() > 1000 ? 1 : 0;
  const Heard next = world.play([&](Heard& heard) { obtain(heard, asked, {0}); });
  return {discipline,
          writer.compiles == 1 && writer.write_failures == 1 &&
              (suffers ? left > 0 && next.bad_entries == 1
                       : left == 0 && next.bad_entries == 0 && next.compiles == 1),
          fmt::format("the run went on ({} write failures), {} truncated files remained, the next "
                      "reader found {} torn entries",
                      writer.write_failures, left, next.bad_entries)};
}
ScenarioSide c12_unsafe(World& world) { return full_disk(world, "shared:none", true); }
ScenarioSide c12_safe(World& world) { return full_disk(world, "per-host", false); }

// ---- C13: another user, and entries that only their writer may read

// Changes this process to a user who may not read files written by root. Without root rights the
// fault-injecting file layer returns EACCES instead.
cache::FileFaults as_another_user() {
  cache::FileFaults faults;
  // In the actor's own process, so the launcher keeps its rights.
  if (::geteuid() == 0 && ::setuid(kNobody) == 0) return faults;
  faults.may_write = false;
  faults.on_operation = [](cache::FileOperation operation, const std::string& path) {
    const bool reads = operation == cache::FileOperation::read && path.ends_with(".entry");
    return reads ? EACCES : 0;
  };
  return faults;
}
void write_for_oneself(World& world) {
  world.play([&](Heard& heard) {
    ::umask(0077);
    fs::create_directories(world.path() + "/shared");
    ::chmod((world.path() + "/shared").c_str(), 0755);
    for (std::int64_t key = 0; key < 3; ++key) obtain(heard, world.request("shared:none"), {key});
  });
}
ScenarioSide c13_unsafe(World& world) {
  write_for_oneself(world);
  const Heard other = world.play([&](Heard& heard) {
    const cache::FileFaults faults = as_another_user();
    for (std::int64_t key = 0; key < 3; ++key)
      obtain(heard, world.request("shared:none", 1), {key}, faults);
  });
  return {"shared:none", other.compiles == 3 && other.hits == 0,
          fmt::format("a straggler: {} compiles although 3 entries exist. {}", other.compiles,
                      other.said())};
}
ScenarioSide c13_safe(World& world) {
  write_for_oneself(world);
  const Heard other = world.play([&](Heard& heard) {
    cache::FaultyFileSystem files(as_another_user());
    const std::string trouble = cache::access_trouble(files, world.path() + "/shared");
    if (!trouble.empty()) throw Error(ErrorKind::system, trouble);
    ++heard.note;
  });
  return {"access test", other.note == 0 && !other.said().empty(),
          fmt::format("before the launch: {}", other.said())};
}

// ---- C20: a file server that answers a limited number of reads per second

constexpr std::size_t kReaders = 8;
constexpr std::int64_t kPrograms = 4;

// The read limit is shared by all actors through one clock in shared memory, like a rate-limited
// file server.
double slowest_warm_start(World& world, const std::string& discipline, double reads_per_second) {
  void* const page = ::mmap(nullptr, sizeof(std::atomic<std::int64_t>), PROT_READ | PROT_WRITE,
                            MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (page == MAP_FAILED) throw file_error("map", "shared memory", errno);
  auto* const clock = std::construct_at(static_cast<std::atomic<std::int64_t>*>(page), 0);
  world.play([&](Heard& heard) {
    for (std::int64_t key = 0; key < kPrograms; ++key)
      obtain(heard, world.request(discipline), {key});
  });
  for (std::size_t i = 0; i < kReaders; ++i)
    world.start([&world, discipline, reads_per_second, clock, i](Heard& heard) {
      cache::FileFaults faults;
      faults.reads_per_second = reads_per_second;
      faults.read_clock_ns = clock;
      for (std::int64_t key = 0; key < kPrograms; ++key)
        obtain(heard, world.request(discipline, static_cast<std::int64_t>(i)), {key}, faults);
    });
  double slowest = 0;
  for (const Heard& one : world.finish()) slowest = std::max(slowest, one.seconds);
  ::munmap(page, sizeof(std::atomic<std::int64_t>));
  return slowest;
}
ScenarioSide c20_unsafe(World& world) {
  constexpr double kRate = 60;
  const double slowest = slowest_warm_start(world, "shared:none", kRate);
  // How long the server needs for all reads. The slowest process has to wait for nearly all of it.
  const double queue = static_cast<double>(kReaders) * static_cast<double>(kPrograms) / kRate;
  return {"shared:none", slowest > 0.8 * queue,
          fmt::format("{} processes read {} entries at {} reads per second: {:.2f} s", kReaders,
                      kPrograms, kRate, slowest)};
}
ScenarioSide c20_safe(World& world) {
  // The entries are on the host's own disk, so no read goes to the server.
  const double slowest = slowest_warm_start(world, "per-host", 0);
  return {"per-host", slowest < 0.4, fmt::format("from the host's own folder: {:.3f} s", slowest)};
}

// ---- C23: the first access to a mount is slow

// The first operation on an automounted path may take long. Listing the folder early hides that
// time behind the rest of the start.
ScenarioSide slow_touch(World& world, bool prefetches) {
  constexpr double kFirst = 0.3;
  world.play([&](Heard& heard) { obtain(heard, world.request("per-host"), {0}); });
  const Heard late = world.play([&](Heard& heard) {
    cache::FileFaults faults;
    faults.first_touch = Seconds(kFirst);
    cache::FaultyFileSystem files(faults);
    cache::CacheRequest request = world.request("per-host", 1);
    request.files = &files;
    if (prefetches) files.list(request.directory);  // in parallel with the rest of the start-up
    cache::CompileCache cache(request);
    const Clock::time_point rendezvous = Clock::now();
    obtain(heard, cache, {0});
    heard.note = static_cast<std::int64_t>(seconds_since(rendezvous) * 1e3);
  });
  constexpr auto kLateMs = static_cast<std::int64_t>(kFirst * 1e3);
  return {prefetches ? "per-host, touched before" : "per-host",
          prefetches ? late.note < kLateMs : late.note >= kLateMs,
          fmt::format("the other ranks wait {} ms at the rendezvous for this one", late.note)};
}
ScenarioSide c23_unsafe(World& world) { return slow_touch(world, false); }
ScenarioSide c23_safe(World& world) { return slow_touch(world, true); }

}  // namespace

std::span<const Scenario> mount_scenarios() {
  static constexpr Scenario kAll[] = {
      {"C11", "an entry stays invisible for a while", "the reader overwrites the entry",
       "the reader compiles and leaves the entry alone", c11_unsafe, c11_safe},
      {"C12", "the disk is full in the middle of a write", "a truncated file under the final name",
       "no file is left, one warning", c12_unsafe, c12_safe},
      {"C13", "mixed users and umask 077", "some ranks compile: stragglers",
       "an access test before the launch", c13_unsafe, c13_safe},
      {"C20", "a file server with limited reads per second", "all processes queue",
       "a cache folder on each host", c20_unsafe, c20_safe},
      {"C23", "the first access to a mount is slow", "one rank is late at the rendezvous",
       "the mount is accessed before the rendezvous", c23_unsafe, c23_safe},
  };
  return kAll;
}

}  // namespace understudy::launcher
