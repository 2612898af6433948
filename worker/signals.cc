// SPDX-License-Identifier: Apache-2.0
#include "worker/signals.h"

#include <csignal>
#include <ctime>
#include <system_error>

#include "configs/base/error.h"

namespace understudy::worker {
namespace {

sigset_t stop_signals() noexcept {
  sigset_t set;
  ::sigemptyset(&set);
  ::sigaddset(&set, SIGTERM);
  ::sigaddset(&set, SIGINT);
  return set;
}

}  // namespace

void block_stop_signals() {
  const sigset_t set = stop_signals();
  if (const int code = ::pthread_sigmask(SIG_BLOCK, &set, nullptr); code != 0) {
    throw Error(ErrorKind::system,
                "cannot block signals: " + std::generic_category().message(code));
  }
}

int pending_stop_signal() noexcept {
  const sigset_t set = stop_signals();
  const timespec now{};
  const int signal = ::sigtimedwait(&set, nullptr, &now);
  return signal > 0 ? signal : 0;
}

}  // namespace understudy::worker
