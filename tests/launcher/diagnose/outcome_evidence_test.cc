// SPDX-License-Identifier: Apache-2.0
// Which of several reports about one failure is told.
#include "tests/launcher/diagnose/outcome_testing.h"

namespace understudy::launcher {
namespace {

using configs::Evidence;
using configs::FailureKind;

// Rank 0 was stopped, its peers said so, clearing up woke it, and it spoke of a peer that had left.
TEST_F(OutcomeTest, ASecondHandReportOfAWokenWorkerHidesNoFirstHandReport) {
  grow(8);
  const std::string site = "all_reduce f32[128] sum, channel 1, group 0,1,2,3,4,5,6,7, op 42: ";
  const auto tell = [&] {
    fail(0, FailureKind::timeout, site + "rank 7 (host 0) ended after an error in its own process",
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

}  // namespace
}  // namespace understudy::launcher
