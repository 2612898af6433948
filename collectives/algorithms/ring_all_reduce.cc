// SPDX-License-Identifier: Apache-2.0
#include "collectives/algorithms/ring.h"
#include "configs/base/error.h"

namespace understudy::collectives {

// Reduce-scatter, then all-gather: 2(n-1) messages per member whatever the size, so that even an
// empty operand's signature is checked. Chunks may be uneven or empty.
void all_reduce_ring(Call& call, const Reducer& reducer, std::span<const std::byte> in,
                     std::span<std::byte> out) {
  UNDERSTUDY_ASSERT(in.size() == out.size());
  const std::size_t unit = reducer.element_bytes();
  const Chunks chunks{in.size() / unit, call.size()};
  const std::vector<std::byte> folded = fold_around(call, reducer, in, chunks);
  reducer.narrow(folded.data(), out.data() + chunks.begin(call.self()) * unit,
                 chunks.size(call.self()));
  gather_around(call, out, chunks, unit);
}

}  // namespace understudy::collectives
