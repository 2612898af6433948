// SPDX-License-Identifier: Apache-2.0
#include "launcher/preflight/compare_collectives.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "program/hlo/hlo.h"

namespace understudy::launcher {
namespace {

using ::testing::HasSubstr;

CollectiveSum sum(std::int64_t count, std::uint64_t bytes) {
  CollectiveSum one;
  one.count = one.operations = count;
  one.bytes = bytes;
  return one;
}

configs::PreflightComparison row_of(const CollectiveSums& ours, const CollectiveSums& compiler,
                                    const std::string& kind,
                                    const std::map<std::string, std::int64_t>* made = nullptr) {
  for (const auto& row : compare_collectives(ours, compiler, made))
    if (row.kind == kind) return row;
  ADD_FAILURE() << "no row " << kind;
  return {};
}

TEST(CompareCollectives, FindsEqualOnesTheSame) {
  const auto row = row_of({{"all-reduce", sum(3, 96)}}, {{"all-reduce", sum(3, 96)}}, "all-reduce");
  EXPECT_EQ(row.verdict, "same");
  EXPECT_EQ(row.why, "");
  EXPECT_FALSE(row.partitioner);
}

TEST(CompareCollectives, ExplainsCombining) {
  const auto row =
      row_of({{"all-reduce", sum(12, 4096)}}, {{"all-reduce", sum(2, 4096)}}, "all-reduce");
  EXPECT_EQ(row.verdict, "explained");
  EXPECT_EQ(row.why, "12 operations are combined into 2");
}

TEST(CompareCollectives, ExplainsThatWeCombineMoreThanTheCompiler) {
  CollectiveSum ours = sum(1, 4096);
  ours.operations = 4;
  const auto row = row_of({{"all-reduce", ours}}, {{"all-reduce", sum(3, 4096)}}, "all-reduce");
  EXPECT_EQ(row.why, "understudy combines 4 operations into 1, the compiler into 3");
}

TEST(CompareCollectives, ExplainsADecomposedReduction) {
  const CollectiveSums ours = {{"all-reduce", sum(1, 64)}};
  const CollectiveSums compiler = {{"reduce-scatter", sum(1, 64)}, {"all-gather", sum(1, 16)}};
  for (const char* kind : {"all-reduce", "reduce-scatter", "all-gather"}) {
    const auto row = row_of(ours, compiler, kind);
    EXPECT_EQ(row.verdict, "explained") << kind;
    EXPECT_THAT(row.why, HasSubstr("decomposed into a reduce-scatter and an all-gather"));
  }
}

// Seen on v5p: two reduce-scatters and one small all-reduce become one all-reduce.
TEST(CompareCollectives, ExplainsReduceScattersThatBecomePartOfAnAllReduce) {
  const CollectiveSums ours = {{"all-reduce", sum(1, 4)}, {"reduce-scatter", sum(2, 49152)}};
  const CollectiveSums compiler = {{"all-reduce", sum(1, 49156)}};
  for (const char* kind : {"all-reduce", "reduce-scatter"})
    EXPECT_THAT(row_of(ours, compiler, kind).why, HasSubstr("of which each chip keeps its part"));
}

TEST(CompareCollectives, ShowsRemovedOperationsAsADifference) {
  const auto row = row_of({{"all-reduce", sum(3, 96)}}, {{"all-reduce", sum(1, 32)}}, "all-reduce");
  EXPECT_EQ(row.verdict, "differs");
}

TEST(CompareCollectives, ExplainsAWiderElementType) {
  const auto row =
      row_of({{"all-reduce", sum(2, 128)}}, {{"all-reduce", sum(2, 256)}}, "all-reduce");
  EXPECT_THAT(row.why, HasSubstr("twice"));
}

TEST(CompareCollectives, SaysWhatIsAsynchronous) {
  CollectiveSum compiler = sum(3, 96);
  compiler.asynchronous = 2;
  const auto row = row_of({{"collective-permute", sum(3, 96)}}, {{"collective-permute", compiler}},
                          "collective-permute");
  EXPECT_EQ(row.verdict, "same");
  EXPECT_EQ(row.why, "2 of 3 asynchronous");
}

TEST(CompareCollectives, ShowsADifferenceThatItCannotExplain) {
  const auto row = row_of({}, {{"all-to-all", sum(2, 256)}}, "all-to-all");
  EXPECT_EQ(row.verdict, "differs");
  EXPECT_EQ(row.why, "");
}

TEST(CompareCollectives, PutsThePartitionerBesideTheCompiler) {
  const std::map<std::string, std::int64_t> made = {{"all-reduce", 5}};
  const auto row =
      row_of({{"all-reduce", sum(1, 64)}}, {{"all-reduce", sum(2, 256)}}, "all-reduce", &made);
  EXPECT_EQ(row.partitioner, 5);
  EXPECT_EQ(row.verdict, "explained");
  EXPECT_THAT(row.why, HasSubstr("partitions the program itself"));
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
  const CollectiveSums sums = sums_of(schedule);
  std::int64_t count = 0;
  for (const auto& one : all) count += one.count;
  EXPECT_EQ(sums.at("all-reduce").count, count);
}

}  // namespace
}  // namespace understudy::launcher
