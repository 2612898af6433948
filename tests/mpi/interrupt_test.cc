// SPDX-License-Identifier: Apache-2.0
// Commands that a signal ends: exit code 128 + signal, a receipt, no remaining processes or files,
// and no verdict.
#include <csignal>
#include <filesystem>
#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "tests/mpi/mpi_testing.h"

namespace understudy::mpi_testing {
namespace {

// Sends the signal once all workers of the first run have started.
Ran interrupted(World& world, const std::vector<std::string>& words, std::int64_t ranks,
                int number) {
  world.start(words);
  world.wait_for(ranks, [](const auto&) { return true; });
  EXPECT_EQ(kill(world.pid(), number), 0);
  return world.finish();
}

void expect_told(const World& world, const Ran& ran, const std::string& how) {
  const configs::Receipt receipt = world.receipt(ran);
  EXPECT_EQ(receipt.exit_code, ran.code);
  ASSERT_TRUE(receipt.failure()) << ran.err;
  EXPECT_EQ(receipt.failure()->kind, configs::FailureKind::interrupted);
  EXPECT_EQ(receipt.failure()->diagnosis, std::nullopt);
  EXPECT_NE(receipt.failure()->message.find(how), std::string::npos) << receipt.failure()->message;
  EXPECT_EQ(world.leftovers(ran), "");
}

TEST(Interrupt, OfARunNamesItsSignal) {
  World world;
  const Ran ran =
      interrupted(world, {"run", program("dense_data_parallel"), "--steps", "1000000"}, 8, SIGHUP);
  EXPECT_EQ(ran.code, 128 + SIGHUP) << ran.err;
  expect_told(world, ran, "interrupted by SIGHUP");
}

TEST(Interrupt, OfMetricsLeavesAReceipt) {
  World world;
  const Ran ran = interrupted(world, {"metrics", program("dense_data_parallel")}, 8, SIGTERM);
  EXPECT_EQ(ran.code, 128 + SIGTERM) << ran.out << ran.err;
  expect_told(world, ran, "interrupted by SIGTERM");
}

TEST(Interrupt, OfARehearsalEndsItWithoutAVerdict) {
  World world;
  const Ran ran = interrupted(world, {"rehearse", "--slice", "v6e-8"}, 8, SIGINT);
  EXPECT_EQ(ran.code, 128 + SIGINT) << ran.out << ran.err;
  expect_told(world, ran, "interrupted");
  EXPECT_FALSE(std::filesystem::exists(world.file("state/understudy/catalogue.json")));
}

TEST(Interrupt, OfTheDrillIsNotAMissedFault) {
  World world;
  world.start({"rehearse", "--drill", "rank-stuck", "straggler"});
  World::pause(2);  // the first takes five seconds
  ASSERT_EQ(kill(world.pid(), SIGINT), 0);
  const Ran ran = world.finish();
  EXPECT_EQ(ran.code, 128 + SIGINT) << ran.out << ran.err;
  EXPECT_EQ(ran.out.find("MISSED"), std::string::npos) << ran.out;
  EXPECT_EQ(ran.out.find("straggler"), std::string::npos) << ran.out;
}

TEST(BeforeTheStart, AMachineThatRefusesLeavesAReceipt) {
  World world;
  const Ran ran = world.run({"run", program("dense_data_parallel"), "--worker", "/nonexistent/w"});
  EXPECT_EQ(ran.code, 71) << ran.err;
  const configs::Receipt receipt = world.receipt(ran);
  ASSERT_TRUE(receipt.failure());
  EXPECT_EQ(receipt.failure()->phase, "start");
  EXPECT_EQ(receipt.failure()->diagnosis, "machine-refused");
  EXPECT_EQ(receipt.failure()->message, "cannot execute the worker /nonexistent/w");
}

TEST(AfterTheEnd, ResultsThatCannotBeWrittenCostNoReceipt) {
  World world;
  // The folder passes the probe before the run; one of its files cannot be written.
  const std::string folder = world.file("results");
  std::filesystem::create_directories(folder + "/out0.npy/in-the-way");
  const Ran ran = world.run({"run", program("dense_data_parallel"), "--out", folder});
  EXPECT_EQ(ran.code, 71) << ran.err;
  const configs::Receipt receipt = world.receipt(ran);
  ASSERT_TRUE(receipt.failure());
  EXPECT_EQ(receipt.failure()->phase, "results");
  EXPECT_EQ(receipt.steps.size(), 1U);
}

TEST(BeforeTheStart, OutputsThatCannotBeWrittenAreRefused) {
  for (const char* option : {"--out", "--receipt"}) {
    World world;
    const Ran ran = world.run({"run", program("dense_data_parallel"), option, "/proc/nowhere/x"});
    EXPECT_EQ(ran.code, 71) << ran.err;
    EXPECT_NE(ran.err.find(option), std::string::npos) << ran.err;
    EXPECT_NE(ran.err.find("nothing was started"), std::string::npos) << ran.err;
  }
}

}  // namespace
}  // namespace understudy::mpi_testing
