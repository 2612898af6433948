// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "compiled.h"

namespace understudy::program {
namespace {

using testing::HasSubstr;

// @main of 2 replicas x 4 partitions with one all_reduce that has those attributes.
std::string all_reduce_with(const std::string& attributes) {
  return "module attributes {mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 2 : i32} {\n"
         "func.func public @main(%a: tensor<4xf32>) -> tensor<4xf32> {\n"
         "%0 = \"stablehlo.all_reduce\"(%a) <{" +
         attributes +
         "}> ({\n^bb0(%p: tensor<f32>, %q: tensor<f32>):\n"
         "  %1 = stablehlo.add %p, %q : tensor<f32>\n  stablehlo.return %1 : tensor<f32>\n}) : "
         "(tensor<4xf32>) -> tensor<4xf32>\nreturn %0 : tensor<4xf32>\n}\n}\n";
}

std::string first_line(const std::string& text) { return lines(compiled(text)).at(0); }

TEST(LowerCollective, ChannelAndGlobalIdsGiveTheMode) {
  const std::string rows = "replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>";
  const std::string channel = "channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, ";
  EXPECT_THAT(first_line(all_reduce_with(rows)),
              HasSubstr("{all_reduce sum [0,4] [1,5] [2,6] [3,7]}"));
  EXPECT_THAT(first_line(all_reduce_with(channel + rows)),
              HasSubstr("{all_reduce sum [0,4,1,5,2,6,3,7]}"));
  EXPECT_THAT(first_line(all_reduce_with(channel + rows + ", use_global_device_ids")),
              HasSubstr("{all_reduce sum [0,1]}"));
}

TEST(LowerCollective, PaddingOfGroupsGoes) {
  EXPECT_THAT(
      first_line(all_reduce_with(
          "channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = "
          "dense<[[0, 1, 2], [5, -1, -1]]> : tensor<2x3xi64>, use_global_device_ids")),
      HasSubstr("sum [0,1,2] [5]}"));
}

TEST(LowerCollective, NoGroupsMeanEverybody) {
  EXPECT_THAT(first_line(all_reduce_with("replica_groups = dense<> : tensor<0x0xi64>")),
              HasSubstr("{all_reduce sum [0,4] [1,5] [2,6] [3,7]}"));
}

TEST(LowerCollective, IdsOutsideTheProgramAreRefused) {
  EXPECT_THAT(
      error_of(
          [] { compiled(all_reduce_with("replica_groups = dense<[[0, 7]]> : tensor<1x2xi64>")); }),
      HasSubstr("stablehlo.all_reduce: replica_groups: id 7 is out of range: expected 0 to 1"));
  EXPECT_THAT(error_of([] {
                compiled(all_reduce_with("replica_groups = dense<[[0, 0]]> : tensor<1x2xi64>"));
              }),
              HasSubstr("duplicate id 0"));
}

TEST(LowerCollective, GlobalIdsNeedAChannel) {
  EXPECT_THAT(error_of([] {
                compiled(
                    all_reduce_with("replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, "
                                    "use_global_device_ids"));
              }),
              HasSubstr("use_global_device_ids needs a channel"));
}

TEST(LowerCollective, ReplicasComeFromTheOptions) {
  const std::string text =
      "func.func @main(%a: tensor<4xf32>, %b: tensor<f32>) -> (tensor<4xf32>, tensor<f32>) {\n"
      "%0:2 = \"stablehlo.all_reduce\"(%a, %b) <{replica_groups = dense<[[0, 1, 2, 3]]> : "
      "tensor<1x4xi64>}> ({\n^bb0(%p: tensor<f32>, %q: tensor<f32>):\n"
      "  %1 = stablehlo.add %p, %q : tensor<f32>\n  stablehlo.return %1 : tensor<f32>\n}) : "
      "(tensor<4xf32>, tensor<f32>) -> (tensor<4xf32>, tensor<f32>)\n"
      "return %0#0, %0#1 : tensor<4xf32>, tensor<f32>\n}\n";
  CompileOptions options;
  options.replicas = 4;
  const Executable executable = compiled(text, options);
  EXPECT_EQ(executable.replicas, 4);
  EXPECT_EQ(lines(executable).at(0),
            "result0 f32[4], result1 f32[] = collective{all_reduce sum [0,1,2,3]}"
            "(argument0 f32[4], argument1 f32[])");
  EXPECT_THAT(error_of([&] { compiled(text); }),
              HasSubstr("id 1 is out of range: expected 0 to 0"));
}

TEST(LowerCollective, PermuteAndAllToAllGoOverPartitions) {
  const std::string head =
      "module attributes {mhlo.num_partitions = 2 : i32} {\n"
      "func.func public @main(%a: tensor<4xf32>) -> tensor<4xf32> {\n";
  const std::string channel = "channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, ";
  const std::string tail = " : (tensor<4xf32>) -> tensor<4xf32>\nreturn %0 : tensor<4xf32>\n}\n}\n";
  EXPECT_THAT(
      first_line(head + "%0 = \"stablehlo.collective_permute\"(%a) <{" + channel +
                 "source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>}>" + tail),
      HasSubstr("{collective_permute 0>1 1>0}"));
  EXPECT_THAT(first_line(head + "%0 = \"stablehlo.all_to_all\"(%a) <{" + channel +
                         "concat_dimension = 0 : i64, replica_groups = dense<[[0, 1]]> : "
                         "tensor<1x2xi64>, split_count = 2 : i64, split_dimension = 0 : i64}>" +
                         tail),
              HasSubstr("{all_to_all [0,1]}"));
}

TEST(LowerTransfer, PairsOutsideTheProgramAreRefused) {
  const auto sending = [](const std::string& pairs) {
    return "module attributes {mhlo.num_partitions = 2 : i32} {\n"
           "func.func public @main(%a: tensor<4xf32>) -> tensor<4xf32> {\n"
           "%t = stablehlo.create_token : !stablehlo.token\n"
           "%0 = \"stablehlo.send\"(%a, %t) <{channel_handle = #stablehlo.channel_handle<handle = "
           "1, type = 1>, is_host_transfer = false, source_target_pairs = dense<" +
           pairs +
           "> : tensor<1x2xi64>}> : (tensor<4xf32>, !stablehlo.token) -> !stablehlo.token\n"
           "return %a : tensor<4xf32>\n}\n}\n";
  };
  EXPECT_THAT(first_line(sending("[[0, 1]]")), HasSubstr("transfer{send 0>1}"));
  EXPECT_THAT(error_of([&] { compiled(sending("[[0, 5]]")); }),
              HasSubstr("process 5 is out of range: expected 0 to 1"));
}

}  // namespace
}  // namespace understudy::program
