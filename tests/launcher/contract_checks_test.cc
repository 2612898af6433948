// SPDX-License-Identifier: Apache-2.0
#include <functional>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "configs/base/units.h"
#include "configs/launch/joined_slices.h"
#include "configs/receipt/diagnosis.h"
#include "launcher/contract/checks.h"

namespace understudy::launcher {
namespace {

using configs::LaunchInputs;
using configs::Profile;

LaunchInputs inputs_for(const std::string& name, const std::string& profile = "steady",
                        std::optional<std::int64_t> hosts = {}) {
  configs::SliceRequest request;
  request.slice = name;
  request.hosts = hosts;
  const configs::Slice slice = configs::make_joined(request);
  return configs::inputs_of(slice, configs::ProfileLibrary().resolve(profile, {}).values,
                            static_cast<std::int64_t>(slice.chips.size()));
}

// Looks at a launch of v6e-16 after a change.
struct Looked {
  LaunchInputs inputs = inputs_for("v6e-16");
  configs::RunPlan plan;
  CacheFolder cache;

  std::optional<Refusal> now(const std::function<void(LaunchCase&)>& change = {}) {
    plan.cache_dir = "/nowhere";
    if (plan.cache_lock.empty()) plan.cache_lock = "exclusive-file";
    LaunchCase launch = launch_case(inputs, plan);
    launch.cache = cache;
    if (change) change(launch);
    return refusal_of(launch);
  }
};

TEST(ContractChecks, FindNothingInWhatTheLauncherMakesItself) {
  for (const char* slice :
       {"v6e-1", "v6e-8", "v6e-16", "v5e-8", "v5p-16", "v4-64", "v3-32", "2xv6e-4", "2xv5e-16"})
    for (const char* profile :
         {"steady", "cold-isolated", "warm-shared", "stress-cache", "diagnose", "legacy-replica"}) {
      Looked look;
      look.inputs = inputs_for(slice, profile);
      const std::optional<Refusal> refusal = look.now();
      EXPECT_FALSE(refusal) << slice << " " << profile << ": " << refusal->message;
    }
}

// Over 40 lines: a row per case.
TEST(ContractChecks, NameTheHostAndWhatIsWrongWithItsVariables) {
  struct Case {
    const char *name, *value;  // value nullptr: not set
    const char *diagnosis, *words;
  };
  const Case cases[] = {
      {"TPU_WORKER_HOSTNAMES", "v6e-16-0", "host-list-length",
       "has 1 names, but v6e-16 has 4 hosts"},
      {"TPU_WORKER_HOSTNAMES", "a:8476,b,c,d", "host-name-malformed",
       "unexpected worker hostname 'a:8476'"},
      {"TPU_WORKER_HOSTNAMES", "WARNING no host,b,c,d", "host-name-malformed",
       "unexpected worker hostname 'WARNING no host'"},
      {"TPU_WORKER_HOSTNAMES", nullptr, "host-names-missing", "TPU_WORKER_HOSTNAMES is empty"},
      {"TPU_WORKER_HOSTNAMES", "localhost", "single-host-default", "only valid for a single host"},
      {"TPU_PROCESS_ADDRESSES", "local", "single-host-default",
       "TPU_PROCESS_ADDRESSES is \"local\""},
      {"TPU_WORKER_HOSTNAMES", "v6e-16-1,v6e-16-0,v6e-16-2,v6e-16-3", "host-order-differs",
       "names v6e-16-1 as worker 0, expected v6e-16-0"},
      {"TPU_WORKER_HOSTNAMES", "v6e-16-0,v6e-16-0,v6e-16-2,v6e-16-3", "host-order-differs",
       "duplicate name v6e-16-0"},
      {"TPU_WORKER_ID", "0", "duplicate-worker-id", "TPU_WORKER_ID 0 is already used by host 0"},
      {"TPU_WORKER_ID", "7", "duplicate-worker-id", "expected 2"},
      {"TPU_PROCESS_BOUNDS", "1,2,1", "bounds-do-not-multiply",
       "TPU_PROCESS_BOUNDS 1,2,1 times TPU_CHIPS_PER_PROCESS_BOUNDS 2,2,1 does not give the "
       "topology "
       "4,4,1"},
      {"TPU_CHIPS_PER_HOST_BOUNDS", "2,2", "bounds-do-not-multiply", "does not give the topology"},
      {"TPU_ACCELERATOR_TYPE", "v6e-161", "accelerator-unknown",
       "failed to find host bounds for accelerator type \"v6e-161\""},
      {"JAX_COORDINATOR_ADDRESS", ":8482", "coordinator-malformed",
       "failed to recognize coordinator address \":8482\""},
      {"MEGASCALE_NUM_SLICES", "2", "slice-count-stale", "the launch has 1 slice"},
      {"PJRT_DEVICE", "TPUS", "device-unknown",
       "unknown PJRT_DEVICE: 'TPUS'; did you mean \"TPU\"?"},
      {"PJRT_DEVICE", nullptr, "device-kind-differs", "the framework defaults to CPU"},
      {"PJRT_DEVICE", "CPU", "device-kind-differs", "PJRT_DEVICE is CPU"},
      {"XLA_FLAGS", "--xla_tpu_enable_x=1", "flag-misplaced", "belong in LIBTPU_INIT_ARGS"},
      {"XLA_FLAGS", "--xal_dump=1", "flag-misplaced", "unknown flag in XLA_FLAGS: --xal_dump=1"},
      {"XLA_IR_DEBUG", "1", "diagnostic-flag",
       "XLA_IR_DEBUG=1 is only allowed in diagnostic profiles"},
      {"LIBTPU_INIT_ARGS", "--xla_a=1", "flags-differ", "LIBTPU_INIT_ARGS is \"--xla_a=1\""},
      {"GRPC_VERBOSITY", "INFO", "environment-differs", "GRPC_VERBOSITY is \"INFO\""},
      {"STRAY", "1", "environment-differs", "STRAY is \"1\", expected \"\""},
      {"https_proxy", "http://p:3128", "proxy-set", "https_proxy is set"},
      {"PJRT_LOCAL_PROCESS_COUNT", "3", "process-count-unsupported", "unsupported nprocs (3)"},
  };
  for (const Case& one : cases) {
    Looked look;
    const std::optional<Refusal> refusal = look.now([&](LaunchCase& launch) {
      if (one.value != nullptr) {
        launch.hosts[2][one.name] = one.value;
      } else {
        launch.hosts[2].erase(one.name);
      }
    });
    ASSERT_TRUE(refusal) << one.name << " " << one.diagnosis;
    EXPECT_EQ(refusal->diagnosis, one.diagnosis) << refusal->message;
    EXPECT_EQ(refusal->host, 2) << refusal->message;
    EXPECT_THAT(refusal->message, testing::HasSubstr(one.words));
    EXPECT_NE(configs::find_diagnosis(one.diagnosis), nullptr) << one.diagnosis;
  }
}

TEST(ContractChecks, NumberWorkersInsideOfTheirSlice) {
  struct Case {
    const char *name, *value, *words;
  };
  for (const Case& one :
       {Case{"TPU_WORKER_ID", "3", "host 3: TPU_WORKER_ID is \"3\", expected 1"},
        Case{"TPU_WORKER_ID", "0", "host 3: TPU_WORKER_ID 0 is already used by host 2"},
        Case{"TPU_WORKER_HOSTNAMES", "v6e-8-s0-0,v6e-8-s0-1",
             "host 3: TPU_WORKER_HOSTNAMES names v6e-8-s0-0 as worker 0, expected v6e-8-s1-0"},
        Case{"MEGASCALE_NUM_SLICES", "3",
             "host 3: MEGASCALE_NUM_SLICES is \"3\", but the launch has 2 slices"}}) {
    Looked look;
    look.inputs = inputs_for("2xv6e-8", "steady", 2);
    const std::optional<Refusal> refusal =
        look.now([&](LaunchCase& launch) { launch.hosts[3][one.name] = one.value; });
    ASSERT_TRUE(refusal) << one.words;
    EXPECT_EQ(refusal->message, one.words);
  }
}

// Over 40 lines: a row per case.
TEST(ContractChecks, NameWhatIsWrongWithTheProfileAndTheMachine) {
  struct Case {
    std::function<void(Looked&)> change;
    const char *diagnosis, *words;
  };
  const Case cases[] = {
      {[](Looked& one) { one.inputs.profile.mem.premapped_bytes += 1; }, "premapped-unaligned",
       "expected a multiple of 4096"},
      {[](Looked& one) { one.inputs.profile.mem.premapped_threshold_bytes = 5 * kGiB; },
       "premapped-too-small",
       "mem.premapped_threshold_bytes (5 GiB) exceeds the premapped pool of 4 GiB"},
      {[](Looked& one) { one.inputs.profile.mem.premapped_bytes = 800 * kGiB; },
       "host-memory-exceeded", "1 process x 800 GiB premapped + 8 GiB for data loading + 8 GiB "},
      {[](Looked& one) {
         one.inputs.profile.launch.processes = "per-chip";
         one.inputs.profile.mem.premapped_bytes = 170 * kGiB;
       },
       "host-memory-exceeded", "4 processes x 170 GiB"},
      {[](Looked& one) { one.inputs.profile.launch.multiple_libtpu = true; }, "libtpu-loaded-twice",
       "two copies of libtpu"},
      {[](Looked& one) { one.inputs.profile.launch.variables["TPU_WORKER_ID"] = "0"; },
       "identity-by-hand", "launch.variables must not set TPU_WORKER_ID"},
      {[](Looked& one) {
         one.inputs.profile.cache.policy = "shared";
         one.plan.cache_lock = "none";
       },
       "cache-unsafe", "several processes write to /nowhere without a lock"},
      {[](Looked& one) {
         one.inputs.profile.cache.start = "empty";
         one.cache.entries = 3;
       },
       "cache-not-empty", "/nowhere has 3 entries"},
      {[](Looked& one) { one.cache.writable = false; }, "cache-denied", "cannot write to /nowhere"},
      {[](Looked& one) { one.cache.free_bytes = kMiB; }, "cache-disk-full", "only 1 MiB free"},
      {[](Looked& one) {
         one.inputs.profile.spmd.enabled = false;
         one.plan.partitions = 4;
       },
       "spmd-disabled", "the program has 4 partitions"},
  };
  for (const Case& one : cases) {
    Looked look;
    one.change(look);
    const std::optional<Refusal> refusal = look.now();
    ASSERT_TRUE(refusal) << one.diagnosis;
    EXPECT_EQ(refusal->diagnosis, one.diagnosis) << refusal->message;
    EXPECT_THAT(refusal->message, testing::HasSubstr(one.words));
    EXPECT_NE(configs::find_diagnosis(one.diagnosis), nullptr) << one.diagnosis;
  }
}

TEST(ContractChecks, SeeFaultsOfAHost) {
  Looked look;
  look.inputs.faults = {"env:host=3,name=TPU_WORKER_ID,value=1",
                        "env:rank=0,name=PJRT_DEVICE,value=CPU"};
  const std::optional<Refusal> refusal = look.now();
  ASSERT_TRUE(refusal);
  EXPECT_EQ(refusal->diagnosis, "duplicate-worker-id");
  EXPECT_EQ(refusal->host, 3) << "what is wrong with a single rank only the rank can see";
}

}  // namespace
}  // namespace understudy::launcher
