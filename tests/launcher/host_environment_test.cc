// SPDX-License-Identifier: Apache-2.0
// The environment of a host process of a script.
#include "launcher/script/host_environment.h"

#include <gtest/gtest.h>

#include "configs/launch/profile.h"
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

}  // namespace
}  // namespace understudy::launcher
