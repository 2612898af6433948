// SPDX-License-Identifier: Apache-2.0
// Several machines: MPI over TCP between two hosts with names, addresses and shared memory of their
// own. Skipped aloud where no network namespaces can be made.
#include <algorithm>
#include <csignal>
#include <fmt/format.h>
#include <fstream>
#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "tests/mpi/mpi_testing.h"
#include "tests/mpi/net_hosts.h"

namespace understudy::mpi_testing {
namespace {

// An all_reduce of 1 MiB between `ranks` replicas of whole numbers that differ between them: their
// sum is the same in any order.
std::string program_of(int ranks) {
  return fmt::format(
      R"(module @m attributes {{mhlo.num_partitions = 1 : i32, mhlo.num_replicas = {} : i32}} {{
  func.func public @main(%x: tensor<262144xf32>) -> tensor<262144xf32> {{
    %id = stablehlo.replica_id : tensor<ui32>
    %part = stablehlo.convert %id : (tensor<ui32>) -> tensor<f32>
    %all = stablehlo.broadcast_in_dim %part, dims = [] : (tensor<f32>) -> tensor<262144xf32>
    %mine = stablehlo.add %x, %all : tensor<262144xf32>
    %sum = "stablehlo.all_reduce"(%mine) <{{replica_groups = dense<> : tensor<0x0xi64>}}> ({{
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %ab = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %ab : tensor<f32>
    }}) : (tensor<262144xf32>) -> tensor<262144xf32>
    return %sum : tensor<262144xf32>
  }}
}}
)",
      ranks);
}

std::vector<std::string> joined(std::vector<std::string> words,
                                const std::vector<std::string>& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

int chips_on(const NetHosts& hosts, char host) {
  int chips = 0;
  for (const int pid : hosts.pids(host)) {
    std::ifstream file(fmt::format("/proc/{}/cmdline", pid));
    std::string name;
    chips += std::getline(file, name, '\0') && name.ends_with("understudy-worker") ? 1 : 0;
  }
  return chips;
}

class Hosts : public testing::TestWithParam<int> {};

TEST_P(Hosts, RunOneProgramAndGiveTheSumsOfOneMachine) {
  const int slots = GetParam();
  World world;
  const NetHosts hosts(world);
  if (!hosts.missing().empty()) GTEST_SKIP() << hosts.missing();
  const std::string program = world.write("p.mlir", program_of(2 * slots));
  const std::vector<std::string> words{"run", program, "--fill", "ones", "--steps", "3"};
  const Ran alone = world.run(joined(words, {"--hosts", "2"}));
  ASSERT_EQ(alone.code, 0) << alone.err;
  const configs::Receipt one = world.receipt(alone);
  world.through(hosts.on_first());
  const Ran ran = world.run(joined(words, hosts.options(slots)));
  ASSERT_EQ(ran.code, 0) << ran.err;
  const configs::Receipt both = world.receipt(ran);
  EXPECT_EQ(both.results.at(0).digest, one.results.at(0).digest)
      << one.collectives.value().at(0).algorithm << ", "
      << both.collectives.value().at(0).algorithm;
  ASSERT_EQ(both.hosts.size(), 2U);
  EXPECT_EQ(both.hosts[0].machines, std::vector<std::string>{hosts.name('a')});
  EXPECT_EQ(both.hosts[1].machines, std::vector<std::string>{hosts.name('b')});
  EXPECT_EQ(both.contract_agreed, true);
  if (both.stragglers) {
    EXPECT_LE(both.stragglers->sites.at(0).compared, slots) << "clocks of one machine only";
  }
  EXPECT_EQ(world.leftovers(ran), "");
}

INSTANTIATE_TEST_SUITE_P(Slots, Hosts, testing::Values(2, 4));

TEST(Partition, EndsTheRunInTimeAndNamesTheOtherHostsRanks) {
  World world;
  const NetHosts hosts(world);
  if (!hosts.missing().empty()) GTEST_SKIP() << hosts.missing();
  world.through(hosts.on_first());
  const std::string program = world.write("p.mlir", program_of(4));
  world.start(joined({"run", program, "--fill", "ones", "--steps", "1000000", "--timeout", "4"},
                     hosts.options(2)));
  const auto all = world.wait_for(4, [](const std::vector<configs::RecordContent>& records) {
    return std::all_of(records.begin(), records.end(),
                       [](const configs::RecordContent& one) { return one.step >= 2; });
  });
  ASSERT_EQ(all.size(), 4U);
  hosts.cut_link('a');
  const Ran ran = world.finish();
  EXPECT_EQ(ran.code, 4) << ran.err;
  const bool names = ran.err.find("rank 2 (host 1)") != std::string::npos ||
                     ran.err.find("rank 3 (host 1)") != std::string::npos;
  EXPECT_TRUE(names) << ran.err;
  EXPECT_NE(ran.err.find("on machine " + hosts.name('b')), std::string::npos) << ran.err;
  EXPECT_NE(ran.err.find("all_reduce"), std::string::npos) << ran.err;
  const configs::Receipt receipt = world.receipt(ran);
  EXPECT_EQ(receipt.verdict, "failed");
  ASSERT_TRUE(receipt.failure());
  EXPECT_FALSE(receipt.failure()->missing_ranks.empty());
  // Nobody can reach the other host any more: its chips end by themselves.
  for (int look = 0; look < 600 && chips_on(hosts, 'b') > 0; ++look) World::pause(0.1);
  EXPECT_EQ(chips_on(hosts, 'b'), 0) << "a minute after the launcher's end";
}

TEST(LauncherKilled, EndsTheChipsOfAllHosts) {
  World world;
  const NetHosts hosts(world);
  if (!hosts.missing().empty()) GTEST_SKIP() << hosts.missing();
  world.through(hosts.on_first());
  const std::string program = world.write("p.mlir", program_of(4));
  world.start(joined({"run", program, "--fill", "ones", "--steps", "1000000"}, hosts.options(2)));
  world.wait_for(4, [](const std::vector<configs::RecordContent>& records) {
    return std::all_of(records.begin(), records.end(),
                       [](const configs::RecordContent& one) { return one.step >= 2; });
  });
  EXPECT_EQ(chips_on(hosts, 'a'), 2);
  EXPECT_EQ(chips_on(hosts, 'b'), 2);
  ASSERT_EQ(kill(world.pid(), SIGKILL), 0);
  const auto left = [&] { return chips_on(hosts, 'a') + chips_on(hosts, 'b'); };
  for (int look = 0; look < 600 && left() > 0; ++look) World::pause(0.1);
  EXPECT_EQ(left(), 0);
  static_cast<void>(world.finish());
}

}  // namespace
}  // namespace understudy::mpi_testing
