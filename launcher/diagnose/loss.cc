// SPDX-License-Identifier: Apache-2.0
#include "launcher/diagnose/loss.h"

#include <cstring>
#include <fmt/format.h>
#include <utility>

namespace understudy::launcher {

std::string signal_name(int number) {
  const char* const name = sigabbrev_np(number);
  return name == nullptr ? fmt::format("signal {}", number) : fmt::format("SIG{}", name);
}

std::optional<std::string> signal_name(const Loss& loss) {
  return loss.signal == 0 ? std::nullopt : std::optional(signal_name(loss.signal));
}

// The only place where a loss that the launcher observed becomes text; everything else compares the
// typed value. What a peer observed gets its text in collectives/wait_monitor.cc.
std::string text_of(const Loss& loss) {
  switch (loss.how) {
    case LossKind::signalled: {
      std::string text = "received " + signal_name(loss.signal);
      // The kernel gives no sender for its own signals, nor for one from another pid namespace.
      if (!loss.sent || loss.sent->sender_pid == 0) return text + " from outside the pod";
      text += fmt::format(" from process {}", loss.sent->sender_pid);
      return loss.sent->sender.empty() ? text : text + fmt::format(" ({})", loss.sent->sender);
    }
    case LossKind::killed:
      return loss.signal == 0 ? "was killed or ended without a report"
                              : "was killed by " + signal_name(loss.signal);
    case LossKind::out_of_memory:
      return "was killed by the kernel because the host ran out of memory (OOM killer)";
    case LossKind::ended:
      return loss.exit_code
                 ? fmt::format("ended with exit status {} without a report", *loss.exit_code)
                 : "ended without a report";
    case LossKind::stopped:
      return "was stopped";
    case LossKind::forwarded:
      return fmt::format("received {} and forwarded it to all workers", signal_name(loss.signal));
    // The last case is after the switch, so that every path returns a text.
    case LossKind::no_progress:
      break;
  }
  return fmt::format("made no progress for {:.0f} s, nor did any other worker", loss.still.count());
}

configs::Evidence evidence_of(const Loss& loss) {
  if (loss.how == LossKind::signalled) return configs::Evidence::own_signal;
  if (loss.how == LossKind::stopped) return configs::Evidence::stopped;
  return loss.how == LossKind::no_progress ? configs::Evidence::no_progress
                                           : configs::Evidence::gone;
}

LostWorker lost_worker(std::int64_t rank, Loss loss,
                       const std::optional<configs::RecordContent>& record) {
  LostWorker lost{rank, std::move(loss)};
  if (record) {
    lost.phase = record->phase;
    lost.op = record->op;
    lost.flight = record->flight;
  }
  return lost;
}

}  // namespace understudy::launcher
