// SPDX-License-Identifier: Apache-2.0
// How a process of the pod was lost, as one typed value from whoever saw it to the receipt; words
// are made from it once, at the end. Values; pure functions.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "configs/base/deadline.h"
#include "configs/receipt/failure_kind.h"
#include "configs/receipt/record.h"

namespace understudy::launcher {

enum class LossKind : std::uint8_t {
  signalled,      // it recorded a signal from outside of the pod, and ended because of it
  killed,         // by a signal that it could not record: `signal`, where it is known
  out_of_memory,  // killed by the kernel for want of host memory
  ended,          // without a report: how is not known
  stopped,        // process state T
  forwarded,      // mpirun received a signal and passed it on to all workers, which it ended
  stood_still,    // no process of the pod made progress
};

struct Loss {
  LossKind how = LossKind::ended;
  int signal = 0;                           // 0: not known
  std::optional<configs::SignalSeen> sent;  // of `signalled`
  std::optional<int> exit_code;             // of `ended`, where it is known
  Seconds still{0};                         // of `stood_still`

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
  // As it was then: the clearing up may wake a stopped worker, which then goes on for a while.
  std::vector<configs::FlightSeen> flight = {};
};

// mpirun itself, before the launcher told it to end.
struct LostMpirun {
  std::int64_t pid = 0;
  Loss loss;
};

// "was killed by SIGKILL", "was stopped", ...
std::string text_of(const Loss& loss);
// What a peer would have seen of it.
configs::Evidence evidence_of(const Loss& loss);
// "SIGKILL"; nullopt where no signal is known.
std::optional<std::string> signal_name(const Loss& loss);
std::string signal_name(int number);

}  // namespace understudy::launcher
