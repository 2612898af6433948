// SPDX-License-Identifier: Apache-2.0
#include "launcher/pod/exit_order.h"

#include <array>
#include <csignal>
#include <sys/wait.h>
#include <unistd.h>

#include "gtest/gtest.h"

namespace understudy::launcher {
namespace {

pid_t start_child() {
  const pid_t child = fork();
  if (child == 0) {
    pause();
    _exit(0);
  }
  return child;
}

TEST(ExitOrder, IsTheOrderOfEndsHoweverLateSomebodyLooks) {
  const std::array<pid_t, 4> children = {start_child(), start_child(), start_child(),
                                         start_child()};
  ExitOrder order;
  for (std::size_t i = 0; i < children.size(); ++i)
    order.follow(static_cast<std::int64_t>(i), children[i]);
  EXPECT_TRUE(order.ended().empty());
  for (const std::size_t i : {2U, 0U, 3U, 1U}) {
    ASSERT_EQ(kill(children[i], SIGKILL), 0);
    siginfo_t info;
    ASSERT_EQ(waitid(P_PID, static_cast<id_t>(children[i]), &info, WEXITED | WNOWAIT), 0);
  }
  EXPECT_EQ(order.ended(), (std::vector<std::int64_t>{2, 0, 3, 1}));
  EXPECT_EQ(order.ended().size(), 4U) << "each is told once";
  for (const pid_t child : children) waitpid(child, nullptr, 0);
}

TEST(ExitOrder, LeavesOutAProcessThatIsGone) {
  const pid_t child = start_child();
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  ExitOrder order;
  order.follow(0, child);
  EXPECT_TRUE(order.ended().empty());
}

}  // namespace
}  // namespace understudy::launcher
