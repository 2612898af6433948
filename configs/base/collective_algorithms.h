// SPDX-License-Identifier: Apache-2.0
// The names of the algorithms for collectives, as --collectives takes them. The registry in
// collectives/algorithms/ has one row for each, in this order. Constant data.
#pragma once

#include <array>
#include <string_view>

namespace understudy {

inline constexpr std::array<std::string_view, 9> kCollectiveAlgorithms = {
    "auto",    "direct",  "ring", "torus", "mpi", "hierarchical", "ring-bidirectional",
    "halving", "doubling"};

}  // namespace understudy
