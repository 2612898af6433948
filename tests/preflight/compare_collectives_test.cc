// SPDX-License-Identifier: Apache-2.0
#include "launcher/preflight/compare_collectives.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "program/hlo/hlo.h"
#include "tests/preflight/collective_testing.h"

namespace understudy::launcher {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

using program::ElementType;

configs::PreflightComparison row_of(const CollectiveSide& ours, const CollectiveSide& compiler,
                                    const std::string& kind, const ComparisonFacts& facts = {}) {
  for (const auto& row : compare_collectives(ours, compiler, facts))
    if (row.kind == kind) return row;
  ADD_FAILURE() << "no row " << kind;
  return {};
}

TEST(CompareCollectives, FindsEqualOnesTheSame) {
  const CollectiveSide one = side(times(3, part("all-reduce", 8)));
  const auto row = row_of(one, one, "all-reduce");
  EXPECT_EQ(row.verdict, "same");
  EXPECT_EQ(row.why, "");
  EXPECT_EQ(row.our_bytes, 96);
  EXPECT_FALSE(row.partitioner);
}

TEST(CompareCollectives, ExplainsCombining) {
  const auto parts = times(12, part("all-reduce", 8));
  const auto row = row_of(side(parts), side(parts, {{"all-reduce", 2}}), "all-reduce");
  EXPECT_EQ(row.verdict, "explained");
  EXPECT_EQ(row.why, "12 operations are combined into 2");
}

TEST(CompareCollectives, ExplainsThatWeCombineMoreThanTheCompiler) {
  const auto parts = times(4, part("all-reduce", 8));
  const auto row =
      row_of(side(parts, {{"all-reduce", 1}}), side(parts, {{"all-reduce", 3}}), "all-reduce");
  EXPECT_EQ(row.why, "understudy combines 4 operations into 1, the compiler into 3");
}

// Combining would explain the smaller count, but the bytes of one operation are gone.
TEST(CompareCollectives, ShowsAMissingAllReduceAmongCombinedOnes) {
  const auto row =
      row_of(side({part("all-reduce", 8), part("all-reduce", 8), part("all-reduce", 5)}),
             side(times(2, part("all-reduce", 8)), {{"all-reduce", 1}}), "all-reduce");
  EXPECT_EQ(row.verdict, "differs");
  EXPECT_THAT(row.why, HasSubstr("only here: f32[5] over {0,1,2,3}"));
}

TEST(CompareCollectives, ShowsOtherSizesThatSumUpToTheSameBytes) {
  const auto row = row_of(side({part("all-reduce", 8), part("all-reduce", 4)}),
                          side({part("all-reduce", 6), part("all-reduce", 6)}), "all-reduce");
  EXPECT_EQ(row.our_bytes, row.compiler_bytes);
  EXPECT_EQ(row.verdict, "differs");
  EXPECT_THAT(row.why, AllOf(HasSubstr("only here: f32[4]"), HasSubstr("2 x f32[6]")));
}

TEST(CompareCollectives, ShowsTwiceTheElements) {
  const auto row =
      row_of(side({part("all-reduce", 64)}), side({part("all-reduce", 128)}), "all-reduce");
  EXPECT_EQ(row.verdict, "differs");
}

TEST(CompareCollectives, ShowsOtherGroupsOfTheSameSizes) {
  const auto row = row_of(side({part("all-reduce", 64, kPairs)}),
                          side({part("all-reduce", 64, {{0, 2}, {1, 3}})}), "all-reduce");
  EXPECT_EQ(row.our_bytes, row.compiler_bytes);
  EXPECT_EQ(row.verdict, "differs");
  EXPECT_THAT(row.why, AllOf(HasSubstr("{0,1},{2,3}"), HasSubstr("{0,2},{1,3}")));
}

TEST(CompareCollectives, ShowsARingThatTurnsTheOtherWay) {
  const auto row = row_of(side({part("collective-permute", 64, kRing)}),
                          side({part("collective-permute", 64, {{0, 3}, {1, 0}, {2, 1}, {3, 2}})}),
                          "collective-permute");
  EXPECT_EQ(row.verdict, "differs");
}

TEST(CompareCollectives, ShowsACollectiveThatLeftItsLoop) {
  const auto row = row_of(side({in_loop(part("all-reduce", 64), 10)}),
                          side({part("all-reduce", 64)}), "all-reduce");
  EXPECT_EQ(row.verdict, "differs");
  EXPECT_THAT(row.why, HasSubstr("only here: f32[64] over {0,1,2,3} in a loop"));
}

TEST(CompareCollectives, SaysWhatIsAsynchronous) {
  const auto parts = times(3, part("collective-permute", 8, kRing));
  CollectiveSide compiler = side(parts);
  compiler.sums["collective-permute"].asynchronous = 2;
  const auto row = row_of(side(parts), compiler, "collective-permute");
  EXPECT_EQ(row.verdict, "same");
  EXPECT_EQ(row.why, "2 of 3 asynchronous");
}

TEST(CompareCollectives, ShowsADifferenceThatItCannotExplain) {
  const auto row =
      row_of(side({}), side({part("all-to-all", 32), part("all-to-all", 32)}), "all-to-all");
  EXPECT_EQ(row.verdict, "differs");
  EXPECT_EQ(row.why, "only by the compiler: 2 x f32[32] over {0,1,2,3}");
}

// The freedom of a partitioner is no reason: a difference stays one.
TEST(CompareCollectives, PutsThePartitionerBesideTheCompiler) {
  const std::map<std::string, std::int64_t> made = {{"all-reduce", 5}};
  const CollectiveSide ours = side({part("all-reduce", 16)});
  const auto row = row_of(ours, side(times(2, part("all-reduce", 32))), "all-reduce", {&made, 0});
  EXPECT_EQ(row.partitioner, 5);
  EXPECT_EQ(row.verdict, "differs");
  EXPECT_THAT(row.why, HasSubstr("partitions the program itself"));
  EXPECT_EQ(row_of(ours, ours, "all-reduce", {&made, 0}).verdict, "same");
}

TEST(CollectivesIn, GroupsEqualRowsAndKeepsTheAlgorithm) {
  const auto source =
      program::Source::read(UNDERSTUDY_SOURCE_DIR "/tests/program/hlo/scheduled/step_v6e.hlo.txt");
  const program::hlo::HloModule module = program::hlo::read_text(source);
  const program::hlo::Schedule schedule = program::hlo::schedule_of(module);
  const auto all = collectives_in(schedule);
  ASSERT_FALSE(all.empty());
  EXPECT_EQ(all[0].kind, "all-reduce");
  EXPECT_EQ(all[0].groups, "{{0,1},{2,3},{4,5},{6,7}}");
  EXPECT_EQ(all[0].algorithm, "RotatedPincerShortEmitter, StrategyRing");
  EXPECT_EQ(all[0].place, "train.py:11");
  const CollectiveSide side = side_of(schedule, {1, 8});
  std::int64_t count = 0;
  std::uint64_t bytes = 0;
  for (const auto& one : all) count += one.count;
  for (const auto& one : side.parts)
    bytes += static_cast<std::uint64_t>(one.elements * program::byte_size(one.element));
  EXPECT_EQ(side.sums.at("all-reduce").count, count);
  EXPECT_EQ(side.sums.at("all-reduce").bytes, bytes);
}

}  // namespace
}  // namespace understudy::launcher
