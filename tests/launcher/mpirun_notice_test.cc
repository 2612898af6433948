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
  Watched watched;
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

}  // namespace
}  // namespace understudy::launcher
