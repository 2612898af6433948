// SPDX-License-Identifier: Apache-2.0
// Climbs a ladder: runs rung after rung until one fails. The failing rung is the frontier.
// Thread-compatible. The function that runs a rung is a parameter, so that tests need no pod.
#pragma once

#include <cstddef>
#include <functional>

#include "configs/launch/ladder.h"
#include "configs/receipt/rehearsal.h"

namespace understudy::launcher {

// Runs one rung and returns its result.
using PlayRung = std::function<configs::RungSeen(const configs::Rung& rung)>;

// Observer: called before a rung starts and after it ends.
struct ClimbWatcher {
  std::function<void(std::size_t rung)> begins = [](std::size_t) {};
  std::function<void(std::size_t rung, const configs::RungSeen&)> ends =
      [](std::size_t, const configs::RungSeen&) {};
};

// Whether a retry may succeed: only failures of the start or the host are transient. Failures of
// the graph or the program are deterministic.
bool is_worth_a_retry(const configs::RungSeen& seen);

// `retries`: how often such a rung is restarted; each retry is recorded. Rungs after the first
// failing one are "not-run".
configs::LadderSeen climb(const configs::Ladder& ladder, const PlayRung& play, std::int64_t retries,
                          const ClimbWatcher& watcher);

}  // namespace understudy::launcher
