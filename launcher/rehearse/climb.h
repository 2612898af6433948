// SPDX-License-Identifier: Apache-2.0
// The climb: rung after rung until one fails. That one marks the frontier; it says nothing against
// the rungs below. Thread-compatible; what is played is a parameter, so that tests need no pod.
#pragma once

#include <cstddef>
#include <functional>

#include "configs/launch/ladder.h"
#include "configs/receipt/rehearsal.h"

namespace understudy::launcher {

// Plays one rung and says what was seen.
using PlayRung = std::function<configs::RungSeen(const configs::Rung& rung)>;

// Who watches: before a rung starts, and when it is over.
struct ClimbWatcher {
  std::function<void(std::size_t rung)> begins = [](std::size_t) {};
  std::function<void(std::size_t rung, const configs::RungSeen&)> ends =
      [](std::size_t, const configs::RungSeen&) {};
};

// True for failures of the start or of the host: only those may be gone the next time. What the
// graph or the program did wrong, it does wrong again.
bool is_worth_a_retry(const configs::RungSeen& seen);

// `retries`: how often such a rung is started again; each is recorded. Rungs behind the first that
// fails are "not-run".
configs::LadderSeen climb(const configs::Ladder& ladder, const PlayRung& play, std::int64_t retries,
                          const ClimbWatcher& watcher);

}  // namespace understudy::launcher
