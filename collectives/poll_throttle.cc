// SPDX-License-Identifier: Apache-2.0
#include "collectives/poll_throttle.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <string_view>
#include <sys/prctl.h>
#include <thread>

namespace understudy::collectives {
namespace {

// Open MPI's poll interval, and the largest delay that is accepted for it.
constexpr unsigned long kNapNanoseconds = 100'000;
// 50 ms: start and end may be late by this much without anybody noticing.
constexpr unsigned long kLatestNanoseconds = 50'000'000;

// mpirun sets this variable for every process; 1 without it.
unsigned long ranks_of_this_machine() {
  unsigned long ranks = 1;
  if (const char* const text = std::getenv("OMPI_COMM_WORLD_LOCAL_SIZE")) {
    const std::string_view digits(text);
    // An unreadable value leaves 1, and the throttle does nothing.
    std::from_chars(digits.data(), digits.data() + digits.size(), ranks);
  }
  return ranks;
}

// Only a hint to the kernel: nothing depends on its success.
void set_slack(unsigned long nanoseconds) noexcept {
  static_cast<void>(::prctl(PR_SET_TIMERSLACK, nanoseconds, 0, 0, 0));
}

}  // namespace

PollThrottle::PollThrottle() noexcept {
  const unsigned long cores = std::max(1U, std::thread::hardware_concurrency());
  // The nap grows with the ranks per core, so that the total rate of wake-ups stays that of one
  // rank per core.
  const unsigned long late = kNapNanoseconds * ranks_of_this_machine() / cores;
  const int slack = ::prctl(PR_GET_TIMERSLACK, 0, 0, 0, 0);
  // With a core for each rank there is nothing to throttle.
  if (late <= kNapNanoseconds || slack <= 0) return;
  before_ = static_cast<unsigned long>(slack);
  set_slack(std::clamp(late, before_, kLatestNanoseconds));
}

void PollThrottle::end_here() const noexcept {
  if (before_ > 0) set_slack(before_);
}

}  // namespace understudy::collectives
