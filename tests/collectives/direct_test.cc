// SPDX-License-Identifier: Apache-2.0
// The direct path: bits of the fold in group order, whoever works; groups of any shape; what goes
// wrong is named.
#include "collectives/algorithms/direct.h"

#include <cmath>
#include <numeric>
#include <random>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

#include "tests/collectives/local_ranks.h"

namespace understudy::collectives {
namespace {

using testing::HasSubstr;

constexpr Patience kPatience{Seconds(20)};

struct Case {
  std::size_t members;
  LocalMemory::Buffers buffers;
};
void PrintTo(const Case& c, std::ostream* out) {
  *out << c.members << (c.buffers == LocalMemory::Buffers::shared ? "_shared" : "_private");
}

std::vector<float> operand(std::size_t rank, std::size_t elements) {
  std::vector<float> values(elements);
  for (std::size_t i = 0; i < elements; ++i) {
    values[i] = std::sin(static_cast<float>(rank * 7919 + i)) * 1000.0F;  // sums that round
  }
  return values;
}

Group group_of(std::vector<int> ranks, std::size_t self_rank) {
  Group group;
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    group.members.push_back(Rank(ranks[i]));
    if (static_cast<std::size_t>(ranks[i]) == self_rank) group.self = i;
  }
  return group;
}

std::vector<float> folded(const std::vector<std::vector<float>>& operands) {
  std::vector<float> sums = operands[0];
  for (std::size_t m = 1; m < operands.size(); ++m) {
    for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += operands[m][i];
  }
  return sums;
}

CallSite site_of(std::string_view op, std::size_t elements) {
  return {.op = op, .channel = 1, .element = "f32", .elements = elements};
}

void expect_no_errors(const std::vector<std::optional<Error>>& errors) {
  for (const auto& error : errors) EXPECT_FALSE(error.has_value()) << error->text();
}

class DirectTest : public testing::TestWithParam<Case> {
 protected:
  std::size_t n() const { return GetParam().members; }
  const Algorithm& direct() const { return algorithm_named("direct"); }
  void run(const std::function<void(const Fabric&, std::size_t)>& body) const {
    LocalPod pod(layout_in_a_row(n()), kPatience, GetParam().buffers);
    expect_no_errors(run_ranks(pod, n(), body));
  }
};

constexpr std::size_t kSizes[] = {0, 1, 2, 13, 1000, 4097, 70'001};

TEST_P(DirectTest, AllReduceGivesTheBitsOfTheFoldInGroupOrder) {
  std::vector<int> order(n());
  std::iota(order.begin(), order.end(), 0);
  std::shuffle(order.begin(), order.end(), std::mt19937(7));
  run([&](const Fabric& fabric, std::size_t rank) {
    for (const std::size_t elements : kSizes) {
      std::vector<std::vector<float>> operands;
      for (const int member : order) {
        operands.push_back(operand(static_cast<std::size_t>(member), elements));
      }
      const auto mine = operand(rank, elements);
      std::vector<float> out(elements, -1);
      const auto report =
          direct().all_reduce(fabric, group_of(order, rank), SumReducer<float>{}, bytes_of(mine),
                              bytes_of(out), site_of("all_reduce", elements));
      EXPECT_EQ(out, folded(operands));
      EXPECT_EQ(report.algorithm, "direct");
      EXPECT_EQ(report.messages, 0U);
    }
  });
}

TEST_P(DirectTest, OneResultServesAll) {
  if (GetParam().buffers == LocalMemory::Buffers::private_) GTEST_SKIP() << "nothing is shared";
  std::vector<std::vector<float>> results(2 * n());
  run([&](const Fabric& fabric, std::size_t rank) {
    for (std::size_t round = 0; round < 20; ++round) {
      const std::size_t elements = kSizes[round % std::size(kSizes)];
      std::vector<std::vector<float>> operands;
      for (std::size_t member = 0; member < n(); ++member) {
        operands.push_back(operand(member + round, elements));
      }
      // Two buffers in turn: the next round's arrival shows that the last one was read.
      auto& out = results[2 * rank + round % 2];
      out.resize(kSizes[std::size(kSizes) - 1]);
      const std::byte* result = nullptr;
      all_reduce_shared(fabric, group_of_first(n(), rank), SumReducer<float>{},
                        bytes_of(std::as_const(operands[rank])),
                        bytes_of(out).first(elements * sizeof(float)),
                        site_of("all_reduce", elements), &result);
      const auto expected = folded(operands);
      ASSERT_TRUE(elements == 0 ||
                  std::memcmp(result, expected.data(), elements * sizeof(float)) == 0);
    }
  });
}

// Sizes around the borders of a piece.
TEST_P(DirectTest, PrivateBuffersGoPieceByPiece) {
  constexpr std::size_t kPiece = (256 << 10) / sizeof(float);
  run([&](const Fabric& fabric, std::size_t rank) {
    Fabric asking = fabric;
    asking.private_buffers = true;
    for (const std::size_t elements :
         {std::size_t{1}, std::size_t{4097}, kPiece - 1, kPiece, kPiece + 1, 2 * kPiece + 3}) {
      std::vector<std::vector<float>> operands;
      for (std::size_t member = 0; member < n(); ++member) {
        operands.push_back(operand(member, elements));
      }
      std::vector<float> out(elements, -1);
      direct().all_reduce(asking, group_of_first(n(), rank), SumReducer<float>{},
                          bytes_of(std::as_const(operands[rank])), bytes_of(out),
                          site_of("all_reduce", elements));
      EXPECT_EQ(out, folded(operands)) << elements;
    }
  });
}

TEST_P(DirectTest, PrivateBuffersAreGatheredAndExchangedPieceByPiece) {
  constexpr std::size_t kPiece = (256 << 10) / sizeof(float);
  run([&](const Fabric& fabric, std::size_t rank) {
    Fabric asking = fabric;
    asking.private_buffers = true;
    const Group all = group_of_first(n(), rank);
    for (const std::size_t block :
         {std::size_t{0}, std::size_t{1}, std::size_t{4097}, kPiece / n() + 1, kPiece + 1}) {
      std::vector<float> gathered(block * n(), -1), exchanged(block * n(), -1);
      const std::vector<float> mine = operand(rank, block), blocks = operand(rank, block * n());
      direct().all_gather(asking, all, bytes_of(mine), bytes_of(gathered),
                          site_of("all_gather", block));
      direct().all_to_all(asking, all, bytes_of(blocks), bytes_of(exchanged),
                          site_of("all_to_all", block * n()));
      std::vector<float> every, part;
      for (std::size_t member = 0; member < n(); ++member) {
        const std::vector<float> whole = operand(member, block),
                                 theirs = operand(member, block * n());
        const auto at = static_cast<std::ptrdiff_t>(block * rank);
        every.insert(every.end(), whole.begin(), whole.end());
        part.insert(part.end(), theirs.begin() + at,
                    theirs.begin() + at + static_cast<std::ptrdiff_t>(block));
      }
      EXPECT_EQ(gathered, every) << block;
      EXPECT_EQ(exchanged, part) << block;
    }
  });
}

TEST_P(DirectTest, Bf16SumsAccumulateWideAndRoundOnce) {
  run([&](const Fabric& fabric, std::size_t rank) {
    for (const std::size_t elements : kSizes) {
      std::vector<std::uint16_t> mine, expected, out(elements);
      for (const float value : operand(rank, elements)) mine.push_back(Bf16Sum::to_narrow(value));
      for (std::size_t i = 0; i < elements; ++i) {
        float sum = 0;
        for (std::size_t m = 0; m < n(); ++m) {
          const float value = std::sin(static_cast<float>(m * 7919 + i)) * 1000.0F;
          const float term = Bf16Sum::to_wide(Bf16Sum::to_narrow(value));
          sum = m == 0 ? term : sum + term;
        }
        expected.push_back(Bf16Sum::to_narrow(sum));
      }
      direct().all_reduce(fabric, group_of_first(n(), rank), Bf16Sum{},
                          bytes_of(std::as_const(mine)), bytes_of(out),
                          site_of("all_reduce", elements));
      EXPECT_EQ(out, expected);
    }
  });
}

TEST_P(DirectTest, MovesBlocks) {
  run([&](const Fabric& fabric, std::size_t rank) {
    const Group group = group_of_first(n(), rank);
    for (const std::size_t block : kSizes) {
      const auto whole = operand(rank, block * n());
      const auto own = operand(rank, block);
      std::vector<float> gathered(block * n()), turned(block * n()), scattered(block), sent(block);
      direct().all_gather(fabric, group, bytes_of(own), bytes_of(gathered),
                          site_of("all_gather", block));
      direct().all_to_all(fabric, group, bytes_of(whole), bytes_of(turned),
                          site_of("all_to_all", block * n()));
      direct().reduce_scatter(fabric, group, SumReducer<float>{}, bytes_of(whole),
                              bytes_of(scattered), site_of("reduce_scatter", block * n()));
      const std::size_t root = n() / 2;
      direct().broadcast(fabric, group, root, bytes_of(own), bytes_of(sent),
                         site_of("broadcast", block));
      EXPECT_EQ(sent, operand(root, block));
      std::vector<std::vector<float>> operands;
      for (std::size_t from = 0; from < n(); ++from) {
        const auto begin = static_cast<std::ptrdiff_t>(from * block);
        const auto theirs = operand(from, block * n());
        const auto part = operand(from, block);
        ASSERT_TRUE(std::equal(part.begin(), part.end(), gathered.begin() + begin));
        const auto mine = theirs.begin() + static_cast<std::ptrdiff_t>(rank * block);
        ASSERT_TRUE(
            std::equal(mine, mine + static_cast<std::ptrdiff_t>(block), turned.begin() + begin));
        operands.emplace_back(mine, mine + static_cast<std::ptrdiff_t>(block));
      }
      EXPECT_EQ(scattered, folded(operands));
    }
  });
}

TEST_P(DirectTest, PermutesInARing) {
  run([&](const Fabric& fabric, std::size_t rank) {
    const auto right = Rank(static_cast<int>((rank + 1) % n()));
    const auto left = Rank(static_cast<int>((rank + n() - 1) % n()));
    for (const std::size_t elements : kSizes) {
      const auto mine = operand(rank, elements);
      std::vector<float> out(elements);
      direct().permute(fabric, right, left, bytes_of(mine), bytes_of(out),
                       site_of("collective_permute", elements));
      EXPECT_EQ(out, operand(static_cast<std::size_t>(left.value), elements));
    }
  });
}

TEST_P(DirectTest, ClocksAreJoined) {
  run([&](const Fabric& fabric, std::size_t rank) {
    CallSite site = site_of("all_reduce", 1);
    site.emulated_seconds = static_cast<double>(rank);
    const std::vector<float> in = {1};
    std::vector<float> out(1);
    const auto report = direct().all_reduce(fabric, group_of_first(n(), rank), SumReducer<float>{},
                                            bytes_of(in), bytes_of(out), site);
    EXPECT_EQ(report.emulated_seconds, static_cast<double>(n() - 1));
  });
}

INSTANTIATE_TEST_SUITE_P(
    Pods, DirectTest,
    testing::Values(Case{1, LocalMemory::Buffers::shared}, Case{2, LocalMemory::Buffers::shared},
                    Case{3, LocalMemory::Buffers::shared}, Case{5, LocalMemory::Buffers::private_},
                    Case{8, LocalMemory::Buffers::shared}, Case{8, LocalMemory::Buffers::private_},
                    Case{16, LocalMemory::Buffers::shared}));

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

std::vector<std::optional<Error>> meet(LocalPod& pod, std::size_t n,
                                       const std::function<Group(std::size_t)>& group,
                                       const std::function<CallSite(std::size_t)>& site) {
  return run_ranks(pod, n, [&](const Fabric& fabric, std::size_t rank) {
    const CallSite own = site(rank);
    const std::vector<float> in(own.elements);
    std::vector<float> out(own.elements);
    algorithm_named("direct").all_reduce(fabric, group(rank), SumReducer<float>{}, bytes_of(in),
                                         bytes_of(out), own);
  });
}

TEST(DirectMismatch, IsNamedByBothSides) {
  LocalPod pod(3, kPatience);
  const auto errors = meet(
      pod, 3, [](std::size_t rank) { return group_of_first(3, rank); },
      [](std::size_t rank) { return site_of("all_reduce", rank == 1 ? 9 : 8); });
  for (std::size_t rank = 0; rank < 3; ++rank) {
    ASSERT_TRUE(errors[rank].has_value()) << rank;
    EXPECT_EQ(errors[rank]->kind(), ErrorKind::protocol);
    EXPECT_THAT(errors[rank]->message(), HasSubstr("collectives do not match: rank"));
    EXPECT_THAT(errors[rank]->message(), HasSubstr("f32[8]"));
    EXPECT_THAT(errors[rank]->message(), HasSubstr("f32[9]"));
  }
}

// Of two calls with one signature the text names the place of the one that is under way.
TEST(DirectMismatch, NamesThePlaceOfThisCallNotOfAnEarlierOne) {
  LocalPod pod(2, kPatience);
  const auto errors = run_ranks(pod, 2, [&](const Fabric& fabric, std::size_t rank) {
    for (const std::string_view place : {"op 1", "op 2"}) {
      const bool last = place == "op 2";
      const std::size_t elements = last && rank == 1 ? 9 : 8;
      CallSite site = site_of("all_reduce", elements);
      site.place = place;
      const std::vector<float> in(elements);
      std::vector<float> out(elements);
      algorithm_named("direct").all_reduce(fabric, group_of_first(2, rank), SumReducer<float>{},
                                           bytes_of(in), bytes_of(out), site);
    }
  });
  ASSERT_TRUE(errors[1].has_value());
  EXPECT_THAT(errors[1]->message(), HasSubstr("rank 0: all_reduce f32[8]"));
  EXPECT_THAT(errors[1]->message(), HasSubstr("group 0,1, op 2; rank 0"));
  EXPECT_THAT(errors[1]->message(), testing::Not(HasSubstr("op 1")));
}

// Each waits for the other in a group of its own: neither will ever come.
TEST(DirectMismatch, CrossedGroupsAreFoundLongBeforePatienceEnds) {
  LocalPod pod(3, Patience{Seconds(60)});
  const auto errors = meet(
      pod, 3,
      [](std::size_t rank) {
        return rank == 2 ? group_of({1, 2}, 2) : group_of({0, 1, 2}, rank);
      },
      [](std::size_t) { return site_of("all_reduce", 4); });
  std::size_t named = 0;
  for (const auto& error : errors) {
    ASSERT_TRUE(error.has_value());
    named += error->kind() == ErrorKind::protocol &&
                     error->message().find("group 1,2") != std::string::npos &&
                     error->message().find("group 0,1,2") != std::string::npos
                 ? 1U
                 : 0U;
  }
  EXPECT_GE(named, 1U);
}

// Rank 2 is late to a call that the others have entered and left to itself; rank 1 is late to the
// next, in which rank 0 waits for it.
TEST(DirectMismatch, IsNoCallThatOnlyAThirdIsLateTo) {
  LocalPod pod(3, kPatience);
  expect_no_errors(run_ranks(pod, 3, [](const Fabric& fabric, std::size_t rank) {
    Fabric lane = fabric;
    lane.lane = 1;
    const Group all = group_of_first(3, rank);
    const std::vector<float> in(10, 1.0F);
    std::vector<float> first(10), second(10);
    const SumReducer<float> sum;
    if (rank == 2) std::this_thread::sleep_for(std::chrono::milliseconds(600));
    const auto entered = algorithm_named("direct").start_all_reduce(
        lane, all, sum, bytes_of(in), bytes_of(first), site_of("all_reduce", 10));
    ASSERT_NE(entered, nullptr);
    if (rank == 1) std::this_thread::sleep_for(std::chrono::milliseconds(300));
    algorithm_named("direct").all_reduce(fabric, all, sum, bytes_of(in), bytes_of(second),
                                         site_of("all_reduce", 10));
    entered->finish();
    EXPECT_EQ(first, std::vector<float>(10, 3.0F));
    EXPECT_EQ(second, std::vector<float>(10, 3.0F));
  }));
}

TEST(DirectLoss, NamesTheMissingRank) {
  LocalPod pod(4, kPatience);
  pod.declare_dead(Rank(2));
  const auto errors = run_ranks(pod, 4, [&](const Fabric& fabric, std::size_t rank) {
    if (rank == 2) return;
    const std::vector<float> in(10);
    std::vector<float> out(10);
    algorithm_named("direct").all_reduce(fabric, group_of_first(4, rank), SumReducer<float>{},
                                         bytes_of(in), bytes_of(out), site_of("all_reduce", 10));
  });
  for (const std::size_t rank : {0U, 1U, 3U}) {
    ASSERT_TRUE(errors[rank].has_value());
    EXPECT_EQ(errors[rank]->kind(), ErrorKind::timeout);
  }
  EXPECT_THAT(errors[0]->message(), HasSubstr("rank 2 is gone"));
}

}  // namespace
}  // namespace understudy::collectives
