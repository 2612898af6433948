// SPDX-License-Identifier: Apache-2.0
#include "collectives/mpi/transport.h"

#include <algorithm>

#include "fmt/format.h"

namespace understudy::collectives {
namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;

// Only a safety net: the main thread always ends the executor's wait.
constexpr Clock::duration kExecutorRecheck = std::chrono::seconds(2);
// After this long without progress the main thread looks half as often.
constexpr Clock::duration kLongWait = std::chrono::seconds(1);
constexpr Clock::duration kLookEvery = milliseconds(50);  // at the state of awaited peers
constexpr Clock::duration kFirstBackOff = microseconds(20);
// How long MPI is polled after a send to another machine: a message may still be in MPI's queues
// when MPI calls it complete.
constexpr Clock::duration kLinger = milliseconds(20);

class NullDoorbells final : public Doorbells {
 public:
  void ring(Rank) override {}
  std::atomic<std::uint32_t>& own() override { return own_; }
  bool is_local(Rank) const override { return false; }

 private:
  std::atomic<std::uint32_t> own_{0};
};

// Knows nothing about peers, so that only the wait limit ends a wait.
class NullPeerWatch final : public PeerWatch {
 public:
  PeerState state(Rank) override { return PeerState::alive; }
  std::uint64_t progress(Rank) override { return 0; }
  std::uint64_t heartbeat(Rank) override { return 0; }
  Rank waiting_for(Rank) override { return kNobody; }
  void publish_waiting_for(Rank) override {}
  std::string describe(Rank peer) override { return fmt::format("rank {}", peer.value); }
};

}  // namespace

MpiTransport::MpiTransport(const Communicator& communicator, WaitLimits limits)
    : communicator_(communicator),
      main_thread_(std::this_thread::get_id()),
      limits_(limits),
      links_(communicator),
      watch_(nullptr),
      back_off_(kFirstBackOff),
      doorbells_(nullptr),
      solitary_doorbells_(std::make_unique<NullDoorbells>()),
      blind_watch_(std::make_unique<NullPeerWatch>()) {
  attach(*solitary_doorbells_, *blind_watch_);
}

MpiTransport::~MpiTransport() = default;

// The watch and the limits may change only between jobs: a running job has references to them.
void MpiTransport::attach(Doorbells& doorbells, PeerWatch& watch) {
  const std::scoped_lock lock(mutex_);
  UNDERSTUDY_ASSERT(job_ == nullptr);
  watch_ = &watch;
  wait_monitor_.emplace(watch, rank(), limits_);
  doorbells_ = &doorbells;
  collectives::ring(solitary_doorbells_->own());  // the main thread may still sleep there
}

void MpiTransport::set_limits(WaitLimits limits) {
  const std::scoped_lock lock(mutex_);
  UNDERSTUDY_ASSERT(job_ == nullptr);
  limits_ = limits;
  wait_monitor_.emplace(*watch_, rank(), limits_);
}

void MpiTransport::exchange_all(std::span<const Outbound> out, std::span<Inbound> in, Stream stream,
                                const MessageHeader& header, const Waiting& waiting) {
  MpiExchange job(links_, *doorbells_.load(), out, in, stream, header, waiting);
  run(job);
}

void MpiTransport::run(MpiJob& job) {
  std::unique_lock lock(mutex_);
  UNDERSTUDY_ASSERT(job_ == nullptr);
  // A failure is final: every later call gets the same error.
  if (failure_) throw *failure_;
  job_ = &job;
  started_ = succeeded_ = false;
  if (std::this_thread::get_id() == main_thread_) {
    while (job_ == &job) {
      lock.unlock();
      pump();
      lock.lock();
    }
  } else {
    collectives::ring(doorbells_.load()->own());
    // The main thread ends the wait in any case: its WaitMonitor has the deadline. Waking up here
    // more often would double the CPU cost of a waiting rank.
    while (job_ == &job) finished_.wait_for(lock, kExecutorRecheck);
  }
  if (!succeeded_) throw *failure_;
}

void MpiTransport::begin_wait() {
  const std::scoped_lock lock(mutex_);
  if (failure_) throw *failure_;
  wait_monitor_->restart(Clock::now());
}

void MpiTransport::look(std::span<const Rank> awaited, const Waiting& waiting) {
  const std::scoped_lock lock(mutex_);
  if (failure_) throw *failure_;
  watch_->publish_waiting_for(awaited.empty() ? kNobody : awaited.front());
  const auto lost = wait_monitor_->look(awaited, Clock::now());
  if (!lost) return;
  missing_ = {Rank(lost->peer.rank)};
  fail_locked(Error(ErrorKind::timeout, fmt::format("{}: {}", waiting.what, lost->text))
                  .because_of(lost->peer));
  throw *failure_;
}

void MpiTransport::end_wait() {
  const std::scoped_lock lock(mutex_);
  watch_->publish_waiting_for(kNobody);
}

TrafficCount MpiTransport::traffic() const {
  const std::scoped_lock lock(mutex_);
  return traffic_;
}

std::vector<Rank> MpiTransport::missing() const {
  const std::scoped_lock lock(mutex_);
  return missing_;
}

void MpiTransport::pump(Clock::duration limit) {
  std::atomic<std::uint32_t>& bell = doorbells_.load()->own();
  // The count is read before the work is looked for, so that a ring during progress() makes
  // sleep_on() return at once. Acquire pairs with the release in ring().
  const std::uint32_t seen = bell.load(std::memory_order_acquire);
  sleep_on(bell, seen, std::min(progress(), limit));
}

void MpiTransport::fail(Error error) {
  const std::scoped_lock lock(mutex_);
  fail_locked(std::move(error));
}

// No MPI call follows a failure: MPI may still use buffers of pending messages, so they are neither
// reused nor freed.
void MpiTransport::fail_locked(Error error) {
  if (!failure_) failure_ = std::move(error);
  job_ = nullptr;
  finished_.notify_all();
}

// One round of the main thread: start a new job, move what can be moved, end it or give it up.
// Returns how long to sleep if no doorbell rings.
Clock::duration MpiTransport::progress() {
  const std::scoped_lock lock(mutex_);
  if (failure_) return kRecheck;
  try {
    if (job_ == nullptr) {
      // No job: MPI is only kept going for messages that are still in its queues.
      if (Clock::now() >= linger_until_) return kRecheck;
      communicator_.poke();
      return nap();
    }
    if (!started_) start();
    if (job_->advance()) {
      watch_->publish_progress();
      waiting_since_ = Clock::now();
      wait_monitor_->restart(waiting_since_);
      back_off_ = kFirstBackOff;
    }
    if (job_->done()) {
      finish();
      return Clock::duration::zero();  // run() may be what pumps: it has work to go on with
    }
    give_up_if_lost(Clock::now());
    if (job_->needs_polling()) return nap();
    return Clock::now() - waiting_since_ < kLongWait ? kRecheck : 2 * kRecheck;
  } catch (const Error& error) {
    fail_locked(error);  // to the executor, which reports it
    return kRecheck;
  }
}

void MpiTransport::start() {
  started_ = true;
  waiting_since_ = Clock::now();
  wait_monitor_->restart(waiting_since_);
  next_look_ = waiting_since_ + kLookEvery;
  back_off_ = kFirstBackOff;
  job_->start();
}

void MpiTransport::finish() {
  const TrafficCount sent = job_->sent();
  traffic_.messages += sent.messages;
  traffic_.bytes += sent.bytes;
  if (job_->lingers()) linger_until_ = Clock::now() + kLinger;
  watch_->publish_waiting_for(kNobody);
  succeeded_ = true;
  job_ = nullptr;
  finished_.notify_all();
}

// Publishes whom we wait for, so that ranks which wait for us can follow the chain to the rank at
// fault. A peer that is itself waiting is not at fault, so a peer that is not waiting is published
// if there is one.
void MpiTransport::give_up_if_lost(Clock::time_point now) {
  awaited_.clear();
  job_->add_awaited(awaited_);
  const auto blamed = std::find_if(awaited_.begin(), awaited_.end(),
                                   [&](Rank peer) { return watch_->waiting_for(peer) == kNobody; });
  watch_->publish_waiting_for(blamed == awaited_.end() ? awaited_.front() : *blamed);
  if (now < next_look_) return;
  next_look_ = now + kLookEvery;
  const auto lost = wait_monitor_->look(awaited_, now);
  if (!lost) return;
  missing_ = {Rank(lost->peer.rank)};
  throw Error(ErrorKind::timeout, fmt::format("{}: {}", job_->what(), lost->text))
      .because_of(lost->peer);
}

Clock::duration MpiTransport::nap() {
  // Exponential back-off from kFirstBackOff; progress resets it.
  const Clock::duration now = back_off_;
  const auto longest = job_ == nullptr ? kLongestBackOff : job_->longest_nap();
  back_off_ = std::min(back_off_ * 2, longest);
  return now;
}

}  // namespace understudy::collectives
