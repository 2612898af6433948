// SPDX-License-Identifier: Apache-2.0
// The heartbeat and progress of this worker, as others see them. There are two StatusCells: one in
// the worker's segment, which peers read, and one in its record, which the launcher reads, even
// after the worker's death. The executor counts instructions in the first, the main thread counts
// heartbeats, and peers ring its doorbell; beat() copies most of it to the second. Thread-safe.
#pragma once

#include <atomic>

#include "configs/base/deadline.h"
#include "configs/receipt/record/record.h"
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

  // One heartbeat. The main thread calls it at least every 200 ms (MpiTransport::pump()).
  void beat() noexcept;
  // Counts work that executes no instruction, so that peers see progress.
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

// Marks long work that executes no instruction and waits for no peer: compiling, reading and
// writing files. While it exists, heartbeats count as progress. Not beyond `limit`, so that a stuck
// compile is found in the end; and not while this worker waits for a peer after all, so that two
// workers that wait for each other both show no progress.
class BusyScope {
 public:
  // Seconds; longer than any compile or file transfer of a healthy run.
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
