// SPDX-License-Identifier: Apache-2.0
// Each rule beside a difference that looks like what the rule explains, and is none.
#include "launcher/preflight/match_collectives.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/preflight/collective_testing.h"

namespace understudy::launcher {
namespace {

using program::ElementType;
using ::testing::HasSubstr;

// Everything is accounted for, for a reason with these words.
void expect_explained(const CollectiveSide& ours, const CollectiveSide& compiler,
                      const std::string& words, std::int64_t chips_per_slice = 0) {
  const MatchedCollectives matched = match_collectives(ours, compiler, chips_per_slice);
  for (const auto* left : {&matched.ours, &matched.compiler})
    for (const CollectivePart& one : *left) ADD_FAILURE() << one.kind << " " << text_of(one);
  std::string all;
  for (const auto& [kind, reasons] : matched.reasons)
    for (const std::string& reason : reasons) all += kind + ": " + reason + "\n";
  EXPECT_THAT(all, HasSubstr(words));
}

void expect_left(const CollectiveSide& ours, const CollectiveSide& compiler,
                 std::int64_t chips_per_slice = 0) {
  const MatchedCollectives matched = match_collectives(ours, compiler, chips_per_slice);
  EXPECT_FALSE(matched.ours.empty() && matched.compiler.empty());
}

TEST(MatchCollectives, AReduceScatterMayBePartOfAnAllReduceOverItsGroups) {
  const CollectiveSide ours = side({part("reduce-scatter", 64), part("all-reduce", 1)});
  const CollectiveSide compiler =
      side({part("all-reduce", 64), part("all-reduce", 1)}, {{"all-reduce", 1}});
  expect_explained(ours, compiler, "of which each chip keeps its part");
  expect_left(ours, side({part("all-reduce", 32), part("all-reduce", 1)}));
  expect_left(ours, side({part("all-reduce", 64, kPairs), part("all-reduce", 1)}));
  expect_left(ours, side({part("all-reduce", 64)}));
}

// As on v6e: 12 rows of 64 for each of 8 chips become 16 rows, which then move.
TEST(MatchCollectives, PaddedPartsAccountForPermutationsOfRows) {
  const program::hlo::Rows eight = {{0, 1, 2, 3, 4, 5, 6, 7}};
  CollectivePart whole = part("reduce-scatter", 96 * 64, eight);
  whole.dimensions = {96, 64};
  const CollectiveSide ours = side({whole});
  CollectivePart padded = part("all-reduce", 128 * 64, eight);
  padded.dimensions = {128, 64};
  padded.keeps_part = true;
  const auto moves = [](std::int64_t elements) {
    return part("collective-permute", elements, {{0, 1}, {1, 2}});
  };
  expect_explained(ours, side({padded, moves(768), moves(1024)}), "padded to whole tiles");
  expect_left(ours, side({padded, moves(2048)}));  // more than a chip's part
  expect_left(ours, side({padded, part("collective-permute", 768, {{0, 8}})}));
  std::vector<CollectivePart> many = times(9, moves(768));
  many.push_back(padded);
  expect_left(ours, side(many));
  CollectivePart twice = padded;
  twice.elements = 256 * 64;
  twice.dimensions = {256, 64};
  expect_left(ours, side({twice}));
  padded.keeps_part = false;  // an all-reduce of which all chips keep all
  expect_left(ours, side({padded}));
}

TEST(MatchCollectives, AnAllReduceMayBeAReduceScatterAndAnAllGather) {
  const CollectiveSide ours = side({part("all-reduce", 64)});
  expect_explained(ours, side({part("reduce-scatter", 64), part("all-gather", 16)}),
                   "decomposed into a reduce-scatter and an all-gather");
  expect_left(ours, side({part("reduce-scatter", 64)}));
  expect_left(ours, side({part("reduce-scatter", 64), part("all-gather", 64)}));
  expect_left(ours, side({part("reduce-scatter", 64), part("all-gather", 16, kPairs)}));
}

TEST(MatchCollectives, AnAllGatherMayBeAnAllReduceOfItsResult) {
  expect_explained(side({part("all-gather", 16)}), side({part("all-reduce", 64)}),
                   "padded with zeros");
  expect_left(side({part("all-gather", 16)}), side({part("all-reduce", 16)}));
}

TEST(MatchCollectives, PermutationsReachEveryOtherMember) {
  const auto permutes = [](std::int64_t count, std::int64_t elements) {
    return side(times(count, part("collective-permute", elements, kRing)));
  };
  expect_explained(side({part("all-to-all", 64)}), permutes(3, 16), "decomposed into permutations");
  expect_explained(side({part("all-gather", 64)}), permutes(3, 64), "decomposed into permutations");
  expect_left(side({part("all-to-all", 64)}), permutes(2, 16));
  expect_left(side({part("all-to-all", 64)}), permutes(4, 16));
  expect_left(side({part("all-to-all", 64)}), permutes(3, 64));
  expect_left(side({part("all-to-all", 64, kPairs)}), permutes(1, 32));  // leaves the pairs
}

TEST(MatchCollectives, AnAllToAllMayHaveAnArrayForEachMember) {
  expect_explained(side({part("all-to-all", 64)}), side(times(4, part("all-to-all", 16))),
                   "one array for each member");
  expect_left(side({part("all-to-all", 64)}), side(times(3, part("all-to-all", 16))));
}

TEST(MatchCollectives, ABroadcastMayBeAnAllReduce) {
  expect_explained(side({part("collective-broadcast", 8)}), side({part("all-reduce", 8)}), "zeros");
  expect_left(side({part("collective-broadcast", 8)}), side({part("all-reduce", 32)}));
}

TEST(MatchCollectives, ReductionsAreDoneInAWiderTypeOnly) {
  const auto narrow = side({part("all-reduce", 64, kAll, ElementType::bf16)});
  const auto wide = side({part("all-reduce", 64)});
  expect_explained(narrow, wide, "in f32 instead of bf16");
  expect_left(wide, narrow);
  expect_left(narrow, side({part("all-reduce", 32)}));  // the same bytes
  expect_left(narrow, side({part("all-reduce", 64, kAll, ElementType::i32)}));
  expect_explained(side({part("all-gather", 64)}),
                   side({part("all-gather", 64, kAll, ElementType::bf16)}), "in bf16");
}

TEST(MatchCollectives, GroupsOfOneChipMoveNothing) {
  const program::hlo::Rows lonely = {{0}, {1}, {2}, {3}};
  expect_explained(side({part("all-reduce", 64, lonely)}), side({}), "groups of one chip");
  expect_left(side({part("all-reduce", 64, kPairs)}), side({}));
}

TEST(MatchCollectives, AnUnrolledLoopHasEveryIteration) {
  const CollectiveSide ours = side({in_loop(part("all-reduce", 64), 5)});
  expect_explained(ours, side(times(5, part("all-reduce", 64))), "unrolled 5 times");
  expect_left(ours, side(times(4, part("all-reduce", 64))));
  expect_left(ours, side(times(6, part("all-reduce", 64))));
  // Twice as often in the loop: nothing says that the loop is half as long.
  expect_left(ours, side(times(2, in_loop(part("all-reduce", 64), std::nullopt))));
  expect_left(side({in_loop(part("all-reduce", 64), std::nullopt)}),
              side(times(5, part("all-reduce", 64))));
}

TEST(MatchCollectives, OnlyAddedAllReducesMayBeSaved) {
  CollectiveSide ours = side(times(3, part("all-reduce", 64)));
  const CollectiveSide compiler = side(times(2, part("all-reduce", 64)));
  expect_left(ours, compiler);
  ours.superfluous = {part("all-reduce", 64)};
  expect_explained(ours, compiler, "1 all-reduce is saved");
  expect_left(ours, side({part("all-reduce", 64)}));
}

TEST(MatchCollectives, BetweenSlicesThereAreNoCollectives) {
  const program::hlo::Rows eight = {{0, 1, 2, 3, 4, 5, 6, 7}};
  const auto ours = [&](const char* kind, std::int64_t elements) {
    return side({part(kind, elements, eight)});
  };
  const char* const why = "communication between slices";
  expect_explained(ours("all-reduce", 64), side({part("all-reduce", 64)}), why, 4);
  expect_explained(ours("all-reduce", 64),
                   side({part("reduce-scatter", 64), part("all-gather", 16)}), why, 4);
  expect_explained(ours("reduce-scatter", 64), side({part("all-reduce", 64)}), why, 4);
  expect_explained(ours("all-gather", 64), side({part("all-gather", 128)}), why, 4);
  // Two small ones are joined into one array of whole rows.
  expect_explained(side({part("all-reduce", 128, eight), part("all-reduce", 1, eight)}),
                   side({part("all-reduce", 256)}), why, 4);
  const program::hlo::Rows across = {{0, 4}, {1, 5}, {2, 6}, {3, 7}};
  expect_explained(side({part("all-reduce", 64, across)}), side({}), why, 4);
  expect_explained(side({part("collective-permute", 64, across)}), side({}), why, 4);
  expect_left(ours("all-reduce", 64), side({}), 4);
  expect_left(ours("all-reduce", 64), side({part("all-reduce", 32)}), 4);
  expect_left(ours("all-reduce", 64), side({part("all-reduce", 64, kPairs)}), 4);
  expect_left(ours("all-gather", 64), side({part("all-gather", 64)}), 4);
  expect_left(ours("all-to-all", 64), side({}), 4);
  expect_left(ours("all-reduce", 64), side({part("all-reduce", 64)}));  // one slice of eight
}

TEST(MatchCollectives, GroupsInsideSlicesAreThoseOfTheFirstOne) {
  const program::hlo::Rows of_both = {{0, 1}, {2, 3}, {4, 5}, {6, 7}};
  const CollectiveSide ours = side({part("all-reduce", 64, of_both)});
  const auto matched = match_collectives(ours, side({part("all-reduce", 64, kPairs)}), 4);
  EXPECT_TRUE(matched.ours.empty() && matched.compiler.empty() && matched.reasons.empty());
}

}  // namespace
}  // namespace understudy::launcher
