// SPDX-License-Identifier: Apache-2.0
// The direct path between buffers that only their owners map: they are passed piece by piece
// through shared staging memory. Pieces are so small that they stay in the cache between being
// written and being read. Internal to the direct path.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include "collectives/collectives.h"
#include "collectives/fold.h"

namespace understudy::collectives {

// Results up to this size are pushed to the staging memory of every member, which needs no second
// meeting.
inline constexpr std::size_t kSmallPrivate = std::size_t{16} << 10;

CallReport reduce_in_pieces(const Fabric& fabric, const Group& group, const FoldOrder& folds,
                            const Reducer& reducer, std::span<const std::byte> in,
                            std::span<std::byte> out, const CallSite& site, std::string_view name);

CallReport gather_in_pieces(const Fabric& fabric, const Group& group, std::span<const std::byte> in,
                            std::span<std::byte> out, const CallSite& site, std::string_view name);

CallReport exchange_in_pieces(const Fabric& fabric, const Group& group,
                              std::span<const std::byte> in, std::span<std::byte> out,
                              const CallSite& site, std::string_view name);

}  // namespace understudy::collectives
