// SPDX-License-Identifier: Apache-2.0
#include "launcher/cache/contender.h"

#include <algorithm>
#include <csignal>
#include <cstring>
#include <fmt/format.h>
#include <random>
#include <thread>
#include <unistd.h>

#include "configs/base/error.h"

namespace understudy::launcher {
namespace {

constexpr std::chrono::microseconds kStartPause{500};
constexpr std::int64_t kNanosecondsPerSecond = 1'000'000'000;
constexpr uid_t kNobody = 65534;

// Half of the processes are ahead, half behind.
std::int64_t clock_offset(const StressSetup& setup, const Contender& contender) {
  const auto skew = static_cast<std::int64_t>(setup.faults.skew_seconds);
  return contender.number % 2 == 0 ? 0 : skew * kNanosecondsPerSecond;
}

// A file system of this process's own; its random numbers differ in every life.
cache::FileFaults file_faults(const StressSetup& setup, const Contender& contender,
                              SharedPage& page) {
  cache::FileFaults faults = setup.faults.mount;
  faults.host = contender.host;
  faults.delay = setup.file_delay;
  faults.may_write = contender.may_write;
  faults.read_clock_ns = &page.common().read_clock_ns;
  faults.seed = setup.seed + static_cast<std::uint64_t>(contender.number * 1000 + contender.life);
  if (setup.faults.fills) {
    const std::uint64_t needed = static_cast<std::uint64_t>(setup.keys) * setup.entry_bytes;
    faults.capacity_of = setup.directory;
    faults.capacity_bytes =
        setup.faults.capacity_bytes > 0 ? setup.faults.capacity_bytes : needed / 2;
  }
  if (setup.faults.kill_in_mid_write > 0) {
    const double share = setup.faults.kill_in_mid_write;
    faults.in_mid_write = [share, random = std::minstd_rand(static_cast<unsigned>(faults.seed))](
                              const std::string&) mutable {
      if (std::bernoulli_distribution(share)(random)) ::kill(::getpid(), SIGKILL);
    };
  }
  return faults;
}

// Root may write anywhere: it becomes nobody, for good.
void drop_permission() {
  if (::geteuid() == 0 && ::setuid(kNobody) != 0)
    throw Error(ErrorKind::system, "cannot become nobody");
}

void add(Tally& tally, const cache::CacheOutcome& outcome) {
  const cache::CacheCounters& counters = outcome.counters;
  tally.compile_seconds += outcome.compile_seconds;
  tally.lock_seconds += outcome.lock_seconds;
  tally.wait_seconds += outcome.wait_seconds;
  tally.read_seconds += outcome.read_seconds;
  tally.write_seconds += outcome.write_seconds;
  tally.lock_timeouts += counters.lock_timeouts;
  tally.wait_timeouts += counters.wait_timeouts;
  tally.locks_broken += counters.locks_broken;
  tally.write_failures += counters.write_failures;
  tally.quarantined += counters.quarantined;
  tally.removed += counters.removed;
  tally.evicted += counters.evicted;
  tally.writes += counters.writes;
}

void note_waits(Slot& slot, const std::vector<double>& waits) {
  for (const double wait : waits) {
    const std::uint32_t at = slot.waits.load();
    if (at >= Slot::kMostWaits) return;
    slot.lock_waits[at] = static_cast<float>(wait);
    slot.waits.store(at + 1);
  }
}

void note_warning(Slot& slot, const std::vector<std::string>& warnings) {
  if (warnings.empty() || slot.warning[0] != '\0') return;
  const std::size_t size = std::min(warnings.front().size(), Slot::kTextBytes - 1);
  std::memcpy(slot.warning.data(), warnings.front().data(), size);
}

bool is_right(const program::Executable& got, std::int64_t key, std::uint64_t bytes) {
  return got.replicas == key + 1 && got.constants == stand_in(key, bytes).constants;
}

}  // namespace

Contender contender_at(const StressSetup& setup, std::int64_t number) {
  const auto host_of = [&](std::int64_t one) { return one * setup.hosts / setup.processes; };
  Contender contender;
  contender.number = number;
  contender.host = host_of(number);
  contender.pod_leader = number == 0;
  contender.host_leader = number == 0 || host_of(number - 1) != contender.host;
  const bool last_of_host = number + 1 == setup.processes || host_of(number + 1) != contender.host;
  contender.may_write = !(setup.faults.takes_permission && last_of_host);
  return contender;
}

std::size_t folders_of(const StressSetup& setup, const Discipline& discipline) {
  if (discipline.policy == "shared" || discipline.policy == "single-writer") return 1;
  return static_cast<std::size_t>(discipline.policy == "per-host" ? setup.hosts : setup.processes);
}

std::size_t folder_of(const StressSetup& setup, const Discipline& discipline,
                      const Contender& contender) {
  if (folders_of(setup, discipline) == 1) return 0;
  return static_cast<std::size_t>(discipline.policy == "per-host" ? contender.host
                                                                  : contender.number);
}

cache::CacheRequest request_of(const StressSetup& setup, const Discipline& discipline,
                               const Contender& contender) {
  cache::CacheRequest request;
  request.directory = setup.directory;
  request.policy = discipline.policy;
  request.lock = discipline.lock;
  request.max_bytes = setup.max_bytes;
  request.host = HostId(contender.host);
  request.rank = Rank(contender.number);
  request.host_leader = contender.host_leader;
  request.pod_leader = contender.pod_leader;
  request.patience = setup.patience;
  request.lock_timeout = setup.lock_timeout;
  request.clock_offset_ns = clock_offset(setup, contender);
  return request;
}

cache::KeyParts key_parts(std::int64_t key) {
  return {fmt::format("stand-in {}", key), "tpu", key + 1, "v6e", "stress"};
}

program::Executable stand_in(std::int64_t key, std::uint64_t bytes) {
  program::Executable executable;
  executable.replicas = key + 1;
  executable.constants.resize(bytes);
  for (std::size_t i = 0; i < executable.constants.size(); ++i)
    executable.constants[i] =
        static_cast<std::byte>((i * 31 + static_cast<std::size_t>(key)) % 251);
  return executable;
}

int contend(const StressSetup& setup, const Discipline& discipline, const Contender& contender,
            SharedPage& page) {
  Slot& slot = page.slots()[static_cast<std::size_t>(contender.number)];
  cache::FaultyFileSystem files(file_faults(setup, contender, page));
  if (!contender.may_write) drop_permission();
  cache::CacheRequest request = request_of(setup, discipline, contender);
  request.files = &files;
  cache::CompileCache cache(std::move(request));
  const std::size_t folder = folder_of(setup, discipline, contender);
  while (page.common().go_ns.load() == 0) std::this_thread::sleep_for(kStartPause);
  for (std::int64_t key = 0; key < setup.keys; ++key) {
    KeyCount& count = page.counts()[folder * static_cast<std::size_t>(setup.keys) +
                                    static_cast<std::size_t>(key)];
    const std::int32_t epoch = page.common().epoch.load();
    const cache::CacheOutcome outcome = cache.obtain(key_parts(key), [&] {
      ++count.compiles;
      std::this_thread::sleep_for(setup.compile);
      return stand_in(key, setup.entry_bytes);
    });
    add(slot.tally, outcome);
    slot.tally.retries = files.retries();
    const auto bad = static_cast<std::int64_t>(outcome.refusals.size());
    (count.damaged.load() ? slot.tally.damaged_reads : slot.tally.torn_reads) += bad;
    if (!is_right(outcome.executable, key, setup.entry_bytes)) ++slot.tally.wrong_results;
    if (outcome.counters.writes > 0) count.written_epoch.store(epoch + 1);
    note_waits(slot, outcome.lock_waits);
    note_warning(slot, outcome.warnings);
    ++slot.progress;
  }
  slot.finished_ns.store(Clock::now().time_since_epoch().count());
  return 0;
}

}  // namespace understudy::launcher
