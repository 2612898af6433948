// SPDX-License-Identifier: Apache-2.0
// How this worker is doing, as others see it: the Pulse in its segment, which peers read, and the
// Pulse in its record, which the launcher reads after a death too. The executor writes into the
// first; beat() carries it over to the second. Thread-safe.
#pragma once

#include <atomic>

#include "configs/record.h"
#include "worker/segment.h"

namespace understudy::worker {

class Vitals {
 public:
  // The record outlives this.
  explicit Vitals(configs::RecordWriter& record) : record_(record) {}

  // From now on the segment's header is the one peers see; it outlives this.
  void attach(SegmentHeader& header);

  // Where the executor counts; before attach() the record's own.
  configs::Pulse& pulse() const;

  // One sign of life; called by the main thread at least every 100 ms.
  void beat() noexcept;
  // While something long goes on that executes no instruction (compiling, reading files), the beats
  // count as progress.
  void set_busy(bool busy) noexcept { busy_.store(busy, std::memory_order_relaxed); }
  void enter(configs::Phase phase) noexcept;
  // Tells the peers that this worker is about to leave.
  void give_up() noexcept;
  bool gave_up() const noexcept;

 private:
  void copy_pulse() noexcept;

  configs::RecordWriter& record_;
  std::atomic<SegmentHeader*> header_{nullptr};
  std::atomic<bool> busy_{false};
};

// Busy as long as it lives.
class Chore {
 public:
  explicit Chore(Vitals& vitals) : vitals_(vitals) { vitals_.set_busy(true); }
  ~Chore() { vitals_.set_busy(false); }
  Chore(const Chore&) = delete;
  Chore& operator=(const Chore&) = delete;

 private:
  Vitals& vitals_;
};

}  // namespace understudy::worker
