// SPDX-License-Identifier: Apache-2.0
// The kinds of collective operations, by their names in StableHLO. Constant data; pure functions.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

namespace understudy::configs {

// The index of a kind is stored in flight records: append new kinds at the end.
inline constexpr std::array<std::string_view, 9> kCollectiveKinds = {"all_reduce",
                                                                     "all_gather",
                                                                     "reduce_scatter",
                                                                     "all_to_all",
                                                                     "collective_permute",
                                                                     "collective_broadcast",
                                                                     "ragged_all_to_all",
                                                                     "send",
                                                                     "recv"};

// By its name; nullopt for other words.
std::optional<std::size_t> collective_kind_of(std::string_view name);

}  // namespace understudy::configs
