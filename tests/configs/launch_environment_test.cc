// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <set>

#include "configs/launch/environment.h"
#include "configs/launch/joined_slices.h"
#include "configs/launch/shell_variables.h"
#include "tests/configs/configs_testing.h"

namespace understudy::configs {
namespace {

using ::testing::ElementsAre;
using ::testing::Pair;

using Words = std::vector<std::string>;

Slice slice_named(const std::string& name) {
  SliceRequest request;
  request.slice = name;
  return make_joined(request);
}

LaunchInputs inputs_for(const std::string& slice, const std::string& profile = "steady") {
  const Slice made = slice_named(slice);
  LaunchInputs inputs = inputs_of(made, ProfileLibrary().resolve(profile, {}).values,
                                  static_cast<std::int64_t>(made.chips.size()));
  inputs.cache_dir = "/cache";
  return inputs;
}

TEST(LaunchEnvironment, IsWhatItIs) {
  struct Case {
    const char *slice, *profile;
    std::int64_t host, process;
  };
  std::string text;
  for (const Case& one :
       {Case{"v6e-8", "steady", 0, 0}, Case{"v6e-16", "steady", 2, 0},
        Case{"v5e-16", "legacy-replica", 3, 1}, Case{"v5p-16", "diagnose", 1, 0}}) {
    text +=
        fmt::format("{} {} host {} process {}\n", one.slice, one.profile, one.host, one.process);
    for (const EnvironmentEntry& entry :
         launch_environment(inputs_for(one.slice, one.profile), one.host, one.process))
      text += fmt::format("  {:<7} {}={}\n", name_of(entry.group), entry.name, entry.value);
  }
  expect_golden("launch/environments.txt", text);
}

TEST(LaunchEnvironment, IsThatOfAnotherSliceWhereSlicesAreJoined) {
  LaunchInputs inputs = inputs_for("2xv5e-16");
  inputs.coordinator = "first";
  const Variables variables = variables_of(launch_environment(inputs, 6, 0));
  EXPECT_EQ(variables.at("MEGASCALE_NUM_SLICES"), "2");
  EXPECT_EQ(variables.at("MEGASCALE_SLICE_ID"), "1");
  EXPECT_EQ(variables.at("MEGASCALE_COORDINATOR_ADDRESS"), "first");
  EXPECT_EQ(variables.at("TPU_WORKER_ID"), "2") << "inside of its slice";
  EXPECT_EQ(variables.at("TPU_NAME"), "v5e-16-s1");
  EXPECT_EQ(variables.at("TPU_WORKER_HOSTNAMES"),
            "v5e-16-s1-0,v5e-16-s1-1,v5e-16-s1-2,v5e-16-s1-3");
  EXPECT_EQ(variables.at("JAX_COMPILATION_CACHE_DIR"), "/cache/host6/jax");
  EXPECT_EQ(variables_of(launch_environment(inputs_for("v5e-16"), 0, 0)).count("MEGASCALE_PORT"),
            0U);
}

// The bounds of a host times those of the hosts are the topology.
TEST(LaunchEnvironment, HasBoundsThatMultiplyToTheTopologyOfEverySlice) {
  const auto axes = [](const std::string& text) {
    std::vector<std::int64_t> numbers;
    std::istringstream stream(text);
    for (std::string one; std::getline(stream, one, ',');) numbers.push_back(std::stoll(one));
    return numbers;
  };
  for (const std::string& name : slice_names()) {
    const Slice slice = slice_named(name);
    if (slice.chips.size() > 256) continue;
    for (const char* profile : {"steady", "legacy-replica"}) {
      const Variables variables = variables_of(launch_environment(inputs_for(name, profile), 0, 0));
      for (const char* what : {"HOST", "PROCESS"}) {
        const auto outer = axes(variables.at(fmt::format("TPU_{}_BOUNDS", what)));
        const auto inner = axes(variables.at(fmt::format("TPU_CHIPS_PER_{}_BOUNDS", what)));
        for (std::size_t axis = 0; axis < 3; ++axis)
          EXPECT_EQ(outer.at(axis) * inner.at(axis), slice.shape[axis]) << name << what;
      }
    }
  }
}

TEST(LaunchEnvironment, DiffersBetweenHostsOnlyInWhatIsOfTheHost) {
  for (const char* slice : {"v6e-16", "2xv6e-8"})  // rank 13 is in the second one
    for (const char* profile : {"steady", "warm-shared", "legacy-replica", "stress-cache"}) {
      const LaunchInputs inputs = inputs_for(slice, profile);
      const auto one = chip_environment(inputs, Rank(0));
      const auto other = chip_environment(inputs, Rank(13));
      ASSERT_EQ(one.size(), other.size());
      for (std::size_t i = 0; i < one.size(); ++i)
        EXPECT_TRUE(one[i].of_host || one[i] == other[i]) << one[i].name;
      EXPECT_EQ(common_digest(one), common_digest(other));
    }
}

TEST(LaunchEnvironment, GoesThereAndBackAsInputs) {
  LaunchInputs inputs = inputs_for("v6e-256", "diagnose");
  inputs.faults = {"env:rank=1,name=A,value=b"};
  inputs.profile.launch.variables["A"] = "b c";
  EXPECT_EQ(read_launch_inputs(to_json(inputs), "x"), inputs);
  EXPECT_LT(to_json(inputs).size(), 8192U) << "it goes through one variable";
}

TEST(ShellVariables, AreKeptOverriddenOrDropped) {
  const auto launch = launch_environment(inputs_for("v6e-8"), 0, 0);
  const Variables shell = variables_of(Words{"PJRT_DEVICE=TPU", "LIBTPU_INIT_ARGS=--x", "JAX_FOO=1",
                                             "PATH=/bin", "EDITOR=vi", "odd", "=odd"});
  const std::vector<ShellVariable> leaks = leaks_of(shell, launch);
  std::vector<std::pair<std::string, std::string>> seen;
  for (const ShellVariable& one : leaks) seen.emplace_back(one.name, name_of(one.leak));
  EXPECT_THAT(seen, ElementsAre(Pair("JAX_FOO", "dropped"), Pair("LIBTPU_INIT_ARGS", "overridden"),
                                Pair("PJRT_DEVICE", "kept")));
  EXPECT_EQ(leak_text(leaks),
            "note: 2 shell variables are not passed to the chips: JAX_FOO dropped and "
            "LIBTPU_INIT_ARGS overridden by launch.libtpu_init_args");
  EXPECT_EQ(leak_text(leaks_of(variables_of(Words{"PJRT_DEVICE=TPU", "PATH=/bin"}), launch)), "");
}

TEST(ShellVariables, LetOnlyTheOwnMpisAndTheSystemsThrough) {
  const Variables launch = {{"TPU_NAME", "v6e-8"}};
  EXPECT_THAT(
      worker_environment(
          variables_of(Words{"PATH=/bin", "TPU_NAME=x", "XLA_FLAGS=y", "OMPI_COMM_WORLD_RANK=3",
                             "UNDERSTUDY_ISA=avx2", "EDITOR=vi", "OMP_NUM_THREADS=8"}),
          launch),
      ElementsAre(Pair("OMPI_COMM_WORLD_RANK", "3"), Pair("OMP_NUM_THREADS", "1"),
                  Pair("PATH", "/bin"), Pair("TPU_NAME", "v6e-8"), Pair("UNDERSTUDY_ISA", "avx2")));
}

}  // namespace
}  // namespace understudy::configs
