// SPDX-License-Identifier: Apache-2.0
#include "launcher/pod/worker_table.h"

#include <algorithm>
#include <chrono>
#include <set>
#include <thread>
#include <tuple>
#include <utility>

namespace understudy::launcher {

using configs::Phase;
using configs::RecordContent;

bool StopTimer::exceeds(Seconds limit, const ProcessStat& stat) {
  // proc(5): T is stopped by a signal, t by a tracer.
  const bool stopped = stat.state == 'T' || stat.state == 't';
  if (!stopped) since_.reset();
  if (stopped && !since_) since_ = Clock::now();
  return stopped && Clock::now() - *since_ > limit;
}

bool Worker::is_gone(const std::optional<ProcessStat>& stat) const {
  return !stat || stat->start != pid_start || stat->state == 'Z' || stat->state == 'X';
}

bool Worker::over() const { return is_in(Phase::finished) || is_in(Phase::failed); }

void WorkerTable::read(std::size_t rank) {
  Worker& worker = workers_[rank];
  if (worker.known) {
    std::optional<RecordContent> status = world_.status(static_cast<std::int64_t>(rank));
    if (!status) return;
    // The status has no observations; those of the last full read are kept.
    status->observations = std::move(worker.record->observations);
    worker.record = std::move(status);
    return;
  }
  read_whole(rank);
  const auto* const process = last_of<configs::ProcessSeen>(worker.record);
  if (process == nullptr) return;
  worker.known = true;
  if (process->machine == options_.machine) track(rank, process->pid, process->pid_start);
}

void WorkerTable::read_whole(std::size_t rank) {
  std::optional<RecordContent> record = world_.record(static_cast<std::int64_t>(rank));
  if (record) workers_[rank].record = std::move(record);
}

// Called from a record or from the process table, whichever shows the worker first. From then on
// the kernel tracks its end.
void WorkerTable::track(std::size_t rank, std::int64_t pid, std::uint64_t start) {
  Worker& worker = workers_[rank];
  if (worker.pid == pid) return;
  worker.pid = pid;
  worker.pid_start = start;
  world_.follow(static_cast<std::int64_t>(rank), pid);
}

void WorkerTable::find_missing() {
  if (all_known_) return;
  all_known_ = std::ranges::all_of(workers_, &Worker::known);
  if (all_known_) return;
  std::set<std::int64_t> pids;
  for (const Worker& worker : workers_)
    if (worker.pid != 0) pids.insert(worker.pid);
  for (const auto& [rank, pid] : world_.workers(pids)) {
    if (rank < 0 || rank >= options_.ranks) continue;
    const std::optional<ProcessStat> stat = world_.process(pid);
    if (stat) track(static_cast<std::size_t>(rank), pid, stat->start);
  }
}

RunPosition WorkerTable::position() const {
  RunPosition found;
  bool waits = true;
  for (std::size_t rank = 0; rank < workers_.size(); ++rank) {
    const Worker& worker = workers_[rank];
    if (!worker.record || worker.over()) continue;
    const bool here = worker.record->waiting_for != 0;
    if (found.rank >= 0 && (here || !waits)) continue;
    waits = here;
    const RecordContent& record = *worker.record;
    found = {static_cast<std::int64_t>(rank), record.phase, record.step, record.op, record.loops};
  }
  return found;
}

std::size_t WorkerTable::first_of(const std::vector<std::size_t>& gone) const {
  const std::vector<std::int64_t> order = world_.ended();
  const auto life = [&](std::size_t rank) {
    const auto place = std::ranges::find(order, static_cast<std::int64_t>(rank)) - order.begin();
    const auto& record = workers_[rank].record;
    const bool entered = record && !record->flight.empty();
    // A rank that the kernel's order does not contain gets the largest place.
    return std::tuple(place, entered ? record->flight.back().sequence : 0,
                      record ? record->heartbeat : 0);
  };
  return *std::ranges::min_element(gone, std::less{}, life);
}

std::optional<std::size_t> WorkerTable::least_advanced() const {
  const auto last = std::ranges::min_element(workers_, std::less{}, [](const Worker& worker) {
    // False sorts before true: workers that are over come last.
    return std::tuple(worker.over(), worker.record ? static_cast<int>(worker.record->phase) : -1);
  });
  if (last == workers_.end() || last->over()) return std::nullopt;
  return static_cast<std::size_t>(last - workers_.begin());
}

bool WorkerTable::all_finished() const {
  return std::ranges::all_of(workers_,
                             [](const Worker& worker) { return worker.is_in(Phase::finished); });
}

std::int64_t WorkerTable::seen() const {
  return std::ranges::count_if(
      workers_, [](const Worker& worker) { return worker.pid != 0 || worker.record; });
}

int WorkerTable::kill() {
  int alive = 0;
  for (const Worker& worker : workers_) {
    if (worker.pid == 0) continue;
    if (worker.is_gone(world_.process(worker.pid))) continue;
    world_.kill(worker.pid);
    ++alive;
  }
  return alive;
}

void WorkerTable::end() {
  constexpr Seconds kLongest{5};
  constexpr std::chrono::milliseconds kLook{5};
  const Deadline deadline = Deadline::after(kLongest);
  while (kill() > 0 && !deadline.passed()) std::this_thread::sleep_for(kLook);
}

std::vector<std::optional<RecordContent>> WorkerTable::take_records() {
  std::vector<std::optional<RecordContent>> records;
  records.reserve(workers_.size());
  for (Worker& worker : workers_) records.push_back(std::move(worker.record));
  return records;
}

}  // namespace understudy::launcher
