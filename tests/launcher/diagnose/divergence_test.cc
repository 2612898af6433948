// SPDX-License-Identifier: Apache-2.0
#include "launcher/diagnose/divergence.h"

#include <gmock/gmock.h>

#include "configs/base/error.h"
#include "launcher/diagnose/outcome.h"
#include "program/ir/source.h"
#include "program/read.h"

namespace understudy::launcher {
namespace {

using configs::FlightSeen;
using configs::Phase;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

// Four ranks on two hosts, two steps.
class DivergenceTest : public testing::Test {
 protected:
  DivergenceTest() {
    plan_.chips = 4;
    plan_.steps = 2;
    plan_.host_of = {HostId(0), HostId(0), HostId(1), HostId(1)};
    for (std::int64_t rank = 0; rank < 4; ++rank) {
      configs::RecordContent record;
      record.rank = rank;
      record.phase = Phase::failed;
      watched_.records.emplace_back(record);
      chips_.push_back({ChipId(rank), Rank(rank), HostId(rank / 2), {}});
    }
  }
  void enter(std::size_t rank, std::uint64_t sequence, std::uint64_t members, std::uint16_t call,
             bool done = false) {
    FlightSeen seen{sequence, "all_reduce", sequence, 0, 8, members, "", 100};
    seen.call = call;
    if (done) seen.done_ns = 200;
    watched_.records[rank]->flight.push_back(seen);
  }
  void finish(std::size_t rank) {
    for (std::int64_t step = 0; step < plan_.steps; ++step)
      watched_.records[rank]->observations.emplace_back(configs::Stepped{step, 1, 2, {}});
  }
  void fail(std::size_t rank, ErrorKind kind, const std::string& message,
            std::vector<std::int64_t> missing = {}) {
    configs::Failed failed;
    failed.kind = configs::failure_kind_of(kind);
    failed.message = message;
    failed.phase = Phase::programs_allowed;
    failed.op = "stablehlo.all_reduce";
    failed.op_index = 0;
    failed.missing_ranks = std::move(missing);
    if (kind == ErrorKind::timeout) failed.evidence = configs::Evidence::no_progress;
    if (kind == ErrorKind::protocol) failed.evidence = configs::Evidence::mismatch;
    watched_.records[rank]->observations.emplace_back(std::move(failed));
  }
  Outcome outcome() const {
    const auto module = program::parse(std::make_shared<program::Source>(
        "p.mlir",
        "module @m {\n  func.func public @main(%a: tensor<f32>) -> tensor<f32> {\n"
        "    %0 = stablehlo.add %a, %a : tensor<f32>\n    return %0 : tensor<f32>\n  }\n}\n"));
    return outcome_of(watched_, plan_, chips_, OpLocations(*module), "");
  }

  configs::RunPlan plan_;
  std::vector<configs::Chip> chips_;
  WatchedRun watched_;
};

TEST_F(DivergenceTest, OfTwoSidesTheSmallerOneIsNamed) {
  for (const std::size_t rank : {0U, 1U, 3U}) enter(rank, 1, 4, 7);
  enter(2, 1, 4, 8);
  const auto odd = other_collective(watched_, 0);
  ASSERT_TRUE(odd);
  EXPECT_THAT(odd->ranks, ElementsAre(2));
  EXPECT_THAT(odd->others, ElementsAre(0, 1, 3));
  fail(0, ErrorKind::protocol, "collectives do not match: rank 0: a; rank 2: b");
  fail(2, ErrorKind::protocol, "collectives do not match: rank 2: b; rank 0: a");
  const Outcome seen = outcome();
  EXPECT_EQ(seen.exit_code, 3);
  EXPECT_EQ(seen.failure->rank, 2);
  EXPECT_EQ(seen.failure->host, 1);
  EXPECT_EQ(seen.failure->rank_first, 2);
  EXPECT_EQ(seen.failure->diagnosis, "collectives-differ");
  EXPECT_THAT(seen.failure->message, HasSubstr("; only rank 2 differs from the other 3"));
}

TEST_F(DivergenceTest, WhereBothSidesAreAsManyNothingIsInvented) {
  for (const std::size_t rank : {0U, 1U}) enter(rank, 1, 2, 7);
  for (const std::size_t rank : {2U, 3U}) enter(rank, 1, 4, 7);
  EXPECT_FALSE(other_collective(watched_, 0));
  fail(0, ErrorKind::protocol, "collectives do not match: rank 0: a; rank 2: b");
  EXPECT_EQ(outcome().failure->rank, 0);  // who told
  EXPECT_EQ(outcome().failure->message, "collectives do not match: rank 0: a; rank 2: b");
}

TEST_F(DivergenceTest, ThreeWaysAreNoTwoSides) {
  enter(0, 1, 4, 7);
  enter(1, 1, 4, 7);
  enter(2, 1, 4, 8);
  enter(3, 1, 4, 9);
  EXPECT_FALSE(other_collective(watched_, 2));
}

TEST_F(DivergenceTest, OnlyTheCallThatFailedIsCompared) {
  for (const std::size_t rank : {0U, 1U, 2U, 3U}) enter(rank, 1, 4, rank == 3 ? 9 : 7, true);
  for (const std::size_t rank : {0U, 1U, 2U, 3U}) enter(rank, 2, 4, rank == 1 ? 8 : 7);
  const auto odd = other_collective(watched_, 3);
  ASSERT_TRUE(odd);
  EXPECT_THAT(odd->ranks, ElementsAre(1));
  EXPECT_EQ(odd->entry.sequence, 2u);
}

// Rank 0 waits for rank 2's results, rank 2 in a collective for all others: the first to give up is
// no sign of who is wrong.
TEST_F(DivergenceTest, WhoWaitsForThoseThatHaveFinishedIsAlone) {
  for (const std::size_t rank : {0U, 1U, 2U, 3U}) enter(rank, 1, 4, 7, true);
  enter(2, 2, 4, 7);
  for (const std::size_t rank : {0U, 1U, 3U}) finish(rank);
  fail(0, ErrorKind::timeout, "rank 2 made no progress for 3.0 s", {2});
  Outcome seen = outcome();
  EXPECT_EQ(seen.exit_code, 4);
  EXPECT_EQ(seen.failure->rank, 2);
  EXPECT_EQ(seen.failure->host, 1);
  EXPECT_EQ(seen.failure->diagnosis, "collective-alone");
  EXPECT_THAT(seen.failure->missing_ranks, ElementsAre(0, 1, 3));
  EXPECT_EQ(
      seen.failure->message,
      "rank 2 (host 1) waits in all_reduce#2, which no other rank enters: the other 3 finished "
      "their program");
  fail(2, ErrorKind::timeout, "rank 0 made no progress for 3.0 s", {0});
  seen = outcome();
  EXPECT_EQ(seen.failure->rank, 2);
}

TEST_F(DivergenceTest, NobodyIsAloneWhileAnotherIsStillOnItsWay) {
  for (const std::size_t rank : {0U, 1U, 2U, 3U}) enter(rank, 1, 4, 7, rank != 2);
  for (const std::size_t rank : {0U, 1U}) finish(rank);  // rank 3 is stuck between two collectives
  fail(0, ErrorKind::timeout, "rank 2 made no progress for 3.0 s", {2});
  EXPECT_FALSE(left_alone(watched_, plan_));
  EXPECT_EQ(outcome().failure->diagnosis, "rank-stuck");
}

// The one that finished early is the odd one then, and it is whom all wait for.
TEST_F(DivergenceTest, TheManyThatWaitAreNotAlone) {
  for (const std::size_t rank : {0U, 1U, 3U}) enter(rank, 1, 4, 7);
  finish(2);
  fail(0, ErrorKind::timeout, "rank 2 made no progress for 3.0 s", {2});
  EXPECT_FALSE(left_alone(watched_, plan_));
  EXPECT_EQ(outcome().failure->diagnosis, "rank-stuck");
  EXPECT_THAT(outcome().failure->missing_ranks, ElementsAre(2));
}

}  // namespace
}  // namespace understudy::launcher
