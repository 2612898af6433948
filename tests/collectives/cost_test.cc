// SPDX-License-Identifier: Apache-2.0
// The counts against the promises of the algorithms, and the page in docs against the recipes. That
// transports send what is counted here is part of the conformance suite.
#include "collectives/algorithms/cost.h"

#include <bit>

#include "fmt/format.h"
#include "gtest/gtest.h"

#include "collectives/algorithms/recipes.h"
#include "collectives/algorithms/tree.h"
#include "configs/base/error.h"
#include "configs/base/file.h"
#include "tests/collectives/slices.h"

namespace understudy::collectives {
namespace {

TEST(Cost, RingAllReduceSendsTwiceTheOperandButOneChunk) {
  for (const std::size_t n : {2, 4, 8, 64}) {
    const std::size_t elements = 12 * n;
    for (std::size_t self = 0; self < n; ++self) {
      const Cost cost = cost_of("ring", Kind::all_reduce, {n, self, elements, 4, 4});
      EXPECT_EQ(cost, (Cost{2 * (n - 1), 2 * (n - 1), 2 * elements * 4 * (n - 1) / n}));
    }
  }
}

TEST(Cost, WidenedSumsTravelInTheFirstPhaseOnly) {
  EXPECT_EQ(cost_of("ring", Kind::all_reduce, {4, 1, 40, 2, 4}).bytes, 30U * 4 + 30U * 2);
}

TEST(Cost, UnevenChunksAddUpOverTheMembers) {
  std::uint64_t bytes = 0;
  for (std::size_t self = 0; self < 3; ++self) {
    bytes += cost_of("ring", Kind::all_reduce, {3, self, 10, 4, 4}).bytes;
  }
  EXPECT_EQ(bytes, 2U * 10 * 4 * 2);  // 2S(n-1) over all
}

TEST(Cost, OneMemberSendsNothing) {
  for (const Recipe& row : recipes()) {
    EXPECT_EQ(cost_of(row.algorithm, row.kind, {1, 0, 10, 4, 4}), Cost{}) << row.algorithm;
  }
}

// The words of the table, where they are exact: powers of two, chunks that are even.
TEST(Cost, TheFormulasOfTheTableAreTheCounts) {
  for (const std::size_t n : {2, 4, 8, 16}) {
    const std::uint64_t log = static_cast<std::uint64_t>(std::bit_width(n)) - 1;
    const std::uint64_t bytes = 48 * n * 4, others = n - 1;  // S
    const auto expect = [&](std::string_view algorithm, Kind kind, const Cost& cost) {
      for (std::size_t self = 0; self < n; ++self) {
        EXPECT_EQ(cost_of(algorithm, kind, {n, self, 48 * n, 4, 4}), cost)
            << algorithm << " " << name_of(kind) << " of " << n;
      }
    };
    const std::uint64_t shares = bytes * others / n;  // S(n-1)/n
    const std::uint64_t doubled = 2 * others;
    expect("ring", Kind::all_gather, {others, others, bytes * others});
    expect("ring", Kind::reduce_scatter, {others, others, shares});
    expect("ring", Kind::all_to_all, {others, others, shares});
    expect("ring-bidirectional", Kind::all_reduce, {doubled, 2 * doubled, 2 * shares});
    expect("ring-bidirectional", Kind::all_gather, {others, doubled, bytes * others});
    expect("ring-bidirectional", Kind::reduce_scatter, {others, doubled, shares});
    expect("ring-bidirectional", Kind::all_to_all, {n / 2, others, shares});
    expect("halving", Kind::all_reduce, {2 * log, 2 * log, 2 * shares});
    expect("halving", Kind::all_gather, {log, log, bytes * others});
    expect("halving", Kind::reduce_scatter, {log, log, shares});
    expect("halving", Kind::all_to_all, {others, others, shares});
    expect("doubling", Kind::all_reduce, {log, log, bytes * log});
    expect("doubling", Kind::all_gather, {log, log, bytes * others});
    expect("doubling", Kind::reduce_scatter, {log, log, shares});
    expect("doubling", Kind::all_to_all, {log, log, bytes * log / 2});
  }
}

// 4x4x3, all axes wrap: d-1 sums up to 8, and there are 6 flows.
TEST(Cost, TheFormulasOfTheTorusAreTheCounts) {
  const Slice slice = slice_of({4, 4, 3}, {true, true, true}, false);
  const std::size_t n = 48, elements = 6 * n * n;
  const std::uint64_t bytes = elements * 4, shares = bytes * (n - 1) / n;
  for (const std::size_t self : {0, 17, 47}) {
    const Shape shape{n, self, elements, 4, 4, 0, &slice.layout, slice.ranks};
    EXPECT_EQ(cost_of("torus", Kind::all_reduce, shape), (Cost{16, 96, 2 * shares}));
    EXPECT_EQ(cost_of("torus", Kind::all_gather, shape), (Cost{8, 48, bytes * (n - 1)}));
    EXPECT_EQ(cost_of("torus", Kind::reduce_scatter, shape), (Cost{8, 48, shares}));
    EXPECT_EQ(cost_of("torus", Kind::all_to_all, shape),
              (Cost{2 + 2 + 1, 48, 2 * bytes * 3 / 4 + bytes * 2 / 3}));
  }
}

// What members send of a broadcast from member 1 of `segments` pieces, by their distance from it.
std::vector<Cost> costs_of_broadcast(std::string_view algorithm, std::size_t n,
                                     std::size_t segments, const Slice* slice = nullptr) {
  std::vector<Cost> costs;
  for (std::size_t distance = 0; distance < n; ++distance) {
    Shape shape{n, (1 + distance) % n, segments * kBroadcastSegmentBytes, 1, 1, 1};
    if (slice != nullptr) {
      shape.layout = &slice->layout;
      shape.ranks = slice->ranks;
    }
    costs.push_back(cost_of(algorithm, Kind::broadcast, shape));
  }
  return costs;
}

// Down a chain everybody sends what comes, but for the last.
TEST(Cost, TheFormulasOfBroadcastsDownChainsAreTheCounts) {
  constexpr std::size_t k = 4;
  const std::uint64_t bytes = k * kBroadcastSegmentBytes;  // S
  for (const std::size_t n : {2, 3, 4, 8, 16}) {
    const auto ring = costs_of_broadcast("ring", n, k);
    const auto both = costs_of_broadcast("ring-bidirectional", n, k);
    for (std::size_t distance = 0; distance < n; ++distance) {
      const std::size_t ways = (distance + 1 < n ? 1U : 0U) + (distance != 1 ? 1U : 0U);
      EXPECT_EQ(ring[distance],
                (distance + 1 < n ? Cost{n - 2 + k, k, bytes} : Cost{n - 2 + k, 0, 0}));
      EXPECT_EQ(both[distance], (Cost{n - 2 + k / 2, ways * k / 2, ways * bytes / 2}))
          << distance << " of " << n;
    }
  }
}

TEST(Cost, TheFormulasOfBroadcastsDownTreesAreTheCounts) {
  constexpr std::size_t k = 3;
  const std::uint64_t bytes = k * kBroadcastSegmentBytes;  // S
  for (const std::string_view algorithm : {"halving", "doubling"}) {
    for (const std::size_t n : {2, 4, 8, 16}) {
      const std::uint64_t log = static_cast<std::uint64_t>(std::bit_width(n)) - 1;
      Cost all;
      for (const Cost& cost : costs_of_broadcast(algorithm, n, k)) {
        EXPECT_EQ(cost.steps, log - 1 + k);
        EXPECT_LE(cost.messages, k * log);
        EXPECT_LE(cost.bytes, bytes * log);
        all.messages += cost.messages;
        all.bytes += cost.bytes;
      }
      EXPECT_EQ(costs_of_broadcast(algorithm, n, k)[0], (Cost{log - 1 + k, k * log, bytes * log}));
      EXPECT_EQ(all.messages, k * (n - 1));
      EXPECT_EQ(all.bytes, bytes * (n - 1));
    }
  }
}

// 4x4x3 as above; two pieces for each of the 6 flows.
TEST(Cost, TheFormulaOfABroadcastOverATorusIsTheCount) {
  const Slice slice = slice_of({4, 4, 3}, {true, true, true}, false);
  const std::uint64_t bytes = 12 * kBroadcastSegmentBytes;
  const auto costs = costs_of_broadcast("torus", 48, 12, &slice);
  EXPECT_EQ(costs[0], (Cost{8 - 1 + 12 / 6, 3 * 12, 3 * bytes})) << "of the root: all three axes";
  std::uint64_t all = 0;
  for (const Cost& cost : costs) {
    EXPECT_EQ(cost.steps, 8U - 1 + 12 / 6);
    EXPECT_LE(cost.messages, 3U * 12);
    EXPECT_LE(cost.bytes, 3 * bytes);
    all += cost.bytes;
  }
  EXPECT_EQ(all, bytes * 47);
}

TEST(Cost, UnknownRowsAreUsageErrors) {
  try {
    recipe_of("gossip", Kind::all_gather);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.text(), "error: no schedule for all_gather with algorithm gossip");
  }
}

TEST(Cost, TheDocumentedTableIsThisTable) {
  std::string table;
  for (const Recipe& row : recipes()) {
    table += fmt::format("| {} | {} | {} | {} | {} |\n", row.algorithm, name_of(row.kind),
                         row.steps, row.messages, row.bytes);
  }
  const std::string page = read_text_file(UNDERSTUDY_SOURCE_DIR "/docs/collectives.md");
  const std::string head =
      "| algorithm | operation | steps | messages | bytes |\n|---|---|---|---|---|\n";
  const std::size_t begin = page.find(head);
  ASSERT_NE(begin, std::string::npos);
  const std::size_t rows = begin + head.size();
  EXPECT_EQ(page.substr(rows, page.find("\n\n", rows) + 1 - rows), table);
}

}  // namespace
}  // namespace understudy::collectives
