// SPDX-License-Identifier: Apache-2.0
// Whole runs in pods of threads: plan, gates, cache, launches, collectives, results, records.
#include "worker/session.h"

#include <filesystem>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <set>
#include <span>

#include "configs/base/digest.h"
#include "configs/base/file.h"
#include "configs/contract.h"
#include "tests/worker/worker_testing.h"

namespace understudy::worker {
namespace {

using configs::Phase;
using testing::Each;
using testing::HasSubstr;

constexpr int kChips = 4;

// result 0: the sum over chips of each chip's shard; result 1: the shard times the number of chips.
constexpr const char* kProgram = R"(
module @sum attributes {mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["x"=4]>
  func.func public @main(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> (tensor<2xf32>, tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
    %0:2 = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"x"}]>] out_shardings=[<@mesh, [{}]>, <@mesh, [{"x"}]>] manual_axes={"x"} (%arg1: tensor<2xf32>) {
      %1 = "stablehlo.all_reduce"(%arg1) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> ({
      ^bb0(%a: tensor<f32>, %b: tensor<f32>):
        %4 = stablehlo.add %a, %b : tensor<f32>
        stablehlo.return %4 : tensor<f32>
      }) : (tensor<2xf32>) -> tensor<2xf32>
      %cst = stablehlo.constant dense<4.0> : tensor<2xf32>
      %3 = stablehlo.multiply %arg1, %cst : tensor<2xf32>
      sdy.return %1, %3 : tensor<2xf32>, tensor<2xf32>
    } : (tensor<8xf32>) -> (tensor<2xf32>, tensor<8xf32>)
    return %0#0, %0#1 : tensor<2xf32>, tensor<8xf32>
  }
}
)";

void write_floats(const std::string& path, const std::vector<float>& values) {
  write_file_atomically(path, std::as_bytes(std::span(values)));
}

std::vector<float> read_floats(const std::string& path) {
  const auto bytes = read_binary_file(path);
  std::vector<float> values(bytes.size() / sizeof(float));
  std::memcpy(values.data(), bytes.data(), bytes.size());
  return values;
}

class SessionTest : public testing::Test {
 protected:
  SessionTest() {
    std::filesystem::create_directory(folder_.file("records"));
    write_file_atomically(folder_.file("program.mlir"), std::string_view(kProgram));
    plan_.run_id = "session-test";
    plan_.slice = "v6e-4";
    plan_.chip = "v6e";
    plan_.chips = kChips;
    plan_.host_of.assign(kChips, HostId(0));
    plan_.hbm_bytes = 1 << 20;
    plan_.vmem_bytes = 1 << 20;
    plan_.program_path = "sum.mlir";
    plan_.program_file = "program.mlir";
    plan_.program_digest = digest_of(std::string_view(kProgram));
    plan_.numerics = "tpu";
    plan_.collectives = "ring";
    plan_.partitions = kChips;
    plan_.cache_dir = folder_.file("cache");
    plan_.cache_policy = "per-host";
    plan_.timeout_seconds = 20;
    configs::PlannedArray shards{"f32", {2}, {}, {0, 1, 2, 3}, false};
    configs::PlannedArray products = shards;
    for (int chip = 0; chip < kChips; ++chip) {
      shards.files.push_back(fmt::format("a{}", chip));
      products.files.push_back(fmt::format("p{}", chip));
      const auto value = static_cast<float>(chip + 1);
      write_floats(folder_.file(shards.files.back()), {value, 10 * value});
    }
    plan_.arguments = {shards};
    plan_.results = {{"f32", {2}, {"sum"}, {0, 0, 0, 0}, true}, products};
  }

  void write_plan() {
    const auto contract =
        configs::contract_of(plan_, plan_.program_digest,
                             configs::contract_environment(read_surroundings().environment));
    plan_.contract_digest = configs::digest_of(contract);
    write_file_atomically(folder_.file("plan.json"), configs::to_json(plan_));
  }

  std::vector<std::string> run() {
    std::filesystem::remove_all(folder_.file("records"));
    std::filesystem::create_directory(folder_.file("records"));
    return run_pod(kChips, [this](collectives::Transport& transport) {
      const Rank rank = transport.rank();
      configs::RecordWriter record(folder_.file(fmt::format("records/{}", rank.value)), rank);
      Vitals vitals(record);
      Session session(
          {transport, record, vitals, folder_.path(), "threads", Clock::now(), nullptr});
      session.run();
      vitals.beat();
      vitals.enter(Phase::finished);
    });
  }

  configs::RecordContent record_of(int rank) const {
    return configs::read_record(folder_.file(fmt::format("records/{}", rank))).value();
  }
  template <class T>
  std::vector<T> seen_by(int rank) const {
    std::vector<T> seen;
    for (const auto& one : record_of(rank).observations) {
      if (const T* match = std::get_if<T>(&one)) seen.push_back(*match);
    }
    return seen;
  }

  TestFolder folder_;
  configs::RunPlan plan_;
};

TEST_F(SessionTest, ReducesOverAllChipsAndWritesTheResults) {
  write_plan();
  EXPECT_THAT(run(), Each(""));
  EXPECT_EQ(read_floats(folder_.file("sum")), (std::vector<float>{10, 100}));
  EXPECT_EQ(read_floats(folder_.file("p2")), (std::vector<float>{12, 120}));
}

TEST_F(SessionTest, RecordsGatesCompilesCollectivesMemoryAndResults) {
  write_plan();
  EXPECT_THAT(run(), Each(""));
  std::set<std::string> digests;
  for (int rank = 0; rank < kChips; ++rank) {
    EXPECT_EQ(record_of(rank).phase, Phase::finished);
    EXPECT_EQ(seen_by<configs::GatePassed>(rank).size(), 6U);
    const auto started = seen_by<configs::Started>(rank).at(0);
    EXPECT_EQ(started.contract_digest, plan_.contract_digest);
    const auto compiled = seen_by<configs::Compiled>(rank).at(0);
    EXPECT_EQ(compiled.cached, rank != 0);
    EXPECT_EQ(compiled.program_digest, plan_.program_digest);
    const auto count = seen_by<configs::CollectiveCount>(rank).at(0);
    EXPECT_EQ(count.kind, "all_reduce");
    EXPECT_EQ(count.algorithm, "ring");
    EXPECT_EQ(count.count, 1);
    EXPECT_EQ(count.bytes, 8U);
    EXPECT_EQ(count.messages_sent, 2U * (kChips - 1));
    const auto memory = seen_by<configs::MemorySeen>(rank).at(0);
    EXPECT_GT(memory.hbm_observed, 0U);
    EXPECT_LE(memory.hbm_predicted, memory.hbm_observed);
    EXPECT_EQ(seen_by<configs::Totals>(rank).at(0).executes, 1);
    EXPECT_EQ(seen_by<configs::Totals>(rank).at(0).compiles, rank == 0 ? 1 : 0);
    digests.insert(seen_by<configs::ResultSeen>(rank).at(0).digest);
  }
  EXPECT_EQ(digests.size(), 1U);
}

TEST_F(SessionTest, SecondRunCompilesNothing) {
  write_plan();
  EXPECT_THAT(run(), Each(""));
  EXPECT_THAT(run(), Each(""));
  for (int rank = 0; rank < kChips; ++rank) {
    EXPECT_TRUE(seen_by<configs::Compiled>(rank).at(0).cached);
    EXPECT_EQ(seen_by<configs::Totals>(rank).at(0).compiles, 0);
  }
}

TEST_F(SessionTest, CarriesProductsThroughTheSteps) {
  plan_.steps = 3;
  plan_.carry = {{1, 0}};
  write_plan();
  EXPECT_THAT(run(), Each(""));
  EXPECT_EQ(read_floats(folder_.file("p0")), (std::vector<float>{64, 640}));
  EXPECT_EQ(read_floats(folder_.file("sum")), (std::vector<float>{160, 1600}));
  const auto steps = seen_by<configs::Stepped>(1);
  ASSERT_EQ(steps.size(), 3U);
  EXPECT_EQ(steps[2].index, 2);
  EXPECT_LE(steps[0].start_ns, steps[0].end_ns);
  EXPECT_LE(steps[0].end_ns, steps[1].start_ns);
}

TEST_F(SessionTest, AnotherContractIsAProtocolErrorThatNamesWho) {
  write_plan();
  plan_.contract_digest = "0123";
  write_file_atomically(folder_.file("plan.json"), configs::to_json(plan_));
  for (const std::string& error : run()) {
    EXPECT_THAT(error, HasSubstr("the launch contract is not the same everywhere: the plan has "
                                 "0123; rank 0 (host 0, machine "));
  }
  EXPECT_EQ(record_of(0).phase, Phase::started);
}

TEST_F(SessionTest, TooFewWorkersAreAProtocolError) {
  plan_.chips = plan_.partitions = 8;
  plan_.host_of.assign(8, HostId(0));
  for (auto* array : {&plan_.arguments[0], &plan_.results[0], &plan_.results[1]}) {
    array->tile_of.resize(8);
  }
  write_plan();
  EXPECT_THAT(run(), Each("error: the plan is for 8 chips, 4 workers started"));
}

TEST_F(SessionTest, MoreThanTheHbmHoldsIsAnErrorInXlasWords) {
  plan_.hbm_bytes = 128;
  write_plan();
  EXPECT_THAT(run()[0], HasSubstr("RESOURCE_EXHAUSTED: Out of memory while trying to allocate 8 "
                                  "bytes for "));
}

}  // namespace
}  // namespace understudy::worker
