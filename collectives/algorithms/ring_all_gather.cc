// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "collectives/algorithms/ring.h"
#include "configs/base/error.h"

namespace understudy::collectives {

// In step s every member passes on the chunk that it got in step s-1: chunk self-s.
void gather_around(Call& call, std::span<std::byte> out, const Chunks& chunks, std::size_t unit) {
  const auto bytes_of = [&](std::size_t chunk) {
    return out.subspan(chunks.begin(chunk) * unit, chunks.size(chunk) * unit);
  };
  for (std::size_t step = 0; step + 1 < call.size(); ++step) {
    call.exchange(bytes_of(call.left(step)), call.right(), bytes_of(call.left(step + 1)),
                  call.left());
  }
}

void all_gather_ring(Call& call, std::span<const std::byte> in, std::span<std::byte> out) {
  UNDERSTUDY_ASSERT(out.size() == in.size() * call.size());
  std::copy(in.begin(), in.end(), out.subspan(call.self() * in.size()).begin());
  gather_around(call, out, Chunks{out.size(), call.size()}, 1);
}

}  // namespace understudy::collectives
