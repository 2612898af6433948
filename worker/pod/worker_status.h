// SPDX-License-Identifier: Apache-2.0
// How this worker is doing, as others see it: the StatusCell in its segment, which peers read, and
// the StatusCell in its record, which the launcher reads after a death too. The executor writes
// into the first; beat() carries it over to the second. Thread-safe.
#pragma once

#include <atomic>

#include "configs/base/deadline.h"
#include "configs/receipt/record.h"
#include "worker/pod/segment.h"

namespace understudy::worker {

class WorkerStatus {
 public:
  // The record outlives this.
  explicit WorkerStatus(configs::RecordWriter& record) : record_(record) {}

  // From now on the segment's header is the one peers see; it outlives this.
  void attach(SegmentHeader& header);

  // Where the executor counts; before attach() the record's own.
  configs::StatusCell& status() const;

  // One sign of life; called by the main thread, at the longest 200 ms after the last.
  void beat() noexcept;
  // A piece of work was done that executes no instruction: peers see progress.
  void progressed() noexcept;
  void enter(configs::Phase phase) noexcept;
  // Tells the peers that this worker is about to leave.
  void give_up() noexcept;

 private:
  friend class BusyScope;
  // Until when beats count as progress.
  void busy_until(Clock::time_point end) noexcept {
    busy_until_.store(end.time_since_epoch(), std::memory_order_relaxed);
  }
  bool is_busy() const noexcept;
  void copy_status() noexcept;

  configs::RecordWriter& record_;
  std::atomic<SegmentHeader*> header_{nullptr};
  std::atomic<Clock::duration> busy_until_{Clock::duration::min()};
};

// Something long that executes no instruction and waits for no peer: compiling, reading and writing
// files. While it lives the beats count as progress, but for no longer than its limit, and not
// while this worker waits for a peer after all: two that wait for each other both stand still.
class BusyScope {
 public:
  // Longer than any compile or file of a run that is well.
  static constexpr Seconds kLimit{1800};
  explicit BusyScope(WorkerStatus& worker_status, Seconds limit = kLimit)
      : worker_status_(worker_status) {
    worker_status_.busy_until(Clock::now() + std::chrono::duration_cast<Clock::duration>(limit));
    worker_status_.progressed();
  }
  ~BusyScope() { worker_status_.busy_until(Clock::time_point::min()); }
  BusyScope(const BusyScope&) = delete;
  BusyScope& operator=(const BusyScope&) = delete;

 private:
  WorkerStatus& worker_status_;
};

}  // namespace understudy::worker
