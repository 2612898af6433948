// SPDX-License-Identifier: Apache-2.0
#include <csignal>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/launcher/pod/watch_testing.h"

namespace understudy::launcher {
namespace {

using configs::Phase;

configs::FlightSeen flight_of(std::uint64_t number) {
  configs::FlightSeen seen;
  seen.sequence = number;
  seen.kind = "all_reduce";
  seen.number = number;
  return seen;
}

TEST_F(WatchTest, ReturnsWithTheRecordsWhenMpirunEnds) {
  on_look_ = [this] {
    if (looks_ < 10) return;
    for (auto& [rank, record] : records_) record.phase = Phase::finished;
    processes_.clear();
    end_mpirun();
  };
  const WatchedRun watched = run();
  EXPECT_FALSE(watched.lost);
  EXPECT_FALSE(watched.interrupted);
  ASSERT_EQ(watched.records.size(), 3U);
  EXPECT_EQ(watched.records[2]->phase, Phase::finished);
  EXPECT_TRUE(killed_.empty());
}

TEST_F(WatchTest, EndsARunThatIsOverItsDeadlineAndNotesWhereItWas) {
  options_.deadline = RunDeadline{0.05, Deadline::after(Seconds(0.05))};
  records_[0].waiting_for = 2;
  records_[1].op = 5;
  records_[1].step = 3;
  const WatchedRun watched = run();
  ASSERT_TRUE(watched.overdue);
  EXPECT_EQ(watched.overdue->rank, 1) << "the first that waits for no other";
  EXPECT_EQ(watched.overdue->op, 5U);
  EXPECT_EQ(watched.overdue->step, 3U);
  EXPECT_EQ(watched.deadline_seconds, 0.05);
  EXPECT_FALSE(watched.lost);
}

TEST_F(WatchTest, TellsAgainAndAgainOfAStepThatDoesNotEnd) {
  options_.heartbeat = Seconds(0.01);
  int told = 0;
  world_.heartbeat = [&](const RunPosition& standing, Seconds) {
    EXPECT_EQ(standing.rank, 0);
    if (++told == 3) end_mpirun();
  };
  static_cast<void>(run());
  EXPECT_GE(told, 3);
}

TEST_F(WatchTest, NotesWhoWasFirstToDieAndEndsTheRest) {
  records_[1].op = 5;
  on_look_ = [this] {
    if (looks_ >= 10) processes_.erase(101);
  };
  const WatchedRun watched = run();
  ASSERT_TRUE(watched.lost);
  EXPECT_EQ(watched.lost->rank, 1);
  EXPECT_EQ(watched.lost->loss.how, LossKind::killed);
  EXPECT_EQ(watched.lost->phase, Phase::programs_allowed);
  EXPECT_EQ(watched.lost->op, 5U);
  EXPECT_EQ(killed_, (std::set<std::int64_t>{100, 102}));
  ASSERT_TRUE(watched.mpirun_status);
  EXPECT_EQ(WTERMSIG(*watched.mpirun_status), SIGTERM);
}

TEST_F(WatchTest, OfWorkersThatWentTogetherTheOneThatOthersWaitedForWasFirst) {
  for (const std::int64_t rank : {0, 2}) records_[rank].flight = {flight_of(7)};
  records_[1].flight = {flight_of(6)};
  on_look_ = [this] {
    if (looks_ == 10) processes_.clear();
  };
  const WatchedRun watched = run();
  ASSERT_TRUE(watched.lost);
  EXPECT_EQ(watched.lost->rank, 1);
  ASSERT_EQ(watched.lost->flight.size(), 1U);
  EXPECT_EQ(watched.lost->flight[0].number, 6U);
}

TEST_F(WatchTest, TakesAPidThatBelongsToSomebodyElseNowForDead) {
  processes_[102].start = 8;
  const WatchedRun watched = run();
  ASSERT_TRUE(watched.lost);
  EXPECT_EQ(watched.lost->rank, 2);
  EXPECT_EQ(killed_, (std::set<std::int64_t>{100, 101}));
}

TEST_F(WatchTest, NoticesAWorkerThatStaysStopped) {
  processes_[100].state = 'T';
  const WatchedRun watched = run();
  ASSERT_TRUE(watched.lost);
  EXPECT_EQ(watched.lost->rank, 0);
  EXPECT_EQ(watched.lost->loss.how, LossKind::stopped);
  EXPECT_EQ(killed_, (std::set<std::int64_t>{100, 101, 102}));
}

TEST_F(WatchTest, NoticesTheStoppedWorkerAfterAPeerSpokeFirstAndNobodyThatEndedBecauseOfIt) {
  records_[1].phase = Phase::failed;
  processes_[100].state = 'T';
  processes_.erase(102);
  options_.report_grace = Seconds(0.1);
  const WatchedRun watched = run();
  ASSERT_TRUE(watched.lost);
  EXPECT_EQ(watched.lost->rank, 0);
  EXPECT_EQ(watched.lost->loss.how, LossKind::stopped);
}

TEST_F(WatchTest, ForgivesAShortStop) {
  options_.stopped_for = Seconds(60);
  on_look_ = [this] {
    processes_[100].state = looks_ < 20 ? 'T' : 'S';
    if (looks_ > 60) end_mpirun();
  };
  EXPECT_FALSE(run().lost);
}

TEST_F(WatchTest, DoesNotTakeAFinishedWorkerForDead) {
  records_[0].phase = Phase::finished;
  records_[1].phase = Phase::failed;
  processes_.erase(100);
  processes_.erase(101);
  on_look_ = [this] {
    if (looks_ > 20) end_mpirun();
  };
  EXPECT_FALSE(run().lost);
}

TEST_F(WatchTest, LeavesWorkersOfOtherMachinesAlone) {
  for (auto& [rank, record] : records_)
    std::get<configs::ProcessSeen>(record.observations[0]).machine = "there";
  processes_.clear();
  ASSERT_EQ(kill(getpid(), SIGTERM), 0);
  const WatchedRun watched = run();
  EXPECT_FALSE(watched.lost);
  EXPECT_EQ(watched.interrupted, SIGTERM);
  EXPECT_TRUE(killed_.empty());
}

TEST_F(WatchTest, PassesAnInterruptOnAndEndsEverything) {
  ASSERT_EQ(kill(getpid(), SIGINT), 0);
  const WatchedRun watched = run();
  EXPECT_EQ(watched.interrupted, SIGINT);
  ASSERT_TRUE(watched.mpirun_status);
}

TEST_F(WatchTest, EndsAPodInWhichNobodyCanSayThatItStandsStill) {
  options_.timeout_seconds = -11.4;  // 10 s and 0.5 s a rank are added
  const WatchedRun watched = run();
  ASSERT_TRUE(watched.lost);
  EXPECT_EQ(watched.lost->rank, 0);
  EXPECT_EQ(watched.lost->loss.how, LossKind::no_progress);
}

// Where memory is short, reading the records may take a second. The next read was then 50 s away,
// and a pod that worked all the time was ended as one without progress.
TEST_F(WatchTest, APauseOfTheWatchIsNoTimeWithoutProgress) {
  options_.timeout_seconds = -11.4;  // the limit is 0.1 s
  options_.most_between_reads = Seconds(0.01);
  int reads = 0;
  const auto status = world_.status;
  world_.status = [&](std::int64_t rank) {
    ++reads;
    // One read is longer than the limit; nobody had time to work meanwhile.
    if (reads == 10)
      for (const auto start = Clock::now(); seconds_since(start) < 0.2;) continue;
    if (reads < 10 || reads > 15) ++records_[rank].heartbeat;
    if (reads == 40) end_mpirun();
    return status(rank);
  };
  const WatchedRun watched = run();
  EXPECT_GE(reads, 40);
  EXPECT_FALSE(watched.lost && watched.lost->loss.how == LossKind::no_progress);
}

TEST_F(WatchTest, OfAPodThatStandsStillTheWorkerThatNeverStartedIsNamed) {
  options_.timeout_seconds = -11.4;
  for (const std::int64_t rank : {0, 1}) records_[rank].phase = Phase::started;
  records_.erase(2);
  const WatchedRun watched = run();
  ASSERT_TRUE(watched.lost);
  EXPECT_EQ(watched.lost->rank, 2);
}

TEST_F(WatchTest, TheKernelsOrderOfEndsDecidesWhoWasFirst) {
  for (const std::int64_t rank : {0, 1, 2}) records_[rank].flight = {flight_of(7)};
  records_[1].flight = {flight_of(6)};  // fewer collectives, but it ended later
  world_.ended = [] { return std::vector<std::int64_t>{2, 1, 0}; };
  on_look_ = [this] {
    if (looks_ == 10) processes_.clear();
  };
  const WatchedRun watched = run();
  ASSERT_TRUE(watched.lost);
  EXPECT_EQ(watched.lost->rank, 2);
}

TEST_F(WatchTest, AWorkerWithoutARecordIsMissedByItsProcess) {
  records_.erase(2);
  world_.workers = [](const std::set<std::int64_t>& known) {
    return known.count(102) == 0 ? std::map<std::int64_t, std::int64_t>{{2, 102}}
                                 : std::map<std::int64_t, std::int64_t>();
  };
  on_look_ = [this] {
    if (looks_ == 10) processes_.erase(102);
  };
  const WatchedRun watched = run();
  ASSERT_TRUE(watched.lost);
  EXPECT_EQ(watched.lost->rank, 2);
  EXPECT_EQ(watched.lost->phase, Phase::started);
  EXPECT_EQ(watched.workers_seen, 3);
}

TEST_F(WatchTest, AWorkerThatReportedItsFailureIsNotLostToo) {
  records_[1].phase = Phase::failed;
  world_.first_end = [] { return FirstEnd{1, 101, Loss::by(LossKind::killed, SIGABRT)}; };
  on_look_ = [this] {
    if (looks_ > 20) end_mpirun();
  };
  EXPECT_FALSE(run().lost);
}

TEST_F(WatchTest, AFinishedWorkerIsTheCauseWhereMpirunEndedTheOthersBecauseOfIt) {
  records_[1].phase = Phase::finished;
  world_.first_end = [] { return FirstEnd{1, 101, Loss::by(LossKind::killed, SIGKILL)}; };
  on_look_ = [this] {
    if (looks_ == 10) processes_.clear();
  };
  const WatchedRun watched = run();
  ASSERT_TRUE(watched.lost);
  EXPECT_EQ(watched.lost->rank, 1);
}

TEST_F(WatchTest, AFinishedWorkerIsNoLossWhereAllFinish) {
  world_.first_end = [] { return FirstEnd{1, 101, Loss::by(LossKind::killed, SIGKILL)}; };
  records_[1].phase = Phase::finished;
  on_look_ = [this] {
    if (looks_ < 10) return;
    for (auto& [rank, record] : records_) record.phase = Phase::finished;
    end_mpirun();
  };
  EXPECT_FALSE(run().lost);
}

TEST_F(WatchTest, AWorkerThatTheKernelKilledForWantOfMemoryIsToldApart) {
  world_.out_of_memory = [](std::int64_t pid) { return pid == 101; };
  on_look_ = [this] {
    if (looks_ >= 10) processes_.erase(101);
  };
  EXPECT_EQ(run().lost->loss.how, LossKind::out_of_memory);
}

}  // namespace
}  // namespace understudy::launcher
