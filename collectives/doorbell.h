// SPDX-License-Identifier: Apache-2.0
// A doorbell is a 32-bit counter in memory that the workers of one machine share. A waiting worker
// sleeps on it without using CPU time; a worker that sent something rings it. Thread-safe, also
// across processes. Equivalent: a futex.
#pragma once

#include <atomic>
#include <cstdint>

#include "configs/base/deadline.h"
#include "configs/base/ids.h"

namespace understudy::collectives {

// Changes the counter and wakes all sleepers.
void ring(std::atomic<std::uint32_t>& bell) noexcept;

// Wakes up to `sleepers` of the threads that sleep on a word which the caller has already changed.
void wake(std::atomic<std::uint32_t>& word, std::size_t sleepers) noexcept;

// Sleeps until the counter differs from `seen`, at most for `limit`. Read the counter first, then
// look for work, then sleep: a ring in between is not lost. May return early.
void sleep_on(std::atomic<std::uint32_t>& bell, std::uint32_t seen, Clock::duration limit) noexcept;

// The doorbells of a pod as one rank reaches them.
class Doorbells {
 public:
  virtual ~Doorbells() = default;
  virtual void ring(Rank rank) = 0;  // no effect for a rank on another machine
  virtual std::atomic<std::uint32_t>& own() = 0;
  virtual bool is_local(Rank rank) const = 0;
};

}  // namespace understudy::collectives
