// SPDX-License-Identifier: Apache-2.0
#include "launcher/pod/watch.h"

#include <algorithm>
#include <csignal>
#include <sys/wait.h>

#include "launcher/pod/worker_table.h"
#include "launcher/process/subprocess.h"

namespace understudy::launcher {
namespace {

using configs::Phase;
using configs::RecordContent;

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
        workers_(world, options),
        read_at_(Clock::now()),
        step_at_(read_at_),
        heartbeat_at_(read_at_) {}

  WatchedRun run() {
    while (!mpirun_.ended()) {
      // Sampled before the poll: a loss that is found after mpirun has ended may be a consequence
      // of that.
      lost_while_mpirun_lived_ = seen_.lost.has_value();
      // SIGCHLD only ends the wait early; ended() of the loop condition reaps mpirun.
      if (const auto number = signals_.next(options_.look); number && *number != SIGCHLD)
        interrupt(*number);
      read_records();
      workers_.find_missing();
      if (!sigterm_sent_ && !is_lost() && !seen_.interrupted && !seen_.overdue) look_for_losses();
      if (!end_at_ && world_.stop_requested()) end_after(Seconds(0));
      look_at_clock();
      end_if_due();
    }
    for (std::size_t rank = 0; rank < workers_.size(); ++rank) workers_.read_whole(rank);
    seen_.mpirun_pid = mpirun_.pid();
    seen_.mpirun_status = mpirun_.ended();
    if (!is_lost() && !seen_.mpirun_was_told && !workers_.all_finished() && lose_first(true))
      lost_while_mpirun_lived_ = true;
    note_end_of_mpirun();
    seen_.exit_order = world_.ended();
    // mpirun has ended; workers that it did not end are killed here, so that nothing of the run is
    // left.
    workers_.end();
    seen_.workers_seen = workers_.seen();
    seen_.records = workers_.take_records();
    return std::move(seen_);
  }

 private:
  void read_records() {
    if (Clock::now() < next_read_) return;
    const Clock::time_point begin = Clock::now();
    // Every progress indicator only grows, so any progress of any worker changes the sum.
    std::uint64_t sum = 0;
    std::uint64_t step = 0;
    ChipsSeen chips;
    bool failed = false;
    for (std::size_t rank = 0; rank < workers_.size(); ++rank) {
      workers_.read(rank);
      const std::optional<RecordContent>& record = workers_[rank].record;
      if (!record) continue;
      sum +=
          record->heartbeat + record->instructions + static_cast<std::uint64_t>(record->phase) + 1;
      step = std::max(step, record->step);
      ++chips.started;
      if (record->phase >= Phase::runtime_initialised) ++chips.up;
      failed = failed || record->phase == Phase::failed;
    }
    // A pause of this process is no time without progress: where the machine stands still as a
    // whole (it swaps, or was suspended), the workers had no time either.
    const Seconds since = std::min<Seconds>(begin - read_at_, 2 * options_.most_between_reads);
    still_ = sum == progress_sum_ ? still_ + since : Seconds(0);
    read_at_ = begin;
    progress_sum_ = sum;
    if (step != step_) step_at_ = heartbeat_at_ = Clock::now();
    step_ = step;
    world_.progress(static_cast<std::int64_t>(step), chips);
    // A failed worker calls MPI_Abort, which ends the pod. If that does not work, the launcher ends
    // it.
    if (failed && !end_at_) end_after(2 * options_.report_grace);
    constexpr int kShare = 50;  // at most 1/50 of the time is spent on reading records
    const Seconds pause =
        std::min<Seconds>(kShare * (Clock::now() - begin), options_.most_between_reads);
    next_read_ = Clock::now() + std::chrono::duration_cast<Clock::duration>(pause);
  }

  void look_at_clock() {
    if (end_at_) return;
    const Clock::time_point now = Clock::now();
    if (now - heartbeat_at_ >= options_.heartbeat) {
      heartbeat_at_ = now;
      world_.heartbeat(workers_.position(), now - step_at_);
    }
    if (!options_.deadline || !options_.deadline->end.passed()) return;
    // The position is taken before the pod is ended: afterwards no worker is at work.
    seen_.overdue = workers_.position();
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
        workers_.read_whole(rank);  // it may have finished since the last read
        if (!worker.over()) gone.push_back(rank);
      } else if (worker.stop.exceeds(options_.stopped_for, *stat) && !stopped) {
        stopped = rank;
      }
    }
    if (lose_first(!gone.empty())) return;
    if (!gone.empty()) return lose(workers_.first_of(gone), Loss::by(LossKind::killed));
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
    workers_.read_whole(rank);
    if (worker.is_in(Phase::failed) || (worker.is_in(Phase::finished) && !others_lost))
      return false;
    if (worker.pid == 0) worker.pid = first->pid;
    lose(rank, first->loss);
    return true;
  }

  // A stopped mpirun neither starts workers nor notices their ends, and does not react to SIGTERM.
  bool is_mpirun_stopped() {
    const std::optional<ProcessStat> stat = world_.process(mpirun_.pid());
    if (!stat || !mpirun_stop_.exceeds(options_.stopped_for, *stat)) return false;
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

  // Detects a pod in which nothing makes progress. Waits between workers have their own deadlines;
  // this one is for a pod in which no worker can report, or which never started. The limit is
  // longer than theirs, so that their more specific report comes first.
  void check_pod_heartbeat() {
    // Generous for the start of mpirun on a busy machine, plus half a second per rank, because
    // ranks start one after another and share the cores.
    constexpr Seconds kStart{10};
    constexpr Seconds kStartOfOne{0.5};
    const Seconds limit = Seconds(options_.timeout_seconds) + kStart +
                          static_cast<double>(options_.ranks) * kStartOfOne;
    if (still_ < limit) return;
    const std::optional<std::size_t> last = workers_.least_advanced();
    // All workers have ended but mpirun has not: end it; the records have the outcome.
    if (!last) return end_after(Seconds(0));
    Loss loss = Loss::by(LossKind::no_progress);
    loss.still = limit;
    lose(*last, loss);
  }

  // Records the first loss only. All later ends are consequences of it or of ending the pod.
  void lose(std::size_t rank, Loss loss) {
    const Worker& worker = workers_[rank];
    if (loss.how == LossKind::killed && world_.out_of_memory(worker.pid))
      loss.how = LossKind::out_of_memory;
    workers_.read_whole(rank);
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
    workers_.kill();
    tell_mpirun(SIGKILL);
  }

  void tell_mpirun(int number) {
    if (mpirun_.ended()) return;
    seen_.mpirun_was_told = true;
    mpirun_.signal(number);
  }

  Subprocess& mpirun_;
  SignalQueue& signals_;
  const WatchWorld& world_;
  const WatchOptions& options_;
  WorkerTable workers_;
  WatchedRun seen_;
  Clock::time_point next_read_{};
  Clock::time_point read_at_;  // of the last read of the records
  Seconds still_{0};           // since the last progress, as far as this process watched
  Clock::time_point step_at_, heartbeat_at_;  // of the last new step; of the last heartbeat message
  std::uint64_t step_ = 0;
  std::uint64_t progress_sum_ = 0;
  std::optional<Clock::time_point> end_at_;  // when the pod gets SIGTERM, then SIGKILL
  bool sigterm_sent_ = false;
  bool lost_while_mpirun_lived_ = false;
  StopTimer mpirun_stop_;
};

}  // namespace

WatchedRun watch(Subprocess& mpirun, SignalQueue& signals, const WatchWorld& world,
                 const WatchOptions& options) {
  return Watch(mpirun, signals, world, options).run();
}

}  // namespace understudy::launcher
