// SPDX-License-Identifier: Apache-2.0
// Requests of MPI as plain bits, because headers outside mpi/ must not show MPI types. Copying a
// handle while it is pending is allowed by the MPI standard; only one copy is ever tested.
#pragma once

#include <cstdint>
#include <cstring>
#include <mpi.h>

namespace understudy::collectives {

static_assert(sizeof(MPI_Request) <= sizeof(std::uintptr_t));

inline std::uintptr_t stored(MPI_Request request) {
  std::uintptr_t bits = 0;
  std::memcpy(&bits, &request, sizeof(request));
  return bits;
}

}  // namespace understudy::collectives
