// SPDX-License-Identifier: Apache-2.0
// The memory that the compiler predicts, against the pages that real workers populate.
#include <algorithm>
#include <filesystem>
#include <fmt/format.h>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

#include "tests/mpi/mpi_testing.h"
#include "tests/outside_folder.h"

namespace understudy::mpi_testing {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

// predicted <= observed < predicted + one page for each separately allocated region.
void expect_as_planned(const configs::Receipt& receipt) {
  ASSERT_FALSE(receipt.ranks.empty());
  for (const configs::RankSeen& chip : receipt.ranks) {
    ASSERT_TRUE(chip.memory) << "rank " << chip.rank;
    const configs::MemorySeen& seen = *chip.memory;
    ASSERT_TRUE(seen.page_bytes && seen.hbm_regions);
    EXPECT_LE(seen.hbm_predicted, seen.hbm_observed) << "rank " << chip.rank;
    EXPECT_LT(seen.hbm_observed, seen.hbm_predicted + *seen.hbm_regions * *seen.page_bytes)
        << "rank " << chip.rank;
  }
  EXPECT_EQ(receipt.hbm_peak_bytes.not_as_planned, std::nullopt);
}

std::vector<std::string> folders_in(const fs::path& folder) {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder))
    if (fs::exists(entry.path() / "manifest.json")) names.push_back(entry.path().string());
  std::sort(names.begin(), names.end());
  return names;
}

// The results may differ from the expected ones (programs for ieee numerics): here only memory
// counts.
void run_all(const std::vector<std::string>& folders) {
  ASSERT_FALSE(folders.empty());
  for (const std::string& folder : folders) {
    SCOPED_TRACE(folder);
    World world;
    const Ran ran = world.run({"run", folder});
    ASSERT_LE(ran.code, 1) << ran.err;
    expect_as_planned(world.receipt(ran));
  }
}

TEST(Memory, IsWhatTheCompilerPredicted) {
  run_all(folders_in(fs::path(program("adamw_step")).parent_path()));
}

TEST(Memory, IsWhatTheCompilerPredictedForSharedPrograms) {
  if (const std::string absent = why_outside_is_absent("programs"); !absent.empty())
    GTEST_SKIP() << absent;
  run_all(folders_in(outside_folder() / "programs"));
}

// Buffers of a step find the places of the step before.
TEST(Memory, DoesNotGrowWithTheSteps) {
  World world;
  const Ran ran = world.run({"run", program("adamw_step"), "--steps", "7"});
  ASSERT_LE(ran.code, 1) << ran.err;
  expect_as_planned(world.receipt(ran));
}

TEST(Memory, IsPredictedWithoutAPod) {
  World world;
  const Ran dry = world.run({"run", program("adamw_step"), "--dry-run"});
  EXPECT_EQ(dry.code, 0) << dry.err;
  EXPECT_THAT(dry.err, HasSubstr("HBM of each chip: "));
  const Ran ran = world.run({"run", program("adamw_step")});
  EXPECT_EQ(ran.code, 0) << ran.err;
  const auto predicted = world.receipt(ran).hbm_peak_bytes.predicted;
  ASSERT_TRUE(predicted);
  EXPECT_THAT(dry.out, HasSubstr(fmt::format("\"hbm_peak_bytes\": {}", *predicted)));
}

// Four products of 4.5 GiB that live at the same time.
std::string eighteen_gib() {
  std::string text =
      "func.func public @main(%a: tensor<32768x8xf32>, %b: tensor<8x36864xf32>) -> tensor<f32> {\n"
      "  %z = stablehlo.constant dense<0.0> : tensor<f32>\n";
  for (int i = 0; i < 4; ++i)
    text += fmt::format(
        "  %c{0} = stablehlo.constant dense<{1}.0> : tensor<f32>\n"
        "  %f{0} = stablehlo.broadcast_in_dim %c{0}, dims = [] : (tensor<f32>) -> "
        "tensor<32768x8xf32>\n"
        "  %s{0} = stablehlo.multiply %a, %f{0} : tensor<32768x8xf32>\n"
        "  %p{0} = stablehlo.dot_general %s{0}, %b, contracting_dims = [1] x [0] : "
        "(tensor<32768x8xf32>, tensor<8x36864xf32>) -> tensor<32768x36864xf32>\n",
        i, i + 1);
  std::string sum = "p0";
  for (int i = 1; i < 4; ++i) {
    text +=
        fmt::format("  %q{0} = stablehlo.multiply %{1}, %p{0} : tensor<32768x36864xf32>\n", i, sum);
    sum = fmt::format("q{}", i);
  }
  return text + fmt::format(
                    "  %r = stablehlo.reduce(%{} init: %z) applies stablehlo.add across dimensions "
                    "= [0, 1] : (tensor<32768x36864xf32>, tensor<f32>) -> tensor<f32>\n"
                    "  return %r : tensor<f32>\n}}\n",
                    sum);
}

TEST(Memory, TooMuchForAChipIsRefusedWithoutUsingIt) {
  World world;
  const Ran ran = world.run(
      {"run", world.write("large.mlir", eighteen_gib()), "--slice", "v5e-1", "--fill", "ones"});
  EXPECT_EQ(ran.code, 5) << ran.err;
  EXPECT_THAT(ran.err, HasSubstr("XLA:TPU compile permanent error. Ran out of memory in memory "
                                 "space hbm. Used 18.00G of 14.90G hbm. Exceeded hbm capacity by "
                                 "3.10G."));
  EXPECT_THAT(ran.err, HasSubstr("1. Size: 4.50G; stablehlo.dot_general at "));
  EXPECT_THAT(ran.err, HasSubstr("large.mlir:6:"));
  EXPECT_THAT(ran.err, HasSubstr("Shape: tensor<32768x36864xf32>; Allocation type: temporary"));
  EXPECT_THAT(ran.err, HasSubstr("try: use smaller batches; rematerialise"));
  const configs::Receipt receipt = world.receipt(ran);
  ASSERT_EQ(receipt.ranks.size(), 1U);
  ASSERT_TRUE(receipt.ranks[0].memory);
  EXPECT_GT(receipt.ranks[0].memory->hbm_predicted, std::uint64_t{18} << 30);
  EXPECT_EQ(receipt.ranks[0].memory->hbm_observed, 0U);
}

std::vector<std::string> digests_of(const configs::Receipt& receipt) {
  std::vector<std::string> digests;
  for (const configs::ResultReceipt& one : receipt.results)
    digests.push_back(one.digest.value_or(""));
  return digests;
}

configs::Receipt offloading(const std::string& name) {
  World world;
  const Ran ran =
      world.run({"run", program("offload") + "/" + name + ".mlir", "--fill", "random:1"});
  EXPECT_EQ(ran.code, 0) << ran.err;
  return world.receipt(ran);
}

TEST(Memory, OfTheHostHoldsWhatIsOffloaded) {
  constexpr std::uint64_t kActivations = 4 * 256 * 64 * 4;
  const configs::Receipt kept = offloading("kept"), moved = offloading("offloaded");
  EXPECT_EQ(digests_of(kept), digests_of(moved));
  expect_as_planned(kept);
  expect_as_planned(moved);
  EXPECT_EQ(kept.host_peak_bytes.predicted, std::nullopt);
  EXPECT_GE(moved.host_peak_bytes.predicted.value_or(0), kActivations);
  EXPECT_GE(moved.host_peak_bytes.observed.value_or(0), *moved.host_peak_bytes.predicted);
  // All stacked activations, less the copy of one of them on its way.
  EXPECT_LE(*moved.hbm_peak_bytes.predicted + kActivations / 2, *kept.hbm_peak_bytes.predicted);
  EXPECT_EQ(moved.counters->at("PcieToHost"), 4) << "each layer's; nobody asks for the result";
  EXPECT_EQ(moved.counters->at("PcieToChip"), 4 + 2) << "each layer's, and the arguments";
  expect_as_planned(offloading("remat"));
}

// Weights that each step replaces, with donation or without.
std::string weights(const std::string& attribute) {
  return "func.func public @main(%w: tensor<256x256xf32> " + attribute +
         ", %x: tensor<256x256xf32>) -> tensor<256x256xf32> {\n"
         "  %0 = stablehlo.dot_general %w, %x, contracting_dims = [1] x [0] : "
         "(tensor<256x256xf32>, tensor<256x256xf32>) -> tensor<256x256xf32>\n"
         "  %1 = stablehlo.tanh %0 : tensor<256x256xf32>\n"
         "  %2 = stablehlo.subtract %w, %1 : tensor<256x256xf32>\n"
         "  return %2 : tensor<256x256xf32>\n}\n";
}

configs::Receipt three_steps(const std::string& attribute, std::vector<std::string> words) {
  World world;
  words.insert(words.begin(), {"run", world.write("w.mlir", weights(attribute)), "--fill",
                               "random:1", "--steps", "3"});
  const Ran ran = world.run(words);
  EXPECT_EQ(ran.code, 0) << ran.err;
  return world.receipt(ran);
}

TEST(Memory, OfDonatedArgumentsGoesToResults) {
  constexpr std::uint64_t kWeights = 256 * 256 * 4;
  const configs::Receipt own = three_steps("", {"--carry", "0:0"});
  const configs::Receipt shared = three_steps("{tf.aliasing_output = 0 : i32}", {"--carry", "0:0"});
  EXPECT_EQ(digests_of(own), digests_of(shared));
  expect_as_planned(own);
  expect_as_planned(shared);
  EXPECT_EQ(*own.hbm_peak_bytes.predicted - *shared.hbm_peak_bytes.predicted, kWeights);
}

// The same argument in every step: it must not be overwritten before the last.
TEST(Memory, OfAnArgumentThatLaterStepsReadIsKept) {
  const configs::Receipt own = three_steps("", {});
  const configs::Receipt shared = three_steps("{jax.buffer_donor = true}", {});
  EXPECT_EQ(digests_of(own), digests_of(shared));
  expect_as_planned(shared);
}

TEST(Memory, PoisonChangesNoResult) {
  for (const char* name : {"adamw_step", "fsdp_train_step", "dense_tensor_parallel_bf16"}) {
    World world;
    const Ran ran = world.run({"run", program(name), "--debug-poison"});
    EXPECT_EQ(ran.code, 0) << name << ran.out << ran.err;
    expect_as_planned(world.receipt(ran));
  }
}

}  // namespace
}  // namespace understudy::mpi_testing
