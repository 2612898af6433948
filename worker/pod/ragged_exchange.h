// SPDX-License-Identifier: Apache-2.0
// ragged_all_to_all as JAX defines it (jax.lax.ragged_all_to_all): every member sends slices of
// rows to every member and says where they go there. Call from the executor thread only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "collectives/collectives.h"

namespace understudy::worker {

// Rows of `row_bytes`; slices of one member: as many per peer as divide `input_offsets` by the
// size of the group, peers in group order.
struct RaggedSlices {
  std::size_t row_bytes = 0;
  std::span<const std::int64_t> input_offsets, send_sizes, output_offsets, recv_sizes;
};

// Writes what comes in into `out`, whose other rows stay. `in` and `out` do not overlap. *Throws*
// Error{check} where a slice leaves its buffer, before anything of that peer moves; what the
// transport throws; and Error{protocol} where recv_sizes do not announce what a peer sends.
collectives::CallReport ragged_exchange(const collectives::Algorithm& algorithm,
                                        const collectives::Fabric& fabric,
                                        const collectives::Group& group, const RaggedSlices& slices,
                                        std::span<const std::byte> in, std::span<std::byte> out,
                                        const collectives::CallSite& site);

}  // namespace understudy::worker
