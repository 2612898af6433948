// SPDX-License-Identifier: Apache-2.0
// The counts against the promises of the algorithms, and the page in docs against the recipes. That
// transports send what is counted here is part of the conformance suite.
#include "collectives/cost.h"

#include <fstream>
#include <sstream>

#include "fmt/format.h"
#include "gtest/gtest.h"

#include "collectives/recipes.h"
#include "configs/base/error.h"

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

TEST(Cost, UnknownRowsAreUsageErrors) {
  try {
    recipe_of("gossip", Kind::all_gather);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.text(), "error: no cost is known for all_gather by gossip");
  }
}

TEST(Cost, TheDocumentedTableIsThisTable) {
  std::ifstream file(UNDERSTUDY_SOURCE_DIR "/docs/collectives.md");
  std::ostringstream page;
  page << file.rdbuf();
  for (const Recipe& row : recipes()) {
    const std::string line = fmt::format("| {} | {} | {} | {} | {} |", row.algorithm,
                                         name_of(row.kind), row.steps, row.messages, row.bytes);
    EXPECT_NE(page.str().find(line), std::string::npos) << "docs/collectives.md lacks\n" << line;
  }
}

}  // namespace
}  // namespace understudy::collectives
