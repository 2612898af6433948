// SPDX-License-Identifier: Apache-2.0
// ragged_all_to_all as JAX defines it (jax.lax.ragged_all_to_all): every member sends slices of
// rows to every member and says where they go there. Call from the executor thread only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "collectives/collectives.h"

namespace understudy::worker {

// One member's view. The four lists have the same length: a multiple of the group's size, in group
// order of the peers. Offsets and sizes count rows of `row_bytes` bytes.
struct RaggedSlices {
  std::size_t row_bytes = 0;
  std::span<const std::int64_t> input_offsets, send_sizes, output_offsets, recv_sizes;
};

// Writes the received slices into `out`; other rows of `out` keep their values. `in` and `out` do
// not overlap. *Throws* Error{check} where a slice exceeds its buffer, before any byte of that
// peer's message is written; what the transport throws; and Error{protocol} where a peer sends
// other sizes than recv_sizes expects.
collectives::CallReport ragged_exchange(const collectives::Algorithm& algorithm,
                                        const collectives::Fabric& fabric,
                                        const collectives::Group& group, const RaggedSlices& slices,
                                        std::span<const std::byte> in, std::span<std::byte> out,
                                        const collectives::CallSite& site);

}  // namespace understudy::worker
