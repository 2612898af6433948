// SPDX-License-Identifier: Apache-2.0
// Short stress runs by real ranks: kills, damage, a full disk, two hosts. The long one is in
// docs/caches.md.
#include <algorithm>
#include <csignal>
#include <filesystem>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "tests/mpi/mpi_testing.h"
#include "tests/mpi/net_hosts.h"

namespace understudy::mpi_testing {
namespace {

using configs::PolicyStress;
using testing::HasSubstr;

const std::string kSafe = "per-process,per-host,single-writer,shared:exclusive-file,off";

class CacheStress : public testing::Test {
 protected:
  // Policies as the receipt has them.
  std::vector<PolicyStress> stress(const std::vector<std::string>& more, int code = 0) {
    std::vector<std::string> words = {"cache", "stress"};
    words.insert(words.end(), more.begin(), more.end());
    const std::vector<std::vector<std::string>> usual = {{"--compile-ms", "5"},
                                                         {"--fs-delay-ms", "0"},
                                                         {"--entry-bytes", "16384"},
                                                         {"--patience", "5"}};
    for (const auto& pair : usual)
      if (std::ranges::find(more, pair[0]) == more.end())
        words.insert(words.end(), pair.begin(), pair.end());
    last_ = world_.run(words);
    EXPECT_EQ(last_.code, code) << last_.err << last_.out;
    EXPECT_TRUE(std::filesystem::is_empty(world_.file("tmp"))) << "no files may remain";
    return world_.receipt(last_).cache_stress.value_or(std::vector<PolicyStress>());
  }

  World world_;
  Ran last_;
};

// The conformance run, in short: kills anywhere and in mid-write.
TEST_F(CacheStress, SafePoliciesLoseNothingWhenProcessesAreKilled) {
  const auto all = stress({"--policy", kSafe, "--processes", "12", "--hosts", "3", "--keys", "12",
                           "--rounds", "2", "--fault", "kill=100"});
  ASSERT_EQ(all.size(), 5U);
  for (const PolicyStress& one : all) {
    EXPECT_GT(one.killed, 0) << one.policy;
    EXPECT_EQ(one.torn_reads, 0) << one.policy;
    EXPECT_EQ(one.wrong_results, 0) << one.policy;
    EXPECT_EQ(one.stuck_processes, 0) << one.policy;
    EXPECT_EQ(one.entries_lost, 0) << one.policy;
    EXPECT_EQ(one.leftovers_after_prune, 0) << one.policy;
    EXPECT_EQ(one.by_process.size(), 12U);
    EXPECT_EQ(one.rounds, 2);
    EXPECT_TRUE(one.safe);
  }
}

// Each fault with the counter that shows its effect. Processes that read no entries of others meet
// damage in the second round at the earliest.
TEST_F(CacheStress, SafePoliciesSurviveDamage) {
  const std::pair<const char*, std::int64_t PolicyStress::*> faults[] = {
      {"corrupt=200", &PolicyStress::damaged_reads},
      {"truncate=200", &PolicyStress::damaged_reads},
      {"delete=20", &PolicyStress::duplicate_compiles},
      {"estale=0.1", &PolicyStress::retries}};
  for (const auto& [fault, struck] : faults) {
    const auto all = stress({"--policy", kSafe, "--processes", "6", "--keys", "6", "--rounds", "3",
                             "--patience", "0.3", "--fault", fault});
    ASSERT_EQ(all.size(), 5U) << fault;
    for (const PolicyStress& one : all) {
      EXPECT_TRUE(one.safe) << fault << ": " << one.diagnosis;
      if (one.policy == "off") continue;
      EXPECT_GT(one.*struck, 0) << fault << ": " << one.policy;
    }
  }
}

// A tmpfs that is too small for half of the entries, where one may be mounted.
TEST_F(CacheStress, SafePoliciesSurviveADiskThatIsFullForReal) {
  const auto all = stress({"--policy", kSafe, "--processes", "6", "--keys", "6", "--patience",
                           "0.3", "--fault", "fill"});
  const bool played = last_.err.find("the full disk is simulated") != std::string::npos;
  ASSERT_EQ(all.size(), 5U);
  for (const PolicyStress& one : all) {
    EXPECT_TRUE(one.safe) << one.diagnosis;
    if (one.policy == "off") continue;
    EXPECT_GT(one.write_failures, 0) << one.policy;
    EXPECT_THAT(one.warnings, testing::Contains(HasSubstr("No space left on device")));
  }
  if (played) GTEST_SKIP() << "no file system can be mounted here: the full disk was played";
}

TEST_F(CacheStress, WritersWithoutALockPoisonTheirEntriesWhenTheyAreKilled) {
  // Many keys: a writer that comes a little later may write a half entry whole.
  const auto all = stress({"--policy", "shared:none", "--processes", "4", "--keys", "40",
                           "--entry-bytes", "65536", "--rounds", "2", "--fault", "kill=50"});
  ASSERT_EQ(all.size(), 1U);
  EXPECT_GT(all[0].torn_reads, 0);
  EXPECT_GT(all[0].duplicate_compiles, 0);
  EXPECT_EQ(all[0].wrong_results, 0) << "the envelope detects every torn entry";
  EXPECT_FALSE(all[0].safe);
  EXPECT_THAT(all[0].diagnosis, HasSubstr("torn read"));
}

// A convoy of lock waits, long enough to stand out from the noise of a loaded machine.
TEST_F(CacheStress, DiagnosisNamesTheLockAndTheSafePolicies) {
  const auto all = stress({"--policy", "shared:directory,per-host", "--compile-ms", "100",
                           "--fs-delay-ms", "2", "--hosts", "2", "--processes", "8"});
  ASSERT_EQ(all.size(), 2U);
  EXPECT_THAT(all[0].diagnosis,
              HasSubstr(" % of start-up is lock wait: 8 writers share one directory"));
  EXPECT_THAT(all[0].diagnosis, HasSubstr("Safe alternatives: per-host (predicted "));
  EXPECT_THAT(all[0].diagnosis, HasSubstr(" or single-writer ("));
  EXPECT_EQ(all[1].compiles, 8) << "each key once on each host";
  EXPECT_EQ(all[1].duplicate_compiles, 0);
  EXPECT_EQ(all[1].lock_wait_fraction, 0);
  EXPECT_GE(all[1].mean_compile_seconds, 0.1);
}

TEST_F(CacheStress, SharedUsesAnExclusiveLockAndBreaksDeadLocks) {
  const auto all = stress({"--policy", "shared", "--fault", "stale-lock"});
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(all[0].lock, "exclusive-file");
  EXPECT_GE(all[0].locks_broken, 1);
  EXPECT_EQ(all[0].lock_timeouts, 0);
  EXPECT_EQ(all[0].leftovers_after_prune, 0);
}

TEST_F(CacheStress, DryRunShowsTheCommandAndStartsNothing) {
  const Ran ran = world_.run({"cache", "stress", "--processes", "3", "--dry-run"});
  EXPECT_EQ(ran.code, 0);
  EXPECT_THAT(ran.out, HasSubstr("per-host: 3 processes on 1 hosts"));
  EXPECT_THAT(ran.out, HasSubstr("mpirun"));
  EXPECT_THAT(ran.out, HasSubstr("understudy/stress-plan/1"));
}

TEST_F(CacheStress, AnInterruptLeavesNothingBehind) {
  world_.start({"cache", "stress", "--compile-ms", "20000"});
  World::pause(1.5);
  kill(world_.pid(), SIGINT);
  const Ran ran = world_.finish(20);
  EXPECT_EQ(ran.code, 130) << ran.err;
  EXPECT_TRUE(std::filesystem::is_empty(world_.file("tmp")));
}

// Each host has disks of its own here but for the shared /tmp: caches lie on a mount of both.
TEST_F(CacheStress, RunsOverTwoHosts) {
  const NetHosts hosts(world_);
  if (!hosts.missing().empty()) GTEST_SKIP() << hosts.missing();
  world_.through(hosts.on_first());
  std::vector<std::string> words = {"--policy", "single-writer,per-host", "--processes", "6"};
  for (const std::string& word : hosts.options(3)) words.push_back(word);
  const auto all = stress(words);
  ASSERT_EQ(all.size(), 2U);
  EXPECT_EQ(all[0].compiles, 4) << "one writer for both hosts";
  EXPECT_EQ(all[1].compiles, 8);
  for (const PolicyStress& one : all) EXPECT_TRUE(one.safe) << one.diagnosis;
}

}  // namespace
}  // namespace understudy::mpi_testing
