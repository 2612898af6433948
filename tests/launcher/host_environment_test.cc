// SPDX-License-Identifier: Apache-2.0
// The environment of a host process of a script.
#include "launcher/script/host_environment.h"

#include <gmock/gmock.h>
#include <set>

#include "configs/base/error.h"
#include "configs/launch/environment.h"
#include "configs/launch/joined_slices.h"
#include "configs/launch/profile/profile.h"
#include "configs/launch/shell_variables.h"
#include "configs/launch/topology.h"

namespace understudy::launcher {
namespace {

const ScriptPlace kPlace{"/run", "/lib/plugin.so"};

configs::Variables environment_with(const std::string& cache_dir, const std::string& policy,
                                    const std::vector<std::string>& shell) {
  configs::SliceRequest request;
  request.slice = "v6e-4";
  const configs::Slice slice = configs::make_slice(request);
  configs::LaunchInputs inputs =
      configs::inputs_of(slice, configs::ProfileLibrary().resolve("steady", {}).values, 4);
  inputs.cache_dir = cache_dir;
  inputs.profile.cache.policy = policy;
  return configs::variables_of(host_environment(shell, inputs, configs::RunPlan{}, kPlace, 0));
}

TEST(HostEnvironment, LeavesTheCacheToTheUserWhereTheRunNamesNoFolder) {
  const std::vector<std::string> shell{"JAX_COMPILATION_CACHE_DIR=/mine"};
  const configs::Variables own = environment_with("/run", "per-host", shell);
  EXPECT_EQ(own.at("JAX_COMPILATION_CACHE_DIR"), "/mine");
  EXPECT_FALSE(own.contains("JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS"));
  EXPECT_FALSE(environment_with("/run", "per-host", {}).contains("JAX_COMPILATION_CACHE_DIR"));
  EXPECT_EQ(own.at("TPU_WORKER_ID"), "0") << "the other groups are set";
}

TEST(HostEnvironment, HasTheCacheOfTheRunWhereItIsNamed) {
  const std::vector<std::string> shell{"JAX_COMPILATION_CACHE_DIR=/mine"};
  const configs::Variables named = environment_with("/kept", "per-host", shell);
  EXPECT_EQ(named.at("JAX_COMPILATION_CACHE_DIR"), "/kept/host0/jax");
  EXPECT_EQ(named.at("JAX_ENABLE_COMPILATION_CACHE"), "true");
}

TEST(HostEnvironment, KeepsTheCacheOffWhereThePolicySaysSo) {
  EXPECT_EQ(environment_with("/run", "off", {}).at("JAX_ENABLE_COMPILATION_CACHE"), "false");
}

configs::LaunchInputs inputs_for(const std::string& name, std::int64_t hosts_per_slice) {
  configs::SliceRequest request;
  request.slice = name;
  request.hosts = hosts_per_slice;
  const configs::Slice slice = configs::make_joined(request);
  configs::LaunchInputs inputs =
      configs::inputs_of(slice, configs::Profile{}, static_cast<std::int64_t>(slice.chips.size()));
  inputs.host_names = host_addresses(slice.hosts, 5);
  inputs.coordinator = inputs.host_names.front();
  return inputs;
}

configs::Variables variables_of_host(const configs::LaunchInputs& inputs, std::int64_t host) {
  return configs::variables_of(host_environment({"MEGASCALE_NUM_SLICES=9", "HOME=/home/me"}, inputs,
                                                configs::RunPlan{}, {"/run", "/plugin.so"}, host));
}

TEST(HostEnvironment, IsThatOfATpuVmOfItsSlice) {
  const configs::LaunchInputs inputs = inputs_for("2xv6e-8", 2);
  const std::vector<std::string>& names = inputs.host_names;
  for (std::int64_t host = 0; host < 4; ++host) {
    const configs::Variables seen = variables_of_host(inputs, host);
    EXPECT_EQ(seen.at("MEGASCALE_NUM_SLICES"), "2");
    EXPECT_EQ(seen.at("MEGASCALE_SLICE_ID"), host < 2 ? "0" : "1");
    EXPECT_EQ(seen.at("MEGASCALE_COORDINATOR_ADDRESS"), names[0]);
    EXPECT_EQ(seen.at("MEGASCALE_PORT"), "8080");
    EXPECT_EQ(seen.at("JAX_COORDINATOR_ADDRESS"), names[0] + ":8482");
    EXPECT_EQ(seen.at("JAX_COORDINATOR_BIND_ADDRESS"), names[0] + ":8482");
    EXPECT_EQ(seen.at("TPU_WORKER_ID"), host % 2 == 0 ? "0" : "1");
    EXPECT_EQ(seen.at("TPU_WORKER_HOSTNAMES"),
              host < 2 ? names[0] + "," + names[1] : names[2] + "," + names[3]);
    EXPECT_EQ(seen.at("TPU_ACCELERATOR_TYPE"), "v6e-8") << "of one slice";
    EXPECT_EQ(seen.at("TPU_TOPOLOGY"), "2x4") << "of one slice";
    EXPECT_EQ(seen.at("UNDERSTUDY_HOST"), std::to_string(host)) << "over all slices";
    EXPECT_EQ(seen.at("HOME"), "/home/me");
  }
}

// JAX counts the entries of TPU_PROCESS_ADDRESSES: one for each host of the slice.
TEST(HostEnvironment, CountsTheProcessesOfASlice) {
  EXPECT_EQ(variables_of_host(inputs_for("2xv6e-4", 1), 1).at("TPU_PROCESS_ADDRESSES"), "local");
  const configs::LaunchInputs inputs = inputs_for("2xv6e-4", 2);
  EXPECT_EQ(variables_of_host(inputs, 3).at("TPU_PROCESS_ADDRESSES"),
            inputs.host_names[2] + ":8476," + inputs.host_names[3] + ":8476");
}

TEST(HostEnvironment, OfOneSliceHasNoCoordinatorOfSlices) {
  const configs::Variables seen = variables_of_host(inputs_for("v6e-8", 2), 1);
  EXPECT_EQ(seen.at("MEGASCALE_NUM_SLICES"), "1");
  EXPECT_EQ(seen.at("MEGASCALE_SLICE_ID"), "0");
  EXPECT_EQ(seen.at("MEGASCALE_COORDINATOR_ADDRESS"), "");
}

TEST(HostAddresses, AreOfOneRunAlone) {
  std::set<std::string> all;
  for (std::int64_t pid = 1000; pid < 1100; ++pid)
    for (const std::string& address : host_addresses(62, pid)) {
      EXPECT_TRUE(address.starts_with("127.")) << address;
      EXPECT_TRUE(all.insert(address).second) << address;
    }
  EXPECT_THROW(host_addresses(63, 1000), Error);
}

}  // namespace
}  // namespace understudy::launcher
