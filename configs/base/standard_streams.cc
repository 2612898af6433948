// SPDX-License-Identifier: Apache-2.0
#include "configs/base/standard_streams.h"

#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <unistd.h>

namespace understudy {

// A file opened later would otherwise get number 1 or 2 and receive what is printed. The directions
// are the wrong ones on purpose: a use still fails, as with a closed stream.
void open_closed_streams() noexcept {
  for (int stream = STDIN_FILENO; stream <= STDERR_FILENO; ++stream) {
    if (::fcntl(stream, F_GETFD) != -1 || errno != EBADF) continue;
    // The lowest free number is `stream`: all below it are open by now.
    const int direction = stream == STDIN_FILENO ? O_WRONLY : O_RDONLY;
    if (::open("/dev/null", direction) != stream) return;
  }
}

// EPIPE and EFBIG are reported by name; the signals would end the process without a message.
void make_failed_writes_errors() noexcept {
  (void)::signal(SIGPIPE, SIG_IGN);
  (void)::signal(SIGXFSZ, SIG_IGN);
}

}  // namespace understudy
