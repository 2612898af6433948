// SPDX-License-Identifier: Apache-2.0
#include "launcher/preflight/collective_parts.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "program/analysis/reassociate.h"
#include "program/compile.h"
#include "program/hlo/hlo.h"
#include "program/read.h"

namespace understudy::launcher {
namespace {

using program::hlo::Rows;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::shared_ptr<const program::Source> source_of(const std::string& text) {
  return std::make_shared<const program::Source>("test", text);
}

CollectiveSide ours(const std::string& body, const std::string& arguments = "%a: tensor<8xf32>",
                    const std::string& result = "tensor<8xf32>") {
  const auto module = program::read_verified(
      source_of(fmt::format("module attributes {{mhlo.num_partitions = 4 : i32}} {{\n"
                            "func.func @main({}) -> {} {{\n{}}}\n}}\n",
                            arguments, result, body)));
  return side_of(*module, program::compile(*module, {}));
}

std::string reduce(const std::string& result, const std::string& operand,
                   const std::string& groups = "[[0, 1, 2, 3]]",
                   const std::string& reducer = "add") {
  const std::string type = groups.find("],") == std::string::npos ? "1x4" : "2x2";
  return fmt::format(
      "{} = \"stablehlo.all_reduce\"({}) ({{\n^bb0(%x: tensor<f32>, %y: tensor<f32>):\n"
      "  %z = stablehlo.{} %x, %y : tensor<f32>\n  stablehlo.return %z : tensor<f32>\n}}) "
      "{{replica_groups = dense<{}> : tensor<{}xi64>, channel_handle = "
      "#stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids}} : "
      "(tensor<8xf32>) -> tensor<8xf32>\n",
      result, operand, reducer, groups, type);
}

constexpr const char* kReturn = "return %r : tensor<8xf32>\n";

TEST(CollectiveParts, SplitWhatWeCombineIntoItsArrays) {
  const CollectiveSide side =
      ours(reduce("%1", "%a") + "%n = stablehlo.negate %a : tensor<8xf32>\n" + reduce("%2", "%n") +
           "%m = stablehlo.multiply %2, %2 : tensor<8xf32>\n" +
           "%r = stablehlo.divide %1, %m : tensor<8xf32>\n" + kReturn);
  EXPECT_EQ(side.sums.at("all-reduce").count, 1);  // instruction
  EXPECT_EQ(side.sums.at("all-reduce").bytes, 64);
  ASSERT_EQ(side.parts.size(), 2);
  EXPECT_EQ(text_of(side.parts[0]), "f32[8] over {0,1,2,3}");
  EXPECT_THAT(side.superfluous, IsEmpty());
}

TEST(CollectiveParts, CountTheAllReducesThatASumMakesSuperfluous) {
  const std::string two = reduce("%1", "%a") + "%n = stablehlo.negate %a : tensor<8xf32>\n" +
                          reduce("%2", "%n") + "%r = stablehlo.add %1, %2 : tensor<8xf32>\n";
  EXPECT_EQ(ours(two + kReturn).superfluous.size(), 1);
  const std::string three = reduce("%1", "%a") + "%n = stablehlo.negate %a : tensor<8xf32>\n" +
                            reduce("%2", "%n") + "%s = stablehlo.add %1, %2 : tensor<8xf32>\n" +
                            "%e = stablehlo.abs %a : tensor<8xf32>\n" + reduce("%3", "%e") +
                            "%r = stablehlo.add %s, %3 : tensor<8xf32>\n";
  EXPECT_EQ(ours(three + kReturn).superfluous.size(), 2);
  // One result has another reader, so both have to be there.
  const std::string read = two + "%q = stablehlo.multiply %r, %1 : tensor<8xf32>\n";
  EXPECT_THAT(ours(read + "return %q : tensor<8xf32>\n").superfluous, IsEmpty());
}

TEST(CollectiveParts, KeepAllReducesWhoseSumIsNotThatOfTheirOperands) {
  const std::string middle = "%n = stablehlo.negate %a : tensor<8xf32>\n";
  const std::string add = "%r = stablehlo.add %1, %2 : tensor<8xf32>\n";
  const std::string other_groups =
      reduce("%1", "%a") + middle + reduce("%2", "%n", "[[0, 1], [2, 3]]") + add;
  EXPECT_THAT(ours(other_groups + kReturn).superfluous, IsEmpty());
  const std::string largest =
      reduce("%1", "%a") + middle + reduce("%2", "%n", "[[0, 1, 2, 3]]", "maximum") + add;
  EXPECT_THAT(ours(largest + kReturn).superfluous, IsEmpty());
}

std::string loop(const std::string& end, const std::string& body, const std::string& step = "1",
                 const std::string& counter = "i32") {
  return fmt::format(
      "%zero = stablehlo.constant dense<-2> : tensor<{3}>\n"
      "%one = stablehlo.constant dense<{2}> : tensor<{3}>\n"
      "%l:2 = stablehlo.while(%i = %zero, %v = %a) : tensor<{3}>, tensor<8xf32>\n"
      "cond {{\n  {0}\n"
      "  %c = stablehlo.compare LT, %i, %end : (tensor<{3}>, tensor<{3}>) -> tensor<i1>\n"
      "  stablehlo.return %c : tensor<i1>\n}} do {{\n  {1}"
      "  %j = stablehlo.add %i, %one : tensor<{3}>\n"
      "  stablehlo.return %j, %w : tensor<{3}>, tensor<8xf32>\n}}\n"
      "return %l#1 : tensor<8xf32>\n",
      end, body, step, counter);
}

TEST(CollectiveParts, KnowTheIterationsOfACountedLoop) {
  const CollectiveSide side =
      ours(loop("%end = stablehlo.constant dense<8> : tensor<i32>", reduce("%w", "%v"), "3"));
  ASSERT_EQ(side.parts.size(), 1);
  EXPECT_TRUE(side.parts[0].in_loop);
  EXPECT_EQ(side.parts[0].iterations, 4);  // -2, 1, 4, 7
}

TEST(CollectiveParts, DoNotCountMoreIterationsThanANumberHolds) {
  const std::string end = "%end = stablehlo.constant dense<9223372036854775807> : tensor<i64>";
  const CollectiveSide side = ours(loop(end, reduce("%w", "%v"), "1", "i64"));
  ASSERT_EQ(side.parts.size(), 1);
  EXPECT_FALSE(side.parts[0].iterations);  // from -2: 2^63 + 1
}

TEST(CollectiveParts, DoNotKnowTheIterationsOfALoopThatEndsByItsData) {
  const std::string end =
      "%f = stablehlo.slice %v [0:1] : (tensor<8xf32>) -> tensor<1xf32>\n"
      "%g = stablehlo.reshape %f : (tensor<1xf32>) -> tensor<f32>\n"
      "%end = stablehlo.convert %g : (tensor<f32>) -> tensor<i32>";
  const CollectiveSide side = ours(loop(end, reduce("%w", "%v")));
  ASSERT_EQ(side.parts.size(), 1);
  EXPECT_TRUE(side.parts[0].in_loop);
  EXPECT_FALSE(side.parts[0].iterations);
}

// Of a program with two replicas and two partitions.
std::vector<Rows> groups_in(const std::string& attributes) {
  const auto source = source_of(
      "HloModule m, is_scheduled=true, replica_count=2, num_partitions=2\n\n"
      "%add (x: f32[], y: f32[]) -> f32[] {\n  %x = f32[] parameter(0)\n"
      "  %y = f32[] parameter(1)\n  ROOT %s = f32[] add(%x, %y)\n}\n\n"
      "ENTRY %main (a: f32[8]) -> f32[8] {\n  %a = f32[8]{0} parameter(0)\n"
      "  ROOT %r = f32[8]{0} all-reduce(%a), to_apply=%add" +
      attributes + "\n}\n");
  const program::hlo::HloModule module = program::hlo::read_text(source);
  std::vector<Rows> all;
  for (const CollectivePart& one : side_of(program::hlo::schedule_of(module), {2, 2}).parts)
    all.push_back(one.groups);
  return all;
}

TEST(CollectiveParts, ReadTheGroupsOfHloInTheirMode) {
  EXPECT_THAT(groups_in(", replica_groups={{0,1}}"), ElementsAre(Rows{{0, 2}, {1, 3}}));
  EXPECT_THAT(groups_in(", replica_groups={}"), ElementsAre(Rows{{0, 2}, {1, 3}}));
  EXPECT_THAT(groups_in(", channel_id=1, replica_groups={{0},{1}}"),
              ElementsAre(Rows{{0, 1}, {2, 3}}));
  EXPECT_THAT(groups_in(", channel_id=1, replica_groups={{3,0},{1,2}}, use_global_device_ids=true"),
              ElementsAre(Rows{{0, 3}, {1, 2}}));
}

}  // namespace
}  // namespace understudy::launcher
