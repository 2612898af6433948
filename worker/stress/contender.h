// SPDX-License-Identifier: Apache-2.0
// One process of a stress run: obtains every key through the cache and tells its slot. It stands
// for a worker at start-up, with a slept compile and an executable that is told apart by its key.
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
