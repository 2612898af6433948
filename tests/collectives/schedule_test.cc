// SPDX-License-Identifier: Apache-2.0
// Every recipe, run on strings: what each member ends with, and in which order reductions fold.
#include "collectives/schedule.h"

#include <algorithm>
#include <bit>
#include <numeric>
#include <set>

#include "gmock/gmock.h"

#include "collectives/algorithms/grid.h"
#include "collectives/algorithms/recipes.h"
#include "collectives/algorithms/schedules.h"
#include "tests/collectives/slices.h"
#include "tests/collectives/symbolic_run.h"

namespace understudy::collectives {

void PrintTo(const Recipe& recipe, std::ostream* out) {
  *out << recipe.algorithm << " " << name_of(recipe.kind);
}

namespace {

constexpr Kind kAllKinds[] = {Kind::all_reduce, Kind::all_gather, Kind::reduce_scatter,
                              Kind::all_to_all, Kind::broadcast};
constexpr std::size_t kMembers[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 16};

class Recipes : public testing::TestWithParam<Recipe> {};

// What member `self` must end with, at item i. Of reductions: who is in it, in any order.
std::string expected(const Task& task, std::size_t self, std::size_t i) {
  switch (task.kind) {
    case Kind::all_gather:
      return fmt::format("{}.{}", i / task.items, i % task.items);
    case Kind::all_to_all:
      return fmt::format("{}.{}", i / task.block(), self * task.block() + i % task.block());
    case Kind::broadcast:
      return fmt::format("{}.{}", task.root, i);
    default:
      return "";
  }
}

void check_result(const SymbolicRun& run, const Task& task, std::size_t self) {
  const auto& result = run.result(self);
  for (std::size_t i = 0; i < result.size(); ++i) {
    if (!reduces(task.kind)) {
      ASSERT_EQ(result[i], expected(task, self, i)) << "member " << self << ", item " << i;
      continue;
    }
    auto leaves = leaves_of(result[i]);
    std::sort(leaves.begin(), leaves.end());
    std::vector<std::size_t> all(task.members);
    std::iota(all.begin(), all.end(), 0U);
    ASSERT_EQ(leaves, all) << "member " << self << ", item " << i << ": " << result[i];
    if (task.kind == Kind::all_reduce) {
      ASSERT_EQ(result[i], run.result(0)[i]) << "members differ in item " << i;
    }
  }
}

void check(const Recipe& recipe, const Task& task) {
  for (const bool shared : {false, true}) {
    if (shared && recipe.kind != Kind::all_reduce) continue;
    const SymbolicRun run(recipe.make, task, shared);
    for (std::size_t self = 0; self < task.members; ++self) check_result(run, task, self);
    if (testing::Test::HasFatalFailure()) return;
  }
}

std::vector<std::size_t> operand_sizes(Kind kind, std::size_t n) {
  if (kind == Kind::reduce_scatter || kind == Kind::all_to_all) return {0, n, 2 * n, 7 * n};
  return {0, 1, 2, n, n + 1, 4 * n - 1, 13};
}

TEST_P(Recipes, GiveEveryMemberItsResult) {
  for (const std::size_t n : kMembers) {
    for (const std::size_t items : operand_sizes(GetParam().kind, n)) {
      const std::size_t roots = GetParam().kind == Kind::broadcast ? n : 1;
      for (std::size_t root = 0; root < roots; ++root) {
        check(GetParam(), {.kind = GetParam().kind, .members = n, .items = items, .root = root});
        ASSERT_FALSE(HasFailure()) << n << " members, " << items << " items, root " << root;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, Recipes, testing::ValuesIn(recipes().begin(), recipes().end()),
                         [](const auto& made) {
                           std::string name =
                               fmt::format("{}_{}", made.param.algorithm, name_of(made.param.kind));
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

// The tree of one item of an all_reduce.
std::string tree_of(std::string_view algorithm, std::size_t n, std::size_t items,
                    std::size_t item) {
  const Task task{.kind = Kind::all_reduce, .members = n, .items = items};
  return SymbolicRun(recipe_of(algorithm, Kind::all_reduce).make, task, false).result(0)[item];
}

TEST(FoldOrder, ARingStartsAfterTheOwnerAndEndsThere) {
  EXPECT_EQ(tree_of("ring", 4, 4, 0), "(((1 2) 3) 0)");
  EXPECT_EQ(tree_of("ring", 4, 4, 1), "(((2 3) 0) 1)");
  EXPECT_EQ(tree_of("ring", 4, 4, 3), "(((0 1) 2) 3)");
  EXPECT_EQ(tree_of("ring", 3, 5, 1), "((1 2) 0)");
}

TEST(FoldOrder, TheSecondHalvesOfABidirectionalRingGoLeft) {
  EXPECT_EQ(tree_of("ring-bidirectional", 4, 8, 0), "(((1 2) 3) 0)");
  EXPECT_EQ(tree_of("ring-bidirectional", 4, 8, 1), "(0 (1 (2 3)))");
  EXPECT_EQ(tree_of("ring-bidirectional", 4, 8, 5), "(2 (3 (0 1)))");
}

TEST(FoldOrder, HalvingAndDoublingGiveATreeInTheOrderOfTheGroup) {
  EXPECT_EQ(tree_of("halving", 4, 4, 2), "((0 1) (2 3))");
  EXPECT_EQ(tree_of("doubling", 4, 4, 2), "((0 1) (2 3))");
  EXPECT_EQ(tree_of("doubling", 6, 1, 0), "(((0 1) (2 3)) (4 5))");
  for (const std::size_t n : kMembers) {
    std::vector<std::size_t> order(n);
    std::iota(order.begin(), order.end(), 0U);
    for (const std::string_view name : {"halving", "doubling"}) {
      for (const Kind kind : {Kind::all_reduce, Kind::reduce_scatter}) {
        const SymbolicRun run(recipe_of(name, kind).make,
                              {.kind = kind, .members = n, .items = 2 * n}, false);
        for (std::size_t self = 0; self < n; ++self) {
          for (const std::string& tree : run.result(self)) {
            EXPECT_EQ(leaves_of(tree), order) << tree;
            EXPECT_EQ(depth_of(tree), static_cast<std::size_t>(std::bit_width(n - 1))) << tree;
          }
        }
      }
    }
  }
}

TEST(Torus, GivesEveryMemberItsResultOnSlicesOfAnyShape) {
  for (const auto& [shape, wraps] : kSlices) {
    for (const bool shuffled : {false, true}) {
      const Slice slice = slice_of(shape, wraps, shuffled);
      for (const Kind kind : kAllKinds) {
        const Recipe& recipe = recipe_of("torus", kind);
        const std::size_t n = slice.ranks.size();
        for (const std::size_t items : operand_sizes(kind, n)) {
          check(recipe, slice.task(kind, items, n - 1));
          ASSERT_FALSE(HasFailure()) << name_of(kind) << " on " << shape[0] << "x" << shape[1]
                                     << "x" << shape[2] << ", " << items << " items";
        }
        EXPECT_EQ(recipe.make(slice.task(kind, n)).algorithm, "torus");
      }
    }
  }
}

TEST(Torus, AnyGridIsATorusAndAnythingElseARing) {
  Slice slice = slice_of({4, 4, 1}, {true, true, false}, false);
  const auto runs_as = [&](std::vector<int> ranks) {
    slice.ranks.clear();
    for (const int rank : ranks) slice.ranks.emplace_back(rank);
    const Task task = slice.task(Kind::all_reduce, 100);
    check(recipe_of("torus", Kind::all_reduce), task);
    return recipe_of("torus", Kind::all_reduce).make(task).algorithm;
  };
  EXPECT_EQ(runs_as({6, 5, 9, 10}), "torus");
  EXPECT_EQ(runs_as({3, 2, 1, 0}), "torus");
  EXPECT_EQ(runs_as({4, 5, 6, 7, 3, 2, 1, 0}), "torus");
  EXPECT_EQ(runs_as({0, 2, 4, 6}), "torus");  // two columns with one between them
  EXPECT_EQ(runs_as({0, 3, 8, 11}), "torus");
  EXPECT_EQ(runs_as({0, 1, 2, 7}), "ring");   // as many as a box would have
  EXPECT_EQ(runs_as({0, 1, 2, 99}), "ring");  // nobody knows where
  EXPECT_EQ(runs_as({0, 5, 10, 15}), "ring");
}

TEST(Torus, NeedsLinksThatSlicesJoinedByDcnDoNotHave) {
  PodLayout layout = layout_of({2, 2, 1}, {});
  const PodLayout one = layout;
  layout.at.insert(layout.at.end(), one.at.begin(), one.at.end());  // ranks 4 to 7
  EXPECT_TRUE(grid_of(layout, std::vector{Rank(4), Rank(5), Rank(6), Rank(7)}));
  EXPECT_FALSE(grid_of(layout, std::vector{Rank(0), Rank(5)})) << "a line, but for the slice";
  EXPECT_FALSE(grid_of(layout, std::vector{Rank(0), Rank(4)}));
}

TEST(Torus, StridedPlacesAllRoundAnAxisAreACircle) {
  const auto circle = [](std::vector<Rank> ranks) {
    return grid_of(layout_of({8, 1, 1}, {true, false, false}), ranks)->axes.at(0).circle;
  };
  EXPECT_TRUE(circle(all_ranks(8, true)));
  EXPECT_TRUE(circle({Rank(1), Rank(3), Rank(5), Rank(7)}));
  EXPECT_FALSE(circle({Rank(0), Rank(4)}));  // one link
  EXPECT_FALSE(circle({Rank(0), Rank(1), Rank(2), Rank(3)}));
  EXPECT_FALSE(circle({Rank(0), Rank(2), Rank(5)}));
  EXPECT_FALSE(grid_of(layout_of({8, 1, 1}, {}), all_ranks(8, false))->axes.at(0).circle);
}

TEST(Torus, OnALineFoldsInTheOrderOfTheLine) {
  const Slice slice = slice_of({4, 1, 1}, {}, false);
  const SymbolicRun run(all_reduce_torus, slice.task(Kind::all_reduce, 4), false);
  EXPECT_EQ(run.result(0)[0], "(0 (1 (2 3)))");
  EXPECT_EQ(run.result(0)[1], "((0 1) (2 3))");
  EXPECT_EQ(run.result(0)[3], "(((0 1) 2) 3)");
}

TEST(Torus, FoldsAlongOneAxisThenTheOther) {
  const Slice slice = slice_of({2, 2, 1}, {}, false);
  const SymbolicRun run(all_reduce_torus, slice.task(Kind::all_reduce, 8), false);
  EXPECT_EQ(run.result(0)[0], "((0 1) (2 3))");  // x, then y
  EXPECT_EQ(run.result(0)[7], "((0 2) (1 3))");  // y, then x
}

// Every flow starts somewhere else: in the first step a chip sends over all of its links.
TEST(Torus, AllLinksWorkFromTheFirstStepOn) {
  const Slice slice = slice_of({4, 4, 3}, {true, true, true}, false);
  Task task = slice.task(Kind::all_reduce, 6 * 48);
  task.self = 17;
  const Schedule schedule = all_reduce_torus(task);
  for (const Step& step : schedule.steps) EXPECT_EQ(step.sends.size(), 6U);
  std::set<std::size_t> peers;
  for (const Message& message : schedule.steps[0].sends) {
    peers.insert(message.peer);
    const bool along_z = message.peer % 16 == task.self % 16;
    EXPECT_EQ(items_in(message.ranges), along_z ? 16U : 12U);
  }
  EXPECT_EQ(peers.size(), 6U);
}

TEST(Ranges, NeighboursAreJoinedAndNothingIsLeftOut) {
  Ranges ranges;
  append(ranges, {4, 2});
  append(ranges, {6, 1});
  append(ranges, {7, 0});
  append(ranges, {9, 3});
  EXPECT_THAT(ranges, testing::ElementsAre(Range{4, 3}, Range{9, 3}));
  EXPECT_EQ(items_in(ranges), 6U);
}

}  // namespace
}  // namespace understudy::collectives
