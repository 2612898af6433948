// SPDX-License-Identifier: Apache-2.0
// Short stress runs: real processes, kills and damage. The long one is in docs/caches.md.
#include "launcher/cache/stress.h"

#include <filesystem>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "configs/base/error.h"
#include "launcher/cache/plot.h"
#include "tests/cache/sample.h"

namespace understudy::launcher {
namespace {

using testing::HasSubstr;

StressSetup setup_in(const std::string& directory) {
  StressSetup setup;
  setup.directory = directory;
  setup.compile = Seconds(0.005);
  setup.entry_bytes = 16 * 1024;
  setup.patience = Seconds(5);
  return setup;
}

class SafeDisciplines : public testing::TestWithParam<const char*> {};

// The conformance run, in short: kills anywhere and in mid-write.
TEST_P(SafeDisciplines, LoseNothingWhenProcessesAreKilled) {
  const cache::TemporaryFolder folder;
  StressSetup setup = setup_in(folder.path());
  setup.processes = 12;
  setup.hosts = 3;
  setup.keys = 12;
  setup.rounds = 2;
  add_fault(setup.faults, "kill=100");
  const configs::PolicyStress stress = run_stress(setup, parse_discipline(GetParam()));
  EXPECT_GT(stress.killed, 0);
  EXPECT_EQ(stress.torn_reads, 0);
  EXPECT_EQ(stress.wrong_results, 0);
  EXPECT_EQ(stress.stuck_processes, 0);
  EXPECT_EQ(stress.entries_lost, 0);
  EXPECT_EQ(stress.leftovers_after_prune, 0);
  EXPECT_EQ(stress.by_process.size(), 12U);
  EXPECT_TRUE(stress.safe);
}

TEST_P(SafeDisciplines, SurviveDamageAndAFullDisk) {
  for (const char* fault : {"corrupt=60", "truncate=60", "delete=20", "fill", "estale=0.1"}) {
    const cache::TemporaryFolder folder;
    StressSetup setup = setup_in(folder.path());
    setup.processes = 6;
    setup.keys = 10;
    setup.patience = Seconds(0.5);
    add_fault(setup.faults, fault);
    const configs::PolicyStress stress = run_stress(setup, parse_discipline(GetParam()));
    EXPECT_TRUE(stress.safe) << fault << ": " << stress.diagnosis;
  }
}

INSTANTIATE_TEST_SUITE_P(All, SafeDisciplines,
                         testing::Values("per-process", "per-host", "single-writer",
                                         "shared:exclusive-file", "off"),
                         [](const auto& name) {
                           std::string text(name.param);
                           for (char& letter : text)
                             if (letter == '-' || letter == ':') letter = '_';
                           return text;
                         });

TEST(Stress, PerHostCompilesEachKeyOncePerHost) {
  const cache::TemporaryFolder folder;
  StressSetup setup = setup_in(folder.path());
  setup.processes = 6;
  setup.hosts = 2;
  const configs::PolicyStress stress = run_stress(setup, parse_discipline("per-host"));
  EXPECT_EQ(stress.compiles, 8);
  EXPECT_EQ(stress.duplicate_compiles, 0);
  EXPECT_EQ(stress.lock_wait_fraction, 0);
}

TEST(Stress, WritersWithoutALockAreKilledAndPoisonTheirEntries) {
  const cache::TemporaryFolder folder;
  StressSetup setup = setup_in(folder.path());
  setup.keys = 8;
  setup.rounds = 2;
  setup.faults.kill_in_mid_write = 0.5;
  const configs::PolicyStress stress = run_stress(setup, parse_discipline("shared:none"));
  EXPECT_GT(stress.torn_reads, 0);
  EXPECT_GT(stress.duplicate_compiles, 0);
  EXPECT_EQ(stress.wrong_results, 0) << "the envelope finds out every torn entry";
  EXPECT_FALSE(stress.safe);
  EXPECT_THAT(stress.diagnosis, HasSubstr("torn reads"));
}

// A convoy that is long enough to be seen over the noise of a loaded machine.
TEST(Stress, DiagnosisNamesTheLockAndWhatIsSafe) {
  const cache::TemporaryFolder folder;
  StressSetup setup = setup_in(folder.path() + "/a");
  std::filesystem::create_directories(setup.directory);
  setup.processes = 8;
  setup.file_delay = Seconds(0.002);
  const std::string words = run_stress(setup, parse_discipline("shared:directory")).diagnosis;
  EXPECT_THAT(words, HasSubstr(" % of start-up is lock wait: 8 writers share one directory"));
  EXPECT_THAT(words, HasSubstr("Safe here: per-host (predicted "));
  EXPECT_THAT(words, HasSubstr(" or single-writer ("));
}

TEST(Stress, SharedWithoutALockIsGivenTheOneThatExcludesThere) {
  const cache::TemporaryFolder folder;
  StressSetup setup = setup_in(folder.path());
  setup.processes = 2;
  setup.keys = 1;
  EXPECT_EQ(run_stress(setup, parse_discipline("shared")).lock, "exclusive-file");
}

TEST(Stress, StaleLocksAreBroken) {
  const cache::TemporaryFolder folder;
  StressSetup setup = setup_in(folder.path());
  add_fault(setup.faults, "stale-lock");
  const configs::PolicyStress stress = run_stress(setup, parse_discipline("shared"));
  EXPECT_GE(stress.locks_broken, 1);
  EXPECT_EQ(stress.lock_timeouts, 0);
  EXPECT_EQ(stress.leftovers_after_prune, 0);
}

TEST(Stress, UnknownWordsAreRefusedWithASuggestion) {
  EXPECT_THROW(parse_discipline("shared:nothing"), Error);
  StressFaults faults;
  EXPECT_THROW(add_fault(faults, "kil"), Error);
  EXPECT_THROW(add_fault(faults, "kill=often"), Error);
  add_fault(faults, "kill=7");
  EXPECT_EQ(faults.kills_per_second, 7);
}

TEST(StressPlot, HasABarForEachPolicy) {
  configs::CacheStress stress;
  stress.compile_seconds = 0.2;
  configs::PolicyStress one;
  one.policy = "shared";
  one.lock = "directory";
  one.startup_seconds = {1, 2, 2};
  one.lock_wait_fraction = 0.5;
  stress.policies = {one};
  const std::string svg = stress_svg(stress);
  EXPECT_EQ(svg.rfind("<svg xmlns=\"http://www.w3.org/2000/svg\"", 0), 0U);
  EXPECT_THAT(svg, HasSubstr("shared:directory"));
  EXPECT_THAT(svg, HasSubstr("width=\"280.0\" height=\"22.0\" fill=\"#c0392b\""));
}

}  // namespace
}  // namespace understudy::launcher
