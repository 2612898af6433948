// SPDX-License-Identifier: Apache-2.0
// Transport over MPI, one process per chip, two threads. The executor thread calls exchange(),
// which hands the job to the main thread and sleeps. The main thread owns MPI (thread level
// FUNNELED) and calls pump() in a loop. A rank that waits for a peer on its own machine sleeps on
// its doorbell; only waits for other machines poll, with back-off. exchange() may also be called
// from the main thread (the one that created the transport), which then pumps by itself.
// Thread-safe between these two threads.
#pragma once

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <thread>

#include "collectives/communicator.h"
#include "collectives/doorbell.h"
#include "collectives/mpi/exchange.h"
#include "collectives/transport.h"
#include "collectives/wait_monitor.h"
#include "configs/base/error.h"

namespace understudy::collectives {

class MpiTransport final : public Transport {
 public:
  // How long the main thread sleeps without a ring; twice that in a long wait.
  static constexpr Clock::duration kRecheck = std::chrono::milliseconds(100);

  // Until attach() all peers count as remote, and only the wait limit ends a wait.
  MpiTransport(const Communicator& communicator, WaitLimits limits);
  ~MpiTransport() override;

  // From now on uses these; they must outlive the transport. Not during an exchange().
  void attach(Doorbells& doorbells, PeerWatch& watch);
  // From the next wait on, e.g. when the run's plan is known. Not during an exchange().
  void set_limits(WaitLimits limits);

  Rank rank() const override { return communicator_.rank(); }
  int size() const override { return communicator_.size(); }
  void exchange_all(std::span<const Outbound> out, std::span<Inbound> in, Stream stream,
                    const MessageHeader& header, const Waiting& waiting) override;
  void begin_wait() override;
  void look(std::span<const Rank> awaited, const Waiting& waiting) override;
  void end_wait() override;
  void abandon(const Error& error) override { fail(error); }
  TrafficCount traffic() const override;
  std::vector<Rank> missing() const override;

  // Runs any other work on the main thread, with the same deadline; waits until it is done.
  // *Throws* what exchange_all() throws, and the job's own errors.
  void run(MpiJob& job);

  // Moves what can be moved, then sleeps on the own doorbell until there is more to do, at most for
  // `limit`. Main thread only. Errors go to the executor's exchange(), never to here.
  void pump(Clock::duration limit = 2 * kRecheck);
  // Ends the exchange at work, if any, and all later ones with this error. Any thread.
  void fail(Error error);

 private:
  Clock::duration progress();
  void start();
  void finish();
  void give_up_if_lost(Clock::time_point now);
  void fail_locked(Error error);
  Clock::duration nap();

  const Communicator& communicator_;
  const std::thread::id main_thread_;

  mutable std::mutex mutex_;  // guards all below
  WaitLimits limits_;
  std::condition_variable finished_;
  MpiJob* job_ = nullptr;
  bool started_ = false, succeeded_ = false;  // the job
  std::optional<Error> failure_;
  MpiLinks links_;
  PeerWatch* watch_;
  std::optional<WaitMonitor> wait_monitor_;
  Clock::time_point waiting_since_;  // of the last progress
  Clock::time_point next_look_;
  Clock::time_point linger_until_;
  Clock::duration back_off_;
  TrafficCount traffic_;
  std::vector<Rank> missing_;
  std::vector<Rank> awaited_;

  std::atomic<Doorbells*> doorbells_;
  std::unique_ptr<Doorbells> solitary_doorbells_;  // before attach()
  std::unique_ptr<PeerWatch> blind_watch_;
};

}  // namespace understudy::collectives
