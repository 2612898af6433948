// SPDX-License-Identifier: Apache-2.0
// Sizes and dimension numbers are signed in StableHLO, indices of containers are not. Pure.
#pragma once

#include <cstddef>
#include <cstdint>

namespace understudy {

// `index` is not negative.
constexpr std::size_t at(std::int64_t index) { return static_cast<std::size_t>(index); }

}  // namespace understudy
