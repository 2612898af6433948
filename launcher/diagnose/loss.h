// SPDX-License-Identifier: Apache-2.0
// How a process of the pod was lost: one typed value from the detector to the receipt. Text is made
// from it once, at the end. Values; pure functions.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "configs/base/deadline.h"
#include "configs/receipt/record/failure_kind.h"
#include "configs/receipt/record/record.h"

namespace understudy::launcher {

enum class LossKind : std::uint8_t {
  signalled,      // it recorded a signal from outside the pod and ended because of it
  killed,         // by a signal that it could not record; `signal` if known
  out_of_memory,  // killed by the OOM killer of the kernel
  ended,          // without a report; the reason is unknown
  stopped,        // process state T
  forwarded,      // mpirun received a signal and forwarded it to all workers, which ended them
  no_progress,    // no process of the pod had a heartbeat
};

struct Loss {
  LossKind how = LossKind::ended;
  int signal = 0;                           // 0: unknown
  std::optional<configs::SignalSeen> sent;  // of `signalled`
  std::optional<int> exit_code;             // of `ended`, if known
  Seconds still{0};                         // of `no_progress`

  static Loss by(LossKind how, int signal = 0) {
    Loss loss;
    loss.how = how;
    loss.signal = signal;
    return loss;
  }
};

// The worker that was lost first.
struct LostWorker {
  std::int64_t rank = -1;
  Loss loss;
  configs::Phase phase = configs::Phase::started;
  std::uint32_t op = 0;  // ordinal + 1, 0 = none
  // A copy made at detection: ending the pod may wake a stopped worker, which then runs on briefly.
  std::vector<configs::FlightSeen> flight = {};
};

// What the rank's record tells of where it was; `record` may be empty.
LostWorker lost_worker(std::int64_t rank, Loss loss,
                       const std::optional<configs::RecordContent>& record);

// mpirun itself, lost before the launcher told it to end.
struct LostMpirun {
  std::int64_t pid = 0;
  Loss loss;
};

// "was killed by SIGKILL", "was stopped", ...
std::string text_of(const Loss& loss);
// The evidence class of a loss, as if a peer had observed it.
configs::Evidence evidence_of(const Loss& loss);
// "SIGKILL"; nullopt if no signal is known.
std::optional<std::string> signal_name(const Loss& loss);
// "SIGKILL"; "signal 64" for one without a name.
std::string signal_name(int number);

}  // namespace understudy::launcher
