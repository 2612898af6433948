// SPDX-License-Identifier: Apache-2.0
// Alignment, and differences of programs: what counts, and that one change is one report.
#include "program/compare/compare.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <random>

#include "program/compare/align.h"

namespace understudy::program::compare {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using Kind = OperationDifference::Kind;

std::size_t longest_common(const std::vector<std::uint64_t>& a,
                           const std::vector<std::uint64_t>& b) {
  std::vector<std::size_t> row(b.size() + 1, 0);
  for (const std::uint64_t x : a) {
    std::size_t diagonal = 0;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t above = row[j];
      row[j] = x == b[j - 1] ? diagonal + 1 : std::max(row[j], row[j - 1]);
      diagonal = above;
    }
  }
  return row.back();
}

TEST(Align, FindsALongestCommonSubsequence) {
  std::mt19937 random(5);
  for (int round = 0; round < 300; ++round) {
    std::vector<std::uint64_t> a(random() % 30), b(random() % 30);
    for (auto& x : a) x = random() % 4;
    for (auto& x : b) x = random() % 4;
    const Pairs pairs = align(a, b);
    EXPECT_EQ(pairs.size(), longest_common(a, b));
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      EXPECT_EQ(a.at(pairs[i].first), b.at(pairs[i].second));
      if (i == 0) continue;
      EXPECT_LT(pairs[i - 1].first, pairs[i].first);
      EXPECT_LT(pairs[i - 1].second, pairs[i].second);
    }
  }
}

TEST(Align, LongSequencesWithNothingInCommonEndSoon) {
  std::vector<std::uint64_t> a(200000), b(200000);
  for (std::size_t i = 0; i < a.size(); ++i) {
    a[i] = 2 * i;
    b[i] = i % 1000 == 0 ? 2 * i : 2 * i + 1;  // one in a thousand is the same
  }
  EXPECT_EQ(align(a, b).size(), 200u);
}

Listing hlo(const std::string& entry) {
  const std::string add =
      "add { a = f32[] parameter(0)\n b = f32[] parameter(1)\n ROOT c = f32[] add(a, b) }\n";
  return listing_of(std::make_shared<const Source>(
                        "x.hlo", "HloModule m\n" + add + "ENTRY main {\n" + entry + "\n}\n"),
                    Form::hlo);
}

Differences between(const std::string& a, const std::string& b) {
  return differences_of(hlo(a), hlo(b));
}

std::string chain(int length, int extra_at = -1) {
  std::string out = "x0 = f32[8] parameter(0)\n";
  int at = 0;
  for (int i = 0; i < length; ++i) {
    if (i == extra_at) {
      out += fmt::format("x{} = f32[8] cosine(x{})\n", at + 1, at);
      ++at;
    }
    out += fmt::format("x{} = f32[8] {}(x{})\n", at + 1, i % 2 == 0 ? "negate" : "tanh", at);
    ++at;
  }
  return out;
}

TEST(Differences, NamesAndMetadataDoNotCount) {
  const Differences found = between(
      "x = f32[8] parameter(0)\nROOT r = f32[8] negate(x)",
      "other = f32[8] parameter(0)\nROOT q.7 = f32[8] negate(other), metadata={op_name=\"n\" "
      "source_file=\"f.py\" source_line=3}, statistics={visualizing_index=0,stat=1}");
  EXPECT_TRUE(found.none());
}

TEST(Differences, AnInsertedOperationIsOneReport) {
  const Differences found = between(chain(1000), chain(1000, 500));
  ASSERT_EQ(found.operations.size(), 1u);
  EXPECT_EQ(found.operations[0].kind, Kind::only_in_b);
}

TEST(Differences, AChangedAttributeIsNamedAtItsOperation) {
  const std::string dot =
      "x = f32[4,4] parameter(0)\ny = f32[4,4] negate(x)\nROOT r = f32[4,4] dot(x, y), "
      "lhs_contracting_dims={{{}}}, rhs_contracting_dims={{0}}";
  const Differences found =
      between(fmt::format(fmt::runtime(dot), 1), fmt::format(fmt::runtime(dot), 0));
  ASSERT_EQ(found.operations.size(), 1u);
  EXPECT_EQ(found.operations[0].what, "attributes");
}

TEST(Differences, OperandsThatAreSwappedAreFound) {
  const Differences found =
      between("x = f32[8] parameter(0)\ny = f32[8] negate(x)\nROOT r = f32[8] subtract(x, y)",
              "x = f32[8] parameter(0)\ny = f32[8] negate(x)\nROOT r = f32[8] subtract(y, x)");
  ASSERT_EQ(found.operations.size(), 1u);
  EXPECT_EQ(found.operations[0].what, "operand 0");
}

TEST(Differences, AnotherBatchSizeIsAFactAndTypes) {
  const Differences found = between("x = f32[8] parameter(0)\nROOT r = f32[8] negate(x)",
                                    "x = f32[16] parameter(0)\nROOT r = f32[16] negate(x)");
  ASSERT_FALSE(found.facts.empty());
  EXPECT_EQ(found.facts[0].name, "argument 0");
  EXPECT_EQ(found.facts[0].b, "f32[16]");
  for (const OperationDifference& each : found.operations) EXPECT_TRUE(each.only_types);
}

std::string two_reductions(const std::string& first, const std::string& second) {
  return "x = f32[8] parameter(0)\ny = f32[4] parameter(1)\n" + first + second +
         "ROOT t = (f32[8], f32[4]) tuple(a, b)";
}
const std::string kLarge = "a = f32[8] all-reduce(x), to_apply=add, replica_groups={{0,1}}\n";
const std::string kSmall = "b = f32[4] all-reduce(y), to_apply=add, replica_groups={{0},{1}}\n";

TEST(Collectives, AnotherOrderIsNamed) {
  const Differences found = between(two_reductions(kLarge, kSmall), two_reductions(kSmall, kLarge));
  ASSERT_EQ(found.collectives.size(), 1u);
  EXPECT_EQ(found.collectives[0].kind, CollectiveDifference::Kind::moved);
}

TEST(Collectives, OtherGroupsAndChannelsAreNamed) {
  const std::string other =
      "a = f32[8] all-reduce(x), to_apply=add, channel_id=3, replica_groups={{0},{1}}\n";
  const Differences found = between(two_reductions(kLarge, kSmall), two_reductions(other, kSmall));
  ASSERT_EQ(found.collectives.size(), 1u);
  EXPECT_THAT(found.collectives[0].what,
              HasSubstr("replica groups {{0,1}} in A, {{0},{1}} in B; channel none in A, 3 in B"));
}

TEST(Collectives, OneThatIsMissingIsNamed) {
  const Differences found =
      between(two_reductions(kLarge, kSmall), two_reductions(kLarge, "b = f32[4] negate(y)\n"));
  ASSERT_EQ(found.collectives.size(), 1u);
  EXPECT_EQ(found.collectives[0].kind, CollectiveDifference::Kind::only_in_a);
}

Listing stablehlo(const std::string& body) {
  return listing_of(std::make_shared<const Source>("x.mlir", body), Form::stablehlo);
}

TEST(Differences, OfStableHloIgnoreNamesOfValuesAndFunctions) {
  const char* one =
      "func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {\n%0 = call @f(%a) : (tensor<4xf32>) "
      "-> "
      "tensor<4xf32>\nreturn %0 : tensor<4xf32>\n}\nfunc.func private @f(%b: tensor<4xf32>) -> "
      "tensor<4xf32> {\n%1 = stablehlo.negate %b : tensor<4xf32>\nreturn %1 : tensor<4xf32>\n}\n";
  const char* other =
      "func.func private @g(%z: tensor<4xf32>) -> tensor<4xf32> {\n%9 = stablehlo.negate %z : "
      "tensor<4xf32>\nreturn %9 : tensor<4xf32>\n}\nfunc.func @main(%y: tensor<4xf32>) -> "
      "tensor<4xf32> {\n%8 = call @g(%y) : (tensor<4xf32>) -> tensor<4xf32>\nreturn %8 : "
      "tensor<4xf32>\n}\n";
  EXPECT_TRUE(differences_of(stablehlo(one), stablehlo(other)).none());
  EXPECT_EQ(stablehlo(one).digest(), stablehlo(other).digest());
}

}  // namespace
}  // namespace understudy::program::compare
