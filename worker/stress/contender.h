// SPDX-License-Identifier: Apache-2.0
// One process of a stress run: obtains every key through the cache and reports to its slot. It
// plays a worker at start-up, with a sleep for the compile and an executable that its key
// identifies.
#pragma once

#include <functional>

#include "configs/base/deadline.h"
#include "worker/stress/setup.h"
#include "worker/stress/slot.h"

namespace understudy::worker {

// Waits until `start` returns when to begin, then obtains all keys in order.
void contend(const StressSetup& setup, const Contender& contender, ContenderMemory& memory,
             MachinePage& page, const std::function<Clock::time_point()>& start);

}  // namespace understudy::worker
