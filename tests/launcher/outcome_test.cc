// SPDX-License-Identifier: Apache-2.0
#include "launcher/outcome.h"

#include <csignal>

#include "gtest/gtest.h"

#include "program/read.h"
#include "program/source.h"

namespace understudy::launcher {
namespace {

using configs::Failed;
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
  Outcome outcome() const {
    return outcome_of(watched_, plan_, chips_, OpBook(*module_), "banner");
  }
  void fail(std::size_t rank, const std::string& kind, const std::string& message,
            std::vector<std::int64_t> missing = {}, std::optional<std::string> evidence = {}) {
    watched_.records[rank]->phase = Phase::failed;
    watched_.records[rank]->observations.push_back(Failed{
        kind, message, "programs allowed", "stablehlo.add", 0, std::move(missing), evidence, {}});
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
  fail(0, "timeout", "waited for rank 2", {2});
  fail(2, "capacity", "out of memory");
  fail(3, "protocol", "sizes differ");
  const Outcome seen = outcome();
  EXPECT_EQ(seen.exit_code, 5);
  ASSERT_TRUE(seen.failure);
  EXPECT_EQ(seen.failure->rank, 2);
  EXPECT_EQ(seen.failure->host, 1);
  EXPECT_EQ(seen.failure->chip, 12);
  EXPECT_EQ(seen.failure->kind, "capacity");
  EXPECT_EQ(seen.failure->op, "stablehlo.add");
  EXPECT_EQ(seen.failure->place, "p.mlir:3:10");
  EXPECT_EQ(failure_text(seen),
            "understudy: error: out of memory\n"
            "  note: rank 3: sizes differ\n"
            "  note: rank 0: waited for rank 2\n"
            "  rank 2, host 1, phase programs allowed\n"
            "  operation stablehlo.add at p.mlir:3:10\n"
            "  first to die: rank 2\n"
            "  layer: memory\n"
            "  advice: The program needs more HBM than the chip has: shard more, donate "
            "arguments, or take a chip with more.");
}

// At the start of a pod who heard of a difference may be gone before the one that differs told it.
TEST_F(OutcomeTest, HearsayOfAnotherRanksFaultIsThatRanks) {
  fail(0, "protocol", "rank 2 has other flags", {2}, "peer_gave_up");
  fail(1, "protocol", "rank 2 has other flags", {2}, "peer_gave_up");
  const Outcome seen = outcome();
  EXPECT_EQ(seen.exit_code, 3);
  ASSERT_TRUE(seen.failure);
  EXPECT_EQ(seen.failure->rank, 2);
  EXPECT_EQ(seen.failure->host, 1);
  EXPECT_EQ(seen.failure->first_to_die, 2);
  EXPECT_EQ(failure_text(seen).find("note:"), std::string::npos) << "the same words once";
}

// Clearing up wakes a stopped worker with SIGTERM, and it says so: that is not what went wrong.
TEST_F(OutcomeTest, ACasualtyThatWasToldToLeaveStaysTheCause) {
  watched_.casualty = Casualty{1, "was stopped", Phase::programs_allowed, 1};
  fail(0, "timeout", "rank 1 is stopped", {1});
  fail(1, "interrupted", "stopped by signal 15");
  const Outcome seen = outcome();
  EXPECT_EQ(seen.exit_code, 4);
  ASSERT_TRUE(seen.failure);
  EXPECT_EQ(seen.failure->rank, 1);
  EXPECT_EQ(seen.failure->message, "rank 1 (host 0) was stopped");
  EXPECT_EQ(seen.failure->first_to_die, 1);
}

TEST_F(OutcomeTest, NamesTheCasualtyAndTheOperationItWasMissedAt) {
  watched_.records[1]->phase = Phase::programs_allowed;
  watched_.casualty = Casualty{1, "was killed or ended without a word", Phase::programs_allowed, 0};
  fail(0, "timeout", "rank 1 is gone", {1});
  fail(2, "timeout", "rank 1 is gone", {1});
  const Outcome seen = outcome();
  EXPECT_EQ(seen.exit_code, 4);
  EXPECT_EQ(failure_text(seen),
            "understudy: error: rank 1 (host 0) was killed or ended without a word\n"
            "  note: rank 0 and 1 more: rank 1 is gone\n"
            "  note: rank 1 entered no collective\n"
            "  rank 1, host 0, phase programs allowed\n"
            "  operation stablehlo.add at p.mlir:3:10\n"
            "  first to die: rank 1\n"
            "  layer: collective\n"
            "  advice: Look at the last words and the host of the rank that went first; all others "
            "are victims of it. All ranks have to be started again.");
}

TEST_F(OutcomeTest, SaysInWhichCollectiveTheMissingWereSeenLast) {
  watched_.casualty = Casualty{1, std::string(kWasKilled), Phase::programs_allowed, 1};
  fail(0, "timeout", "rank 1 is gone", {1}, "gone");
  std::vector<configs::FlightSeen>& flight = watched_.casualty->flight;
  flight = {{4, "all_reduce", 4, 0, 8, 2, "ring", 100, 200},
            {5, "all_reduce", 5, 0, 8, 2, "", 300, std::nullopt}};
  watched_.records[1]->flight = {{9, "all_reduce", 9, 0, 8, 2, "", 900, std::nullopt}};  // woken
  EXPECT_EQ(outcome().notes.back(), "rank 1 was last seen in all_reduce#5 at p.mlir:3:10");
  flight.back().done_ns = 400;
  EXPECT_EQ(outcome().notes.back(),
            "rank 1 left all_reduce#5 at p.mlir:3:10 and entered no other collective");
}

// Rank 2 ran on to the end of its program; 0 and 3 sit in a collective, where 0 misses 3 and 3
// misses 2.
TEST_F(OutcomeTest, TheOneThatNeverEnteredIsMissedFirst) {
  configs::FlightSeen inside;
  inside.sequence = 1;
  for (const std::size_t rank : {0U, 3U}) watched_.records[rank]->flight = {inside};
  fail(0, "timeout", "rank 3 made no progress", {3}, "no_progress");
  fail(2, "timeout", "rank 3 made no progress", {3}, "no_progress");
  fail(3, "timeout", "rank 2 made no progress", {2}, "no_progress");
  EXPECT_EQ(outcome().failure->message, "rank 2 made no progress");
  EXPECT_EQ(outcome().notes.back(), "rank 2 entered no collective");
}

TEST_F(OutcomeTest, BelievesAWorkerThatSaidWhyBeforeItWent) {
  fail(1, "internal", "broken");
  watched_.casualty = Casualty{1, "was killed or ended without a word", Phase::programs_allowed, 0};
  EXPECT_EQ(outcome().exit_code, 70);
  EXPECT_EQ(outcome().failure->message, "broken");
}

TEST_F(OutcomeTest, FindsTheRankThatAllWaitedForAndThatSaidNothing) {
  fail(0, "timeout", "no progress of rank 3", {3});
  fail(1, "timeout", "no progress of rank 0", {0});
  const Outcome seen = outcome();
  EXPECT_EQ(seen.exit_code, 4);
  EXPECT_EQ(seen.failure->first_to_die, 3);
}

TEST_F(OutcomeTest, MissesAWorkerThatNeitherFinishedNorFailed) {
  watched_.records[2]->phase = Phase::runtime_initialised;
  const Outcome seen = outcome();
  EXPECT_EQ(seen.exit_code, 4);
  EXPECT_EQ(seen.failure->message, "rank 2 (host 1) ended without a word");
}

TEST_F(OutcomeTest, ShowsWhatMpirunSaidWhenNoWorkerStarted) {
  for (auto& record : watched_.records) record.reset();
  const Outcome seen = outcome();
  EXPECT_EQ(seen.exit_code, 71);
  EXPECT_EQ(failure_text(seen),
            "understudy: error: mpirun started no worker\n"
            "  note: mpirun said:\nbanner\n"
            "  layer: host/runtime\n"
            "  advice: See what mpirun said, and whether `understudy doctor` finds MPI in order.");
}

// Rank 0 was stopped, its peers said so, clearing up woke it, and it spoke of a peer that had left.
TEST_F(OutcomeTest, HearsayOfAWokenWorkerHidesNobodysFirstHandWords) {
  grow(8);
  const std::string site = "all_reduce f32[128] sum, channel 1, group 0,1,2,3,4,5,6,7, op 42: ";
  const auto tell = [&] {
    fail(0, "timeout", site + "rank 7 (host 0) gave up after an error of its own", {7},
         "peer_gave_up");
    for (std::size_t rank = 1; rank < 8; ++rank)
      fail(rank, "timeout", site + "rank 0 (host 0) is stopped (process state T)", {0}, "stopped");
  };
  tell();
  const Outcome seen = outcome();
  EXPECT_EQ(seen.exit_code, 4);
  EXPECT_EQ(seen.failure->message, "rank 0 (host 0) was stopped");
  EXPECT_EQ(seen.failure->rank, 0);
  EXPECT_EQ(seen.failure->first_to_die, 0);
  EXPECT_EQ(seen.failure->op, "stablehlo.add");

  watched_.casualty = Casualty{0, std::string(kWasStopped), Phase::programs_allowed, 1};
  const Outcome watched = outcome();
  EXPECT_EQ(watched.failure->message, "rank 0 (host 0) was stopped");
  EXPECT_EQ(watched.failure->rank, 0);
  EXPECT_EQ(watched.failure->first_to_die, 0);
}

// One row for each pair of neighbours in the order of evidence: the better one is told, whoever of
// the two has the lower rank.
TEST_F(OutcomeTest, BelievesTheBestEvidence) {
  struct Words {
    const char* kind;
    const char* evidence;
    std::vector<std::int64_t> missing;
    const char* told;
  };
  const Words kBestFirst[] = {
      {"capacity", nullptr, {}, "words"},
      {"protocol", nullptr, {}, "words"},
      {"timeout", "stopped", {3}, "rank 3 (host 1) was stopped"},
      {"timeout", "gone", {3}, "rank 3 (host 1) was killed or ended without a word"},
      {"timeout", "no_progress", {3}, "words"},
      {"timeout", "peer_gave_up", {3}, "words"},
  };
  for (std::size_t best = 0; best + 1 < std::size(kBestFirst); ++best) {
    for (const bool swapped : {false, true}) {
      for (auto& record : watched_.records) record->observations.clear();
      for (const std::size_t which : {best, best + 1}) {
        const Words& words = kBestFirst[which];
        const std::size_t rank = (which == best) == swapped ? 1 : 0;
        fail(rank, words.kind, which == best ? "words" : "worse", words.missing,
             words.evidence == nullptr ? std::nullopt : std::optional<std::string>(words.evidence));
      }
      EXPECT_EQ(outcome().failure->message, kBestFirst[best].told) << best << swapped;
    }
  }
}

// Rank 1 missed rank 3 and left; that rank 1 is gone, as rank 0 saw then, follows from it.
TEST_F(OutcomeTest, AnEndThatTheWorkerExplainedIsNotTheCause) {
  fail(0, "timeout", "rank 1 is gone", {1}, "gone");
  fail(1, "timeout", "rank 3 made no progress", {3}, "no_progress");
  EXPECT_EQ(outcome().failure->message, "rank 3 made no progress");
  EXPECT_EQ(outcome().failure->first_to_die, 3);
}

TEST_F(OutcomeTest, AnInterruptComesBeforeEverythingElse) {
  fail(0, "internal", "broken");
  watched_.interrupted = SIGINT;
  EXPECT_EQ(outcome().exit_code, 130);
  watched_.interrupted = SIGTERM;
  EXPECT_EQ(outcome().exit_code, 143);
  EXPECT_EQ(outcome().failure->kind, "interrupted");
}

}  // namespace
}  // namespace understudy::launcher
