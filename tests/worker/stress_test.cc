// SPDX-License-Identifier: Apache-2.0
// The parts of a stress rank, without MPI.
#include <csignal>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cache/stand_in.h"
#include "cache/store.h"
#include "configs/base/error.h"
#include "tests/cache/sample.h"
#include "worker/stress/contender.h"
#include "worker/stress/fork_server.h"
#include "worker/stress/ledger.h"
#include "worker/stress/setup.h"

namespace understudy::worker {
namespace {

constexpr auto kSoon = std::chrono::seconds(20);

StressSetup setup_for(const std::string& policy, std::int64_t processes, std::int64_t hosts,
                      const std::string& directory = "") {
  configs::StressPlan plan;
  plan.processes = processes;
  plan.hosts = hosts;
  plan.keys = 2;
  plan.compile_seconds = 0;
  StressSetup setup = setup_of(plan);
  setup.discipline = {policy, "none"};
  setup.directory = directory;
  return setup;
}

// Contenders that exit with the sum of their arguments, or wait for ever.
ChildHooks obedient(bool for_ever = false) {
  ChildHooks all;
  all.contend = [for_ever](auto discipline, auto number, auto life, const auto& start) {
    const Clock::time_point when = start();
    if (for_ever) ::pause();
    const bool on_time = when.time_since_epoch() == std::chrono::nanoseconds(7);
    ::_exit(on_time ? static_cast<int>(discipline + number + life) : 99);
  };
  return all;
}

TEST(ForkServer, StartsContendersThatWaitForTheirStartAndTellsHowTheyEnded) {
  ForkServer fork_server(obedient());
  for (const int life : {1, 2}) {
    fork_server.start(10, 20, life);
    EXPECT_EQ(fork_server.ended(std::chrono::milliseconds(20)), std::nullopt)
        << "it has not been started yet";
    fork_server.go(Clock::time_point(std::chrono::nanoseconds(7)));
    const auto status = fork_server.ended(kSoon);
    ASSERT_TRUE(status);
    EXPECT_TRUE(WIFEXITED(*status));
    EXPECT_EQ(WEXITSTATUS(*status), 30 + life);
  }
}

TEST(ForkServer, KillsWhatIsStopped) {
  ForkServer fork_server(obedient(true));
  fork_server.start(0, 0, 1);
  fork_server.go(Clock::time_point());
  fork_server.signal(SIGSTOP);
  EXPECT_EQ(fork_server.ended(std::chrono::milliseconds(20)), std::nullopt);
  fork_server.signal(SIGKILL);
  const auto status = fork_server.ended(kSoon);
  ASSERT_TRUE(status);
  EXPECT_TRUE(WIFSIGNALED(*status));
  EXPECT_EQ(WTERMSIG(*status), SIGKILL);
}

TEST(ForkServer, TakesItsContenderAlongWhenItGoes) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  ChildHooks all;
  all.contend = [&](auto, auto, auto, const auto&) { ::pause(); };
  {
    ForkServer fork_server(all);
    fork_server.start(0, 0, 1);
    ::close(ends[1]);
  }
  char nothing = 0;  // the end of the file comes when the last writer is gone
  EXPECT_EQ(::read(ends[0], &nothing, 1), 0);
  ::close(ends[0]);
}

TEST(ForkServer, LeavesLocksOfAProcessThatIsDead) {
  const cache::TemporaryFolder folder;
  ChildHooks all;
  all.lay_stale_locks = [&](auto discipline, auto number, pid_t dead) {
    if (::kill(dead, 0) == 0) ::_exit(1);
    cache::machine_files().make_directories(folder.path() + "/" + std::to_string(discipline) + "-" +
                                            std::to_string(number));
  };
  ForkServer fork_server(all);
  fork_server.lay_stale_locks(3, 4);
  EXPECT_THAT(cache::machine_files().list(folder.path()), testing::ElementsAre("3-4"));
}

TEST(StressSetup, SaysWhoLeadsWhoKeepsAFolderAndWhoMayNotWrite) {
  StressSetup setup = setup_for("per-host", 6, 2);
  setup.faults.takes_permission = true;
  EXPECT_EQ(folders_of(setup), 2U);
  for (std::int64_t number = 0; number < 6; ++number) {
    const Contender one = contender_at(setup, number);
    EXPECT_EQ(one.host, number / 3);
    EXPECT_EQ(one.host_leader, number % 3 == 0);
    EXPECT_EQ(one.pod_leader, number == 0);
    EXPECT_EQ(one.may_write, number % 3 != 2);
    EXPECT_EQ(keeps_folder(setup, one), one.host_leader);
  }
  EXPECT_EQ(folders_of(setup_for("shared", 6, 2)), 1U);
  EXPECT_EQ(folders_of(setup_for("single-writer", 6, 2)), 1U);
  EXPECT_EQ(folders_of(setup_for("read-only", 6, 2)), 1U);
  EXPECT_EQ(folders_of(setup_for("per-process", 6, 2)), 6U);
  EXPECT_EQ(folders_of(setup_for("off", 6, 2)), 6U);
  EXPECT_EQ(folder_path(setup_for("off", 6, 2, "/x"), contender_at(setup, 0)), "");
}

TEST(Contender, ObtainsAllKeysAndTellsItsMemory) {
  const cache::TemporaryFolder folder;
  const StressSetup setup = setup_for("per-process", 1, 1, folder.path());
  ContenderMemory memory(2);
  MachinePage page(folder.path());
  const Contender self = contender_at(setup, 0);
  contend(setup, self, memory, page, [] { return Clock::now(); });
  EXPECT_EQ(memory.slot().progress.load(), 2);
  EXPECT_EQ(memory.slot().tally.counters.compiles, 2);
  EXPECT_EQ(memory.slot().tally.wrong_results, 0);
  EXPECT_NE(memory.slot().finished_ns.load(), 0);
  const auto reports = settle(setup, self, memory, page->epoch.load(), {false, false});
  for (const KeyReport& report : reports) {
    EXPECT_EQ(report.compiles, 1);
    EXPECT_TRUE(report.written);
    EXPECT_EQ(report.seen, KeyReport::good);
  }
  EXPECT_EQ(settle(setup, self, memory, 1, {})[0].written, false)
      << "all entries were deleted since";
  EXPECT_EQ(settle(setup, self, memory, 0, {})[0].compiles, 0) << "settled already";
}

// Three processes of one folder, two keys.
class LedgerOfOneFolder : public testing::Test {
 protected:
  Ledger add(bool forgives = false) const {
    Ledger ledger;
    ledger.add(setup_, reports_, forgives);
    return ledger;
  }
  StressSetup setup_ = setup_for("shared", 3, 1);
  std::vector<std::vector<KeyReport>> reports_{3, std::vector<KeyReport>(2)};
};

TEST_F(LedgerOfOneFolder, CountsWhatWasCompiledMoreThanOnce) {
  reports_[0][0].compiles = reports_[2][0].compiles = 2;
  reports_[1][1].compiles = 1;
  EXPECT_EQ(add().compiles, 5);
  EXPECT_EQ(add().duplicates, 3);
  setup_.discipline.policy = "per-process";
  EXPECT_EQ(add().duplicates, 2) << "each has its own folder";
}

TEST_F(LedgerOfOneFolder, LosesWhatWasWrittenAndIsNotThere) {
  reports_[1][0].written = true;
  EXPECT_EQ(add().lost, 1);
  EXPECT_EQ(add(true).lost, 0);
  reports_[0][0].seen = KeyReport::good;
  reports_[0][0].bytes = 10;
  EXPECT_EQ(add().lost, 0);
  EXPECT_EQ(add().unique_bytes, 10U);
  reports_[0][0].seen = KeyReport::bad;
  EXPECT_EQ(add().lost, 1);
  EXPECT_EQ(add().torn, 1) << "the folder's keeper read it";
  reports_[0][0].damaged = true;
  EXPECT_EQ(add().lost, 0);
  EXPECT_EQ(add().torn, 0);
}

TEST_F(LedgerOfOneFolder, TellsTornReadsFromDamage) {
  reports_[1][0].bad_reads = 2;
  reports_[2][1].bad_reads = 3;
  reports_[0][1].damaged = true;
  EXPECT_EQ(add().torn, 2);
  EXPECT_EQ(add().damaged_reads, 3);
}

}  // namespace
}  // namespace understudy::worker
