// SPDX-License-Identifier: Apache-2.0
#include "launcher/diagnose/missed_op.h"

#include "gtest/gtest.h"

namespace understudy::launcher {
namespace {

using configs::FlightSeen;
using configs::Phase;
using configs::RecordContent;

FlightSeen entry(std::uint64_t sequence, std::int64_t op, bool done) {
  FlightSeen seen;
  seen.sequence = sequence;
  seen.kind = "all_reduce";
  seen.op = op;
  if (done) seen.done_ns = 1;
  return seen;
}

class MissedOpTest : public testing::Test {
 protected:
  MissedOpTest() : records_(4, RecordContent{}) {
    lost_.rank = 2;
    lost_.phase = Phase::programs_allowed;
    lost_.op = 41 + 1;  // the sample of its status
  }
  void waits(std::size_t rank, std::uint64_t sequence, std::int64_t op,
             std::uint32_t for_rank = 0) {
    records_[rank]->flight = {entry(sequence, op, false)};
    records_[rank]->waiting_for = for_rank;
  }
  std::int64_t op() const {
    const auto missed = missed_op(lost_, records_);
    return missed ? missed->op : -1;
  }

  LostWorker lost_;
  std::vector<std::optional<RecordContent>> records_;
};

TEST_F(MissedOpTest, IsTheCollectiveThatTheWorkerWasInside) {
  lost_.flight = {entry(4, 53, true), entry(5, 77, false)};
  waits(0, 6, 99);  // had passed it already
  EXPECT_EQ(op(), 77);
}

TEST_F(MissedOpTest, IsTheCollectiveThatPeersWaitInWhereTheWorkerWasBetweenTwo) {
  lost_.flight = {entry(4, 53, true)};
  waits(0, 5, 77);
  waits(1, 5, 77);
  waits(3, 5, 77);
  EXPECT_EQ(op(), 77) << "not the sample of its status";
  EXPECT_EQ(missed_op(lost_, records_)->rank, 0);
}

TEST_F(MissedOpTest, OfPeersInSeveralCollectivesMostDecideThenTheFirst) {
  lost_.flight = {entry(4, 53, true)};
  waits(0, 6, 80);
  waits(1, 5, 77);
  EXPECT_EQ(op(), 77) << "the first of two";
  waits(3, 6, 80);
  EXPECT_EQ(op(), 80) << "most";
}

TEST_F(MissedOpTest, PeersThatWaitForSomebodyElseAreAskedLast) {
  waits(0, 5, 77, 3 + 1);
  waits(1, 5, 77, 3 + 1);
  waits(3, 5, 80, 2 + 1);
  EXPECT_EQ(op(), 80);
}

TEST_F(MissedOpTest, PeersInWhatTheWorkerHadDoneDoNotCount) {
  lost_.flight = {entry(5, 77, true)};
  waits(0, 5, 77);  // has not looked up yet
  EXPECT_EQ(op(), 41);
}

TEST_F(MissedOpTest, IsTheStatusWhereNobodyIsInACollective) {
  EXPECT_EQ(op(), 41);
  lost_.op = 0;
  EXPECT_EQ(op(), -1);
}

TEST_F(MissedOpTest, AStatusThatShowsACollectiveTheWorkerHasLeftIsTooOld) {
  lost_.flight = {entry(4, 41, true), entry(5, 77, true)};
  EXPECT_EQ(op(), -1);
  lost_.flight.back().done_ns.reset();
  EXPECT_EQ(op(), 77);
}

TEST_F(MissedOpTest, IsNoneBeforeProgramsRun) {
  lost_.phase = Phase::runtime_initialised;
  waits(0, 1, 7);
  EXPECT_EQ(op(), -1);
}

}  // namespace
}  // namespace understudy::launcher
