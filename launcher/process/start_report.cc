// SPDX-License-Identifier: Apache-2.0
#include "launcher/process/start_report.h"

#include <cerrno>
#include <unistd.h>

namespace understudy::launcher {

void report_failed_start(int report) {
  const int failed = errno;
  (void)!::write(report, &failed, sizeof failed);
  ::_exit(1);
}

int errno_of_start(int report) {
  int failed = 0;
  ssize_t got = 0;
  // A signal handler that returns interrupts read(), which says nothing about the child.
  do {
    got = ::read(report, &failed, sizeof failed);
  } while (got < 0 && errno == EINTR);
  return got < 0 ? errno : failed;
}

}  // namespace understudy::launcher
