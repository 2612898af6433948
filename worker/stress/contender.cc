// SPDX-License-Identifier: Apache-2.0
#include "worker/stress/contender.h"

#include <algorithm>
#include <csignal>
#include <cstring>
#include <random>
#include <sys/prctl.h>
#include <thread>
#include <unistd.h>

#include "cache/stand_in.h"
#include "configs/base/error.h"

namespace understudy::worker {
namespace {

// The uid of "nobody" on Debian and Red Hat; it need not have an entry in /etc/passwd.
constexpr uid_t kNobody = 65534;

// This process's file system with injected faults; its random numbers differ in each life.
cache::FileFaults file_faults(const StressSetup& setup, const Contender& contender,
                              MachinePage& page) {
  cache::FileFaults faults = setup.faults.mount;
  faults.host = contender.host;
  faults.delay = Seconds(setup.plan.file_delay_seconds);
  faults.may_write = contender.may_write;
  faults.read_clock_ns = &page->read_clock_ns;
  faults.seed =
      // Distinct for each contender and life (up to 1000 lives): equal seeds would make their
      // faults coincide.
      setup.plan.seed + static_cast<std::uint64_t>(contender.number * 1000 + contender.life);
  // A small disk of the plan fills by itself; elsewhere a full disk is simulated.
  if (setup.faults.fills && !setup.plan.on_small_disk) {
    faults.capacity_of = setup.directory;
    faults.capacity_bytes = setup.faults.capacity_for(static_cast<std::uint64_t>(setup.plan.keys) *
                                                      setup.plan.entry_bytes);
  }
  if (setup.faults.kill_in_mid_write > 0) {
    const double share = setup.faults.kill_in_mid_write;
    faults.in_mid_write = [share, random = std::minstd_rand(static_cast<unsigned>(faults.seed))](
                              const std::string&) mutable {
      // SIGKILL, so that no destructor can tidy up: what a real eviction or the OOM killer leaves
      // behind.
      if (std::bernoulli_distribution(share)(random)) ::kill(::getpid(), SIGKILL);
    };
  }
  return faults;
}

// Root may write anywhere, so a denied contender switches to user nobody for good.
void drop_permission() {
  if (::geteuid() == 0 && ::setuid(kNobody) != 0)
    throw Error(ErrorKind::system, "cannot switch to user nobody");
  // man prctl: a process that changes its credentials loses the setting, and would outlive its fork
  // server.
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);  // a change of user clears it
}

void add(Tally& tally, const cache::CacheOutcome& outcome) {
  tally.counters += outcome.counters;
  tally.compile_seconds += outcome.compile_seconds;
  tally.lock_seconds += outcome.lock_seconds;
  tally.wait_seconds += outcome.wait_seconds;
  tally.read_seconds += outcome.read_seconds;
  tally.write_seconds += outcome.write_seconds;
}

void note_waits(Slot& slot, const std::vector<double>& waits) {
  for (const double wait : waits) {
    const std::uint32_t at = slot.waits.load();
    // Waits beyond the capacity are dropped; the first 2048 give the quantiles.
    if (at >= Slot::kMostWaits) return;
    slot.lock_waits[at] = static_cast<float>(wait);
    // The value is stored before the count, so a reader (or a successor after SIGKILL) never counts
    // a value that was not written.
    slot.waits.store(at + 1);
  }
}

void note_warning(Slot& slot, const std::vector<std::string>& warnings) {
  // Only the first warning of all lives is kept, as the later ones usually follow from it.
  if (warnings.empty() || slot.warning[0] != '\0') return;
  const std::size_t size = std::min(warnings.front().size(), Slot::kTextBytes - 1);
  std::memcpy(slot.warning.data(), warnings.front().data(), size);
}

}  // namespace

void contend(const StressSetup& setup, const Contender& contender, ContenderMemory& memory,
             MachinePage& page, const std::function<Clock::time_point()>& start) {
  Slot& slot = memory.slot();
  cache::FaultyFileSystem files(file_faults(setup, contender, page));
  if (!contender.may_write) drop_permission();
  cache::CacheRequest request = request_of(setup, contender);
  request.files = &files;
  cache::CompileCache cache(std::move(request));
  // All contenders of a machine start at one instant: the stampede that the run is about.
  std::this_thread::sleep_until(start());
  for (std::int64_t key = 0; key < setup.plan.keys; ++key) {
    KeyCount& count = memory.counts()[static_cast<std::size_t>(key)];
    // Read before the request. If everything is deleted meanwhile, the epoch is old and the ledger
    // does not expect the entry.
    const std::int32_t epoch = page->epoch.load();
    const cache::CacheOutcome outcome = cache.obtain(cache::stand_in_parts(key), [&] {
      ++count.compiles;
      std::this_thread::sleep_for(Seconds(setup.plan.compile_seconds));
      return cache::stand_in(key, setup.plan.entry_bytes);
    });
    add(slot.tally, outcome);
    count.bad_reads += static_cast<std::int32_t>(outcome.refusals.size());
    // The last line of defence: a wrong executable that passed all digests.
    if (!cache::is_stand_in(outcome.executable, key, setup.plan.entry_bytes))
      ++slot.tally.wrong_results;
    if (outcome.counters.writes > 0) count.written_epoch.store(epoch + 1);
    note_waits(slot, outcome.lock_waits);
    note_warning(slot, outcome.warnings);
    ++slot.progress;
  }
  slot.tally.retries += files.retries();
  slot.finished_ns.store(Clock::now().time_since_epoch().count());
}

}  // namespace understudy::worker
