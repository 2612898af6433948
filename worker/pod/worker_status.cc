// SPDX-License-Identifier: Apache-2.0
#include "worker/pod/worker_status.h"

namespace understudy::worker {
namespace {

// Readers only look whether counters change. Nothing else is read on the strength of a counter, so
// relaxed order is enough; `phase` and `abort` are stored with release, see enter().
constexpr auto kRelaxed = std::memory_order_relaxed;

}  // namespace

void WorkerStatus::attach(SegmentHeader& header) {
  // The segment starts with the phase that the record has reached by itself.
  header.status.phase.store(record_.status().phase.load(kRelaxed), kRelaxed);
  // Release: a thread that sees the new header also sees its phase.
  header_.store(&header, std::memory_order_release);
}

configs::StatusCell& WorkerStatus::status() const {
  SegmentHeader* header = header_.load(std::memory_order_acquire);
  return header != nullptr ? header->status : record_.status();
}

void WorkerStatus::beat() noexcept {
  // The heartbeat counts even while the executor is stuck: it says that the process is scheduled,
  // not that it makes progress. other_progress says the latter.
  status().heartbeat.fetch_add(1, kRelaxed);
  SegmentHeader* header = header_.load(std::memory_order_acquire);
  if (header == nullptr) return;
  if (is_busy()) header->other_progress.fetch_add(1, kRelaxed);
  copy_status();
}

void WorkerStatus::progressed() noexcept {
  // Before attach() nobody could see it.
  if (SegmentHeader* header = header_.load(std::memory_order_acquire))
    header->other_progress.fetch_add(1, kRelaxed);
}

// waiting_for == 0 means that the worker waits for no peer (it is rank + 1).
bool WorkerStatus::is_busy() const noexcept {
  return Clock::now().time_since_epoch() < busy_until_.load(kRelaxed) &&
         status().waiting_for.load(kRelaxed) == 0;
}

// Not a snapshot: fields may come from different moments, which every reader tolerates. `phase` and
// `abort` are missing on purpose: those who change them write the record's cell themselves.
// `doorbell` is of no use to the launcher.
void WorkerStatus::copy_status() noexcept {
  const configs::StatusCell& from = status();
  configs::StatusCell& to = record_.status();
  to.heartbeat.store(from.heartbeat.load(kRelaxed), kRelaxed);
  to.instructions.store(from.instructions.load(kRelaxed), kRelaxed);
  to.op.store(from.op.load(kRelaxed), kRelaxed);
  to.step.store(from.step.load(kRelaxed), kRelaxed);
  to.waiting_for.store(from.waiting_for.load(kRelaxed), kRelaxed);
  // In which iteration of which loop the worker is.
  for (std::size_t i = 0; i < to.loops.size(); ++i) {
    to.loops[i].iterations.store(from.loops[i].iterations.load(kRelaxed), kRelaxed);
    to.loops[i].op.store(from.loops[i].op.load(kRelaxed), kRelaxed);
  }
}

// The record before the segment, in both functions: when a peer reacts to the segment and the
// launcher looks, the record already says the same.
void WorkerStatus::enter(configs::Phase phase) noexcept {
  record_.status().phase.store(static_cast<std::uint32_t>(phase), std::memory_order_release);
  status().phase.store(static_cast<std::uint32_t>(phase), std::memory_order_release);
}

void WorkerStatus::give_up() noexcept {
  // A last beat, so that peers see the flag with a fresh heartbeat.
  beat();
  record_.status().abort.store(1, std::memory_order_release);
  status().abort.store(1, std::memory_order_release);
}

}  // namespace understudy::worker
