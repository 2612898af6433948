// SPDX-License-Identifier: Apache-2.0
// Alignment of two sequences with bounded cost. Pure functions.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace understudy::program::compare {

// Pairs of equal elements, increasing in both: a longest common subsequence where the sequences
// differ in at most some thousand places (Myers, "An O(ND) Difference Algorithm", 1986), else one
// through elements that are unique on both sides (patience), which may be shorter. Time and memory
// are bounded by about 10^8 steps and 100 MB whatever the input.
using Pairs = std::vector<std::pair<std::uint32_t, std::uint32_t>>;
Pairs align(std::span<const std::uint64_t> a, std::span<const std::uint64_t> b);

}  // namespace understudy::program::compare
