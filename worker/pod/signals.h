// SPDX-License-Identifier: Apache-2.0
// The signals that ask a worker to end: SIGTERM, SIGINT, SIGHUP and SIGQUIT. All threads block them
// from the first line of main() on, and a thread of its own reads them from a signalfd. So each
// signal and its sender are recorded before anything else happens, even while the main thread
// blocks in MPI_Init. Thread-safe.
#pragma once

#include <atomic>
#include <functional>
#include <mutex>
#include <optional>
#include <sys/types.h>
#include <thread>

#include "configs/receipt/record/record.h"

namespace understudy::worker {

// Before any thread starts; the mask survives an execve(). *Throws* Error{system}.
void block_stop_signals();

class StopSignals {
 public:
  // `record` is called from the thread, once for each signal. *Requires* block_stop_signals().
  // *Throws* Error{system}.
  explicit StopSignals(std::function<void(const configs::SignalSeen&)> record);
  ~StopSignals();
  StopSignals(const StopSignals&) = delete;
  StopSignals& operator=(const StopSignals&) = delete;

  // While `supervised`, the main thread polls received() and ends the worker after it has recorded
  // the failure. Otherwise a signal ends the process at once, as it does without a handler.
  void supervise(bool supervised) noexcept { supervised_.store(supervised); }
  // The first signal since the start.
  std::optional<configs::SignalSeen> received() const;

 private:
  void run();
  void take();

  const std::function<void(const configs::SignalSeen&)> record_;
  const pid_t parent_;  // mpirun, or its daemon on this machine
  int signals_ = -1;    // signalfd
  int end_ = -1;        // eventfd: the thread is to end
  std::atomic<bool> supervised_{false};
  mutable std::mutex mutex_;
  std::optional<configs::SignalSeen> first_;  // guarded
  std::jthread thread_;
};

// "received SIGTERM from process 123 (bash)".
std::string text_of(const configs::SignalSeen& seen);

}  // namespace understudy::worker
