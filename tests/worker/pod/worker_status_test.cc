// SPDX-License-Identifier: Apache-2.0
#include "worker/pod/worker_status.h"

#include <gtest/gtest.h>

#include "tests/worker/worker_testing.h"

namespace understudy::worker {
namespace {

class WorkerStatusTest : public testing::Test {
 protected:
  WorkerStatusTest() { worker_status_.attach(segment_.header()); }

  // The number of `beats` that peers count as progress.
  std::uint64_t progress_of(int beats) {
    const std::uint64_t before = segment_.header().other_progress;
    for (int i = 0; i < beats; ++i) worker_status_.beat();
    return segment_.header().other_progress - before;
  }

  TestFolder folder_;
  Segment segment_ = Segment::create(4096);
  configs::RecordWriter record_{folder_.file("record"), Rank(0)};
  WorkerStatus worker_status_{record_};
};

TEST_F(WorkerStatusTest, BeatsAreSignsOfLifeAndNoProgress) {
  EXPECT_EQ(progress_of(3), 0U);
  EXPECT_EQ(segment_.status().heartbeat, 3U);
  EXPECT_EQ(record_.status().heartbeat, 3U);
}

TEST_F(WorkerStatusTest, BeatsOfAChoreAreProgress) {
  {
    const std::uint64_t before = segment_.header().other_progress;
    const BusyScope busy_scope(worker_status_);
    EXPECT_EQ(segment_.header().other_progress, before + 1);
    EXPECT_EQ(progress_of(3), 3U);
  }
  EXPECT_EQ(progress_of(3), 0U);
}

TEST_F(WorkerStatusTest, ButNotForLongerThanItsLimit) {
  const BusyScope busy_scope(worker_status_, Seconds(0));
  EXPECT_EQ(progress_of(3), 0U);
}

TEST_F(WorkerStatusTest, NorWhileAPeerIsWaitedFor) {
  const BusyScope busy_scope(worker_status_);
  segment_.status().waiting_for = 2;  // rank 1
  EXPECT_EQ(progress_of(3), 0U);
  segment_.status().waiting_for = 0;
  EXPECT_EQ(progress_of(3), 3U);
}

TEST_F(WorkerStatusTest, WhatWasDoneCountsAtOnce) {
  const std::uint64_t before = segment_.header().other_progress;
  worker_status_.progressed();
  EXPECT_EQ(segment_.header().other_progress, before + 1);
}

}  // namespace
}  // namespace understudy::worker
