// SPDX-License-Identifier: Apache-2.0
// The ring and its companions. Words: a buffer has one *chunk* per member; chunk k is owned by
// member k. `right` and `left` are the neighbours in group order. docs/collectives.md counts steps
// and bytes, and states the order in which chunks are folded.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "collectives/call.h"
#include "collectives/chunks.h"

namespace understudy::collectives {

// Broadcast travels down the chain in segments, so that all links work at once.
inline constexpr std::size_t kBroadcastSegmentBytes = std::size_t{256} << 10;

// n-1 steps: partial results travel to the right as accumulators. Returns the accumulators of our
// own chunk, folded in the order of members self+1, self+2, ..., self (around the group).
std::vector<std::byte> fold_around(Call& call, const Reducer& reducer,
                                   std::span<const std::byte> in, const Chunks& chunks);

// n-1 steps: chunks travel to the right until everybody has them all. Our own chunk must already
// stand in `out`. `unit` is the number of bytes of an element of `chunks`.
void gather_around(Call& call, std::span<std::byte> out, const Chunks& chunks, std::size_t unit);

void all_reduce_ring(Call& call, const Reducer& reducer, std::span<const std::byte> in,
                     std::span<std::byte> out);
void all_gather_ring(Call& call, std::span<const std::byte> in, std::span<std::byte> out);
void reduce_scatter_ring(Call& call, const Reducer& reducer, std::span<const std::byte> in,
                         std::span<std::byte> out);
void all_to_all_pairwise(Call& call, std::span<const std::byte> in, std::span<std::byte> out);
void broadcast_chain(Call& call, std::size_t root, std::span<const std::byte> in,
                     std::span<std::byte> out);
// One message per pair; a pair of a rank with itself is a copy.
CallReport permute_by_messages(Transport& transport, Rank to, Rank from,
                               std::span<const std::byte> in, std::span<std::byte> out,
                               const CallSite& site);

}  // namespace understudy::collectives
