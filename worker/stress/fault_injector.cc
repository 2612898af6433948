// SPDX-License-Identifier: Apache-2.0
#include "worker/stress/fault_injector.h"

#include <algorithm>
#include <csignal>
#include <fcntl.h>
#include <filesystem>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

#include "configs/base/file.h"

namespace understudy::worker {
namespace {

// Far longer than a poll of a lock or lease, far shorter than any patience: a paused process must
// look alive again in time.
constexpr auto kStop = std::chrono::milliseconds(200);
constexpr auto kLatest = std::chrono::hours(1);

}  // namespace

FaultInjector::FaultInjector(const StressSetup& setup, const Contender& contender,
                             ForkServer& fork_server, MachinePage& page)
    : setup_(setup),
      fork_server_(fork_server),
      page_(page),
      random_(setup.plan.seed + static_cast<std::uint64_t>(contender.number)) {
  const auto& faults = setup.faults;
  const auto processes = static_cast<double>(setup.plan.processes);
  const auto folders = static_cast<double>(folders_of(setup));
  // Rates are for the whole pod. Each of its contenders draws for itself, so it takes its share.
  plan(faults.kills_per_second / processes, [this] { fork_server_.signal(SIGKILL); });
  plan(faults.stops_per_second / processes, [this] { stop(); });
  if (keeps_folder(setup, contender)) folder_ = folder_path(setup, contender);
  if (!folder_.empty()) {
    damaged_.resize(static_cast<std::size_t>(setup.plan.keys));
    plan(faults.corrupts_per_second / folders, [this] { damage(false); });
    plan(faults.truncates_per_second / folders, [this] { damage(true); });
  }
  if (contender.pod_leader)
    plan(faults.deletes_per_second, [this] {
      delete_all(setup_.directory);
      ++page_->epoch;  // entries written before this may be missing
    });
}

void FaultInjector::plan(double per_second, std::function<void()> act) {
  if (per_second > 0) kinds_.push_back({per_second, std::move(act), {}});
}

// Exponential waits make the faults a Poisson process: they do not fall into step with rounds or
// keys.
Clock::time_point FaultInjector::draw(double per_second) {
  const Seconds wait(std::exponential_distribution<double>(per_second)(random_));
  return Clock::now() +
         std::chrono::duration_cast<Clock::duration>(std::min(wait, Seconds(kLatest)));
}

void FaultInjector::begin() {
  // Without it, faults that were due between two rounds would all strike at the start.
  for (Kind& kind : kinds_) kind.next = draw(kind.per_second);
  continue_at_ = {};
}

Clock::time_point FaultInjector::act() {
  const Clock::time_point now = Clock::now();
  // A stop is always followed by its continuation, before other faults are considered.
  if (continue_at_ != Clock::time_point() && continue_at_ <= now) {
    fork_server_.signal(SIGCONT);
    continue_at_ = {};
  }
  Clock::time_point next = now + kLatest;
  if (continue_at_ != Clock::time_point()) next = continue_at_;
  for (Kind& kind : kinds_) {
    if (kind.next <= now) {
      kind.act();
      kind.next = draw(kind.per_second);
    }
    next = std::min(next, kind.next);
  }
  return next;
}

void FaultInjector::stop() {
  fork_server_.signal(SIGSTOP);
  continue_at_ = Clock::now() + kStop;
}

void FaultInjector::damage(bool truncates) {
  const std::size_t key = random_() % damaged_.size();
  const std::string entry = folder_ + "/" + entry_file(static_cast<std::int64_t>(key));
  FileDescriptor file;
  // The entry may not exist yet, or is being replaced: then this fault hits nothing.
  if (open_regular_file(file, entry, O_WRONLY, Links::refuse) != 0) return;
  // Marked before the write: a reader may meet the damage at once, and the ledger must not call it
  // torn.
  damaged_[key] = true;
  struct stat status {};
  if (::fstat(file.get(), &status) == 0) {
    // At any byte, up to one behind the end.
    const auto at = static_cast<off_t>(random_() % static_cast<std::uint64_t>(status.st_size + 1));
    // A fault that failed to happen leaves nothing to check later.
    if (truncates) (void)!::ftruncate(file.get(), at);
    if (!truncates) (void)!::pwrite(file.get(), "damage", 6, at);
  }
}

void delete_all(const std::string& directory) {
  namespace fs = std::filesystem;
  // Errors are ignored: files vanish and appear while the folder is walked.
  std::error_code code;  // other processes write at the same time
  for (const auto& item : fs::directory_iterator(directory, code))
    fs::remove_all(item.path(), code);
}

}  // namespace understudy::worker
