// SPDX-License-Identifier: Apache-2.0
#include "launcher/diagnose/mpirun_notice.h"

#include <csignal>

#include "gtest/gtest.h"

namespace understudy::launcher {
namespace {

TEST(MpirunNotice, IsReadThoughItsLinesAreFolded) {
  const auto notice = notice_in(
      "-----\nmpirun noticed that process rank 12 with PID 0 on node a-long-name\nexited on signal "
      "11 "
      "(Segmentation fault).\n-----");
  ASSERT_TRUE(notice);
  EXPECT_EQ(notice->rank, 12);
  EXPECT_EQ(notice->signal, SIGSEGV);
  EXPECT_FALSE(notice_in("Primary job  terminated normally, but 1 process returned"));
}

TEST(LostMpirun, IsNoneWhereAWorkerEndedFirst) {
  WatchedRun watched;
  watched.records.resize(2);
  watched.workers_seen = 2;
  for (const int status : {(128 + SIGKILL) << 8, 3 << 8, 0}) {
    watched.mpirun_status = status;
    EXPECT_FALSE(lost_mpirun(watched, "")) << status;
  }
  watched.mpirun_status = 1 << 8;
  EXPECT_TRUE(lost_mpirun(watched, ""));
  EXPECT_FALSE(lost_mpirun(watched, "*** An error occurred in MPI_Init_thread"));
  watched.workers_seen = 0;
  EXPECT_FALSE(lost_mpirun(watched, "")) << "it never started one";
}

// SIGABRT to mpirun: it passes the signal on, and then sees workers end by it.
TEST(LostMpirun, IsTheCauseOfASignalThatItForwarded) {
  WatchedRun watched;
  watched.records.resize(2);
  watched.mpirun_pid = 99;
  const std::string forwarding = "mpirun: Forwarding signal 6 to job\n";
  const std::string notice =
      "mpirun noticed that process rank 1 with PID 0 on node vm exited on signal 6 (Aborted).";
  const auto lost = lost_mpirun(watched, forwarding + notice);
  ASSERT_TRUE(lost);
  EXPECT_EQ(text_of(lost->loss), "received SIGABRT and forwarded it to all workers");
  EXPECT_FALSE(lost_mpirun(watched, notice)) << "a signal to the worker itself";
  EXPECT_FALSE(lost_mpirun(watched, "Forwarding signal 18 to job\n" + notice)) << "another one";
}

}  // namespace
}  // namespace understudy::launcher
