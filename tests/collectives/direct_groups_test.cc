// SPDX-License-Identifier: Apache-2.0
// The direct path in groups of any shape and over several hosts.
#include <algorithm>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

#include "collectives/algorithms/direct.h"
#include "tests/collectives/direct_testing.h"

namespace understudy::collectives {
namespace {

// Rows and columns of a grid in turn, subsets, the whole: a rank of one group is ahead of another.
TEST(DirectGroups, OfAnyShapeFollowEachOther) {
  LocalPod pod(8, kPatience);
  expect_no_errors(run_ranks(pod, 8, [](const Fabric& fabric, std::size_t rank) {
    const auto sum = [&](const Group& group, float value) {
      const std::vector<float> in(100, value);
      std::vector<float> out(100);
      algorithm_named("direct").all_reduce(fabric, group, SumReducer<float>{}, bytes_of(in),
                                           bytes_of(out), site_of("all_reduce", 100));
      return out[99];
    };
    const int self = static_cast<int>(rank), row = self / 4 * 4, column = self % 4;
    for (int round = 0; round < 300; ++round) {
      const float value = static_cast<float>(self + round);
      const Group rows = group_of({row, row + 1, row + 2, row + 3}, rank);
      EXPECT_EQ(sum(rows, value), static_cast<float>(4 * row + 6 + 4 * round));
      const Group columns = group_of({column + 4, column}, rank);
      EXPECT_EQ(sum(columns, value), static_cast<float>(2 * column + 4 + 2 * round));
      if (self < 3) {
        EXPECT_EQ(sum(group_of({2, 0, 1}, rank), value), static_cast<float>(3 + 3 * round));
      }
    }
  }));
}

// With work in chunks: who still looks for chunks of one group's operation must not find those of
// the next one of another group.
TEST(DirectGroups, TakeNoChunksOfEachOther) {
  LocalPod pod(4, kPatience);
  expect_no_errors(run_ranks(pod, 4, [](const Fabric& fabric, std::size_t rank) {
    constexpr std::size_t kElements = 40'000;
    std::vector<float> in(kElements), out(kElements);
    const auto sum = [&](const Group& group, float value) {
      std::fill(in.begin(), in.end(), value);
      std::fill(out.begin(), out.end(), -1.0F);
      algorithm_named("direct").all_reduce(fabric, group, SumReducer<float>{}, bytes_of(in),
                                           bytes_of(out), site_of("all_reduce", kElements));
    };
    const int self = static_cast<int>(rank);
    for (int round = 0; round < 400; ++round) {
      for (const int distance : {1, 2, 3}) {  // pairs of neighbours, of rows, across
        const int other = self ^ distance;
        sum(group_of({std::min(self, other), std::max(self, other)}, rank),
            static_cast<float>(self + round));
        const auto expected = static_cast<float>(self + other + 2 * round);
        ASSERT_EQ(std::count(out.begin(), out.end(), expected), std::ptrdiff_t{kElements});
      }
    }
  }));
}

TEST(DirectOrder, FoldsByHostsWhereTheGroupKeepsHostsTogether) {
  PodLayout layout = layout_in_a_row(4);
  layout.host_of = {HostId(0), HostId(0), HostId(1), HostId(1)};
  EXPECT_THAT(order_by_hosts(layout, group_of({0, 1, 2, 3}, 0)).runs, testing::ElementsAre(2, 2));
  EXPECT_THAT(order_by_hosts(layout, group_of({3, 0, 1}, 0)).runs, testing::ElementsAre(1, 2));
  EXPECT_THAT(order_by_hosts(layout, group_of({0, 2, 1, 3}, 0)).runs, testing::ElementsAre(4));

  LocalPod pod(layout, kPatience);
  // 1e8 + 1 loses the 1, so the tree shows: (1e8 + 1) + (-1e8 + 1) = 0, but the plain fold gives 1.
  const float terms[] = {1e8F, 1, -1e8F, 1};
  expect_no_errors(run_ranks(pod, 4, [&](const Fabric& fabric, std::size_t rank) {
    const std::vector<float> in = {terms[rank]};
    std::vector<float> by_hosts(1), flat(1);
    const Group group = group_of_first(4, rank);
    const CallSite site = site_of("all_reduce", 1);
    algorithm_named("auto").all_reduce(fabric, group, SumReducer<float>{}, bytes_of(in),
                                       bytes_of(by_hosts), site);
    Fabric reproducible = fabric;
    reproducible.reproducible = true;
    algorithm_named("auto").all_reduce(reproducible, group, SumReducer<float>{}, bytes_of(in),
                                       bytes_of(flat), site);
    EXPECT_EQ(by_hosts[0], 0);
    EXPECT_EQ(flat[0], 1);
  }));
}

// Uneven hosts on machines of their own, on one machine, and spread: always the same bits.
TEST(Hierarchy, GivesTheBitsOfOneMachine) {
  PodLayout layout = layout_in_a_row(7);
  const std::int64_t hosts[] = {0, 0, 0, 1, 1, 2, 2};
  for (std::size_t rank = 0; rank < 7; ++rank) layout.host_of[rank] = HostId(hosts[rank]);
  const std::vector<std::vector<std::int64_t>> machines = {{},
                                                           {0, 0, 0, 1, 1, 2, 2},
                                                           {0, 0, 0, 0, 0, 1, 1},
                                                           {0, 1, 2, 3, 4, 5, 6},
                                                           {0, 0, 1, 1, 1, 1, 0}};
  for (const std::size_t elements : {0U, 1U, 2U, 6U, 1000U, 70'001U}) {
    std::vector<std::vector<float>> operands;
    for (std::size_t rank = 0; rank < 7; ++rank) operands.push_back(operand(rank, 7 * elements));
    std::vector<float> expected = folded({operands[0], operands[1], operands[2]});
    expected =
        folded({expected, folded({operands[3], operands[4]}), folded({operands[5], operands[6]})});
    for (const auto& machine : machines) {
      for (const std::string_view name : {"auto", "hierarchical"}) {
        LocalPod pod(layout, kPatience, LocalMemory::Buffers::shared, machine);
        expect_no_errors(run_ranks(pod, 7, [&](const Fabric& fabric, std::size_t rank) {
          const Group group = group_of_first(7, rank);
          const Algorithm& algorithm = algorithm_named(name);
          std::vector<float> out(7 * elements), block(elements);
          algorithm.all_reduce(fabric, group, SumReducer<float>{},
                               bytes_of(std::as_const(operands[rank])), bytes_of(out),
                               site_of("all_reduce", 7 * elements));
          EXPECT_EQ(out, expected) << name;
          algorithm.reduce_scatter(fabric, group, SumReducer<float>{},
                                   bytes_of(std::as_const(operands[rank])), bytes_of(block),
                                   site_of("reduce_scatter", 7 * elements));
          const auto begin = expected.begin() + static_cast<std::ptrdiff_t>(rank * elements);
          EXPECT_TRUE(std::equal(block.begin(), block.end(), begin)) << name;
        }));
      }
    }
  }
}

TEST(Hierarchy, RoundsBf16Once) {
  PodLayout layout = layout_in_a_row(4);
  layout.host_of = {HostId(0), HostId(0), HostId(1), HostId(1)};
  LocalPod pod(layout, kPatience, LocalMemory::Buffers::shared, {0, 0, 1, 1});
  // 256 + 1 rounds to 256 in bf16, and so does that plus 1: only wide partials give 258.
  const float terms[] = {256, 1, 0, 1};
  expect_no_errors(run_ranks(pod, 4, [&](const Fabric& fabric, std::size_t rank) {
    const std::vector<std::uint16_t> in = {Bf16Sum::to_narrow(terms[rank])};
    std::vector<std::uint16_t> out(1);
    algorithm_named("auto").all_reduce(fabric, group_of_first(4, rank), Bf16Sum{}, bytes_of(in),
                                       bytes_of(out), site_of("all_reduce", 1));
    EXPECT_EQ(Bf16Sum::to_wide(out[0]), 258.0F);
  }));
}

}  // namespace
}  // namespace understudy::collectives
