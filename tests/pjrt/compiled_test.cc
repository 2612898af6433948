// SPDX-License-Identifier: Apache-2.0
// Compilation in the host process: what goes to the partitioner, and what frameworks get back.
#include "pjrt/core/compile/compiled.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "configs/base/error.h"
#include "pjrt/core/compile/chip_program.h"
#include "pjrt/core/compile/op_sharding.h"
#include "pjrt/core/compile/remote_partitioner.h"

namespace understudy::pjrt {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

constexpr const char* kSharded = R"(
module @jit_f attributes {mhlo.num_partitions = 2 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["x"=2]>
  func.func public @main(
      %arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>,
                            tf.aliasing_output = 0 : i32},
      %arg1: tensor<f32>) -> (tensor<8xf32>) {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %1 = stablehlo.add %arg0, %0 : tensor<8xf32>
    return %1 : tensor<8xf32>
  }
}
)";
constexpr const char* kOfOneChip = R"(
module @jit_f attributes {mhlo.num_partitions = 2 : i32, mhlo.num_replicas = 1 : i32,
                          understudy.partitioned} {
  func.func public @main(
      %arg0: tensor<4xf32> {mhlo.sharding = "{devices=[2]<=[2]}",
                            understudy.global_type = tensor<8xf32>},
      %arg1: tensor<f32> {mhlo.sharding = "{replicated}", understudy.global_type = tensor<f32>})
      -> (tensor<4xf32> {mhlo.sharding = "{devices=[2]<=[2]}",
                         understudy.global_type = tensor<8xf32>}) {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %1 = stablehlo.add %arg0, %0 : tensor<4xf32>
    return %1 : tensor<4xf32>
  }
}
)";

struct Recorded : program::Partitioner {
  program::PerChipProgram partition(const program::PartitionRequest& request) override {
    requests.push_back(request);
    return {kOfOneChip, {}};
  }
  std::vector<program::PartitionRequest> requests;
};

CompileOptions options_with(std::int64_t partitions) {
  CompileOptions options;
  options.partitions = partitions;
  for (std::int64_t i = partitions; i-- > 0;) options.devices.push_back(i);
  return options;
}

TEST(Compile, GlobalViewProgramsGoToThePartitioner) {
  Recorded partitioner;
  CompileOptions options = options_with(2);
  options.propagate_to_parameters = {false, true};
  options.propagate_to_output = {true};
  const CompiledRef made =
      compile_program(kSharded, "mlir", options, program::Numerics::ieee, partitioner);
  ASSERT_EQ(partitioner.requests.size(), 1U);
  const program::PartitionRequest& asked = partitioner.requests.front();
  EXPECT_EQ(asked.program, kSharded);
  EXPECT_EQ(asked.partitions, 2);
  EXPECT_TRUE(asked.shardy);
  EXPECT_THAT(asked.propagate_to_parameters, ElementsAre(false, true));
  EXPECT_THAT(asked.propagate_to_output, ElementsAre(true));
  ASSERT_EQ(made->arguments.size(), 2U);
  EXPECT_EQ(text_of(made->arguments[0].type), "tensor<4xf32>");
  EXPECT_TRUE(made->arguments[0].donated);  // only the program as it came says so
  EXPECT_FALSE(made->arguments[1].donated);
  EXPECT_EQ(text_of(made->results.at(0).type), "tensor<4xf32>");
  EXPECT_EQ(made->results[0].sharding, made->arguments[0].sharding);
  const std::string text = chip_program_of(*made);
  EXPECT_THAT(text, HasSubstr("tensor<4xf32>"));
  EXPECT_THAT(text, Not(HasSubstr("understudy.")));
  EXPECT_THAT(text, Not(HasSubstr("mhlo.sharding")));
  // For versions of JAX that do not ask the Shardings extension.
  EXPECT_THAT(text, HasSubstr("mhlo.spmd_output_sharding = \"{devices=[2]0,1}\""));
  EXPECT_THAT(text, HasSubstr("mhlo.spmd_parameters_shardings = [\"{devices=[2]0,1}\", \""));
  EXPECT_EQ(chip_program_of(*deserialize(serialize(*made))), text);
}

// The array is on every chip, and JAX requires that the executable takes it from there.
TEST(Compile, ReplicatedArgumentsThatAComputationTakesInShardsGoToThePartitioner) {
  const std::string program = R"(
module @jit_f attributes {mhlo.num_partitions = 2 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["x"=2]>
  func.func public @main(
      %arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>}, %arg1: tensor<f32>)
      -> (tensor<8xf32>) {
    %0 = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"x"}]>]
        out_shardings=[<@mesh, [{"x"}]>] manual_axes={"x"} (%arg2: tensor<4xf32>) {
      sdy.return %arg2 : tensor<4xf32>
    } : (tensor<8xf32>) -> tensor<8xf32>
    return %0 : tensor<8xf32>
  }
}
)";
  Recorded partitioner;
  (void)compile_program(program, "mlir", options_with(2), program::Numerics::ieee, partitioner);
  ASSERT_EQ(partitioner.requests.size(), 1U);
  EXPECT_THAT(partitioner.requests.front().reason, HasSubstr("argument 0 of @main"));
  // Without a word on its sharding the argument is loaded as the computation takes it.
  std::string open = program;
  const std::string sharding = "{sdy.sharding = #sdy.sharding<@mesh, [{}]>}";
  open.erase(open.find(sharding), sharding.size());
  const CompiledRef made =
      compile_program(open, "mlir", options_with(2), program::Numerics::ieee, partitioner);
  EXPECT_EQ(partitioner.requests.size(), 1U);
  EXPECT_EQ(text_of(made->arguments.at(0).type), "tensor<4xf32>");
}

TEST(Compile, ProgramsOfWholeArraysNeedNoPartitioner) {
  RemotePartitioner none("", 0);
  std::string whole = kSharded;
  const std::string sharding = "sdy.sharding = #sdy.sharding<@mesh, [{\"x\"}]>,";
  whole.erase(whole.find(sharding), sharding.size());
  const CompiledRef made =
      compile_program(whole, "mlir", options_with(2), program::Numerics::ieee, none);
  EXPECT_EQ(text_of(made->arguments.at(0).type), "tensor<8xf32>");
  try {
    (void)compile_program(kSharded, "mlir", options_with(2), program::Numerics::ieee, none);
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::unsupported);
    EXPECT_THAT(error.text(), HasSubstr("understudy run"));
  }
}

TEST(Compile, TokensAreArraysWithoutElements) {
  RemotePartitioner none("", 0);
  const CompiledRef made = compile_program(
      "func.func public @main(%t: !stablehlo.token, %x: tensor<2xf32>) -> "
      "(!stablehlo.token, tensor<2xf32>) {\n  return %t, %x : !stablehlo.token, tensor<2xf32>\n}",
      "mlir", CompileOptions{}, program::Numerics::ieee, none);
  ASSERT_EQ(made->arguments.size(), 2U);
  EXPECT_TRUE(made->arguments[0].token);
  EXPECT_EQ(text_of(made->arguments[0].type), "tensor<0xi1>");
  EXPECT_FALSE(made->arguments[1].token);
  ASSERT_EQ(made->results.size(), 2U);
  EXPECT_TRUE(made->results[0].token);
  EXPECT_TRUE(deserialize(serialize(*made))->results[0].token);
}

// One of the branches runs. A product of two 4 x 4 matrices has 2 * 4^3 operations; the other
// branch has 16 transcendental ones.
TEST(Compile, AConditionalCostsAsMuchAsItsDearestBranch) {
  RemotePartitioner none("", 0);
  const CompiledRef made = compile_program(R"(
func.func public @main(%which: tensor<i32>, %x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = "stablehlo.case"(%which) ({
    %1 = stablehlo.dot_general %x, %x, contracting_dims = [1] x [0]
        : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    stablehlo.return %1 : tensor<4x4xf32>
  }, {
    %1 = stablehlo.tanh %x : tensor<4x4xf32>
    stablehlo.return %1 : tensor<4x4xf32>
  }, {
    %1 = stablehlo.exponential %x : tensor<4x4xf32>
    stablehlo.return %1 : tensor<4x4xf32>
  }) : (tensor<i32>) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
})",
                                           "mlir", CompileOptions{}, program::Numerics::ieee, none);
  EXPECT_EQ(made->cost.flops, 128);
  EXPECT_EQ(made->cost.transcendentals, 16);
}

TEST(Compile, TokensCountInTheIndicesOfDonations) {
  RemotePartitioner none("", 0);
  const CompiledRef made = compile_program(
      "func.func public @main(%t: !stablehlo.token, %x: tensor<2xf32>, %y: tensor<3xf32> "
      "{tf.aliasing_output = 1 : i32}) -> (!stablehlo.token, tensor<3xf32>) {\n"
      "  %0 = stablehlo.add %y, %y : tensor<3xf32>\n"
      "  return %t, %0 : !stablehlo.token, tensor<3xf32>\n}",
      "mlir", CompileOptions{}, program::Numerics::ieee, none);
  EXPECT_THAT(made->donations, ElementsAre(program::Donation{2, 1}));
  EXPECT_EQ(deserialize(serialize(*made))->donations, made->donations);
}

TEST(OpShardingText, SaysWhatTheProtoSays) {
  EXPECT_EQ(op_sharding_text(op_sharding({{1, 1}, {0, 0}, false}, 2)), "{replicated}");
  EXPECT_EQ(op_sharding_text(op_sharding({{2, 1}, {1, 0}, false}, 2)), "{devices=[2,1]1,0}");
  EXPECT_EQ(op_sharding_text(op_sharding({{2}, {0, 1, 0, 1}, false}, 4)),
            "{devices=[2,2]0,2,1,3 last_tile_dim_replicate}");
  // Summands before copies, as XLA writes them: frameworks compare.
  EXPECT_EQ(op_sharding_text(op_sharding({{1}, {0, 0}, false, {0, 1}}, 2)), "{unreduced}");
  EXPECT_EQ(op_sharding_text(op_sharding({{2, 1}, {0, 0, 1, 1}, false, {0, 1, 0, 1}}, 4)),
            "{devices=[2,1,2]0,1,2,3 last_tile_dims={unreduced}}");
  EXPECT_EQ(op_sharding_text(op_sharding({{1}, {0, 0, 0, 0}, false, {0, 1, 0, 1}}, 4)),
            "{devices=[1,2,2]0,2,1,3 last_tile_dims={unreduced, replicated}}");
}

TEST(ChipProgram, LosesConstraintsThatDoNothingOnOneChip) {
  RemotePartitioner none("", 0);
  const CompiledRef made = compile_program(R"(
module @jit_g attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @empty_mesh = <[]>
  func.func public @main(%arg0: tensor<2xui32>) -> tensor<2xui32> {
    %0 = sdy.sharding_constraint %arg0 <@empty_mesh, [{}]> : tensor<2xui32>
    %1 = stablehlo.add %0, %0 : tensor<2xui32>
    return %1 : tensor<2xui32>
  }
}
)",
                                           "mlir", CompileOptions{}, program::Numerics::ieee, none);
  EXPECT_THAT(chip_program_of(*made), Not(HasSubstr("sdy")));
  EXPECT_THAT(chip_program_of(*made), HasSubstr("\"stablehlo.add\"(%arg0, %arg0)"));
}

}  // namespace
}  // namespace understudy::pjrt
