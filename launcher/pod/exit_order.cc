// SPDX-License-Identifier: Apache-2.0
#include "launcher/pod/exit_order.h"

#include <array>
#include <sys/epoll.h>
#include <unistd.h>

#include "configs/base/procfs.h"

namespace understudy::launcher {

// Without an epoll instance nothing is followed. The order is then unknown and callers fall back to
// the process table; a run is not refused for a lack of evidence.
ExitOrder::ExitOrder() : queue_(epoll_create1(EPOLL_CLOEXEC)) {}

ExitOrder::~ExitOrder() {
  for (const auto& [rank, descriptor] : followed_) close(descriptor);
  if (queue_ >= 0) close(queue_);
}

void ExitOrder::follow(std::int64_t rank, std::int64_t pid) noexcept {
  if (queue_ < 0 || followed_.count(rank) != 0) return;
  const int descriptor = open_pidfd(pid);
  if (descriptor < 0) return;
  epoll_event event{};
  // One-shot: without it a pidfd stays ready after the end of its process, is reported by every
  // epoll_wait() again, and moves in the ready list.
  event.events = EPOLLIN | EPOLLONESHOT;
  event.data.u64 = static_cast<std::uint64_t>(rank);
  if (epoll_ctl(queue_, EPOLL_CTL_ADD, descriptor, &event) != 0) {
    close(descriptor);
    return;
  }
  followed_.emplace(rank, descriptor);
}

// A pidfd becomes readable when its process ends, and the kernel appends it to epoll's ready list
// at that moment, so epoll_wait() returns the ranks in the order of their ends even if it is called
// late.
const std::vector<std::int64_t>& ExitOrder::ended() {
  std::array<epoll_event, 64> events;
  int found = 0;
  // A limit of 0 never blocks. The loop ends because each one-shot event is returned once.
  while ((found = epoll_wait(queue_, events.data(), static_cast<int>(events.size()), 0)) > 0)
    for (int i = 0; i < found; ++i)
      ended_.push_back(static_cast<std::int64_t>(events[static_cast<std::size_t>(i)].data.u64));
  return ended_;
}

}  // namespace understudy::launcher
