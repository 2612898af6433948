// SPDX-License-Identifier: Apache-2.0
// User errors are refused before anything runs; the whole text is golden.
#include <string>

#include "gtest/gtest.h"

#include "program/npy.h"
#include "tests/mpi/mpi_testing.h"

namespace understudy::mpi_testing {
namespace {

constexpr const char* kHead =
    "module @m {\n  func.func public @main(%arg0: tensor<4xf32>) -> tensor<4xf32> {\n";
constexpr const char* kTail = "    return %0 : tensor<4xf32>\n  }\n}\n";

class Refusals : public testing::Test {
 protected:
  void expect(const std::string& golden, int code, const std::vector<std::string>& words) {
    const Ran ran = world_.run(words);
    EXPECT_EQ(ran.code, code);
    EXPECT_EQ(ran.out, "");
    EXPECT_EQ(world_.leftovers(ran), "");
    std::string said = ran.err;
    // Every error except those of the command line and the program leaves a receipt.
    if (code != 2) {
      EXPECT_EQ(world_.receipt(ran).exit_code, code);
      said.resize(said.rfind("receipt: "));
    }
    expect_golden(world_, golden + ".txt", said);
  }
  std::string save(const std::string& text) { return world_.write("p.mlir", text); }
  std::string save_good() {
    return save(std::string(kHead) + "    %0 = stablehlo.add %arg0, %arg0 : tensor<4xf32>\n" +
                kTail);
  }
  World world_;
};

TEST_F(Refusals, UnknownOperation) {
  expect("unknown_operation", 2,
         {"run",
          save(std::string(kHead) + "    %0 = stablehlo.ad %arg0, %arg0 : tensor<4xf32>\n" + kTail),
          "--fill", "ones"});
}

TEST_F(Refusals, WrongOperandType) {
  expect("wrong_operand_type", 2,
         {"run",
          save(std::string(kHead) +
               "    %c = stablehlo.constant dense<1> : tensor<4xi32>\n"
               "    %0 = \"stablehlo.add\"(%arg0, %c) : (tensor<4xf32>, tensor<4xi32>) -> "
               "tensor<4xf32>\n" +
               kTail),
          "--fill", "ones"});
}

TEST_F(Refusals, TruncatedFile) {
  expect("truncated_file", 2,
         {"run", save(std::string(kHead) + "    %0 = stablehlo.add %arg0,"), "--fill", "ones"});
}

TEST_F(Refusals, MissingProgram) {
  expect("missing_program", 2, {"run", world_.file("nowhere.mlir")});
}

TEST_F(Refusals, MissingArgument) { expect("missing_argument", 2, {"run", save_good()}); }

TEST_F(Refusals, WrongShape) {
  program::write_npy(world_.file("a.npy"),
                     {{program::ElementType::f32, {5}}, std::vector<std::byte>(20)});
  expect("wrong_shape", 2, {"run", save_good(), "--arg", "0=" + world_.file("a.npy")});
}

TEST_F(Refusals, WrongElementType) {
  program::write_npy(world_.file("a.npy"),
                     {{program::ElementType::i32, {4}}, std::vector<std::byte>(16)});
  expect("wrong_element_type", 2, {"run", save_good(), "--arg", "0=" + world_.file("a.npy")});
}

TEST_F(Refusals, SliceTooSmall) {
  expect("slice_too_small", 2, {"run", program("dense_data_parallel"), "--slice", "v6e-4"});
}

TEST_F(Refusals, UnknownSlice) {
  expect("unknown_slice", 2, {"run", program("dense_data_parallel"), "--slice", "v6e-9"});
}

TEST_F(Refusals, CacheDirectoryThatCannotBeUsed) {
  expect("cache_directory", 71,
         {"run", save_good(), "--fill", "ones", "--cache-dir", world_.write("file", "x")});
}

TEST_F(Refusals, UnknownManifestKeyWithASuggestion) {
  World folder;
  folder.write("program.mlir", "module @m {}\n");
  folder.write("manifest.json", R"({"name": "x", "about": "y", "rung": null, "devicse": 8})");
  const Ran ran = folder.run({"run", folder.file("")});
  EXPECT_EQ(ran.code, 2);
  expect_golden(folder, "manifest_key.txt", ran.err);
}

TEST_F(Refusals, CarryThatDoesNotFit) {
  expect("carry_types", 2, {"run", program("dense_data_parallel"), "--carry", "3:0"});
  expect("carry_index", 2, {"run", program("dense_data_parallel"), "--carry", "4:0"});
}

TEST_F(Refusals, MissingWorker) {
  expect("missing_worker", 71,
         {"run", save_good(), "--fill", "ones", "--worker", "/nonexistent/worker"});
}

TEST(DryRun, PrintsTheWordsAndThePlanAndLeavesNothing) {
  World world;
  const Ran ran = world.run({"run", program("dense_data_parallel"), "--dry-run"});
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_NE(ran.out.find("mpirun "), std::string::npos);
  EXPECT_NE(ran.out.find(" -np 8 "), std::string::npos);
  EXPECT_NE(ran.out.find("understudy/run-plan/1"), std::string::npos);
  EXPECT_EQ(world.leftovers(ran), "");
}

TEST(Slices, ACountThatIsNoSliceUsesTheFirstChipsOfTheNextLargerSlice) {
  World world;
  const std::string text =
      "module @m attributes {mhlo.num_replicas = 3 : i32} {\n"
      "  func.func public @main(%arg0: tensor<4xf32>) -> tensor<4xf32> {\n"
      "    return %arg0 : tensor<4xf32>\n  }\n}\n";
  const Ran ran = world.run({"run", world.write("p.mlir", text), "--fill", "ones", "--dry-run"});
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_NE(ran.err.find("the program runs on the first 3 of 4 chips of v6e-4"), std::string::npos)
      << ran.err;
}

}  // namespace
}  // namespace understudy::mpi_testing
