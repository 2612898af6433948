// SPDX-License-Identifier: Apache-2.0
// Tables of numbers of lanes, by which vectors are permuted. Pure function.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace understudy::worker::ops::chain_code {

using LaneNumber = std::uint32_t;

// kCount vectors of kLanes lanes: f(vector, lane).
template <std::size_t kCount, LaneNumber kLanes, class F>
constexpr std::array<std::array<LaneNumber, kLanes>, kCount> lane_numbers(F f) {
  std::array<std::array<LaneNumber, kLanes>, kCount> all{};
  for (LaneNumber v = 0; v < kCount; ++v)
    for (LaneNumber l = 0; l < kLanes; ++l) all[v][l] = f(v, l);
  return all;
}

}  // namespace understudy::worker::ops::chain_code
