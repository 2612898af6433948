// SPDX-License-Identifier: Apache-2.0
#include "bench/paired.h"

#include <vector>

#include "gtest/gtest.h"

namespace understudy::bench {
namespace {

TEST(Median, IsTheMiddleOrTheMeanOfTheTwoMiddleValues) {
  EXPECT_EQ(median_of({3.0, 1.0, 2.0}), 2.0);
  EXPECT_EQ(median_of({4.0, 1.0, 2.0, 3.0}), 2.5);
}

TEST(Ratio, IsAboveOneWhereOursIsFaster) {
  const std::vector<Pair> pairs(20, Pair{1.0, 3.0});
  const Ratio ratio = ratio_of(pairs);
  EXPECT_EQ(ratio.median, 3.0);
  EXPECT_EQ(ratio.low, 3.0);
  EXPECT_EQ(ratio.high, 3.0);
  EXPECT_EQ(ratio.pairs, 20);
}

TEST(Ratio, IntervalHoldsTheMedianAndIsTheSameForTheSamePairs) {
  std::vector<Pair> pairs;
  for (int i = 0; i < 25; ++i) pairs.push_back({1.0, 1.0 + 0.01 * ((i * 7) % 25)});
  const Ratio first = ratio_of(pairs), second = ratio_of(pairs);
  EXPECT_LT(first.low, first.median);
  EXPECT_GT(first.high, first.median);
  EXPECT_EQ(first.low, second.low);
  EXPECT_EQ(first.high, second.high);
}

TEST(Ratio, OneWildPairMovesNeitherMedianNorInterval) {
  std::vector<Pair> pairs(40, Pair{1.0, 2.0});
  pairs[7].rival_seconds = 1000.0;
  const Ratio ratio = ratio_of(pairs);
  EXPECT_EQ(ratio.median, 2.0);
  EXPECT_EQ(ratio.high, 2.0);
}

}  // namespace
}  // namespace understudy::bench
