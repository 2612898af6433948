// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "collectives/algorithms/ring.h"
#include "configs/base/error.h"

namespace understudy::collectives {

// In step s a member sends what it folded of chunk self-1-s and receives the left neighbour's part
// of chunk self-2-s, to which it adds its own elements on the right. Chunk k so starts at member
// k+1 and ends at its owner, member k.
std::vector<std::byte> fold_around(Call& call, const Reducer& reducer,
                                   std::span<const std::byte> in, const Chunks& chunks) {
  const std::size_t unit = reducer.element_bytes();
  const std::size_t wide = reducer.accumulator_bytes();
  const auto elements_of = [&](std::size_t chunk) {
    return in.data() + chunks.begin(chunk) * unit;
  };
  std::vector<std::byte> folded(chunks.largest() * wide);
  std::vector<std::byte> arriving(chunks.largest() * wide);

  std::size_t chunk = call.left(1);
  reducer.widen(elements_of(chunk), folded.data(), chunks.size(chunk));
  for (std::size_t step = 0; step + 1 < call.size(); ++step) {
    const std::size_t next = call.left(step + 2);
    const std::size_t count = chunks.size(next);
    call.exchange(std::span(folded).first(chunks.size(chunk) * wide), call.right(),
                  std::span(arriving).first(count * wide), call.left());
    reducer.combine(arriving.data(), elements_of(next), folded.data(), count);
    chunk = next;
  }
  UNDERSTUDY_ASSERT(chunk == call.self());
  folded.resize(chunks.size(chunk) * wide);
  return folded;
}

void reduce_scatter_ring(Call& call, const Reducer& reducer, std::span<const std::byte> in,
                         std::span<std::byte> out) {
  UNDERSTUDY_ASSERT(in.size() == out.size() * call.size());
  const Chunks chunks{in.size() / reducer.element_bytes(), call.size()};
  const std::vector<std::byte> folded = fold_around(call, reducer, in, chunks);
  reducer.narrow(folded.data(), out.data(), chunks.size(call.self()));
}

}  // namespace understudy::collectives
