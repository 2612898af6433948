// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "configs/base/error.h"
#include "launcher/preflight/checks.h"
#include "tests/preflight/preflight_testing.h"

namespace understudy::launcher {
namespace {

using ::testing::HasSubstr;

// What a library answers that agrees with `describe`.
configs::CompilerAnswer answer_for(const configs::Slice& slice) {
  configs::CompilerAnswer answer;
  for (const configs::Chip& chip : slice.chips) {
    configs::CompilerDevice device;
    device.id = chip.id.value;
    device.process = chip.host.value;
    device.kind = slice.chip.device_kind;
    device.coords.assign(chip.at.begin(), chip.at.end());
    device.memory_bytes = static_cast<std::int64_t>(slice.chip.hbm_bytes);
    answer.devices.push_back(device);
  }
  return answer;
}

TEST(TopologyDifferences, AreNoneWhereTheLibraryAgreesWithTheContract) {
  const configs::Slice slice = slice_named("v6e-16");
  EXPECT_TRUE(differences_of(slice, 1, answer_for(slice)).empty());
}

TEST(TopologyDifferences, NameTheFirstChipWithAnotherHostAndCountTheOthers) {
  const configs::Slice slice = slice_named("v6e-16");
  configs::CompilerAnswer answer = answer_for(slice);
  for (configs::CompilerDevice& device : answer.devices)
    if (device.process == 3) device.process = 2;
  const auto found = differences_of(slice, 1, answer);
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].what, "hosts");
  EXPECT_EQ(found[0].compiler, "3");
  EXPECT_THAT(found[1].what, HasSubstr("host of the chip at ("));
  EXPECT_THAT(found[1].what, HasSubstr("and 3 more"));
  EXPECT_EQ(found[1].why, "");
}

TEST(TopologyDifferences, NameAMissingChipAnotherKindAndOtherIds) {
  const configs::Slice slice = slice_named("v6e-4");
  configs::CompilerAnswer answer = answer_for(slice);
  std::swap(answer.devices[0].id, answer.devices[1].id);
  answer.devices.pop_back();
  for (configs::CompilerDevice& device : answer.devices) device.kind = "TPU v5";
  std::vector<std::string> names;
  for (const auto& one : differences_of(slice, 1, answer)) names.push_back(one.what);
  EXPECT_THAT(names, ::testing::Contains("devices"));
  EXPECT_THAT(names, ::testing::Contains("device kind"));
  EXPECT_THAT(names, ::testing::Contains(HasSubstr("id of the chip at (0,0,0)")));
  EXPECT_THAT(names, ::testing::Contains(HasSubstr("chip at (1,1,0)")));
}

TEST(TopologyDifferences, ExplainTensorCoresThatAreListedAsDevices) {
  const configs::Slice slice = slice_named("v3-8");
  configs::CompilerAnswer answer = answer_for(slice);
  const auto chips = answer.devices;
  answer.devices.clear();
  for (configs::CompilerDevice device : chips)
    for (const std::int64_t core : {0, 1}) {
      device.core = core;
      answer.devices.push_back(device);
      answer.devices.back().id = device.id * 2 + core;
    }
  for (const auto& one : differences_of(slice, 1, answer)) EXPECT_NE(one.why, "") << one.what;
}

TEST(TopologyDifferences, ExplainHbmThatTheRuntimeKeeps) {
  const configs::Slice slice = slice_named("v6e-4");
  configs::CompilerAnswer answer = answer_for(slice);
  for (configs::CompilerDevice& device : answer.devices)
    device.memory_bytes = *device.memory_bytes / 100 * 98;
  const auto found = differences_of(slice, 1, answer);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].why, "the runtime keeps the rest for itself");
}

TEST(TopologyCheck, AsksWithTheBoundsOfTheLaunchAndSaysTheDefault) {
  const World world;
  TpuCompiler compiler = world.compiler();
  // One host of eight chips; the library would make two hosts of four.
  const auto seen = check_topology(compiler, slice_named("v6e-8"), 1);
  EXPECT_EQ(seen.name, "v6e:2x4");
  EXPECT_EQ(seen.chips_per_host, (std::vector<std::int64_t>{2, 4, 1}));
  EXPECT_EQ(seen.devices, 8);
  EXPECT_EQ(seen.processes, 1);
  EXPECT_EQ(seen.status, "differs");
  const auto found = std::ranges::find(seen.differences, "hosts without TPU_CHIPS_PER_HOST_BOUNDS",
                                       &configs::PreflightDifference::what);
  ASSERT_NE(found, seen.differences.end());
  EXPECT_EQ(found->compiler, "2");
}

TEST(TopologyCheck, GivesTheDevicesInTheOrderOfRanks) {
  const World world;
  TpuCompiler compiler = world.compiler();
  const TopologySeen seen = topology_of(compiler, slice_named("v6e-16"), 1);
  ASSERT_EQ(seen.devices.size(), 16U);
  EXPECT_EQ((std::vector<std::int64_t>(seen.devices.begin(), seen.devices.begin() + 4)),
            (std::vector<std::int64_t>{0, 1, 4, 5}));
}

// libtpu refuses the name "v7x", the fake library every name that does not begin with "v".
TEST(TopologyCheck, TriesTheNameOfTheAcceleratorTypeAfterThatOfTheChip) {
  const World world;
  TpuCompiler compiler = world.compiler();
  EXPECT_EQ(topology_of(compiler, slice_named("v5e-4"), 1).request.topology, "v5e:2x2");
}

}  // namespace
}  // namespace understudy::launcher
