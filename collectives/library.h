// SPDX-License-Identifier: Apache-2.0
// The collectives of the message library itself, as a baseline to compare with. They do not
// exchange our headers: members must agree on a call before they make it. Call from the executor
// thread only. Equivalents: MPI_Iallreduce and friends.
#pragma once

#include <cstddef>
#include <span>

#include "collectives/collectives.h"

namespace understudy::collectives {

// Implemented by MpiLibrary; an interface, so that the algorithms link without MPI.
class Library {
 public:
  virtual ~Library() = default;

  // As the methods of Algorithm of the same names; reductions fold in an order that keeps the
  // group's, but else is the library's. Groups have two members at least. *Throws* what a
  // transport's exchange throws; Error{unsupported} where a count is more than the library can
  // take.
  virtual void all_reduce(const Group& group, const Reducer& reducer, std::span<const std::byte> in,
                          std::span<std::byte> out, const Waiting& waiting) = 0;
  virtual void all_gather(const Group& group, std::span<const std::byte> in,
                          std::span<std::byte> out, const Waiting& waiting) = 0;
  virtual void reduce_scatter(const Group& group, const Reducer& reducer,
                              std::span<const std::byte> in, std::span<std::byte> out,
                              const Waiting& waiting) = 0;
  virtual void all_to_all(const Group& group, std::span<const std::byte> in,
                          std::span<std::byte> out, const Waiting& waiting) = 0;
  // `buffer` is the operand at the root and the result elsewhere.
  virtual void broadcast(const Group& group, std::size_t root, std::span<std::byte> buffer,
                         const Waiting& waiting) = 0;
};

}  // namespace understudy::collectives
