// SPDX-License-Identifier: Apache-2.0
// Pods of many chips start on few cores, and a start that fails in MPI_Init is repeated once.
#include <cstdlib>
#include <fmt/format.h>
#include <fstream>
#include <gtest/gtest.h>
#include <string>
#include <sys/stat.h>

#include "tests/mpi/mpi_testing.h"

namespace understudy::mpi_testing {
namespace {

std::string all_reduce(const std::string& result, const std::string& operand, int channel,
                       const std::string& type, int chips) {
  std::string group = "0";
  for (int chip = 1; chip < chips; ++chip) group += fmt::format(", {}", chip);
  return fmt::format(
      R"(    {0} = "stablehlo.all_reduce"({1}) <{{channel_handle = #stablehlo.channel_handle<handle = {2}, type = 1>, replica_groups = dense<[[{3}]]> : tensor<1x{4}xi64>, use_global_device_ids}}> ({{
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %s = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }}) : ({5}) -> {5}
)",
      result, operand, channel, group, chips, type);
}

// A scalar and 1 MiB.
std::string program_of(int chips) {
  const std::string scalar = "tensor<f32>";
  const std::string large = "tensor<262144xf32>";
  return fmt::format(
             "module @pod attributes {{mhlo.num_partitions = {} : i32, mhlo.num_replicas = 1 : "
             "i32}} {{\n  func.func public @main(%x: {}, %y: {}) -> ({}, {}) {{\n",
             chips, scalar, large, scalar, large) +
         all_reduce("%0", "%x", 1, scalar, chips) + all_reduce("%1", "%y", 2, large, chips) +
         fmt::format("    return %0, %1 : {}, {}\n  }}\n}}\n", scalar, large);
}

class ManyChips : public testing::TestWithParam<int> {};

TEST_P(ManyChips, StartReduceAndStop) {
  const int chips = GetParam();
  if (chips > 64 && std::getenv("UNDERSTUDY_LONG_TESTS") == nullptr)
    GTEST_SKIP() << "takes half a minute of a quiet machine: UNDERSTUDY_LONG_TESTS is not set";
  World world;
  const Ran ran = world.run({"run", world.write("pod.mlir", program_of(chips)), "--slice",
                             fmt::format("v6e-{}", chips), "--fill", "ones"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_NE(ran.out.find(fmt::format("result 0 = {}", chips)), std::string::npos) << ran.out;
  EXPECT_LT(ran.seconds, 60) << "a hang; the time itself is measured elsewhere";
  const configs::Receipt receipt = world.receipt(ran);
  EXPECT_EQ(receipt.ranks.size(), static_cast<std::size_t>(chips));
  EXPECT_EQ(receipt.results.at(1).distinct_values, 1);
  EXPECT_EQ(world.leftovers(ran), "");
}

INSTANTIATE_TEST_SUITE_P(Slices, ManyChips, testing::Values(64, 256));

// An mpirun that fails the first `times` times as MPI_Init does.
void put_mpirun(World& world, int times) {
  const std::string script = world.write(
      "mpirun", fmt::format("#!/bin/sh\nn=$(cat {0} 2>/dev/null || echo 0)\necho $((n + 1)) > {0}\n"
                            "if [ $n -lt {1} ]; then\n"
                            "  echo 'It looks like MPI_INIT failed for some reason' >&2\n"
                            "  exit 1\nfi\nPATH=${{PATH#*:}} exec mpirun \"$@\"\n",
                            world.file("starts"), times));
  ASSERT_EQ(chmod(script.c_str(), 0700), 0);
  const char* const path = std::getenv("PATH");
  world.through({"/usr/bin/env", "PATH=" + world.file("") + ":" + (path == nullptr ? "" : path)});
}

TEST(Restart, HappensOnceWhenMpiInitFails) {
  World world;
  put_mpirun(world, 1);
  const std::string program = world.write("p.mlir", program_of(2));
  const Ran ran = world.run({"run", program, "--fill", "ones"});
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_NE(ran.err.find("restarting all chips once"), std::string::npos) << ran.err;
}

TEST(Restart, HappensOnlyOnce) {
  World world;
  put_mpirun(world, 9);
  const std::string program = world.write("p.mlir", program_of(2));
  const Ran ran = world.run({"run", program, "--fill", "ones"});
  EXPECT_EQ(ran.code, 71) << ran.err;
  EXPECT_NE(ran.err.find("mpirun started no worker"), std::string::npos) << ran.err;
  EXPECT_NE(ran.err.find("MPI_INIT failed"), std::string::npos) << ran.err;
  std::string starts;
  std::ifstream(world.file("starts")) >> starts;
  EXPECT_EQ(starts, "2");
}

}  // namespace
}  // namespace understudy::mpi_testing
