// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "compiled.h"

namespace understudy::program {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

// A shard_map over mesh x=2, y=2 that negates, with those shardings and types.
std::string shard_map(const std::string& in, const std::string& out, const std::string& local,
                      const std::string& axes = "\"x\", \"y\"",
                      const std::string& mesh = "<[\"x\"=2, \"y\"=2]>") {
  return "module attributes {mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32} {\n"
         "sdy.mesh @mesh = " +
         mesh +
         "\nfunc.func public @main(%a: tensor<8x4xf32>) -> (tensor<8x4xf32> "
         "{jax.result_info = \"result\"}) {\n"
         "%0 = sdy.manual_computation(%a) in_shardings=[<@mesh, " +
         in + ">] out_shardings=[<@mesh, " + out + ">] manual_axes={" + axes + "} (%b: tensor<" +
         local + ">) {\n  %1 = stablehlo.negate %b : tensor<" + local +
         ">\n  sdy.return %1 : tensor<" + local +
         ">\n} : (tensor<8x4xf32>) -> tensor<8x4xf32>\nreturn %0 : tensor<8x4xf32>\n}\n}\n";
}

Interface interface_in(const std::string& text, const CompileOptions& options = {}) {
  return interface_of(*module_of(text), options);
}

TEST(Interface, TilesGoRowMajorOverTheMesh) {
  const auto interface =
      interface_in(shard_map("[{\"x\"}, {\"y\"}]", "[{\"x\"}, {\"y\"}]", "4x2xf32"));
  const Parameter& argument = interface.arguments.at(0);
  EXPECT_EQ(text_of(argument.local), "tensor<4x2xf32>");
  EXPECT_THAT(argument.sharding.tiles, ElementsAre(2, 2));
  EXPECT_THAT(argument.sharding.tile_of, ElementsAre(0, 1, 2, 3));
  EXPECT_FALSE(interface.results.at(0).declared_replicated);
  EXPECT_EQ(interface.results[0].name, "result");
}

TEST(Interface, DimensionOverSeveralAxesIsMajorToMinor) {
  const auto interface =
      interface_in(shard_map("[{\"y\", \"x\"}, {}]", "[{\"y\", \"x\"}, {}]", "2x4xf32"));
  EXPECT_THAT(interface.arguments.at(0).sharding.tiles, ElementsAre(4, 1));
  EXPECT_THAT(interface.arguments[0].sharding.tile_of, ElementsAre(0, 2, 1, 3));
}

TEST(Interface, UnusedAxesDeclareCopies) {
  const auto interface = interface_in(shard_map("[{}, {\"x\"}]", "[{}, {\"x\"}]", "8x2xf32"));
  EXPECT_THAT(interface.results.at(0).sharding.tile_of, ElementsAre(0, 0, 1, 1));
  EXPECT_TRUE(interface.results[0].declared_replicated);
  EXPECT_EQ(interface.results[0].sharding.tile_count(1), 2);
}

TEST(Interface, MeshesMayPermuteTheirDevices) {
  const auto interface =
      interface_in(shard_map("[{\"x\"}, {\"y\"}]", "[{\"x\"}, {\"y\"}]", "4x2xf32", "\"x\", \"y\"",
                             "<[\"x\"=2, \"y\"=2], device_ids=[3, 2, 1, 0]>"));
  EXPECT_THAT(interface.arguments.at(0).sharding.tile_of, ElementsAre(3, 2, 1, 0));
}

TEST(Interface, ReplicasHaveArraysOfTheirOwn) {
  CompileOptions options;
  options.replicas = 3;
  const auto interface = interface_in(
      "func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> {\n"
      "return %a : tensor<2xf32>\n}\n",
      options);
  EXPECT_EQ(interface.processes(), 3);
  const Sharding& sharding = interface.arguments.at(0).sharding;
  EXPECT_TRUE(sharding.per_replica);
  EXPECT_THAT(sharding.tile_of, ElementsAre(0, 1, 2));
  EXPECT_EQ(sharding.tile_count(3), 3);
  EXPECT_FALSE(interface.results.at(0).declared_replicated);
}

TEST(Interface, BadShardingsAreInputErrors) {
  EXPECT_THAT(error_of([] { interface_in(shard_map("[{\"z\"}, {}]", "[{}, {}]", "8x4xf32")); }),
              HasSubstr("mesh @mesh has no axis \"z\""));
  EXPECT_THAT(
      error_of([] { interface_in(shard_map("[{\"x\"}, {}]", "[{}, {}]", "8x4xf32")); }),
      HasSubstr("argument 0 of the computation is tensor<8x4xf32>, but its sharding requires "
                "tensor<4x4xf32>"));
  EXPECT_THAT(error_of([] {
                interface_in(shard_map("[{\"x\"}, {}]", "[{}, {}]", "8x4xf32", "\"x\", \"y\"",
                                       "<[\"x\"=3, \"y\"=2]>"));
              }),
              HasSubstr("mesh @mesh has 6 devices, but the program has 4 partitions"));
  EXPECT_THAT(error_of([] {
                interface_in(shard_map("[{}, {\"x\", \"y\", \"w\"}]", "[{}, {}]", "8x4xf32",
                                       "\"x\", \"y\", \"w\"", "<[\"x\"=1, \"y\"=1, \"w\"=4]>"));
              }),
              HasSubstr("argument 0 of the computation"));
}

TEST(Interface, HalfManualMeshesAreUnsupported) {
  EXPECT_THAT(error_of([] {
                interface_in(shard_map("[{\"x\"}, {}]", "[{\"x\"}, {}]", "4x4xf32", "\"x\""));
              }),
              HasSubstr("mesh axis \"y\" is not manual: the program needs an SPMD partitioner"));
}

TEST(Interface, WorkOnShardedArraysIsRefusedWithItsPlace) {
  const std::string text =
      "module attributes {mhlo.num_partitions = 2 : i32} {\nsdy.mesh @mesh = <[\"x\"=2]>\n"
      "func.func public @main(%a: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, "
      "[{\"x\"}]>}) -> tensor<4xf32> {\n  %0 = stablehlo.negate %a : tensor<4xf32>\n"
      "  return %0 : tensor<4xf32>\n}\n}\n";
  EXPECT_EQ(error_of([&] { interface_in(text); }),
            "test.mlir:4:8: error: stablehlo.negate: it operates on a global array that is sharded "
            "over the chips: the program needs an SPMD partitioner. Give understudy the per-chip "
            "program: wrap the computation in jax.shard_map over every mesh axis\n"
            "  %0 = stablehlo.negate %a : tensor<4xf32>\n"
            "       ^");
}

TEST(Interface, WorkOnReplicatedArraysIsFine) {
  const auto interface = interface_in(
      "module attributes {mhlo.num_partitions = 2 : i32} {\nsdy.mesh @mesh = <[\"x\"=2]>\n"
      "func.func public @main(%a: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>}) -> "
      "tensor<4xf32> {\n  %0 = stablehlo.negate %a : tensor<4xf32>\n"
      "  return %0 : tensor<4xf32>\n}\n}\n");
  EXPECT_TRUE(interface.results.at(0).declared_replicated);
}

TEST(Interface, ReadsGspmdShardMaps) {
  const auto interface = interface_in(
      "module attributes {mhlo.num_partitions = 8 : i32} {\n"
      "func.func public @main(%a: tensor<8x8xf32> {mhlo.sharding = \"{devices=[4,1,2]<=[8] "
      "last_tile_dim_replicate}\"}) -> tensor<8x8xf32> {\n"
      "%0 = stablehlo.custom_call @Sharding(%a) {mhlo.sharding = \"{devices=[4,1,2]<=[8] "
      "last_tile_dim_replicate}\"} : (tensor<8x8xf32>) -> tensor<8x8xf32>\n"
      "%1 = stablehlo.custom_call @SPMDFullToShardShape(%0) {mhlo.sharding = \"{manual}\"} : "
      "(tensor<8x8xf32>) -> tensor<2x8xf32>\n"
      "%2 = stablehlo.negate %1 : tensor<2x8xf32>\n"
      "%3 = stablehlo.custom_call @Sharding(%2) {mhlo.sharding = \"{manual}\"} : "
      "(tensor<2x8xf32>) -> tensor<2x8xf32>\n"
      "%4 = stablehlo.custom_call @SPMDShardToFullShape(%3) {mhlo.sharding = "
      "\"{devices=[4,1,2]<=[2,4]T(1,0) last_tile_dim_replicate}\"} : (tensor<2x8xf32>) -> "
      "tensor<8x8xf32>\nreturn %4 : tensor<8x8xf32>\n}\n}\n");
  EXPECT_THAT(interface.arguments.at(0).sharding.tiles, ElementsAre(4, 1));
  EXPECT_THAT(interface.arguments[0].sharding.tile_of, ElementsAre(0, 0, 1, 1, 2, 2, 3, 3));
  EXPECT_THAT(interface.results.at(0).sharding.tile_of, ElementsAre(0, 1, 2, 3, 0, 1, 2, 3));
}

}  // namespace
}  // namespace understudy::program
