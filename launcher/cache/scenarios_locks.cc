// SPDX-License-Identifier: Apache-2.0

#include <csignal>
#include <fmt/format.h>
#include <unistd.h>

#include "cache/self_test.h"
#include "configs/base/error.h"
#include "launcher/cache/scenario_world.h"
#include "launcher/cache/scenarios.h"

namespace understudy::launcher {
namespace {

using configs::ScenarioSide;
using World = ScenarioWorld;

// ---- C8: a convoy behind one lock

// Every rank needs three programs; one lock for the whole directory serialises all reads, writes
// and compiles.
ScenarioSide convoy(World& world, const std::string& discipline, bool suffers) {
  constexpr std::int64_t kRanks = 8;
  for (std::int64_t i = 0; i < kRanks; ++i)
    world.start([&world, discipline, i](Heard& heard) {
      cache::CacheRequest request = world.request(discipline, i);
      request.lock_timeout = Seconds(
          0.1);  // scaled down: JAX waits 10 s and holds its lock 100 times longer than this test
      cache::FileFaults faults;
      // Each file operation of a network mount; while it lasts the lock is held.
      faults.delay = Seconds(0.005);
      for (std::int64_t key = 0; key < 3; ++key)
        obtain(heard, request, {key, Seconds(0.01)}, faults);
    });
  const Heard all = total(world.finish());
  const double share = all.lock_seconds / all.seconds;
  return {discipline,
          suffers ? all.lock_timeouts > 0 && all.compiles > 3
                  : all.lock_timeouts == 0 && all.compiles == 3 && all.hits == 3 * (kRanks - 1),
          fmt::format("{:.0f} % of start-up is lock wait, {} waits timed out, {} compiles of 3 "
                      "programs",
                      100 * share, all.lock_timeouts, all.compiles)};
}
ScenarioSide c8_unsafe(World& world) { return convoy(world, "shared:directory", true); }
ScenarioSide c8_safe(World& world) { return convoy(world, "per-host", false); }

// ---- C9: the holder of a lock file is killed

// The first actor kills itself while it compiles under the lock. A soft lock (a plain file) stays;
// an owned lock names machine, pid and start time, so a later process can prove that the owner is
// dead and break it.
ScenarioSide dead_holder(World& world, bool breaks) {
  const auto asked = [&] {
    cache::CacheRequest request = world.request("shared:exclusive-file");
    request.breaks_dead_locks = breaks;
    request.wait_limit = Seconds(0.2);
    return request;
  };
  world.play([&](Heard&) {
    cache::obtain(asked(), parts_of({0}), []() -> program::Executable {
      ::kill(::getpid(), SIGKILL);
      throw Error(ErrorKind::internal, "the process survived SIGKILL");
    });
  });
  // Two later processes: the first breaks the lock and compiles, the second finds the entry.
  std::vector<Heard> next;
  for (int i = 0; i < 2; ++i)
    next.push_back(world.play([&](Heard& heard) { obtain(heard, asked(), {0}); }));
  const Heard all = total(next);
  return {
      breaks ? "shared:exclusive-file" : "shared:soft lock",
      breaks ? all.locks_broken == 1 && all.lock_timeouts == 0 && all.compiles == 1
             : all.lock_timeouts == 2 && all.compiles == 2,
      fmt::format("of the next 2 processes {} timed out waiting, {} locks were broken, {} compiles",
                  all.lock_timeouts, all.locks_broken, all.compiles)};
}
ScenarioSide c9_unsafe(World& world) { return dead_holder(world, false); }
ScenarioSide c9_safe(World& world) { return dead_holder(world, true); }

// ---- C10: a mount whose locks do not exclude other hosts

cache::FileFaults mount_without_locks(std::int64_t host) {
  cache::FileFaults faults;
  faults.host = host;
  // Like NFS without a lock daemon: flock() is local to each client, and O_EXCL is not atomic.
  faults.locks_exclude = faults.creates_exclude = false;
  return faults;
}
ScenarioSide c10_unsafe(World& world) {
  for (std::int64_t host = 0; host < 2; ++host)
    world.start([&world, host](Heard& heard) {
      obtain(heard, world.request("shared:exclusive-file", host, host), {0, Seconds(0.1)},
             mount_without_locks(host));
    });
  const Heard all = total(world.finish());
  return {"shared:exclusive-file", all.compiles == 2,
          fmt::format("two hosts held the same lock at once: {} compiles of one program",
                      all.compiles)};
}
ScenarioSide c10_safe(World& world) {
  cache::FaultyFileSystem here(mount_without_locks(0)), there(mount_without_locks(1));
  std::string refusal = "not refused";
  try {
    cache::lock_for(cache::test_exclusion(here, there, world.path()));
  } catch (const Error& error) {
    refusal = error.message();
  }
  return {"self-test", refusal != "not refused", refusal};
}

// ---- C14: a read-only mount, and a policy that locks for reading

// A policy that takes a lock before reading must create a file, which a read-only mount refuses.
ScenarioSide read_only_mount(World& world, const std::string& discipline, bool suffers) {
  const std::string writer = discipline == "read-only" ? "shared" : discipline;
  world.play([&](Heard& heard) { obtain(heard, world.request(writer), {0}); });
  const Heard reader = world.play([&](Heard& heard) {
    cache::FileFaults faults;
    faults.mount_read_only = true;
    obtain(heard, world.request(discipline), {0}, faults);
  });
  return {
      discipline,
      suffers ? reader.hits == 0 && reader.compiles == 1 : reader.hits == 1 && reader.compiles == 0,
      fmt::format("the entry exists: {} hits, {} compiles. {}", reader.hits, reader.compiles,
                  reader.said())};
}
ScenarioSide c14_unsafe(World& world) { return read_only_mount(world, "shared:directory", true); }
ScenarioSide c14_safe(World& world) { return read_only_mount(world, "read-only", false); }

// ---- C24: a compile takes longer than the wait limit of the other processes

// The waiting process counts its heartbeats in `note`; a wait without them looks like a hang to the
// watch.
ScenarioSide long_compile(World& world, Seconds wait_limit, bool loses) {
  world.start_now([&](Heard& heard) {
    obtain(heard, world.request("per-host"), {0, Seconds(0.5)});
  });
  world.start_now([&](Heard& heard) {
    cache::CacheRequest request = world.request("per-host", 1);
    request.wait_limit = wait_limit;
    request.while_waiting = [&heard] { ++heard.note; };
    obtain(heard, request, {0});
  });
  const Heard waiter = world.finish().back();
  return {fmt::format("per-host, {} s", wait_limit.count()),
          loses ? waiter.wait_timeouts == 1 && waiter.compiles == 1
                : waiter.hits == 1 && waiter.note > 5,
          fmt::format("the waiting process gave up {} times, compiled {} times, and sent {} "
                      "heartbeats. {}",
                      waiter.wait_timeouts, waiter.compiles, waiter.note, waiter.said())};
}
ScenarioSide c24_unsafe(World& world) { return long_compile(world, Seconds(0.1), true); }
ScenarioSide c24_safe(World& world) { return long_compile(world, Seconds(5), false); }

// ---- C25: another job holds the lock

ScenarioSide foreign_holder(World& world, const std::string& discipline, LockKind kind) {
  const cache::CacheRequest request = world.request(discipline);
  const std::string folder = cache::CompileCache(request).folder();
  const std::string key = cache::key_of(parts_of({0}));
  const std::string given_up = world.path() + "/given-up";
  world.start_now([&](Heard& heard) {
    cache::machine_files().make_directories(folder);
    const auto lock = cache::make_lock(kind, {cache::machine_files(), folder, key});
    lock->try_acquire();
    heard.note = ::getpid();
    // However late the second job starts on a busy machine, it finds the lock held.
    World::eventually([&] { return cache::machine_files().status(given_up).has_value(); });
    lock->release();
  });
  const std::string held = folder + "/" +
                           (kind == LockKind::directory ? std::string(cache::kDirectoryLock)
                                                        : key + std::string(cache::kLockSuffix));
  // The second job must start while the first holds its lock.
  World::eventually([&] { return cache::machine_files().status(held).has_value(); });
  world.start_now([&](Heard& heard) {
    cache::CacheRequest asked = request;
    asked.lock_timeout = asked.wait_limit = Seconds(0.2);
    obtain(heard, asked, {0});
    cache::machine_files().make_directories(given_up);
  });
  const std::vector<Heard> both = world.finish();
  const std::string who = fmt::format("process {}", both[0].note);
  const bool names = both[1].said().find(who) != std::string_view::npos;
  return {discipline, both[1].lock_timeouts > 0 && names, std::string(both[1].said())};
}
ScenarioSide c25_unsafe(World& world) {
  ScenarioSide side = foreign_holder(world, "shared:directory", LockKind::directory);
  // The unsafe side must not name the holder: JAX's directory lock records no owner.
  side.as_expected = side.seen.find("within 0.2 s") != std::string::npos &&
                     side.seen.find("process") == std::string::npos;
  return side;
}
ScenarioSide c25_safe(World& world) {
  return foreign_holder(world, "shared:exclusive-file", LockKind::exclusive_file);
}

}  // namespace

std::span<const Scenario> lock_scenarios() {
  static constexpr Scenario kAll[] = {
      {"C8", "a lock convoy behind one directory lock",
       "lock waits time out and cause extra compiles", "no lock wait, one compile per program",
       c8_unsafe, c8_safe},
      {"C9", "the holder of a lock file is killed", "every later process waits until it times out",
       "the lock is broken: its owner (machine, pid, start time) is dead", c9_unsafe, c9_safe},
      {"C10", "locks that do not exclude other hosts", "two holders at once",
       "the self-test refuses the shared cache", c10_unsafe, c10_safe},
      {"C14", "a read-only mount, and a policy that locks for reading",
       "every read fails although the entry exists", "reads need no write access", c14_unsafe,
       c14_safe},
      {"C24", "a compile takes longer than the wait limit",
       "waiting processes give up on a healthy job",
       "a wait limit for cold starts, and heartbeats while waiting", c24_unsafe, c24_safe},
      {"C25", "two jobs share one directory", "a timeout that does not name the lock holder",
       "the timeout names the lock holder", c25_unsafe, c25_safe},
  };
  return kAll;
}

}  // namespace understudy::launcher
