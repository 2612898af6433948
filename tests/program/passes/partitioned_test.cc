// SPDX-License-Identifier: Apache-2.0
#include "program/passes/sharding/partitioned.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "compiled.h"
#include "program/partitioner.h"

namespace understudy::program {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Interface interface_in(const std::string& text) { return interface_of(*module_of(text), {}); }

// The program of one of 4 chips: an argument and a result with those attributes.
std::string of_chip(const std::string& argument, const std::string& result,
                    const std::string& module = "understudy.partitioned") {
  return "module attributes {mhlo.num_partitions = 4 : i32, " + module +
         "} {\nfunc.func @main(%a: tensor<3x4xf32> {" + argument + "}) -> (tensor<3x4xf32> {" +
         result + "}) {\n  %0 = stablehlo.negate %a : tensor<3x4xf32>\n" +
         "  return %0 : tensor<3x4xf32>\n}\n}\n";
}

TEST(Partitioned, SaysHowShardsFormArrays) {
  const Interface interface = interface_in(
      of_chip("mhlo.sharding = \"{devices=[4,1]<=[4]}\", understudy.global_type = tensor<10x4xf32>",
              "jax.result_info = \"loss\", mhlo.sharding = \"{devices=[1,2,2]<=[4] "
              "last_tile_dim_replicate}\""));
  const Parameter& argument = interface.arguments.at(0);
  EXPECT_EQ(argument.global.shape, (Shape{10, 4}));  // 3 + 3 + 3 + 1 rows
  EXPECT_EQ(argument.local.shape, (Shape{3, 4}));
  EXPECT_THAT(argument.sharding.tile_of, ElementsAre(0, 1, 2, 3));
  const Parameter& result = interface.results.at(0);
  EXPECT_EQ(result.global.shape, (Shape{3, 8}));
  EXPECT_THAT(result.sharding.tile_of, ElementsAre(0, 0, 1, 1));
  EXPECT_TRUE(result.declared_replicated);
  EXPECT_EQ(result.name, "loss");
}

TEST(Partitioned, ReadsTheAttributesOfXlasOwnDumps) {
  const Interface interface =
      interface_in(of_chip("", "",
                           "mhlo.spmd_parameters_shardings = [\"{devices=[2,2]<=[4]}\"], "
                           "mhlo.spmd_output_sharding = \"{{devices=[4,1]<=[4]}}\""));
  EXPECT_EQ(interface.arguments.at(0).global.shape, (Shape{6, 8}));
  EXPECT_EQ(interface.results.at(0).global.shape, (Shape{12, 4}));
}

TEST(Partitioned, RefusesTypesThatDoNotFit) {
  EXPECT_THAT(error_of([] {
                interface_in(
                    of_chip("mhlo.sharding = \"{devices=[4,1]<=[4]}\", "
                            "understudy.global_type = tensor<16x4xf32>",
                            ""));
              }),
              HasSubstr("the shard of tensor<16x4xf32> under '{devices=[4,1]<=[4]}' is "
                        "tensor<4x4xf32>, but the program of a chip has tensor<3x4xf32>"));
  EXPECT_THAT(error_of([] { interface_in(of_chip("understudy.global_type = tensor<3xf32>", "")); }),
              HasSubstr("expected the type of the whole array of tensor<3x4xf32>"));
}

std::optional<PartitionRequest> request_for(const std::string& text) {
  return partition_request(*module_of(text), {});
}

TEST(Partitioner, IsAskedOnlyForProgramsThatNeedIt) {
  const std::string head =
      "module attributes {mhlo.num_partitions = 4 : i32} {\nsdy.mesh @m = <[\"x\"=4]>\n"
      "func.func @main(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@m, [{\"x\"}]>}, "
      "%b: tensor<8xf32>) -> tensor<8xf32> {\n";
  const std::string manual =
      "%1 = sdy.manual_computation(%a) in_shardings=[<@m, [{\"x\"}]>] "
      "out_shardings=[<@m, [{\"x\"}]>] manual_axes={\"x\"} (%c: tensor<2xf32>) {\n"
      "  sdy.return %c : tensor<2xf32>\n} : (tensor<8xf32>) -> tensor<8xf32>\n";
  const std::string end = "return %1 : tensor<8xf32>\n}\n}\n";
  EXPECT_FALSE(request_for(head + manual + end));
  EXPECT_FALSE(request_for(of_chip("", "")));
  const auto request = request_for(head + "%1 = stablehlo.add %a, %b : tensor<8xf32>\n" + end);
  ASSERT_TRUE(request);
  EXPECT_EQ(request->partitions, 4);
  EXPECT_TRUE(request->shardy);
  EXPECT_THAT(request->propagate_to_parameters, ElementsAre(false, true));
  EXPECT_THAT(request->propagate_to_output, ElementsAre(true));
  EXPECT_THAT(request->reason,
              HasSubstr("test.mlir:4:6: stablehlo.add: it operates on a global array"));
}

TEST(Partitioner, KnowsGspmdPrograms) {
  const auto request = request_for(
      "module attributes {mhlo.num_partitions = 4 : i32} {\n"
      "func.func @main(%a: tensor<8xf32> {mhlo.sharding = \"{devices=[4]<=[4]}\"}) -> "
      "(tensor<8xf32> {mhlo.sharding = \"{replicated}\"}) {\n"
      "%0 = stablehlo.negate %a : tensor<8xf32>\nreturn %0 : tensor<8xf32>\n}\n}\n");
  ASSERT_TRUE(request);
  EXPECT_FALSE(request->shardy);
  EXPECT_THAT(request->propagate_to_parameters, ElementsAre(false));
  EXPECT_THAT(request->propagate_to_output, ElementsAre(false));
}

// jax.jit inside jax.jit calls a function: the call moves nothing.
TEST(Partitioner, IsNotNeededForAManualComputationInACalledFunction) {
  const auto calling = [](const std::string& outer) {
    return "module attributes {mhlo.num_partitions = 4 : i32} {\nsdy.mesh @m = <[\"x\"=4]>\n"
           "func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {\n" +
           outer +
           "  %2 = func.call @step(%1) : (tensor<8xf32>) -> tensor<8xf32>\n"
           "  return %2 : tensor<8xf32>\n}\n"
           "func.func private @step(%b: tensor<8xf32>) -> tensor<8xf32> {\n"
           "%1 = sdy.manual_computation(%b) in_shardings=[<@m, [{\"x\"}]>] "
           "out_shardings=[<@m, [{\"x\"}]>] manual_axes={\"x\"} (%c: tensor<2xf32>) {\n"
           "  %3 = stablehlo.negate %c : tensor<2xf32>\n"
           "  sdy.return %3 : tensor<2xf32>\n} : (tensor<8xf32>) -> tensor<8xf32>\n"
           "return %1 : tensor<8xf32>\n}\n}\n";
  };
  const std::string twice =
      calling("  %1 = func.call @step(%a) : (tensor<8xf32>) -> tensor<8xf32>\n");
  EXPECT_FALSE(request_for(twice));
  EXPECT_THAT(interface_in(twice).arguments.at(0).sharding.tile_of, ElementsAre(0, 1, 2, 3));
  EXPECT_FALSE(compile(*module_of(twice), {}).code.empty());
  // Work on the sharded array between the calls needs communication in general.
  EXPECT_TRUE(
      request_for(calling("  %0 = func.call @step(%a) : (tensor<8xf32>) -> tensor<8xf32>\n"
                          "  %1 = stablehlo.reverse %0, dims = [0] : tensor<8xf32>\n")));
}

}  // namespace
}  // namespace understudy::program
