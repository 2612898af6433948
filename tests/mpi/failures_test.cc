// SPDX-License-Identifier: Apache-2.0
// Workers that die or stop: the first one is named, every process ends, and nothing is left.
#include <algorithm>
#include <csignal>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include "gtest/gtest.h"

#include "tests/mpi/mpi_testing.h"

namespace understudy::mpi_testing {
namespace {

using Records = std::vector<configs::RecordContent>;

bool all_at_work(const Records& all) {
  return std::all_of(all.begin(), all.end(), [](const configs::RecordContent& one) {
    return one.phase == configs::Phase::programs_allowed && one.step >= 2;
  });
}

struct Blow {
  int signal;
  std::int64_t rank;
  std::string how;
  std::vector<std::string> options;
};

// What the receipt of a run says that lost this rank.
void expect_named(const configs::Receipt& receipt, const Blow& blow) {
  EXPECT_EQ(receipt.verdict, "failed");
  EXPECT_EQ(receipt.exit_code, 4);
  ASSERT_TRUE(receipt.failure());
  EXPECT_EQ(receipt.failure()->rank, blow.rank);
  EXPECT_EQ(receipt.failure()->host, 0);
  EXPECT_EQ(receipt.failure()->rank_first, blow.rank);
  EXPECT_TRUE(receipt.failure()->op);
  EXPECT_TRUE(receipt.failure()->phase);
  EXPECT_EQ(receipt.failure()->process, "worker");
  EXPECT_FALSE(receipt.collectives) << "the counters were never collected: unknown, not empty";
  ASSERT_TRUE(receipt.cache);
  EXPECT_FALSE(receipt.cache->writer_ranks);
  for (const configs::RankSeen& chip : receipt.ranks) {
    ASSERT_TRUE(chip.flight && !chip.flight->empty()) << chip.rank;
    EXPECT_EQ(chip.flight->size(), std::min<std::size_t>(64, chip.flight->back().sequence));
  }
  // A group's first member reports stragglers, unless it is the lost one.
  if (blow.rank != 0) {
    EXPECT_TRUE(receipt.stragglers);
  }
  if (receipt.stragglers) {
    EXPECT_TRUE(receipt.stragglers->sites.at(0).place);
  }
}

class Failures : public testing::TestWithParam<Blow> {};

TEST_P(Failures, AreNamedAndEndEverything) {
  const Blow& blow = GetParam();
  World world;
  std::vector<std::string> words{
      "run", program("dense_data_parallel"), "--steps", "1000000", "--timeout", "5"};
  words.insert(words.end(), blow.options.begin(), blow.options.end());
  world.start(words);
  const Records all = world.wait_for(8, all_at_work);
  ASSERT_EQ(all.size(), 8U);
  ASSERT_EQ(kill(static_cast<pid_t>(pid_of(all[static_cast<std::size_t>(blow.rank)])), blow.signal),
            0);
  const Ran ran = world.finish();
  EXPECT_EQ(ran.code, 4) << ran.err;
  for (const configs::RecordContent& record : all)
    EXPECT_FALSE(is_alive(record)) << "rank " << record.rank;
  EXPECT_EQ(world.leftovers(ran), "");

  EXPECT_NE(ran.err.find(fmt::format("rank {} (host 0) {}", blow.rank, blow.how)),
            std::string::npos)
      << ran.err;
  EXPECT_NE(ran.err.find(fmt::format("first to fail: rank {}", blow.rank)), std::string::npos);
  EXPECT_NE(ran.err.find("  operation stablehlo."), std::string::npos) << ran.err;
  expect_named(world.receipt(ran), blow);
}

INSTANTIATE_TEST_SUITE_P(
    Blows, Failures,
    testing::Values(Blow{SIGKILL, 0, "was killed", {}}, Blow{SIGKILL, 5, "was killed", {}},
                    Blow{SIGKILL, 3, "was killed", {"--collectives", "ring"}},
                    Blow{SIGTERM, 6, "received SIGTERM from process", {}},
                    Blow{SIGINT, 0, "received SIGINT from process", {}},
                    Blow{SIGHUP, 3, "received SIGHUP from process", {"--collectives", "ring"}},
                    Blow{SIGSEGV, 2, "was killed", {}}, Blow{SIGABRT, 7, "was killed", {}},
                    Blow{SIGSTOP, 0, "was stopped", {}}, Blow{SIGSTOP, 4, "was stopped", {}},
                    Blow{SIGSTOP, 4, "was stopped", {"--collectives", "ring"}}));

// The launcher's child: mpirun.
pid_t child_of(pid_t launcher) {
  std::ifstream file(fmt::format("/proc/{0}/task/{0}/children", launcher));
  for (pid_t child = 0; file >> child;) {
    std::ifstream name(fmt::format("/proc/{}/comm", child));
    std::string comm;
    if (std::getline(name, comm) && comm == "mpirun") return child;
  }
  return 0;
}

TEST(Mpirun, IsNamedWhenItIsLost) {
  const std::pair<int, const char*> kEnds[] = {{SIGKILL, "was killed by SIGKILL"},
                                               {SIGSTOP, "was stopped"},
                                               {SIGTERM, "received SIGTERM from process"}};
  for (const auto& [signal, how] : kEnds) {
    SCOPED_TRACE(how);
    World world;
    world.start({"run", program("dense_data_parallel"), "--steps", "1000000", "--timeout", "5"});
    const Records all = world.wait_for(8, all_at_work);
    ASSERT_EQ(all.size(), 8U);
    const pid_t mpirun = child_of(world.pid());
    ASSERT_GT(mpirun, 0);
    ASSERT_EQ(kill(mpirun, signal), 0);
    const Ran ran = world.finish();
    EXPECT_EQ(ran.code, 4) << ran.err;
    EXPECT_NE(ran.err.find(fmt::format("mpirun (process {}) {}", mpirun, how)), std::string::npos)
        << ran.err;
    const configs::Receipt receipt = world.receipt(ran);
    ASSERT_TRUE(receipt.failure());
    EXPECT_EQ(receipt.failure()->process, "mpirun");
    EXPECT_FALSE(receipt.failure()->rank) << "no worker may be blamed";
    for (const configs::RecordContent& record : all) EXPECT_FALSE(is_alive(record));
    EXPECT_EQ(world.leftovers(ran), "");
  }
}

// mpirun ends the workers one by one and takes a while for it; none of them is the cause.
TEST(Start, AnMpirunThatReceivesASignalIsNamed) {
  World world;
  world.start({"run", program("dense_data_parallel"), "--steps", "1000000", "--timeout", "20"});
  const Records all = world.wait_for(8, [](const Records&) { return true; });
  ASSERT_EQ(all.size(), 8U);
  const pid_t mpirun = child_of(world.pid());
  ASSERT_EQ(kill(mpirun, SIGHUP), 0);
  const Ran ran = world.finish();
  EXPECT_EQ(ran.code, 4) << ran.err;
  EXPECT_NE(ran.err.find(fmt::format("mpirun (process {}) received SIGHUP from process {}", mpirun,
                                     getpid())),
            std::string::npos)
      << ran.err;
  EXPECT_FALSE(world.receipt(ran).failure()->rank) << "no worker may be blamed";
}

// Before and while MPI starts: a worker that has a record, or only a process.
TEST(Start, AKilledWorkerIsNamed) {
  for (const std::int64_t rank : {0, 5}) {
    SCOPED_TRACE(rank);
    World world;
    world.start({"run", program("dense_data_parallel"), "--steps", "1000000", "--timeout", "20"});
    const Records all = world.wait_for(8, [](const Records&) { return true; });
    ASSERT_EQ(all.size(), 8U);
    ASSERT_EQ(kill(static_cast<pid_t>(pid_of(all[static_cast<std::size_t>(rank)])), SIGKILL), 0);
    const Ran ran = world.finish();
    EXPECT_EQ(ran.code, 4) << ran.err;
    const configs::Receipt receipt = world.receipt(ran);
    ASSERT_TRUE(receipt.failure());
    EXPECT_EQ(receipt.failure()->rank, rank) << ran.err;
    EXPECT_EQ(world.leftovers(ran), "");
  }
}

TEST(Interrupts, EndTheRunWithTheirOwnExitCode) {
  for (const auto& [signal, code] : {std::pair{SIGINT, 130}, std::pair{SIGTERM, 143}}) {
    World world;
    world.start({"run", program("dense_data_parallel"), "--steps", "1000000"});
    const Records all = world.wait_for(8, all_at_work);
    ASSERT_EQ(all.size(), 8U);
    ASSERT_EQ(kill(world.pid(), signal), 0);
    const Ran ran = world.finish();
    EXPECT_EQ(ran.code, code) << ran.err;
    for (const configs::RecordContent& record : all) EXPECT_FALSE(is_alive(record));
    EXPECT_EQ(world.leftovers(ran), "");
    EXPECT_EQ(world.receipt(ran).verdict, "failed");
  }
}

// How often the threads of a process have gone to sleep: a count, which other load on the machine
// does not change, where the time they take depends on it.
std::int64_t sleeps_of(std::int64_t pid) {
  constexpr std::string_view kField = "voluntary_ctxt_switches:";
  std::int64_t sleeps = 0;
  for (const auto& thread :
       std::filesystem::directory_iterator(fmt::format("/proc/{}/task", pid))) {
    std::ifstream file(thread.path() / "status");
    for (std::string line; std::getline(file, line);)
      if (line.starts_with(kField)) sleeps += std::stoll(line.substr(kField.size()));
  }
  return sleeps;
}

// The state of its first thread: S sleeps, R runs.
char state_of(std::int64_t pid) {
  std::ifstream file(fmt::format("/proc/{}/stat", pid));
  std::string line;
  std::getline(file, line);
  return line.at(line.rfind(')') + 2);
}

std::int64_t pss_kib_of(std::int64_t pid) {
  std::ifstream file(fmt::format("/proc/{}/smaps_rollup", pid));
  for (std::string line; std::getline(file, line);)
    if (line.starts_with("Pss:")) return std::stoll(line.substr(4));
  return -1;
}

class Waiting : public testing::TestWithParam<std::string> {};

TEST_P(Waiting, ThirtyOneChipsTakeNextToNothing) {
  World world;
  world.start({"run", std::string(UNDERSTUDY_SOURCE_DIR) + "/tests/mpi/waiting.mlir", "--fill",
               "ones", "--collectives", GetParam()});
  const Records all = world.wait_for(32, [](const Records& records) {
    return std::all_of(records.begin(), records.end(), [](const configs::RecordContent& one) {
      return one.phase == configs::Phase::programs_allowed && one.instructions > 3;
    });
  });
  ASSERT_EQ(all.size(), 32U);
  World::pause(1);  // let the last ones reach the collective
  // A chip that spins sleeps rarely and is found running each time; one that polls sleeps often.
  constexpr std::int64_t kSeconds = 5, kSleepsPerSecond = 20;
  constexpr int kLooks = 20;
  std::vector<std::int64_t> before;
  for (std::size_t rank = 0; rank < 31; ++rank) before.push_back(sleeps_of(pid_of(all[rank])));
  std::vector<int> running(31, 0);
  for (int look = 0; look < kLooks; ++look) {
    World::pause(static_cast<double>(kSeconds) / kLooks);
    for (std::size_t rank = 0; rank < 31; ++rank)
      running[rank] += state_of(pid_of(all[rank])) == 'R' ? 1 : 0;
  }
  for (std::size_t rank = 0; rank < 31; ++rank) {
    EXPECT_LT(sleeps_of(pid_of(all[rank])) - before[rank], kSleepsPerSecond * kSeconds)
        << "wake-ups of rank " << rank;
    EXPECT_LT(running[rank], kLooks / 2) << "rank " << rank << " computes while it waits";
  }
  for (std::size_t rank = 0; rank < 31; ++rank) {
    const std::int64_t kib = pss_kib_of(pid_of(all[rank]));
    EXPECT_GT(kib, 0) << "rank " << rank;
    EXPECT_LT(kib, 15 * 1024) << "rank " << rank;
    EXPECT_TRUE(is_alive(all[rank])) << "rank " << rank << " used nothing because it was gone";
  }
  ASSERT_EQ(kill(world.pid(), SIGTERM), 0);
  const Ran ran = world.finish();
  EXPECT_EQ(ran.code, 143);
  EXPECT_EQ(world.leftovers(ran), "");
}

INSTANTIATE_TEST_SUITE_P(Pods, Waiting, testing::Values("auto", "ring"));

}  // namespace
}  // namespace understudy::mpi_testing
