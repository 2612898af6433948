// SPDX-License-Identifier: Apache-2.0
#include "launcher/pod/process_log.h"

#include <csignal>
#include <string>

#include "gtest/gtest.h"

namespace understudy::launcher {
namespace {

constexpr ProcessLogFacts kFacts{.launcher = 50, .ranks = 4};
constexpr const char* kStart = "child 100 0\nchild 101 1\nchild 102 2\nchild 103 3\n";

TEST(ProcessLog, NamesTheWorkerThatEndedBeforeMpirunEndedTheOthers) {
  const auto first = first_end_in(
      std::string(kStart) + "end 102 9\nkill 100 18\nkill 100 15\nend 100 15\nend 101 9\n", kFacts);
  ASSERT_TRUE(first);
  EXPECT_EQ(first->rank, 2);
  EXPECT_EQ(first->pid, 102);
  EXPECT_EQ(first->loss.how, LossKind::killed);
  EXPECT_EQ(first->loss.signal, SIGKILL);
}

TEST(ProcessLog, ToldOffWorkersAreNoCauseWhateverTheOrderOfTheirEnds) {
  // mpirun collects the ends of several children in any order.
  const auto first = first_end_in(
      std::string(kStart) + "kill 100 15\nkill 101 15\nend 100 15\nend 101 15\nend 103 11\n",
      kFacts);
  ASSERT_TRUE(first);
  EXPECT_EQ(first->rank, 3);
  EXPECT_EQ(first->loss.signal, SIGSEGV);
  EXPECT_FALSE(first_end_in(std::string(kStart) + "kill 100 15\nend 100 15\n", kFacts));
}

TEST(ProcessLog, ASignalThatEndsNothingIsNoCauseOfAnEnd) {
  const auto first =
      first_end_in(std::string(kStart) + "kill 101 0\nkill 101 18\nend 101 6\n", kFacts);
  ASSERT_TRUE(first);
  EXPECT_EQ(first->loss.signal, SIGABRT);
}

TEST(ProcessLog, AnExitStatusIsKeptAndAGoodOneIsNoLoss) {
  const auto first = first_end_in(
      std::string(kStart) + "end 100 0\nend 101 " + std::to_string(3 << 8) + "\n", kFacts);
  ASSERT_TRUE(first);
  EXPECT_EQ(first->rank, 1);
  EXPECT_EQ(first->loss.how, LossKind::ended);
  EXPECT_EQ(first->loss.exit_code, 3);
  EXPECT_FALSE(first_end_in(std::string(kStart) + "end 100 0\n", kFacts));
}

TEST(ProcessLog, NamesMpirunWhereItReceivedTheSignal) {
  const auto first =
      first_end_in(std::string(kStart) + "signal 1 77\nkill 100 15\nend 100 15\n", kFacts);
  ASSERT_TRUE(first);
  EXPECT_EQ(first->rank, -1);
  EXPECT_EQ(first->loss.how, LossKind::signalled);
  EXPECT_EQ(first->loss.signal, SIGHUP);
  ASSERT_TRUE(first->loss.sent);
  EXPECT_EQ(first->loss.sent->sender_pid, 77);
}

TEST(ProcessLog, NamesMpirunWhereItPassesASignalOn) {
  for (const int number : {SIGABRT, SIGUSR1, SIGUSR2, SIGALRM}) {
    const std::string sent = std::to_string(number);
    const auto first = first_end_in(std::string(kStart) + "kill 100 " + sent + "\nkill 101 " +
                                        sent + "\nend 101 " + sent + "\n",
                                    kFacts);
    ASSERT_TRUE(first) << number;
    EXPECT_EQ(first->rank, -1);
    EXPECT_EQ(first->loss.how, LossKind::forwarded);
    EXPECT_EQ(first->loss.signal, number);
  }
  // A worker that ended before is the cause.
  const auto first =
      first_end_in(std::string(kStart) + "end 102 6\nkill 100 6\nend 100 6\n", kFacts);
  ASSERT_TRUE(first);
  EXPECT_EQ(first->rank, 2);
}

TEST(ProcessLog, ASignalOfTheLauncherIsNoLoss) {
  EXPECT_FALSE(
      first_end_in(std::string(kStart) + "signal 15 50\nkill 100 15\nend 100 15\n", kFacts));
  // The worker that was lost before is still the cause.
  const auto first = first_end_in(std::string(kStart) + "end 101 9\nsignal 15 50\n", kFacts);
  ASSERT_TRUE(first);
  EXPECT_EQ(first->rank, 1);
}

TEST(ProcessLog, AChildThatEndedBeforeItsExecveHasTheRankThatIsMissing) {
  const std::string log = "child 100 0\nchild 102 2\nend 101 9\n";
  const auto first = first_end_in(log, kFacts);
  ASSERT_TRUE(first);
  EXPECT_EQ(first->rank, 1);
  EXPECT_EQ(first->pid, 101);
  EXPECT_FALSE(first_end_in("child 90 -1\n" + log, kFacts)) << "rank 1 may be elsewhere";
}

TEST(ProcessLog, AnotherChildOfMpirunIsNoWorker) {
  EXPECT_FALSE(first_end_in("child 90 -1\nchild 100 0\nend 90 9\n", kFacts));
}

TEST(ProcessLog, ATornOrInvalidLineIsIgnored) {
  for (const char* const tail : {"end 101", "end 101 9", "end 101 x\n", "end\n", "\n", "end 1 2 3"})
    EXPECT_FALSE(first_end_in(std::string(kStart) + tail, kFacts)) << tail;
  EXPECT_TRUE(first_end_in(std::string(kStart) + "\nend\nend 101 9\n", kFacts));
  EXPECT_FALSE(first_end_in("", kFacts));
  EXPECT_FALSE(first_end_of("/nowhere/processes", kFacts));
}

}  // namespace
}  // namespace understudy::launcher
