// SPDX-License-Identifier: Apache-2.0
// Operands, groups and call sites for the tests of the direct path.
#pragma once

#include <cmath>
#include <optional>
#include <string_view>
#include <vector>

#include "gtest/gtest.h"

#include "tests/collectives/local_ranks.h"

namespace understudy::collectives {

inline constexpr WaitLimit kPatience{Seconds(20)};

inline std::vector<float> operand(std::size_t rank, std::size_t elements) {
  std::vector<float> values(elements);
  for (std::size_t i = 0; i < elements; ++i) {
    values[i] = std::sin(static_cast<float>(rank * 7919 + i)) * 1000.0F;  // sums that round
  }
  return values;
}

inline Group group_of(std::vector<int> ranks, std::size_t self_rank) {
  Group group;
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    group.members.push_back(Rank(ranks[i]));
    if (static_cast<std::size_t>(ranks[i]) == self_rank) group.self = i;
  }
  return group;
}

inline std::vector<float> folded(const std::vector<std::vector<float>>& operands) {
  std::vector<float> sums = operands[0];
  for (std::size_t m = 1; m < operands.size(); ++m) {
    for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += operands[m][i];
  }
  return sums;
}

inline CallSite site_of(std::string_view op, std::size_t elements) {
  return {.op = op, .channel = 1, .element = "f32", .elements = elements};
}

inline void expect_no_errors(const std::vector<std::optional<Error>>& errors) {
  for (const auto& error : errors) EXPECT_FALSE(error.has_value()) << error->text();
}

}  // namespace understudy::collectives
