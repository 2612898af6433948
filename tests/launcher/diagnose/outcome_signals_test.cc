// SPDX-License-Identifier: Apache-2.0
// Ends by signals: of workers, of mpirun, and of the kernel for want of memory.
#include "tests/launcher/diagnose/outcome_testing.h"

namespace understudy::launcher {
namespace {

using configs::Evidence;
using configs::FailureKind;
using configs::Phase;

// All others gave up because of it, and one of them saw its process gone.
TEST_F(OutcomeTest, AWorkerThatReceivedASignalFromOutsideIsNamedWithItsSender) {
  signal(2, SIGTERM, false);
  for (const std::size_t rank : {0U, 1U})
    fail(rank, FailureKind::timeout, "rank 3 gave up", {3}, Evidence::peer_gave_up);
  fail(3, FailureKind::timeout, "rank 2 is gone", {2}, Evidence::gone);
  const Outcome seen = outcome();
  EXPECT_EQ(seen.exit_code, 4);
  EXPECT_EQ(seen.failure->message, "rank 2 (host 1) received SIGTERM from process 4711 (bash)");
  EXPECT_EQ(seen.failure->rank, 2);
  EXPECT_EQ(seen.failure->rank_first, 2);
  EXPECT_EQ(seen.failure->process, "worker");
  EXPECT_EQ(seen.failure->signal, "SIGTERM");
  EXPECT_EQ(seen.failure->evidence, Evidence::own_signal);
  EXPECT_EQ(seen.failure->diagnosis, "rank-signalled");
}

TEST_F(OutcomeTest, OfSeveralSignalledWorkersTheFirstInTimeIsNamed) {
  signal(1, SIGTERM, false, 20);
  signal(3, SIGINT, false, 10);
  EXPECT_EQ(outcome().failure->rank, 3);
}

// mpirun clears up with SIGTERM, which says nothing about who was first.
TEST_F(OutcomeTest, ASignalOfMpirunIsNoCause) {
  signal(0, SIGTERM, true);
  watched_.lost = killed(3);
  EXPECT_EQ(outcome().failure->rank, 3);
}

TEST_F(OutcomeTest, NamesMpirunWhereItWasKilled) {
  for (const std::size_t rank : {0U, 1U, 2U, 3U}) signal(rank, SIGTERM, true);
  watched_.mpirun_pid = 99;
  watched_.lost_mpirun = LostMpirun{99, Loss::by(LossKind::killed, SIGKILL)};
  watched_.lost = killed(1);  // because of it
  const Outcome seen = outcome();
  EXPECT_EQ(seen.exit_code, 4);
  EXPECT_EQ(seen.failure->message, "mpirun (process 99) was killed by SIGKILL");
  EXPECT_EQ(seen.failure->process, "mpirun");
  EXPECT_EQ(seen.failure->signal, "SIGKILL");
  EXPECT_EQ(seen.failure->rank, std::nullopt);
  EXPECT_EQ(seen.failure->rank_first, std::nullopt);
  EXPECT_EQ(seen.failure->diagnosis, "mpirun-died");
}

// SIGTERM to mpirun ends it with status 1, and the workers with it.
TEST_F(OutcomeTest, NamesMpirunWhereItEndedThePodByItself) {
  for (const std::size_t rank : {0U, 1U, 2U, 3U}) signal(rank, SIGTERM, true);
  watched_.mpirun_pid = 99;
  watched_.workers_seen = 4;
  watched_.mpirun_status = 1 << 8;
  EXPECT_EQ(outcome().failure->message,
            "mpirun (process 99) ended with exit status 1 without a report");
  watched_.mpirun_was_told = true;
  EXPECT_EQ(outcome().failure->process, "worker") << "the launcher told it to end";
}

TEST_F(OutcomeTest, ASignalThatMpirunSawIsNamed) {
  watched_.records[2]->phase = Phase::programs_allowed;
  watched_.lost = killed(2);
  EXPECT_EQ(outcome("mpirun noticed that process rank 2 with PID 0 on\n"
                    "node vm exited on signal 9 (Killed).")
                .failure->message,
            "rank 2 (host 1) was killed by SIGKILL");
  const std::string other =
      "mpirun noticed that process rank 1 with PID 0 on node vm exited on signal 9";
  watched_.exit_order = {2, 1};
  EXPECT_EQ(outcome(other).failure->message, "rank 2 (host 1) was killed or ended without a report")
      << "the kernel saw rank 2 end before";
  watched_.exit_order = {2};
  EXPECT_EQ(outcome(other).failure->message, "rank 1 (host 0) was killed by SIGKILL")
      << "rank 1 ended before the launcher found it, rank 2 in the clean-up";
  watched_.mpirun_status = (128 + SIGSEGV) << 8;
  EXPECT_EQ(outcome().failure->message, "rank 2 (host 1) was killed by SIGSEGV");
  EXPECT_EQ(outcome().failure->signal, "SIGSEGV");
}

// Before it could write a record; others were there.
TEST_F(OutcomeTest, AWorkerThatDiedBeforeItsRecordIsNamedByMpirun) {
  for (auto& record : watched_.records) record.reset();
  const Outcome seen =
      outcome("mpirun noticed that process rank 3 with PID 0 on node vm exited on signal 9.");
  EXPECT_EQ(seen.exit_code, 4);
  EXPECT_EQ(seen.failure->message, "rank 3 (host 1) was killed by SIGKILL");
  EXPECT_EQ(seen.failure->diagnosis, "rank-lost-at-start");
}

TEST_F(OutcomeTest, TheKernelsOutOfMemoryKillerIsNamed) {
  watched_.lost = LostWorker{1, Loss::by(LossKind::out_of_memory), Phase::programs_allowed, 0};
  const Outcome seen = outcome();
  EXPECT_EQ(seen.failure->diagnosis, "host-memory-exhausted");
  EXPECT_EQ(seen.failure->layer, "host memory");
  EXPECT_NE(seen.failure->message.find("the host ran out of memory"), std::string::npos);
}

}  // namespace
}  // namespace understudy::launcher
