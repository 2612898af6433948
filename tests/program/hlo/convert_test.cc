// SPDX-License-Identifier: Apache-2.0
// HLO text to StableHLO, opcode by opcode, and what is refused.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/program/hlo/hlo_testing.h"

namespace understudy::program {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

constexpr const char* kAdd =
    "add { a = f32[] parameter(0)\n b = f32[] parameter(1)\n ROOT c = f32[] add(a, b) }\n";

std::string module_of(const std::string& entry, const std::string& before = "",
                      const std::string& header = "") {
  return "HloModule m" + header + "\n" + before + "ENTRY main {\n" + entry + "\n}\n";
}

// The StableHLO of an entry computation.
std::string converted(const std::string& entry, const std::string& before = "",
                      const std::string& header = "") {
  const auto module =
      parse(std::make_shared<const Source>("x.hlo", module_of(entry, before, header)));
  verify(*module);
  return print(*module);
}

TEST(HloConvert, ReplicaGroupsOfAllFormsAreTheSame) {
  const std::string x =
      "x = f32[4] parameter(0)\nROOT r = f32[4] all-reduce(x), channel_id=1, "
      "use_global_device_ids=true, to_apply=add, replica_groups=";
  const std::string header = ", num_partitions=8";
  const std::string list = converted(x + "{{0,2,4,6},{1,3,5,7}}", kAdd, header);
  EXPECT_THAT(list, HasSubstr("dense<[[0, 2, 4, 6], [1, 3, 5, 7]]>"));
  EXPECT_EQ(converted(x + "[2,4]<=[4,2]T(1,0)", kAdd, header), list);
  EXPECT_EQ(converted(x + "mesh['x'=4,'y'=2] {'x'}", kAdd, header), list);
}

TEST(HloConvert, PartsOfMeshAxesAndDeviceOrders) {
  const std::string x =
      "x = f32[4] parameter(0)\nROOT r = f32[4] all-reduce(x), channel_id=1, "
      "use_global_device_ids=true, to_apply=add, replica_groups=";
  EXPECT_THAT(converted(x + "mesh['x'=8] {'x':(2)2}", kAdd),
              HasSubstr("dense<[[0, 2], [1, 3], [4, 6], [5, 7]]>"));
  EXPECT_THAT(converted(x + "mesh['x'=2,'y'=2], device_ids=(3,1,2,0) {'y'}", kAdd),
              HasSubstr("dense<[[3, 1], [2, 0]]>"));
  EXPECT_THAT(converted(x + "mesh[x=2,y=2], device_ids=([2,2]T(1,0)) {y}", kAdd),
              HasSubstr("dense<[[0, 2], [1, 3]]>"));
}

TEST(HloConvert, AsynchronousCollectivesAreDoneWhereTheyStart) {
  const std::string text = converted(
      "x = f32[4] parameter(0)\n"
      "s = (f32[4], f32[8]) all-gather-start(x), dimensions={0}, replica_groups={{0,1}}\n"
      "y = f32[4] negate(x)\n"
      "p = (f32[4], f32[4], u32[], u32[]) collective-permute-start(x), "
      "source_target_pairs={{0,1},{1,0}}\n"
      "r = f32[4] all-reduce-start(y), to_apply=add, replica_groups={{0,1}}\n"
      "w = ((f32[4]), f32[2], u32[]) reduce-scatter-start(x), dimensions={0}, to_apply=add, "
      "replica_groups={{0,1}}\n"
      "g = f32[8] all-gather-done(s)\nq = f32[4] collective-permute-done(p)\n"
      "t = f32[4] all-reduce-done(r)\nu = f32[2] reduce-scatter-done(w)\n"
      "ROOT z = (f32[8], f32[4], f32[4], f32[2]) tuple(g, q, t, u)",
      kAdd);
  EXPECT_THAT(text, AllOf(HasSubstr("stablehlo.all_gather"), HasSubstr("stablehlo.all_reduce"),
                          HasSubstr("stablehlo.collective_permute"),
                          HasSubstr("stablehlo.reduce_scatter"), Not(HasSubstr("async"))));
}

TEST(HloConvert, AsyncStartRunsItsComputation) {
  const std::string text = converted(
      "x = f32[4] parameter(0)\n"
      "s = ((f32[4]), f32[4], s32[]) async-start(x), calls=wrapped\n"
      "u = ((f32[4]), f32[4], s32[]) async-update(s)\nROOT d = f32[4] async-done(u)",
      "wrapped { a = f32[4] parameter(0)\n ROOT b = f32[4] negate(a) }\n");
  EXPECT_THAT(text, HasSubstr("stablehlo.negate"));
}

TEST(HloConvert, AllToAllOfOperands) {
  const std::string text = converted(
      "x = f32[3] parameter(0)\ny = f32[3] parameter(1)\n"
      "ROOT r = (f32[3], f32[3]) all-to-all(x, y), replica_groups={{0,1}}");
  EXPECT_THAT(text, AllOf(HasSubstr("stablehlo.concatenate"), HasSubstr("split_count = 2 : i64"),
                          HasSubstr("tensor<2x3xf32>")));
}

TEST(HloConvert, ABitcastFollowsTheLayouts) {
  EXPECT_THAT(converted("x = f32[2,3]{1,0} parameter(0)\nROOT r = f32[6]{0} bitcast(x)"),
              AllOf(HasSubstr("stablehlo.reshape"), Not(HasSubstr("transpose"))));
  EXPECT_THAT(converted("x = f32[2,3]{0,1} parameter(0)\nROOT r = f32[3,2]{1,0} bitcast(x)"),
              AllOf(HasSubstr("stablehlo.transpose"), Not(HasSubstr("reshape"))));
  EXPECT_THAT(converted("x = f32[4] parameter(0)\nROOT r = s32[4] bitcast(x)"),
              HasSubstr("stablehlo.bitcast_convert"));
}

TEST(HloConvert, LiteralsInTheirLayouts) {
  EXPECT_THAT(converted("ROOT r = f32[2,2]{0,1} constant({ { 1, 2 }, { 3, nan } })"),
              HasSubstr("dense<[[1.0e+00, 2.0e+00], [3.0e+00, 0x7FC00000]]>"));
  EXPECT_THAT(converted("ROOT r = f32[] constant(-nan(0x200001))"), HasSubstr("0xFFA00001"));
  EXPECT_THAT(converted("ROOT r = (s4[2], pred[], c64[1]) constant(({-8, 7}, true, {(1, -2)}))"),
              AllOf(HasSubstr("dense<[-8, 7]> : tensor<2xi4>"), HasSubstr("dense<true>"),
                    HasSubstr("(1.0e+00,-2.0e+00)")));
}

TEST(HloConvert, ConditionalsOfPredicatesAndIndexes) {
  const std::string branches =
      "t { a = f32[] parameter(0)\n ROOT b = f32[] negate(a) }\n"
      "f { ROOT a = f32[] parameter(0) }\n";
  EXPECT_THAT(converted("p = pred[] parameter(0)\nx = f32[] parameter(1)\n"
                        "ROOT r = f32[] conditional(p, x, x), true_computation=t, "
                        "false_computation=f",
                        branches),
              HasSubstr("stablehlo.if"));
  EXPECT_THAT(converted("p = s32[] parameter(0)\nx = f32[] parameter(1)\n"
                        "ROOT r = f32[] conditional(p, x, x), branch_computations={t, f}",
                        branches),
              HasSubstr("stablehlo.case"));
}

TEST(HloConvert, GspmdShardingsStayOnAnUnpartitionedModule) {
  const std::string entry =
      "x = f32[8] parameter(0), sharding={devices=[4]<=[4] metadata={op_name=\"a\"}}\n"
      "ROOT r = f32[8] negate(x), sharding={replicated}";
  EXPECT_THAT(converted(entry), AllOf(HasSubstr("mhlo.sharding = \"{devices=[4]<=[4]}\""),
                                      HasSubstr("mhlo.num_partitions = 4"),
                                      HasSubstr("mhlo.sharding = \"{replicated}\"")));
  // The partitioner's result has the shapes of one chip; its shardings tell how they were cut.
  const auto module = parse(std::make_shared<const Source>(
      "x",
      "HloModule m, num_partitions=4\nENTRY main_spmd {\n"
      "x = f32[2] parameter(0), sharding={devices=[4]<=[4]}\nROOT r = f32[2] negate(x)\n}\n"));
  const std::string text = print(*module);
  EXPECT_THAT(
      text, AllOf(HasSubstr("mhlo.spmd_parameters_shardings"), Not(HasSubstr("mhlo.sharding ="))));
}

TEST(HloConvert, ReplicasOfModulesThatDoNotSay) {
  EXPECT_THAT(converted("x = f32[4] parameter(0)\ny = f32[2] parameter(1)\n"
                        "ROOT r = (f32[4], f32[2]) all-reduce(x, y), to_apply=add, "
                        "replica_groups={{0,1},{2,3}}",
                        kAdd),
              AllOf(HasSubstr("mhlo.num_replicas = 4"), Not(HasSubstr("num_partitions"))));
}

TEST(HloConvert, TokensAndTransfers) {
  EXPECT_THAT(
      converted("t = token[] after-all()\ni = (f32[2], token[]) infeed(t)\n"
                "x = f32[2] get-tuple-element(i), index=0\n"
                "u = token[] get-tuple-element(i), index=1\n"
                "o = token[] outfeed(x, u), outfeed_shape=f32[2]{0}\nROOT r = f32[2] copy(x)"),
      AllOf(HasSubstr("stablehlo.infeed"), HasSubstr("stablehlo.outfeed")));
}

TEST(HloConvert, DotAlgorithms) {
  EXPECT_THAT(converted("x = f32[2,2] parameter(0)\nROOT r = f32[2,2] dot(x, x), "
                        "lhs_contracting_dims={1}, rhs_contracting_dims={0}, "
                        "algorithm=dot_bf16_bf16_f32_x3"),
              AllOf(HasSubstr("num_primitive_operations = 3"), HasSubstr("bf16")));
}

// ---- refusals

std::string error_in(const std::string& entry, const std::string& before = "") {
  return outcome_of(module_of(entry, before));
}

TEST(HloRefuses, AllUnsupportedOpcodesAtOnceWithTheirPlaces) {
  const std::string text = error_in(
      "x = f32[2] parameter(0)\ny = f32[2] frobnicate(x)\nz = s1[2] convert(y)\n"
      "ROOT r = f32[2] rng-get-and-update-state(), delta=1");
  EXPECT_THAT(text, AllOf(HasSubstr("x.hlo:4:1: error: HLO opcode frobnicate is not supported"),
                          HasSubstr("element type s1 is not supported")));
}

TEST(HloRefuses, ConstantsThatTheDumpLeavesOut) {
  EXPECT_THAT(error_in("ROOT r = f32[100] constant({...})"),
              AllOf(HasSubstr("x.hlo:3:6"), HasSubstr("print_large_constants=True")));
}

TEST(HloRefuses, WrongPrograms) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"ROOT r = f32[2] negate(x)", "'x' is not defined before its use"},
      {"x = f32[2] parameter(0)\nx = f32[2] negate(x)", "defined twice"},
      {"ROOT r = f32[2] parameter(1)", "without gaps"},
      {"x = f32[2] parameter(0)\nROOT r = f32[3] negate(x)", "their shapes must agree"},
      {"x = f32[2] parameter(0)\nROOT r = f32[3] copy(x)", "r has the shape f32[3]"},
      {"x = f32[2] parameter(0)\nROOT r = f32[2] call(x), to_apply=no", "'no' is not defined"},
      {"ROOT r = f32[2] constant({1, 2, 3})", "has 3 elements"},
      {"ROOT r = q7[2] parameter(0)", "element type q7"},
      {"x = (f32[]) parameter(0)\nROOT r = f32[] get-tuple-element(x), index=1", "no element 1"},
      {"x = f32[4] parameter(0)\nROOT r = f32[4] all-gather(x), replica_groups=[2,3]<=[4]",
       "does not fit the number of groups"},
      {"x = f32[4] parameter(0)\nROOT r = f32[4] reverse(x), dimensions={0",
       "expected the name of an instruction"},
      {"x = f32[4] parameter(0)\nROOT r = f32[4] convolution(x, x), dim_labels=b0f", "labels"},
      {"x = f32[<=4] parameter(0)\nROOT r = f32[<=4] negate(x)", "bounded dynamic"},
  };
  for (const auto& [entry, words] : cases) EXPECT_THAT(error_in(entry), HasSubstr(words)) << entry;
}

TEST(HloRefuses, ADoneWithoutItsStart) {
  EXPECT_THAT(error_in("x = f32[4] parameter(0)\nROOT r = f32[4] all-reduce-done(x)"),
              Not(testing::IsEmpty()));
  EXPECT_THAT(error_in("x = f32[4] parameter(0)\ns = f32[4] all-reduce-start(x), to_apply=add\n"
                       "ROOT r = f32[4] negate(s)",
                       kAdd),
              HasSubstr("only its -done may use it"));
}

// Each level doubles what the one below stands for.
TEST(HloRefuses, FusionsThatGrowWithoutBound) {
  std::string before = "f0 { a = f32[] parameter(0)\n ROOT b = f32[] negate(a) }\n";
  for (int i = 1; i < 60; ++i)
    before += "f" + std::to_string(i) + " { a = f32[] parameter(0)\n b = f32[] fusion(a), calls=f" +
              std::to_string(i - 1) + "\n ROOT c = f32[] fusion(b), calls=f" +
              std::to_string(i - 1) + " }\n";
  EXPECT_THAT(error_in("x = f32[] parameter(0)\nROOT r = f32[] fusion(x), calls=f59", before),
              HasSubstr("more than"));
}

TEST(HloRefuses, DeepNesting) {
  std::string before = "f0 { ROOT a = f32[] parameter(0) }\n";
  for (int i = 1; i < 5000; ++i)
    before += "f" + std::to_string(i) +
              " { a = f32[] parameter(0)\n ROOT b = f32[] fusion(a), calls=f" +
              std::to_string(i - 1) + " }\n";
  EXPECT_THAT(error_in("x = f32[] parameter(0)\nROOT r = f32[] fusion(x), calls=f4999", before),
              HasSubstr("nested too deeply"));
  EXPECT_THAT(error_in("x = " + std::string(100000, '(') + " parameter(0)"),
              HasSubstr("nested too deeply"));
}

}  // namespace
}  // namespace understudy::program
