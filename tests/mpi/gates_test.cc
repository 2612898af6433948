// SPDX-License-Identifier: Apache-2.0
// Faults that make a gate fail, and launches that are refused before they begin: each is named in
// time, with its layer and its host.
#include <algorithm>
#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "tests/mpi/mpi_testing.h"

namespace understudy::mpi_testing {
namespace {

struct Case {
  std::string fault;
  std::string diagnosis, layer;
  std::int64_t host;
  int code;
  std::string words;  // on stderr
};

class Gates : public testing::TestWithParam<Case> {};

TEST_P(Gates, NameHostAndLayerWhenBroken) {
  const Case& want = GetParam();
  World world;
  const Ran ran = world.run({"run", program("dense_data_parallel"), "--hosts", "2", "--timeout",
                             "20", "--fault", want.fault});
  EXPECT_EQ(ran.code, want.code) << ran.err;
  EXPECT_LT(ran.seconds, 30);
  EXPECT_NE(ran.err.find(want.words), std::string::npos) << ran.err;
  EXPECT_EQ(world.leftovers(ran), "");
  const configs::Receipt receipt = world.receipt(ran);
  EXPECT_EQ(receipt.exit_code, want.code);
  ASSERT_TRUE(receipt.failure());
  EXPECT_EQ(receipt.failure()->diagnosis, want.diagnosis);
  EXPECT_EQ(receipt.failure()->layer, want.layer);
  EXPECT_EQ(receipt.failure()->host, want.host);
}

constexpr const char* kContract = "contract";
constexpr const char* kRuntime = "host/runtime";
constexpr const char* kMemory = "memory";

INSTANTIATE_TEST_SUITE_P(
    Kinds, Gates,
    testing::Values(
        Case{"env:rank=5,name=LIBTPU_INIT_ARGS,value=--xla_a=1", "flags-differ", kContract, 1, 3,
             "rank 5 (host 1"},
        Case{"env:rank=4,name=STRAY,value=1", "environment-differs", kContract, 1, 3,
             "STRAY is \"1\", elsewhere not set"},
        Case{"binary-skew:rank=2", "versions-differ", kContract, 0, 3, "binary build_id is"},
        Case{"program-byte:rank=6", "program-bytes-differ", kContract, 1, 3, "program digest is"},
        Case{"late-env:rank=5,name=PJRT_DEVICE,value=CPU", "device-set-late", kContract, 1, 3,
             "the environment changed after the launch contract was computed: PJRT_DEVICE"},
        Case{"late-env:rank=1,name=JAX_FOO,value=1", "environment-changed", kContract, 0, 3,
             "was computed: JAX_FOO"},
        Case{"late-spmd:rank=4", "tensor-before-spmd", "program", 1, 3,
             "a tensor requires gate \"SPMD enabled\""},
        Case{"second-framework:rank=7", "second-framework", kContract, 1, 3, "libtpu.so"},
        Case{"chip-locked:host=1", "chip-in-use", kRuntime, 1, 71,
             "the TPU of host 1 is already in use by process with pid"},
        Case{"lock-stale:host=1", "lock-stale", kRuntime, 1, 71, "no longer runs"},
        Case{"lock-foreign:host=0", "lock-of-other-user", kRuntime, 0, 71, "belongs to user"},
        Case{"lock-deleted:host=1", "lock-removed", kRuntime, 1, 71,
             "but the lock file does not name it"},
        Case{"wrong-device-kind:rank=6", "device-kind-differs", kContract, 1, 3,
             "rank 6 (host 1): found device kind cpu, expected TPU v6 lite"},
        Case{"missing-chip:rank=2", "chip-missing", kRuntime, 0, 3, "found no device"},
        Case{"wrong-coordinates:rank=5", "host-order-differs", kContract, 1, 3, "expected (1,2,0)"},
        Case{"bad-chip:rank=6", "chip-computes-wrong", kRuntime, 1, 3,
             "rank 6 (host 1): computed 7 as the test product, expected 8"},
        Case{"clock-skew:rank=3,seconds=7200", "clocks-differ", kRuntime, 0, 3,
             "clocks differ from rank 0's: rank 3 (host 0) by 7"},
        Case{"clock-skew:host=1,seconds=60", "clocks-differ", kRuntime, 1, 3,
             "clocks differ from rank 0's: rank 4"},
        Case{"sync-point:rank=5", "sync-points-differ", "collective", 1, 3,
             "rank 5 (host 1) is at \"evaluation\"; the others are at \"SPMD\""},
        Case{"late-env:rank=5,name=JAX_COMPILATION_CACHE_DIR,value=/elsewhere", "cache-set-late",
             "program", 1, 3, "JAX_COMPILATION_CACHE_DIR"},
        Case{"hbm-limit:rank=6,bytes=4096", "hbm-exceeded-at-compile", kMemory, 1, 5,
             "Ran out of memory in memory space hbm. Used "},
        Case{"hbm-held:rank=1,bytes=99000000000", "program-does-not-load", kMemory, 0, 5,
             "bytes are held by buffers of an earlier program"},
        Case{"hbm-leak:rank=6,bytes=40000000000", "hbm-exhausted", kMemory, 1, 5,
             "RESOURCE_EXHAUSTED: Out of memory while trying to allocate"},
        Case{"vmem-limit:rank=6,bytes=64", "vmem-exhausted", kMemory, 1, 5,
             "Ran out of memory in memory space vmem."},
        Case{"leave-early:rank=6", "rank-left-early", "collective", 1, 4,
             "rank 6 (host 1) was killed or ended without a report"},
        Case{"env:host=1,name=TPU_WORKER_ID,value=0", "duplicate-worker-id", kContract, 1, 3,
             "TPU_WORKER_ID 0 is already used by host 0"},
        Case{"host-limit:host=1,name=descriptors,value=64", "descriptors-too-few", kRuntime, 1, 3,
             "host 1: the open file limit is 64, but 8 chips need 112"}));

TEST(HostLimit, ThatOnlyARealHostNeedsIsAWarning) {
  World world;
  const Ran ran = world.run({"run", program("dense_data_parallel"), "--hosts", "2", "-v", "--fault",
                             "host-limit:host=1,name=memlock,value=65536"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_NE(ran.err.find("host 1: the locked memory limit is 64 KiB"), std::string::npos)
      << ran.err;
  const configs::Receipt receipt = world.receipt(ran);
  ASSERT_TRUE(receipt.launch && receipt.launch->remarks);
  const auto& remarks = *receipt.launch->remarks;
  const auto found =
      std::ranges::find(remarks, "memlock-too-low", &configs::LaunchWarning::diagnosis);
  ASSERT_NE(found, remarks.end());
  EXPECT_EQ(found->layer, "memory");
}

TEST(ChipBusy, IsWaitedForAndRecorded) {
  World world;
  const Ran ran = world.run({"run", program("dense_data_parallel"), "--hosts", "2", "--fault",
                             "chip-busy:host=1,seconds=1"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  std::string told;
  const configs::Receipt receipt = world.receipt(ran);
  for (const configs::GateSeen& gate : receipt.ranks.at(4).gates)
    if (gate.gate == "chip_lock") told = gate.detail;
  EXPECT_NE(told.find("the device was busy with an earlier process"), std::string::npos) << told;
}

TEST(ChipBusy, ForTooLongFailsItsHost) {
  World world;
  const Ran ran = world.run({"run", program("dense_data_parallel"), "--hosts", "2", "--timeout",
                             "2", "--fault", "chip-busy:host=1,seconds=600"});
  EXPECT_EQ(ran.code, 71) << ran.err;
  EXPECT_EQ(world.receipt(ran).failure()->diagnosis, "chip-busy");
  EXPECT_EQ(world.receipt(ran).failure()->host, 1);
}

TEST(Contract, RefusesAnImpossibleProfileBeforeTheStart) {
  World world;
  const Ran ran =
      world.run({"run", program("dense_data_parallel"), "--set", "mem.premapped_bytes=2000GiB"});
  EXPECT_EQ(ran.code, 3) << ran.err;
  const configs::Receipt receipt = world.receipt(ran);
  EXPECT_EQ(receipt.failure()->diagnosis, "host-memory-exceeded");
  EXPECT_EQ(receipt.failure()->layer, "memory");
  EXPECT_EQ(receipt.launch.value().overrides.front().name, "mem.premapped_bytes");
}

// The frameworks' variables of the shell do not reach the chips, and a warning lists them.
TEST(Environment, DoesNotLeakFromTheShell) {
  World world;
  world.through(
      {"/usr/bin/env", "LIBTPU_INIT_ARGS=--xla_stray=1", "JAX_STRAY=1", "PJRT_DEVICE=TPU"});
  const Ran ran = world.run({"run", program("dense_data_parallel"), "--profile", "cold-isolated"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_NE(ran.err.find("JAX_STRAY dropped"), std::string::npos) << ran.err;
  const configs::Receipt receipt = world.receipt(ran);
  ASSERT_TRUE(receipt.launch);
  EXPECT_EQ(receipt.launch->profile, "cold-isolated");
  const auto how = [&](const std::string& name) {
    const auto found =
        std::ranges::find(receipt.launch->overrides, name, &configs::LaunchOverride::name);
    return found == receipt.launch->overrides.end() ? "nothing" : found->how;
  };
  EXPECT_EQ(how("JAX_STRAY"), "dropped");
  EXPECT_EQ(how("LIBTPU_INIT_ARGS"), "overridden");
  EXPECT_EQ(how("PJRT_DEVICE"), "kept");
}

}  // namespace
}  // namespace understudy::mpi_testing
