// SPDX-License-Identifier: Apache-2.0
// Everything that one rank communicates with: the transport, the memory that it shares with others,
// the positions of the ranks in the slice, and the MPI library's own collectives. Passed to every
// algorithm; owns nothing. Used by one thread at a time.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "collectives/transport.h"
#include "configs/base/ids.h"

namespace understudy::collectives {

class SharedMemory;
class Library;

// Positions of the ranks of a pod. The bits of a result may depend on this, never on the real
// machines.
struct PodLayout {
  using Coordinates = std::array<std::int64_t, 3>;  // x, y, z
  Coordinates shape{1, 1, 1};                       // of a slice
  std::array<bool, 3> wraps{};                      // axes whose ends are joined
  std::vector<Coordinates> at;                      // by rank, in its slice; slice by slice
  std::vector<HostId> host_of;                      // emulated host, by rank
  // Of joined slices: 0 in a pod of one.
  std::int64_t slice_of(Rank rank) const { return rank.value / (shape[0] * shape[1] * shape[2]); }
};

// `ranks` chips on one emulated host, in a row that does not wrap.
PodLayout layout_in_a_row(std::size_t ranks);

struct Fabric {
  Transport& transport;
  const PodLayout& layout;
  SharedMemory* shared = nullptr;  // null: no memory is shared
  Library* library = nullptr;      // null: no MPI behind the transport
  std::size_t lane = 0;            // of this thread's operations; the same on all ranks
  // All buffers are in private memory: they are passed piece by piece through shared memory. If
  // only some are, the direct path detects it by itself, but copies more.
  bool private_buffers = false;
  bool reproducible = false;  // reductions give the same bits as a fold in group order
};

}  // namespace understudy::collectives
