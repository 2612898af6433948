// SPDX-License-Identifier: Apache-2.0
#include "launcher/process/start_report.h"

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <pthread.h>
#include <thread>
#include <unistd.h>

#include "gtest/gtest.h"

#include "configs/base/deadline.h"
#include "configs/base/procfs.h"

namespace understudy::launcher {
namespace {

std::atomic<int> interruptions{0};

// Installs a handler that returns and does not restart calls; the old one comes back at the end.
class InterruptingHandler {
 public:
  InterruptingHandler() {
    interruptions = 0;
    struct sigaction interrupting {};
    interrupting.sa_handler = [](int) { ++interruptions; };
    EXPECT_EQ(sigaction(SIGUSR1, &interrupting, &before_), 0);
  }
  ~InterruptingHandler() { EXPECT_EQ(sigaction(SIGUSR1, &before_, nullptr), 0); }
  InterruptingHandler(const InterruptingHandler&) = delete;
  InterruptingHandler& operator=(const InterruptingHandler&) = delete;

 private:
  struct sigaction before_ {};
};

TEST(StartReport, EndOfFileIsAStart) {
  std::array<int, 2> report{};
  ASSERT_EQ(pipe2(report.data(), O_CLOEXEC), 0);
  close(report[1]);
  EXPECT_EQ(errno_of_start(report[0]), 0);
  close(report[0]);
}

// read() was interrupted by a signal after the fork: a program that could not start counted as
// started.
TEST(StartReport, SurvivesASignalWhileItWaits) {
  const InterruptingHandler handler;
  std::array<int, 2> report{};
  ASSERT_EQ(pipe2(report.data(), O_CLOEXEC), 0);
  std::atomic<pid_t> reader{0};
  int failed = -1;
  std::jthread waits([&] {
    reader = gettid();
    failed = errno_of_start(report[0]);
  });
  const Deadline deadline = Deadline::after(Seconds(20));
  const auto sleeps = [&] {
    const auto stat = process_stat(reader);
    return reader != 0 && stat && stat->state == 'S';
  };
  while (!sleeps() && !deadline.passed()) std::this_thread::yield();
  ASSERT_EQ(pthread_kill(waits.native_handle(), SIGUSR1), 0);
  while (interruptions == 0 && !deadline.passed()) std::this_thread::yield();
  constexpr int kCode = ENOENT;
  ASSERT_EQ(write(report[1], &kCode, sizeof kCode), static_cast<ssize_t>(sizeof kCode));
  waits.join();
  EXPECT_EQ(interruptions, 1);
  EXPECT_EQ(failed, ENOENT);
  close(report[0]);
  close(report[1]);
}

}  // namespace
}  // namespace understudy::launcher
