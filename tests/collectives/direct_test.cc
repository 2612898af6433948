// SPDX-License-Identifier: Apache-2.0
// The direct path: bits of the fold in group order, whoever works.
#include "collectives/algorithms/direct.h"

#include <numeric>
#include <random>

#include "gtest/gtest.h"

#include "tests/collectives/direct_testing.h"

namespace understudy::collectives {
namespace {

struct Case {
  std::size_t members;
  LocalMemory::Buffers buffers;
};
void PrintTo(const Case& c, std::ostream* out) {
  *out << c.members << (c.buffers == LocalMemory::Buffers::shared ? "_shared" : "_private");
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

class SharedDirectTest : public DirectTest {};

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

TEST_P(SharedDirectTest, OneResultServesAll) {
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

constexpr auto kShared = LocalMemory::Buffers::shared, kPrivate = LocalMemory::Buffers::private_;
INSTANTIATE_TEST_SUITE_P(Pods, DirectTest,
                         testing::Values(Case{1, kShared}, Case{2, kShared}, Case{3, kShared},
                                         Case{5, kPrivate}, Case{8, kShared}, Case{8, kPrivate},
                                         Case{16, kShared}));
INSTANTIATE_TEST_SUITE_P(Pods, SharedDirectTest,
                         testing::Values(Case{1, kShared}, Case{2, kShared}, Case{3, kShared},
                                         Case{8, kShared}, Case{16, kShared}));

}  // namespace
}  // namespace understudy::collectives
