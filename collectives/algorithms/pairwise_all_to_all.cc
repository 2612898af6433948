// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "collectives/algorithms/ring.h"
#include "configs/base/error.h"

namespace understudy::collectives {

// In step s every member sends to the one s places to its right: no member is ever the target of
// two at once.
void all_to_all_pairwise(Call& call, std::span<const std::byte> in, std::span<std::byte> out) {
  UNDERSTUDY_ASSERT(in.size() == out.size() && in.size() % call.size() == 0);
  const std::size_t block = in.size() / call.size();
  const auto own = in.subspan(call.self() * block, block);
  std::copy(own.begin(), own.end(), out.subspan(call.self() * block).begin());
  for (std::size_t step = 1; step < call.size(); ++step) {
    const std::size_t to = call.right(step);
    const std::size_t from = call.left(step);
    call.exchange(in.subspan(to * block, block), to, out.subspan(from * block, block), from);
  }
}

}  // namespace understudy::collectives
