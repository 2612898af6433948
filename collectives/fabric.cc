// SPDX-License-Identifier: Apache-2.0
#include "collectives/fabric.h"

namespace understudy::collectives {

PodLayout layout_in_a_row(std::size_t ranks) {
  PodLayout layout;
  // A row along x that does not wrap, on one host: reductions then fold in plain group order.
  layout.shape[0] = static_cast<std::int64_t>(ranks);
  layout.host_of.assign(ranks, HostId(0));
  for (std::size_t rank = 0; rank < ranks; ++rank) {
    layout.at.push_back({static_cast<std::int64_t>(rank), 0, 0});
  }
  return layout;
}

}  // namespace understudy::collectives
