// SPDX-License-Identifier: Apache-2.0
#include "worker/bootstrap.h"

#include <atomic>
#include <exception>
#include <fmt/format.h>
#include <memory>
#include <optional>
#include <sys/prctl.h>
#include <thread>
#include <utility>

#include "collectives/communicator.h"
#include "collectives/mpi/library.h"
#include "collectives/mpi/runtime.h"
#include "collectives/mpi/transport.h"
#include "collectives/poll_throttle.h"
#include "configs/base/caught.h"
#include "configs/base/error.h"
#include "configs/base/file.h"
#include "configs/base/log.h"
#include "configs/base/procfs.h"
#include "configs/receipt/record/failure_kind.h"
#include "worker/gates/process_environment.h"
#include "worker/pod/peers.h"
#include "worker/pod/record_place.h"
#include "worker/pod/signals.h"
#include "worker/pod/worker_status.h"
#include "worker/session.h"
#include "worker/start.h"

namespace understudy::worker {
namespace {

// How long a chip that computes may go on after a peer failed. Normally it finds the peer missing
// at its next collective; a chip without one in the near future must not hold up the end.
constexpr Seconds kGraceAtWork{1.0};
// How long the first rank to leave waits for the others to write their records. MPI_Abort makes
// mpirun kill them after it, and a killed worker explains nothing.
constexpr Seconds kGraceForRecords{0.7};
constexpr auto kPause = std::chrono::milliseconds(10);
// The shell's convention.
constexpr int kSignalExit = 128;

// What is known of the pod once its memory is mapped. Outlives the transport, which refers to it.
struct Pod {
  Pod(const PodMemory& memory, const std::vector<HostId>& host_of)
      : doorbells(memory), watch(memory, host_of) {}
  PodDoorbells doorbells;
  PodWatch watch;
};

// What a worker sets up before MPI starts, so that a death in MPI_Init is recorded too.
struct EarlyRecord {
  EarlyRecord(const std::string& run_dir, Rank rank)
      : place(run_dir, rank), record(place.path(), rank) {
    const ProcessIdentity self = this_process_identity();
    record.append(configs::ProcessSeen{self.pid, self.start, machine_name()});
  }
  RecordPlace place;
  configs::RecordWriter record;
  StopSignals signals{[this](const configs::SignalSeen& seen) { record.append(seen); }};
};

class Worker {
 public:
  // `start` slows the polling of a starting pod until attach_pod(). Everything outlives this.
  Worker(std::string run_dir, collectives::MpiRuntime& mpi, collectives::Communicator& world,
         const collectives::PollThrottle& start, EarlyRecord& early)
      : run_dir_(std::move(run_dir)),
        start_(start),
        place_(early.place),
        record_(early.record),
        signals_(early.signals),
        worker_status_(record_),
        transport_(world, collectives::WaitLimits{}),
        library_(transport_, world),
        session_({transport_, record_, worker_status_, run_dir_, mpi.library_version(),
                  Clock::now(),
                  [this](const configs::RunPlan& plan, const PodMemory& memory) {
                    attach_pod(plan, memory);
                  },
                  &library_, own_environment(), place_.folder()}) {}

  // Returns when the session ended well.
  void run();
  // Collective, before MPI ends.
  void free_communicators() { library_.free(); }
  void finished() { worker_status_.enter(configs::Phase::finished); }

 private:
  void attach_pod(const configs::RunPlan& plan, const PodMemory& memory);
  void execute();
  void supervise();
  void mind_leaving_peers();
  void mind_record();
  [[noreturn]] void leave(configs::Failed failed, int exit_code);
  [[noreturn]] void leave_after(const configs::SignalSeen& signal);
  configs::Failed failed_for(const Error& error) const;
  configs::Evidence evidence_of_loss(const LostPeer& peer) const;
  configs::Failed describe_failure(configs::FailureKind kind, std::string message) const;

  std::string run_dir_;
  const collectives::PollThrottle& start_;
  RecordPlace& place_;
  configs::RecordWriter& record_;
  StopSignals& signals_;
  WorkerStatus worker_status_;
  std::unique_ptr<Pod> pod_;  // written by the executor once; the main thread reads published_pod_
  std::atomic<Pod*> published_pod_{nullptr};
  collectives::MpiTransport transport_;
  collectives::MpiLibrary library_;
  Session session_;
  std::optional<Error> failure_;  // written by the executor before done_
  std::atomic<bool> done_{false};
  std::optional<Deadline> grace_;
};

// On the executor thread. The release store publishes the finished Pod: the main thread polls
// published_pod_ and may use it as soon as it sees the pointer.
void Worker::attach_pod(const configs::RunPlan& plan, const PodMemory& memory) {
  pod_ = std::make_unique<Pod>(memory, plan.host_of);
  transport_.attach(pod_->doorbells, pod_->watch);
  transport_.set_limits({.no_progress = Seconds(plan.timeout_seconds)});
  published_pod_.store(pod_.get(), std::memory_order_release);
  start_.end_here();
}

// The entry wrapper of the executor thread: no exception leaves it. Release on done_ publishes
// failure_; the doorbell wakes the main thread, which may sleep up to 200 ms in pump().
void Worker::execute() {
  failure_ = caught([this] {
    session_.run();
    ControlChannel control_channel(transport_);
    // A forwarded record is a copy taken now: it must already contain the phase `finished`.
    if (place_.is_elsewhere()) finished();
    forward_record(control_channel, place_, record_, run_dir_);
  });
  done_.store(true, std::memory_order_release);
  if (Pod* pod = published_pod_.load(std::memory_order_acquire)) {
    collectives::ring(pod->doorbells.own());
  }
}

void Worker::run() {
  std::jthread executor([this] { execute(); });
  signals_.supervise(true);
  supervise();
  signals_.supervise(false);
  executor.join();
}

// The main thread's loop: pump() moves messages and sleeps for at most 200 ms.
void Worker::supervise() {
  bool met = false;
  while (!done_.load(std::memory_order_acquire)) {
    transport_.pump();
    if (!met && published_pod_.load(std::memory_order_acquire) != nullptr) {
      met = true;
      start_.end_here();
    }
    worker_status_.beat();
    if (const std::optional<configs::SignalSeen> signal = signals_.received()) leave_after(*signal);
    mind_leaving_peers();
    mind_record();
  }
  worker_status_.beat();
  if (!failure_) return;
  leave(failed_for(*failure_), exit_code_of(failure_->kind()));
}

// Evidence decides who is blamed: a signal from mpirun is the consequence of somebody else's
// failure, any other signal is this rank's own end.
void Worker::leave_after(const configs::SignalSeen& signal) {
  configs::Failed failed = describe_failure(configs::FailureKind::interrupted, text_of(signal));
  failed.evidence =
      signal.from_pod ? configs::Evidence::interrupted : configs::Evidence::own_signal;
  leave(std::move(failed), kSignalExit + static_cast<int>(signal.number));
}

// Ends this worker when a peer failed while its own executor computes. Normally the executor
// notices by itself, at its next collective.
void Worker::mind_leaving_peers() {
  Pod* pod = published_pod_.load(std::memory_order_acquire);
  if (pod == nullptr) return;
  const std::vector<Rank> leaving = pod->watch.leaving();
  if (leaving.empty()) return;
  if (!grace_) grace_ = Deadline::after(kGraceAtWork);
  if (!grace_->passed()) return;
  configs::Failed failed =
      describe_failure(configs::FailureKind::timeout, pod->watch.describe(leaving.front()) +
                                                          " failed while this chip was computing");
  for (const Rank rank : leaving) failed.missing_ranks.push_back(rank.value);
  failed.evidence = configs::Evidence::peer_gave_up;
  leave(std::move(failed), exit_code_of(ErrorKind::timeout));
}

// A full disk under the record fails the run: without observations a run proves nothing.
void Worker::mind_record() {
  const int refused = record_.write_error();
  if (refused == 0) return;
  const Error error = file_error("write", place_.path(), refused);
  leave(failed_for(error), exit_code_of(error.kind()));
}

configs::Failed Worker::describe_failure(configs::FailureKind kind, std::string message) const {
  configs::Failed failed;
  failed.kind = kind;
  failed.message = std::move(message);
  failed.phase = session_.reached();
  failed.op_index = std::int64_t{worker_status_.status().op.load(std::memory_order_acquire)} - 1;
  failed.op = session_.op_name(failed.op_index);
  return failed;
}

configs::Failed Worker::failed_for(const Error& error) const {
  std::string message = error.place() ? error.text() : error.message();
  if (!error.place()) {
    for (const std::string& note : error.notes()) message += "\nnote: " + note;
  }
  configs::Failed failed =
      describe_failure(configs::failure_kind_of(error.kind()), std::move(message));
  for (const Rank rank : transport_.missing()) failed.missing_ranks.push_back(rank.value);
  if (!error.diagnosis().empty()) failed.diagnosis = error.diagnosis();
  // Three sources of blame, the most specific last: a gate that knows the divergent rank; a
  // mismatch that names both sides; a lost peer that the wait itself identified.
  if (const std::optional<Rank> culprit = session_.culprit()) {
    failed.missing_ranks = {culprit->value};
    failed.evidence = configs::Evidence::peer_gave_up;
  } else if (error.kind() == ErrorKind::protocol) {
    failed.evidence = configs::Evidence::mismatch;
  }
  if (error.lost_peer()) {
    failed.evidence = evidence_of_loss(*error.lost_peer());
  } else if (error.kind() == ErrorKind::timeout) {
    failed.evidence = configs::Evidence::no_progress;
  }
  return failed;
}

// Upgrades "no progress" to what /proc says now: a peer that was stopped or gone all along may only
// show it a moment after the wait failed. `gave_up` seen only now is no evidence: where all ranks
// time out at once, all of them give up.
configs::Evidence Worker::evidence_of_loss(const LostPeer& peer) const {
  using collectives::PeerState;
  using configs::Evidence;
  if (peer.how == PeerLoss::gave_up) return Evidence::peer_gave_up;
  Pod* pod = published_pod_.load(std::memory_order_acquire);
  const PeerState now = pod == nullptr ? PeerState::alive : pod->watch.state(Rank(peer.rank));
  if (peer.how == PeerLoss::stopped || now == PeerState::stopped) return Evidence::stopped;
  if (peer.how == PeerLoss::gone || now == PeerState::gone) return Evidence::gone;
  return Evidence::no_progress;
}

// The order matters: first the record, then the phase, then the abort flag. A peer or the launcher
// that sees the flag finds the record complete.
void Worker::leave(configs::Failed failed, int exit_code) {
  log_debug(failed.message);
  record_.append(failed);
  worker_status_.enter(configs::Phase::failed);
  worker_status_.give_up();
  if (Pod* pod = published_pod_.load(std::memory_order_acquire)) {
    session_.note_arrivals();
    // Peers that sleep in a wait see the flag now, not at their next recheck.
    pod->doorbells.ring_all();
    const Deadline deadline = Deadline::after(kGraceForRecords);
    while (!pod->watch.nobody_works() && !deadline.passed()) {
      std::this_thread::sleep_for(kPause);
      worker_status_.beat();
    }
  }
  collectives::MpiRuntime::abort(exit_code);
}

}  // namespace

void run_worker(const std::string& run_dir) {
  // The kernel names a process after the file it executed: /proc/self/exe would show up as "exe".
  (void)::prctl(PR_SET_NAME, "understudy-worker");
  block_stop_signals();
  const Rank rank = rank_in_environment();
  EarlyRecord early(run_dir, rank);
  const collectives::PollThrottle start;
  collectives::MpiRuntime mpi;
  collectives::Communicator world = mpi.duplicate_world();
  UNDERSTUDY_ASSERT(world.rank() == rank);
  log_setup(fmt::format("chip {}", world.rank().value),
            world.rank() == Rank(0) ? LogLevel::info : LogLevel::warning);
  Worker worker(run_dir, mpi, world, start, early);
  worker.run();
  // MPI_Finalize polls as MPI_Init does.
  const collectives::PollThrottle end;
  worker.free_communicators();
  world.free();
  mpi.finalize();
  worker.finished();
}

}  // namespace understudy::worker
