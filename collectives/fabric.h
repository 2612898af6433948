// SPDX-License-Identifier: Apache-2.0
// All that one rank has to talk with: the transport, what memory it shares with whom, where the
// ranks stand in the slice, and the MPI library's own collectives. Handed to every algorithm; owns
// nothing. Used by one thread at a time.
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

// Where the ranks of a pod stand. Bits of results may depend on this, never on the machines.
struct PodLayout {
  using Coordinates = std::array<std::int64_t, 3>;  // x, y, z
  Coordinates shape{1, 1, 1};                       // of the slice
  std::array<bool, 3> wraps{};                      // axes whose ends are joined
  std::vector<Coordinates> at;                      // by rank
  std::vector<HostId> host_of;                      // emulated host, by rank
};

// `ranks` chips on one emulated host, in a row that does not wrap.
PodLayout layout_in_a_row(std::size_t ranks);

struct Fabric {
  Transport& transport;
  const PodLayout& layout;
  SharedMemory* shared = nullptr;  // null: no memory is shared
  Library* library = nullptr;      // null: no MPI behind the transport
  std::size_t lane = 0;            // of the operations that this thread runs, the same on all ranks
  // Every member's buffers lie in memory of its own: they travel piece by piece through memory that
  // is shared. Where only some do, the direct path finds out by itself, but copies more.
  bool private_buffers = false;
  bool reproducible = false;  // every reduction gives the bits of the fold in group order
};

}  // namespace understudy::collectives
