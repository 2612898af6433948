// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "collectives/algorithms/ring.h"
#include "configs/base/error.h"

namespace understudy::collectives {

// Members stand in a chain that starts at the root. A member sends segment s-1 on while it receives
// segment s. An empty buffer still travels once, as a message without payload.
void broadcast_chain(Call& call, std::size_t root, std::span<const std::byte> in,
                     std::span<std::byte> out) {
  UNDERSTUDY_ASSERT(root < call.size());
  const std::size_t place = (call.self() + call.size() - root) % call.size();
  const bool receives = place > 0;
  const bool sends = place + 1 < call.size();
  if (!receives) {
    UNDERSTUDY_ASSERT(in.size() == out.size());
    std::copy(in.begin(), in.end(), out.begin());
  }
  const auto segment = [&](std::size_t number) {
    const std::size_t begin = number * kBroadcastSegmentBytes;
    return out.subspan(begin, std::min(kBroadcastSegmentBytes, out.size() - begin));
  };
  const std::size_t segments =
      std::max<std::size_t>(1, (out.size() + kBroadcastSegmentBytes - 1) / kBroadcastSegmentBytes);
  for (std::size_t s = 0; s < segments; ++s) {
    if (!receives) {
      if (sends) call.send(segment(s), call.right());
    } else if (sends && s > 0) {
      call.exchange(segment(s - 1), call.right(), segment(s), call.left());
    } else {
      call.receive(segment(s), call.left());
    }
  }
  if (receives && sends) call.send(segment(segments - 1), call.right());
}

}  // namespace understudy::collectives
