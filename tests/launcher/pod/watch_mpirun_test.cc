// SPDX-License-Identifier: Apache-2.0
// What mpirun saw, and ends of mpirun itself.
#include "tests/launcher/pod/watch_testing.h"

namespace understudy::launcher {
namespace {

// mpirun ends the other workers as soon as it has seen the end of one that the launcher never
// found.
TEST_F(WatchTest, TheWorkerThatMpirunSawEndFirstIsTheCause) {
  records_.erase(1);
  world_.first_end = [this]() -> std::optional<FirstEnd> {
    if (looks_ < 10) return std::nullopt;
    return FirstEnd{1, 101, Loss::by(LossKind::killed, SIGSEGV)};
  };
  on_look_ = [this] {
    if (looks_ == 10) processes_.clear();
  };
  const WatchedRun watched = run();
  ASSERT_TRUE(watched.lost);
  EXPECT_EQ(watched.lost->rank, 1);
  EXPECT_EQ(watched.lost->loss.signal, SIGSEGV);
  EXPECT_EQ(watched.workers_seen, 3);
}

TEST_F(WatchTest, WhatMpirunSawIsReadAlsoAfterItsEnd) {
  int reads_after_end = 0;
  world_.first_end = [&]() -> std::optional<FirstEnd> {
    if (!mpirun_.ended() || reads_after_end++ == 0) return std::nullopt;
    return FirstEnd{2, 102, Loss::by(LossKind::killed, SIGSEGV)};
  };
  on_look_ = [&] {
    if (looks_ != 10) return;
    end_mpirun();
    mpirun_.wait(Deadline::after(Seconds(10)));
  };
  const WatchedRun watched = run();
  ASSERT_TRUE(watched.lost);
  EXPECT_EQ(watched.lost->rank, 2);
  EXPECT_FALSE(watched.lost_mpirun) << "it lived when the worker ended";
}

TEST_F(WatchTest, NamesMpirunThatReceivedASignalThoughWorkersEndFirst) {
  world_.first_end = [this]() -> std::optional<FirstEnd> {
    if (looks_ < 10) return std::nullopt;
    return FirstEnd{-1, 0, Loss::by(LossKind::signalled, SIGHUP)};
  };
  on_look_ = [this] {
    if (looks_ == 10) processes_.clear();
    if (looks_ > 30) end_mpirun();
  };
  const WatchedRun watched = run();
  EXPECT_FALSE(watched.lost);
  ASSERT_TRUE(watched.lost_mpirun);
  EXPECT_EQ(watched.lost_mpirun->pid, mpirun_.pid());
}

TEST_F(WatchTest, AStoppedMpirunIsNamedAndEndedAtOnce) {
  processes_[mpirun_.pid()] = {'T', 1};
  const WatchedRun watched = run();
  ASSERT_TRUE(watched.lost_mpirun);
  EXPECT_EQ(watched.lost_mpirun->pid, mpirun_.pid());
  EXPECT_EQ(watched.lost_mpirun->loss.how, LossKind::stopped);
  EXPECT_FALSE(watched.lost);
  EXPECT_EQ(killed_, (std::set<std::int64_t>{100, 101, 102}));
}

TEST_F(WatchTest, AKilledMpirunIsNamedAlsoWhereWorkersEndWithIt) {
  on_look_ = [this] {
    if (looks_ != 10) return;
    end_mpirun();
    mpirun_.wait(Deadline::after(Seconds(10)));
    processes_.clear();
  };
  const WatchedRun watched = run();
  ASSERT_TRUE(watched.lost_mpirun);
  EXPECT_EQ(watched.lost_mpirun->loss.how, LossKind::killed);
  EXPECT_EQ(watched.lost_mpirun->loss.signal, SIGKILL);
}

TEST_F(WatchTest, AnMpirunThatTheWatchEndedIsNoLoss) {
  on_look_ = [this] {
    if (looks_ >= 10) processes_.erase(101);
  };
  const WatchedRun watched = run();
  EXPECT_TRUE(watched.lost);
  EXPECT_FALSE(watched.lost_mpirun);
  EXPECT_TRUE(watched.mpirun_was_told);
}

}  // namespace
}  // namespace understudy::launcher
