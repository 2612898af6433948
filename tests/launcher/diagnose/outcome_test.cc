// SPDX-License-Identifier: Apache-2.0
#include "tests/launcher/diagnose/outcome_testing.h"

namespace understudy::launcher {
namespace {

using configs::Evidence;
using configs::FailureKind;
using configs::Phase;

TEST_F(OutcomeTest, IsGoodWhenAllFinishedWhateverMpirunSays) {
  watched_.mpirun_status = 137 << 8;
  EXPECT_EQ(outcome().exit_code, 0);
  EXPECT_FALSE(outcome().failure);
}

TEST_F(OutcomeTest, TakesTheKindOfTheFailureThatCausedTheOthers) {
  fail(0, FailureKind::timeout, "waited for rank 2", {2});
  fail(2, FailureKind::capacity, "out of memory");
  fail(3, FailureKind::protocol, "sizes differ");
  const Outcome seen = outcome();
  EXPECT_EQ(seen.exit_code, 5);
  ASSERT_TRUE(seen.failure);
  EXPECT_EQ(seen.failure->rank, 2);
  EXPECT_EQ(seen.failure->host, 1);
  EXPECT_EQ(seen.failure->chip, 12);
  EXPECT_EQ(seen.failure->kind, FailureKind::capacity);
  EXPECT_EQ(seen.failure->op, "stablehlo.add");
  EXPECT_EQ(seen.failure->place, "p.mlir:3:10");
  EXPECT_EQ(
      failure_text(seen),
      "understudy: error: out of memory\n"
      "  note: rank 3: sizes differ\n"
      "  note: rank 0: waited for rank 2\n"
      "  rank 2, host 1, phase programs allowed\n"
      "  operation stablehlo.add at p.mlir:3:10\n"
      "  first to fail: rank 2\n"
      "  layer: memory\n"
      "  advice: The program needs more HBM than the chip has. Shard more, donate arguments, or "
      "use a chip with more HBM.");
}

// At the start of a pod who heard of a difference may be gone before the one that differs told it.
TEST_F(OutcomeTest, ASecondHandReportIsAboutTheOtherRank) {
  fail(0, FailureKind::protocol, "rank 2 has other flags", {2}, Evidence::peer_gave_up);
  fail(1, FailureKind::protocol, "rank 2 has other flags", {2}, Evidence::peer_gave_up);
  const Outcome seen = outcome();
  EXPECT_EQ(seen.exit_code, 3);
  ASSERT_TRUE(seen.failure);
  EXPECT_EQ(seen.failure->rank, 2);
  EXPECT_EQ(seen.failure->host, 1);
  EXPECT_EQ(seen.failure->rank_first, 2);
  EXPECT_EQ(failure_text(seen).find("note:"), std::string::npos) << "the same words once";
}

// Clearing up wakes a stopped worker with SIGTERM, and it says so: that is not what went wrong.
TEST_F(OutcomeTest, ALostWorkerThatWasToldToLeaveStaysTheCause) {
  watched_.lost = stopped(1);
  fail(0, FailureKind::timeout, "rank 1 is stopped", {1});
  fail(1, FailureKind::interrupted, "stopped by signal 15");
  const Outcome seen = outcome();
  EXPECT_EQ(seen.exit_code, 4);
  ASSERT_TRUE(seen.failure);
  EXPECT_EQ(seen.failure->rank, 1);
  EXPECT_EQ(seen.failure->message, "rank 1 (host 0) was stopped");
  EXPECT_EQ(seen.failure->rank_first, 1);
}

TEST_F(OutcomeTest, NamesTheLostWorkerAndTheOperationItWasMissedAt) {
  watched_.records[1]->phase = Phase::programs_allowed;
  watched_.lost = killed(1);
  fail(0, FailureKind::timeout, "rank 1 is gone", {1});
  fail(2, FailureKind::timeout, "rank 1 is gone", {1});
  const Outcome seen = outcome();
  EXPECT_EQ(seen.exit_code, 4);
  EXPECT_EQ(failure_text(seen),
            "understudy: error: rank 1 (host 0) was killed or ended without a report\n"
            "  note: rank 0 and 1 more: rank 1 is gone\n"
            "  note: rank 1 entered no collective\n"
            "  rank 1, host 0, phase programs allowed\n"
            "  operation stablehlo.add at p.mlir:3:10\n"
            "  first to fail: rank 1\n"
            "  layer: collective\n"
            "  advice: Read the last output of the rank that failed first, and check its host. The "
            "failures of the other ranks are consequences. All ranks must be restarted.");
}

TEST_F(OutcomeTest, SaysInWhichCollectiveTheMissingWereSeenLast) {
  watched_.lost = killed(1, 1);
  fail(0, FailureKind::timeout, "rank 1 is gone", {1}, Evidence::gone);
  std::vector<configs::FlightSeen>& flight = watched_.lost->flight;
  flight = {{4, "all_reduce", 4, 0, 8, 2, "ring", 100, 200},
            {5, "all_reduce", 5, 0, 8, 2, "", 300, std::nullopt}};
  watched_.records[1]->flight = {{9, "all_reduce", 9, 0, 8, 2, "", 900, std::nullopt}};  // woken
  EXPECT_EQ(outcome().notes.back(), "rank 1 was last seen in all_reduce#5 at p.mlir:3:10");
  flight.back().done_ns = 400;
  EXPECT_EQ(outcome().notes.back(),
            "rank 1 left all_reduce#5 at p.mlir:3:10 and entered no further collective");
}

// Rank 2 ran on to the end of its program; 0 and 3 sit in a collective, where 0 misses 3 and 3
// misses 2.
TEST_F(OutcomeTest, TheOneThatNeverEnteredIsMissedFirst) {
  configs::FlightSeen inside;
  inside.sequence = 1;
  for (const std::size_t rank : {0U, 3U}) watched_.records[rank]->flight = {inside};
  fail(0, FailureKind::timeout, "rank 3 made no progress", {3}, Evidence::no_progress);
  fail(2, FailureKind::timeout, "rank 3 made no progress", {3}, Evidence::no_progress);
  fail(3, FailureKind::timeout, "rank 2 made no progress", {2}, Evidence::no_progress);
  EXPECT_EQ(outcome().failure->message, "rank 2 made no progress");
  EXPECT_EQ(outcome().notes.back(), "rank 2 entered no collective");
}

TEST_F(OutcomeTest, BelievesAWorkerThatSaidWhyBeforeItWent) {
  fail(1, FailureKind::internal, "broken");
  watched_.lost = killed(1);
  EXPECT_EQ(outcome().exit_code, 70);
  EXPECT_EQ(outcome().failure->message, "broken");
}

TEST_F(OutcomeTest, FindsTheRankThatAllWaitedForAndThatSaidNothing) {
  fail(0, FailureKind::timeout, "no progress of rank 3", {3});
  fail(1, FailureKind::timeout, "no progress of rank 0", {0});
  const Outcome seen = outcome();
  EXPECT_EQ(seen.exit_code, 4);
  EXPECT_EQ(seen.failure->rank_first, 3);
}

TEST_F(OutcomeTest, MissesAWorkerThatNeitherFinishedNorFailed) {
  watched_.records[2]->phase = Phase::runtime_initialised;
  const Outcome seen = outcome();
  EXPECT_EQ(seen.exit_code, 4);
  EXPECT_EQ(seen.failure->message, "rank 2 (host 1) ended without a report");
}

TEST_F(OutcomeTest, ShowsWhatMpirunSaidWhenNoWorkerStarted) {
  for (auto& record : watched_.records) record.reset();
  const Outcome seen = outcome();
  EXPECT_EQ(seen.exit_code, 71);
  EXPECT_EQ(failure_text(seen),
            "understudy: error: mpirun started no worker\n"
            "  note: output of mpirun:\nbanner\n"
            "  layer: host/runtime\n"
            "  advice: Read the output of mpirun, and run `understudy doctor` to check the MPI "
            "installation.");
}

TEST_F(OutcomeTest, AnInterruptComesBeforeEverythingElse) {
  fail(0, FailureKind::internal, "broken");
  watched_.interrupted = SIGINT;
  EXPECT_EQ(outcome().exit_code, 130);
  watched_.interrupted = SIGTERM;
  EXPECT_EQ(outcome().exit_code, 143);
  EXPECT_EQ(outcome().failure->kind, FailureKind::interrupted);
}

TEST_F(OutcomeTest, NamesTheSliceOfTheHostOnlyWhereSlicesAreJoined) {
  Outcome failed;
  failed.failure.emplace().host = 1;
  failed.failure->rank = 2;
  add_slice(failed, plan_);
  EXPECT_EQ(failed.failure->slice, std::nullopt);
  EXPECT_NE(failure_text(failed).find("rank 2, host 1, phase unknown"), std::string::npos);
  plan_.slices = 2;
  plan_.slice_shape = {2, 1, 1};
  add_slice(failed, plan_);
  EXPECT_EQ(failed.failure->slice, 1);
  EXPECT_NE(failure_text(failed).find("rank 2, host 1, slice 1, phase"), std::string::npos);
}

}  // namespace
}  // namespace understudy::launcher
