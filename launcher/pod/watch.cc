// SPDX-License-Identifier: Apache-2.0
#include "launcher/pod/watch.h"

#include <algorithm>
#include <csignal>
#include <sys/wait.h>
#include <thread>
#include <tuple>

#include "launcher/process/subprocess.h"

namespace understudy::launcher {
namespace {

using configs::Phase;
using configs::RecordContent;

// The state of one worker as the watch knows it.
struct Worker {
  std::optional<RecordContent> record;
  bool known = false;    // its record names its process
  std::int64_t pid = 0;  // 0: unknown, or on another machine
  std::uint64_t pid_start = 0;
  std::optional<Clock::time_point> stopped_since;

  // From the process table entry of its pid (nullopt: none). Another start time means that the pid
  // was reused; zombies and dead processes count as gone.
  bool is_gone(const std::optional<ProcessStat>& stat) const {
    return !stat || stat->start != pid_start || stat->state == 'Z' || stat->state == 'X';
  }
  bool is_in(Phase phase) const { return record && record->phase == phase; }
  bool over() const { return is_in(Phase::finished) || is_in(Phase::failed); }
};

// The watch is a polling loop in the main thread (every 50 ms, or earlier on a signal):
// running -> (loss, failure, interruption, deadline, given up) sets `end_at_` -> SIGTERM to mpirun
// at `end_at_` -> after the kill delay SIGKILL to workers and mpirun -> mpirun has ended ->
// leftovers are killed.
// `end_at_` is the next action's time, `sigterm_sent_` whether SIGTERM was sent. Losses are only
// searched before SIGTERM, because afterwards all ends are consequences.
class Watch {
 public:
  Watch(Subprocess& mpirun, SignalQueue& signals, const WatchWorld& world,
        const WatchOptions& options)
      : mpirun_(mpirun),
        signals_(signals),
        world_(world),
        options_(options),
        workers_(static_cast<std::size_t>(options.ranks)),
        progress_at_(Clock::now()),
        step_at_(progress_at_),
        heartbeat_at_(progress_at_) {}

  Watched run() {
    while (!mpirun_.ended()) {
      // Sampled before the poll: a loss that is found after mpirun has ended may be a consequence
      // of that.
      lost_while_mpirun_lived_ = seen_.lost.has_value();
      if (const auto number = signals_.next(options_.look); number && *number != SIGCHLD)
        interrupt(*number);
      read_records();
      if (!known_all_) find_workers();
      if (!sigterm_sent_ && !is_lost() && !seen_.interrupted && !seen_.overdue) look_for_losses();
      if (!end_at_ && world_.stop_requested()) end_after(Seconds(0));
      look_at_clock();
      end_if_due();
    }
    for (std::size_t rank = 0; rank < workers_.size(); ++rank) read_all(rank);
    seen_.mpirun_pid = mpirun_.pid();
    seen_.mpirun_status = mpirun_.ended();
    const bool all_finished = std::ranges::all_of(
        workers_, [](const Worker& worker) { return worker.is_in(Phase::finished); });
    if (!is_lost() && !seen_.mpirun_was_told && !all_finished && lose_first(true))
      lost_while_mpirun_lived_ = true;
    note_end_of_mpirun();
    seen_.exit_order = world_.ended();
    // mpirun has ended; workers that it did not end are killed here, so that nothing of the run is
    // left.
    end_workers();
    for (const Worker& worker : workers_)
      if (worker.pid != 0 || worker.record) ++seen_.workers_seen;
    for (Worker& worker : workers_) seen_.records.push_back(std::move(worker.record));
    return std::move(seen_);
  }

 private:
  // Reads the whole record until the worker is known; after that only its status, which is small.
  void read(std::size_t rank) {
    Worker& worker = workers_[rank];
    const auto number = static_cast<std::int64_t>(rank);
    if (worker.known) {
      std::optional<RecordContent> status = world_.status(number);
      if (!status) return;
      status->observations = std::move(worker.record->observations);
      worker.record = std::move(status);
      return;
    }
    read_all(rank);
    const auto* const process = last_of<configs::ProcessSeen>(worker.record);
    if (process == nullptr) return;
    worker.known = true;
    if (process->machine == options_.machine) track_worker(rank, process->pid, process->pid_start);
  }

  // Called from a record or from the process table, whichever shows the worker first. From then on
  // the kernel tracks its end.
  void track_worker(std::size_t rank, std::int64_t pid, std::uint64_t start) {
    Worker& worker = workers_[rank];
    if (worker.pid == pid) return;
    worker.pid = pid;
    worker.pid_start = start;
    world_.follow(static_cast<std::int64_t>(rank), pid);
  }

  // Finds workers without a record in the process table, so that an early end is noticed.
  void find_workers() {
    std::set<std::int64_t> pids;
    for (const Worker& worker : workers_)
      if (worker.pid != 0) pids.insert(worker.pid);
    known_all_ = std::ranges::all_of(workers_, &Worker::known);
    if (known_all_) return;
    for (const auto& [rank, pid] : world_.workers(pids)) {
      if (rank < 0 || rank >= options_.ranks) continue;
      const std::optional<ProcessStat> stat = world_.process(pid);
      if (stat) track_worker(static_cast<std::size_t>(rank), pid, stat->start);
    }
  }

  void read_all(std::size_t rank) {
    std::optional<RecordContent> record = world_.record(static_cast<std::int64_t>(rank));
    if (record) workers_[rank].record = std::move(record);
  }

  void read_records() {
    if (Clock::now() < next_read_) return;
    const Clock::time_point begin = Clock::now();
    // Every progress indicator only grows, so any progress of any worker changes the sum.
    std::uint64_t sum = 0;
    std::uint64_t step = 0;
    ChipsSeen chips;
    bool failed = false;
    for (std::size_t rank = 0; rank < workers_.size(); ++rank) {
      read(rank);
      const std::optional<RecordContent>& record = workers_[rank].record;
      if (!record) continue;
      sum +=
          record->heartbeat + record->instructions + static_cast<std::uint64_t>(record->phase) + 1;
      step = std::max(step, record->step);
      ++chips.started;
      if (record->phase >= Phase::runtime_initialised) ++chips.up;
      failed = failed || record->phase == Phase::failed;
    }
    if (sum != progress_sum_) progress_at_ = Clock::now();
    progress_sum_ = sum;
    if (step != step_) step_at_ = heartbeat_at_ = Clock::now();
    step_ = step;
    world_.progress(static_cast<std::int64_t>(step), chips);
    // A failed worker calls MPI_Abort, which ends the pod. If that does not work, the launcher ends
    // it.
    if (failed && !end_at_) end_after(2 * options_.report_grace);
    constexpr int kShare = 50;  // at most 1/50 of the time is spent on reading records
    next_read_ = Clock::now() + kShare * (Clock::now() - begin);
  }

  // Prefers a worker that is computing: a waiting worker only shows where it waits for others.
  RunPosition position() const {
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

  void look_at_clock() {
    if (end_at_) return;
    const Clock::time_point now = Clock::now();
    if (now - heartbeat_at_ >= options_.heartbeat) {
      heartbeat_at_ = now;
      world_.heartbeat(position(), now - step_at_);
    }
    if (!options_.deadline || !options_.deadline->end.passed()) return;
    // The position is taken before the pod is ended: afterwards no worker is at work.
    seen_.overdue = position();
    seen_.deadline_seconds = options_.deadline->seconds;
    end_after(Seconds(0));
  }

  // Checks the processes of all workers. Once the pod is ending, workers end as a consequence and
  // are not losses; a stopped worker is still one, because nothing else stops it.
  void look_for_losses() {
    if (is_mpirun_stopped()) return;
    std::vector<std::size_t> gone;
    std::optional<std::size_t> stopped;
    for (std::size_t rank = 0; rank < workers_.size(); ++rank) {
      Worker& worker = workers_[rank];
      if (worker.pid == 0 || worker.over()) continue;
      const std::optional<ProcessStat> stat = world_.process(worker.pid);
      if (worker.is_gone(stat)) {
        if (end_at_) continue;
        read_all(rank);  // it may have finished since the last read
        if (!worker.over()) gone.push_back(rank);
      } else if (stays_stopped(worker.stopped_since, *stat) && !stopped) {
        stopped = rank;
      }
    }
    if (lose_first(!gone.empty())) return;
    if (!gone.empty()) return lose(first_of(gone), Loss::by(LossKind::killed));
    if (stopped) return lose(*stopped, Loss::by(LossKind::stopped, SIGSTOP));
    if (!end_at_) check_pod_heartbeat();
  }

  // What mpirun saw comes before the process table: it has the wait statuses, the ends of workers
  // that the launcher never found, and which ends it caused itself. A worker that reported a
  // failure has explained its end. One that finished is only the cause if others did not, because
  // mpirun ended them (`others_lost`). Returns whether a loss was noted.
  bool lose_first(bool others_lost) {
    const std::optional<FirstEnd> first = world_.first_end();
    if (!first) return false;
    if (first->rank < 0) {
      seen_.lost_mpirun = LostMpirun{mpirun_.pid(), first->loss};
      // mpirun ends the workers itself; they write their reports meanwhile.
      if (!end_at_) end_after(2 * options_.report_grace);
      return true;
    }
    if (first->rank >= options_.ranks) return false;
    const auto rank = static_cast<std::size_t>(first->rank);
    Worker& worker = workers_[rank];
    read_all(rank);
    if (worker.is_in(Phase::failed) || (worker.is_in(Phase::finished) && !others_lost))
      return false;
    if (worker.pid == 0) worker.pid = first->pid;
    lose(rank, first->loss);
    return true;
  }

  // A stopped mpirun neither starts workers nor notices their ends, and does not react to SIGTERM.
  bool is_mpirun_stopped() {
    const std::optional<ProcessStat> stat = world_.process(mpirun_.pid());
    if (!stat || !stays_stopped(mpirun_stopped_since_, *stat)) return false;
    seen_.lost_mpirun = LostMpirun{mpirun_.pid(), Loss::by(LossKind::stopped, SIGSTOP)};
    tell_mpirun(SIGTERM);
    sigterm_sent_ = true;
    end_after(Seconds(0));
    return true;
  }

  bool is_lost() const { return seen_.lost || seen_.lost_mpirun; }

  // mpirun ends by a signal only if someone sent it one, and workers that are lost after that end
  // because of it. A worker that was lost while mpirun still ran is the cause itself.
  void note_end_of_mpirun() {
    const int status = seen_.mpirun_status.value_or(0);
    if (lost_while_mpirun_lived_ || seen_.mpirun_was_told || seen_.interrupted ||
        !WIFSIGNALED(status))
      return;
    Loss loss = Loss::by(LossKind::killed, WTERMSIG(status));
    if (world_.out_of_memory(mpirun_.pid())) loss.how = LossKind::out_of_memory;
    seen_.lost_mpirun = LostMpirun{mpirun_.pid(), loss};
  }

  bool stays_stopped(std::optional<Clock::time_point>& since, const ProcessStat& stat) const {
    // A short stop (a debugger, a job control signal) is not a loss.
    const bool stopped = stat.state == 'T' || stat.state == 't';
    if (!stopped) since.reset();
    if (stopped && !since) since = Clock::now();
    return stopped && Clock::now() - *since > options_.stopped_for;
  }

  // The first of several workers that ended between two polls, of which mpirun has not seen the
  // first yet. mpirun ends the others soon after
  // the first, so the order matters. The kernel's order of ends (ExitOrder) decides; workers that
  // it does not contain come last. Among those, fewer collectives, then fewer heartbeats mean an
  // earlier end.
  std::size_t first_of(const std::vector<std::size_t>& gone) const {
    const std::vector<std::int64_t> order = world_.ended();
    const auto life = [&](std::size_t rank) {
      const auto place = std::ranges::find(order, static_cast<std::int64_t>(rank)) - order.begin();
      const auto& record = workers_[rank].record;
      const bool entered = record && !record->flight.empty();
      return std::tuple(place, entered ? record->flight.back().sequence : 0,
                        record ? record->heartbeat : 0);
    };
    return *std::ranges::min_element(gone, std::less{}, life);
  }

  // Detects a pod in which nothing makes progress. Waits between workers have their own deadlines;
  // this one is for a pod in which no worker can report, or which never started. The limit is
  // longer than theirs, so that their more specific report comes first.
  void check_pod_heartbeat() {
    constexpr Seconds kStart{10};
    constexpr Seconds kStartOfOne{0.5};
    const Seconds limit = Seconds(options_.timeout_seconds) + kStart +
                          static_cast<double>(options_.ranks) * kStartOfOne;
    if (Clock::now() - progress_at_ < limit) return;
    // The worker that has come least far: one that never started keeps the others in MPI_Init.
    const auto last = std::ranges::min_element(workers_, std::less{}, [](const Worker& worker) {
      return std::tuple(worker.over(), worker.record ? static_cast<int>(worker.record->phase) : -1);
    });
    // All workers have ended but mpirun has not: end it; the records have the outcome.
    if (last == workers_.end() || last->over()) return end_after(Seconds(0));
    Loss loss = Loss::by(LossKind::no_progress);
    loss.still = limit;
    lose(static_cast<std::size_t>(last - workers_.begin()), loss);
  }

  // Records the first loss only. All later ends are consequences of it or of ending the pod.
  void lose(std::size_t rank, Loss loss) {
    const Worker& worker = workers_[rank];
    if (loss.how == LossKind::killed && world_.out_of_memory(worker.pid))
      loss.how = LossKind::out_of_memory;
    read_all(rank);
    seen_.lost = lost_worker(static_cast<std::int64_t>(rank), std::move(loss), worker.record);
    if (!end_at_) end_after(options_.report_grace);
  }

  void interrupt(int number) {
    if (seen_.interrupted) {  // a second signal ends the pod without a grace period
      end_at_ = Clock::now();
      return;
    }
    // The workers write their reports on SIGTERM, so the receipt of an interrupted run is complete.
    seen_.interrupted = number;
    tell_mpirun(SIGTERM);
    end_after(options_.report_grace);
  }

  void end_after(Seconds span) {
    end_at_ = Clock::now() + std::chrono::duration_cast<Clock::duration>(span);
  }

  void end_if_due() {
    if (!end_at_ || Clock::now() < *end_at_) return;
    // First SIGTERM, so that mpirun and the workers can write their reports; SIGKILL after the
    // delay.
    if (!sigterm_sent_) {
      sigterm_sent_ = true;
      tell_mpirun(SIGTERM);
      end_after(options_.kill_delay);
      return;
    }
    kill_workers();
    tell_mpirun(SIGKILL);
  }

  void tell_mpirun(int number) {
    if (mpirun_.ended()) return;
    seen_.mpirun_was_told = true;
    mpirun_.signal(number);
  }

  // Sends SIGKILL to all workers that still run. Returns their number.
  int kill_workers() {
    int alive = 0;
    for (const Worker& worker : workers_) {
      if (worker.pid == 0) continue;
      if (worker.is_gone(world_.process(worker.pid))) continue;
      world_.kill(worker.pid);
      ++alive;
    }
    return alive;
  }

  // Killed processes need time to exit, more so the more memory they map.
  void end_workers() {
    constexpr Seconds kLongest{5};
    constexpr std::chrono::milliseconds kLook{5};
    const Deadline deadline = Deadline::after(kLongest);
    while (kill_workers() > 0 && !deadline.passed()) std::this_thread::sleep_for(kLook);
  }

  Subprocess& mpirun_;
  SignalQueue& signals_;
  const WatchWorld& world_;
  const WatchOptions& options_;
  std::vector<Worker> workers_;
  Watched seen_;
  Clock::time_point next_read_{};
  Clock::time_point progress_at_;
  Clock::time_point step_at_, heartbeat_at_;  // of the last new step; of the last heartbeat message
  std::uint64_t step_ = 0;
  std::uint64_t progress_sum_ = 0;
  std::optional<Clock::time_point> end_at_;  // when the pod gets SIGTERM, then SIGKILL
  bool sigterm_sent_ = false;
  bool lost_while_mpirun_lived_ = false;
  bool known_all_ = false;  // every worker has a record
  std::optional<Clock::time_point> mpirun_stopped_since_;
};

}  // namespace

Watched watch(Subprocess& mpirun, SignalQueue& signals, const WatchWorld& world,
              const WatchOptions& options) {
  return Watch(mpirun, signals, world, options).run();
}

}  // namespace understudy::launcher
