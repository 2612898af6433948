// SPDX-License-Identifier: Apache-2.0
#include "launcher/diagnose/outcome.h"

#include <csignal>

#include "gtest/gtest.h"

#include "program/ir/source.h"
#include "program/read.h"

namespace understudy::launcher {
namespace {

using configs::Evidence;
using configs::Failed;
using configs::FailureKind;
using configs::Phase;
using configs::RecordContent;

constexpr const char* kProgram = R"(module @m {
  func.func public @main(%arg0: tensor<f32>) -> tensor<f32> {
    %0 = stablehlo.add %arg0, %arg0 : tensor<f32>
    return %0 : tensor<f32>
  }
}
)";

class OutcomeTest : public testing::Test {
 protected:
  OutcomeTest() : module_(program::parse(std::make_shared<program::Source>("p.mlir", kProgram))) {
    plan_.chips = 4;
    plan_.host_of = {HostId(0), HostId(0), HostId(1), HostId(1)};
    for (std::int64_t rank = 0; rank < 4; ++rank) {
      RecordContent record;
      record.rank = rank;
      record.phase = Phase::finished;
      watched_.records.emplace_back(record);
      chips_.push_back({ChipId(10 + rank), Rank(rank), HostId(rank / 2), {}});
    }
  }
  Outcome outcome(const std::string& mpirun_output = "banner") const {
    return outcome_of(watched_, plan_, chips_, OpLocations(*module_), mpirun_output);
  }
  void fail(std::size_t rank, FailureKind kind, const std::string& message,
            std::vector<std::int64_t> missing = {}, std::optional<Evidence> evidence = {}) {
    if (!evidence && kind == FailureKind::timeout) evidence = Evidence::no_progress;
    if (!evidence && kind == FailureKind::protocol) evidence = Evidence::mismatch;
    watched_.records[rank]->phase = Phase::failed;
    watched_.records[rank]->observations.push_back(Failed{kind,
                                                          message,
                                                          Phase::programs_allowed,
                                                          "stablehlo.add",
                                                          0,
                                                          std::move(missing),
                                                          evidence.value_or(Evidence::own_error),
                                                          {}});
  }
  // A signal in the record of a rank, as its worker writes it before it leaves.
  void signal(std::size_t rank, int number, bool from_pod, std::int64_t at_ns = 1) {
    watched_.records[rank]->observations.push_back(
        configs::SignalSeen{number, 4711, from_pod ? "mpirun" : "bash", from_pod, at_ns});
    fail(rank, FailureKind::interrupted, "received a signal", {},
         from_pod ? Evidence::interrupted : Evidence::own_signal);
  }
  static LostWorker killed(std::int64_t rank, std::uint32_t op = 0) {
    return {rank, Loss::by(LossKind::killed), Phase::programs_allowed, op};
  }
  static LostWorker stopped(std::int64_t rank) {
    return {rank, Loss::by(LossKind::stopped, SIGSTOP), Phase::programs_allowed, 1};
  }
  void grow(std::int64_t ranks) {
    for (std::int64_t rank = 4; rank < ranks; ++rank) {
      plan_.host_of.emplace_back(0);
      watched_.records.push_back(watched_.records.front());
      watched_.records.back()->rank = rank;
    }
    plan_.chips = ranks;
  }

  configs::RunPlan plan_;
  std::vector<configs::Chip> chips_;
  std::unique_ptr<program::Module> module_;
  Watched watched_;
};

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

// Rank 0 was stopped, its peers said so, clearing up woke it, and it spoke of a peer that had left.
TEST_F(OutcomeTest, ASecondHandReportOfAWokenWorkerHidesNoFirstHandReport) {
  grow(8);
  const std::string site = "all_reduce f32[128] sum, channel 1, group 0,1,2,3,4,5,6,7, op 42: ";
  const auto tell = [&] {
    fail(0, FailureKind::timeout, site + "rank 7 (host 0) ended after an error of its own process",
         {7}, Evidence::peer_gave_up);
    for (std::size_t rank = 1; rank < 8; ++rank)
      fail(rank, FailureKind::timeout, site + "rank 0 (host 0) is stopped (process state T)", {0},
           Evidence::stopped);
  };
  tell();
  const Outcome seen = outcome();
  EXPECT_EQ(seen.exit_code, 4);
  EXPECT_EQ(seen.failure->message, "rank 0 (host 0) was stopped");
  EXPECT_EQ(seen.failure->rank, 0);
  EXPECT_EQ(seen.failure->rank_first, 0);
  EXPECT_EQ(seen.failure->op, "stablehlo.add");

  watched_.lost = stopped(0);
  const Outcome watched = outcome();
  EXPECT_EQ(watched.failure->message, "rank 0 (host 0) was stopped");
  EXPECT_EQ(watched.failure->rank, 0);
  EXPECT_EQ(watched.failure->rank_first, 0);
}

// One row for each pair of neighbours in the order of evidence: the better one is told, whoever of
// the two has the lower rank.
TEST_F(OutcomeTest, BelievesTheBestEvidence) {
  struct Words {
    FailureKind kind;
    Evidence evidence;
    std::vector<std::int64_t> missing;
    const char* told;
  };
  const Words kBestFirst[] = {
      {FailureKind::capacity, Evidence::own_error, {}, "words"},
      {FailureKind::protocol, Evidence::mismatch, {}, "words"},
      {FailureKind::timeout, Evidence::stopped, {3}, "rank 3 (host 1) was stopped"},
      {FailureKind::timeout,
       Evidence::gone,
       {3},
       "rank 3 (host 1) was killed or ended without a report"},
      {FailureKind::timeout, Evidence::no_progress, {3}, "words"},
      {FailureKind::timeout, Evidence::peer_gave_up, {3}, "words"},
  };
  for (std::size_t best = 0; best + 1 < std::size(kBestFirst); ++best) {
    for (const bool swapped : {false, true}) {
      for (auto& record : watched_.records) record->observations.clear();
      for (const std::size_t which : {best, best + 1}) {
        const Words& words = kBestFirst[which];
        const std::size_t rank = (which == best) == swapped ? 1 : 0;
        fail(rank, words.kind, which == best ? "words" : "worse", words.missing, words.evidence);
      }
      EXPECT_EQ(outcome().failure->message, kBestFirst[best].told) << best << swapped;
    }
  }
}

// Rank 1 missed rank 3 and left; that rank 1 is gone, as rank 0 saw then, follows from it.
TEST_F(OutcomeTest, AnEndThatTheWorkerExplainedIsNotTheCause) {
  fail(0, FailureKind::timeout, "rank 1 is gone", {1}, Evidence::gone);
  fail(1, FailureKind::timeout, "rank 3 made no progress", {3}, Evidence::no_progress);
  EXPECT_EQ(outcome().failure->message, "rank 3 made no progress");
  EXPECT_EQ(outcome().failure->rank_first, 3);
}

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
