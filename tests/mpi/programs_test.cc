// SPDX-License-Identifier: Apache-2.0
// Exported programs on real workers, against what JAX and PyTorch/XLA computed.
#include <cstdlib>
#include <filesystem>
#include <string>

#include "gtest/gtest.h"

#include "configs/base/file.h"
#include "configs/json/reader.h"
#include "tests/mpi/mpi_testing.h"

namespace understudy::mpi_testing {
namespace {

constexpr const char* kAsExpected = "all results match the expected results";

struct Case {
  std::string name;
  std::vector<std::string> options;
};

class Programs : public testing::TestWithParam<Case> {};

TEST_P(Programs, GiveWhatTheFrameworkComputed) {
  World world;
  std::vector<std::string> words{"run", program(GetParam().name)};
  words.insert(words.end(), GetParam().options.begin(), GetParam().options.end());
  const Ran ran = world.run(words);
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_NE(ran.out.find(kAsExpected), std::string::npos) << ran.out << ran.err;
  EXPECT_EQ(world.leftovers(ran), "");
  const configs::Receipt receipt = world.receipt(ran);
  EXPECT_EQ(receipt.verdict, "passed");
  EXPECT_EQ(receipt.contract_agreed, true);
  for (const configs::ResultReceipt& result : receipt.results) {
    ASSERT_TRUE(result.comparison);
    EXPECT_TRUE(result.comparison->ok);
    EXPECT_LE(result.distinct_values.value_or(1), 1);
  }
}

INSTANTIATE_TEST_SUITE_P(Exported, Programs,
                         testing::Values(Case{"dense_data_parallel", {}},
                                         Case{"dense_tensor_parallel_bf16", {}},
                                         Case{"fsdp_train_step", {}}, Case{"adamw_step", {}},
                                         Case{"metric_globally_reduced", {}},
                                         Case{"torch_xla_ddp_mlp", {"--numerics", "ieee"}},
                                         Case{"torch_xla_all_reduce", {"--numerics", "ieee"}},
                                         Case{"dense_data_parallel", {"--slice", "v5e-8"}},
                                         Case{"dense_data_parallel", {"--hosts", "2"}},
                                         Case{"dense_data_parallel", {"--collectives", "ring"}},
                                         Case{"fsdp_train_step", {"--collectives", "ring"}},
                                         Case{"dense_data_parallel", {"--cache-policy", "off"}},
                                         Case{"pod32", {}}));

// The library of decompositions is loaded by the first of them, when the launch contract has fixed
// the environment.
TEST(Decompositions, RunUnderTheLaunchContract) {
  World world;
  const std::string path =
      world.write("cholesky.mlir",
                  "func.func @main(%a: tensor<2x2xf32>) -> tensor<2x2xf32> {\n"
                  "  %0 = stablehlo.cholesky %a, lower = true : tensor<2x2xf32>\n"
                  "  return %0 : tensor<2x2xf32>\n}\n");
  const Ran ran = world.run({"run", path, "--slice", "v6e-1", "--fill", "ones"});
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(world.receipt(ran).contract_agreed, true);
}

// result 3 of each step.
std::vector<double> losses_of(const configs::Receipt& receipt) {
  std::vector<double> losses;
  for (const configs::StepSeen& step : receipt.steps)
    for (const auto& [result, value] : step.scalars)
      if (result == 3) losses.push_back(value);
  return losses;
}

std::vector<double> losses_in(const std::string& json) {
  std::vector<double> losses;
  for (const auto& item : configs::JsonReader::parse(json, "losses").at("losses").items())
    losses.push_back(item.number());
  return losses;
}

std::string output_of(const std::string& command) {
  std::string text;
  std::FILE* pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) return text;
  char piece[4096];
  while (const std::size_t got = std::fread(piece, 1, sizeof piece, pipe)) text.append(piece, got);
  pclose(pipe);
  return text;
}

std::vector<double> trained_losses() {
  World world;
  const Ran ran = world.run({"run", program("dense_data_parallel"), "--steps", "20", "--carry",
                             "0:0", "--carry", "1:1", "--carry", "2:2"});
  EXPECT_EQ(ran.code, 0) << ran.err;
  return losses_of(world.receipt(ran));
}

void expect_losses(const std::vector<double>& got, const std::vector<double>& wanted) {
  ASSERT_EQ(got.size(), 20U);
  ASSERT_EQ(wanted.size(), 20U);
  for (std::size_t i = 0; i < got.size(); ++i)
    EXPECT_NEAR(got[i], wanted[i], 2e-5 + 2e-4 * wanted[i]) << "step " << i;
}

TEST(Training, TheLossFallsAsJaxsDid) {
  const std::vector<double> losses = trained_losses();
  expect_losses(losses, losses_in(read_text_file(program("dense_data_parallel_losses.json"))));
  for (std::size_t i = 1; i < losses.size(); ++i) EXPECT_LT(losses[i], losses[i - 1]);
}

TEST(Training, TheLossFallsAsJaxsDoesNow) {
  const char* python = std::getenv("UNDERSTUDY_TEST_PYTHON");
  if (python == nullptr) GTEST_SKIP() << "UNDERSTUDY_TEST_PYTHON names no Python with JAX";
  expect_losses(trained_losses(), losses_in(output_of(std::string(python) + " " +
                                                      program("dense_data_parallel_losses.py"))));
}

TEST(Determinism, TwoRunsGiveTheSameBitsAndTheSecondCompilesNothing) {
  World world;
  const std::vector<std::string> words{"run", program("adamw_step")};
  const Ran first = world.run(words);
  ASSERT_EQ(first.code, 0) << first.err;
  const configs::Receipt one = world.receipt(first);
  const Ran second = world.run(words);
  ASSERT_EQ(second.code, 0) << second.err;
  const configs::Receipt two = world.receipt(second);
  ASSERT_EQ(one.results.size(), two.results.size());
  for (std::size_t i = 0; i < one.results.size(); ++i) {
    EXPECT_TRUE(one.results[i].digest);
    EXPECT_EQ(one.results[i].digest, two.results[i].digest);
  }
  ASSERT_TRUE(one.compile && two.compile);
  EXPECT_FALSE(one.compile->cached);
  EXPECT_EQ(one.compiles, 1);
  EXPECT_TRUE(two.compile->cached);
  EXPECT_EQ(two.compiles, 0);
}

TEST(Cache, EachHostCompilesOnceAndItsNeighboursLoad) {
  World world;
  const Ran ran = world.run({"run", program("dense_data_parallel"), "--hosts", "2"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  const configs::Receipt receipt = world.receipt(ran);
  ASSERT_EQ(receipt.hosts.size(), 2U);
  EXPECT_EQ(receipt.hosts[0].compiles, 1);
  EXPECT_EQ(receipt.hosts[1].compiles, 1);
}

// 2(n-1) messages and 2S(n-1)/n bytes leave each rank for each all_reduce.
TEST(Ring, SendsAsManyMessagesAndBytesAsTheTheorySays) {
  World world;
  const Ran ran = world.run({"run", program("dense_data_parallel"), "--collectives", "ring"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  const configs::Receipt receipt = world.receipt(ran);
  ASSERT_TRUE(receipt.collectives);
  ASSERT_EQ(receipt.collectives->size(), 1U);
  const configs::CollectiveSeen& seen = receipt.collectives->front();
  EXPECT_EQ(seen.kind, "all_reduce");
  EXPECT_EQ(seen.algorithm, "ring");
  EXPECT_EQ(seen.count, 4);
  EXPECT_EQ(seen.messages_sent, 8U * 4 * 2 * 7);
  // bias, two weights and the loss; the loss is one element in eight chunks, seven of them empty.
  const std::uint64_t even = (128 + 64 * 128 + 128 * 32) * sizeof(float);
  EXPECT_EQ(seen.bytes, even + sizeof(float));
  EXPECT_EQ(seen.bytes_sent, 2 * 7 * even + 2 * 7 * sizeof(float));
}

TEST(Json, HasTheKeysThatScriptsRelyOn) {
  World world;
  const Ran ran = world.run({"run", program("metric_globally_reduced"), "--json"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  const auto json = configs::JsonReader::parse(ran.out, "stdout");
  EXPECT_EQ(json.at("slice").text(), "v6e-8");
  EXPECT_EQ(json.at("chips").integer(), 8);
  EXPECT_EQ(json.at("hosts").integer(), 1);
  EXPECT_EQ(json.at("program_digest").text().size(), 32U);
  EXPECT_FALSE(json.at("compile").at("cached").boolean());
  EXPECT_EQ(json.at("steps").items().size(), 1U);
  EXPECT_TRUE(json.at("steps").items()[0].at("emulated_seconds").is_null());
  EXPECT_TRUE(json.at("results").items()[1].at("ok").boolean());
  EXPECT_EQ(json.at("exit_code").integer(), 0);
  EXPECT_TRUE(std::filesystem::exists(json.at("receipt").text()));
}

TEST(Output, WritesGlobalArraysThatCompareWithThemselves) {
  World world;
  const std::string folder = program("dense_tensor_parallel_bf16");
  const Ran first = world.run({"run", folder, "--out", world.file("results")});
  ASSERT_EQ(first.code, 0) << first.err;
  const Ran second =
      world.run({"run", folder, "--expect", world.file("results"), "--rtol", "0", "--atol", "0"});
  EXPECT_EQ(second.code, 0) << second.out << second.err;
}

TEST(Output, AMismatchIsExitCodeOneWithTheDifferenceInTheTable) {
  World world;
  const Ran ran = world.run({"run", program("dense_data_parallel"), "--fill", "ones", "--expect",
                             program("dense_data_parallel"), "--args", world.file("")});
  EXPECT_EQ(ran.code, 0) << ran.err;  // the folder's own arguments stand
  const Ran other = world.run({"run", program("dense_data_parallel") + "/program.mlir", "--fill",
                               "ones", "--expect", program("dense_data_parallel")});
  EXPECT_EQ(other.code, 1) << other.err;
  EXPECT_NE(other.out.find("results differ from the expected results"), std::string::npos);
  EXPECT_EQ(world.receipt(other).verdict, "failed");
  EXPECT_EQ(world.receipt(other).failure()->kind, configs::FailureKind::check);
}

}  // namespace
}  // namespace understudy::mpi_testing
