// SPDX-License-Identifier: Apache-2.0
#include "collectives/doorbell.h"

#include <algorithm>
#include <climits>
#include <ctime>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace understudy::collectives {
namespace {

// A wait ends because it was woken, the word had changed already, the limit passed, or a signal
// arrived. Callers check the word again in all four cases, so the return code is ignored.
// No FUTEX_PRIVATE_FLAG: the word is in memory that several processes map.
void futex(std::atomic<std::uint32_t>& word, int operation, std::uint32_t value,
           const timespec* limit) noexcept {
  static_assert(sizeof(word) == sizeof(std::uint32_t));
  static_cast<void>(syscall(SYS_futex, reinterpret_cast<std::uint32_t*>(&word), operation, value,
                            limit, nullptr, 0));
}

}  // namespace

void ring(std::atomic<std::uint32_t>& bell) noexcept {
  // Release pairs with the acquire load of the waiting thread (MpiTransport::pump): when it sees
  // the new count, it also sees what was sent before the ring.
  bell.fetch_add(1, std::memory_order_release);
  futex(bell, FUTEX_WAKE, INT_MAX, nullptr);
}

void wake(std::atomic<std::uint32_t>& word, std::size_t sleepers) noexcept {
  // The kernel takes a signed number of waiters.
  const auto most = static_cast<std::uint32_t>(std::min<std::size_t>(sleepers, INT_MAX));
  futex(word, FUTEX_WAKE, most, nullptr);
}

void sleep_on(std::atomic<std::uint32_t>& bell, std::uint32_t seen,
              Clock::duration limit) noexcept {
  // The kernel compares the word with `seen` and goes to sleep in one atomic step. A ring after the
  // caller read `seen` therefore makes the call return at once.
  // A limit of 0 would be a poll; the caller looks at the word itself.
  if (limit <= Clock::duration::zero()) return;
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(limit);
  const auto rest = std::chrono::duration_cast<std::chrono::nanoseconds>(limit - seconds);
  const timespec span{static_cast<time_t>(seconds.count()), static_cast<long>(rest.count())};
  futex(bell, FUTEX_WAIT, seen, &span);
}

}  // namespace understudy::collectives
