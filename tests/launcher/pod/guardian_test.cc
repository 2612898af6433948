// SPDX-License-Identifier: Apache-2.0
#include "launcher/pod/guardian.h"

#include <csignal>
#include <gtest/gtest.h>

namespace understudy::launcher {
namespace {

TEST(EndAtOnce, BeforeTheReceiptASignalDecidesTheExitCode) {
  EXPECT_EXIT(
      {
        end_at_once_on_signals();
        ::raise(SIGTERM);
      },
      testing::ExitedWithCode(128 + SIGTERM), "interrupted by SIGTERM");
}

// A signal between the writing of the receipt and the end of the process gave exit code 130 where
// the receipt says 0.
TEST(EndAtOnce, AfterTheReceiptItsExitCodeStays) {
  EXPECT_EXIT(
      {
        end_at_once_on_signals();
        settle_exit_code(0);
        ::raise(SIGINT);
      },
      testing::ExitedWithCode(0), "^$");
}

}  // namespace
}  // namespace understudy::launcher
