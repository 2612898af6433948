// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "tests/worker/worker_testing.h"
#include "worker/pod/worker_status.h"

namespace understudy::worker {
namespace {

class VitalsTest : public testing::Test {
 protected:
  VitalsTest() { vitals_.attach(segment_.header()); }

  // How many of `beats` peers take for progress.
  std::uint64_t progress_of(int beats) {
    const std::uint64_t before = segment_.header().chores;
    for (int i = 0; i < beats; ++i) vitals_.beat();
    return segment_.header().chores - before;
  }

  TestFolder folder_;
  Segment segment_ = Segment::create(4096);
  configs::RecordWriter record_{folder_.file("record"), Rank(0)};
  Vitals vitals_{record_};
};

TEST_F(VitalsTest, BeatsAreSignsOfLifeAndNoProgress) {
  EXPECT_EQ(progress_of(3), 0U);
  EXPECT_EQ(segment_.pulse().heartbeat, 3U);
  EXPECT_EQ(record_.pulse().heartbeat, 3U);
}

TEST_F(VitalsTest, BeatsOfAChoreAreProgress) {
  {
    const std::uint64_t before = segment_.header().chores;
    const Chore chore(vitals_);
    EXPECT_EQ(segment_.header().chores, before + 1);
    EXPECT_EQ(progress_of(3), 3U);
  }
  EXPECT_EQ(progress_of(3), 0U);
}

TEST_F(VitalsTest, ButNotForLongerThanItsLimit) {
  const Chore chore(vitals_, Seconds(0));
  EXPECT_EQ(progress_of(3), 0U);
}

TEST_F(VitalsTest, NorWhileAPeerIsWaitedFor) {
  const Chore chore(vitals_);
  segment_.pulse().waiting_for = 2;  // rank 1
  EXPECT_EQ(progress_of(3), 0U);
  segment_.pulse().waiting_for = 0;
  EXPECT_EQ(progress_of(3), 3U);
}

TEST_F(VitalsTest, WhatWasDoneCountsAtOnce) {
  const std::uint64_t before = segment_.header().chores;
  vitals_.progressed();
  EXPECT_EQ(segment_.header().chores, before + 1);
}

}  // namespace
}  // namespace understudy::worker
