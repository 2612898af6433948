// SPDX-License-Identifier: Apache-2.0
// A machine function that runs a body over the elements of a chain. Called by one thread.
#pragma once

#include <cstdint>
#include <span>

#include "program/kernels/chain/chain_kernels.h"
#include "worker/ops/chain_code/body.h"

namespace understudy::worker::ops::chain_code {

// As ChainKernels::run, of one chain, for `rows` rows one after the other.
using ChainFunctionPointer = void (*)(program::kernels::ChainStep* steps, std::size_t n,
                                      std::size_t rows);

// An address in the steps, in bytes from the first one, that the function advances from row to row.
struct RowStep {
  std::size_t pointer;
  std::uint64_t bytes;
};

// Whether the last iteration of a function may begin before the end of the one before it, so that a
// row has any number of elements from those of an iteration on: one that leaves no iteration to
// others and combines no lanes.
bool overlaps_ends(const Body& body);

// Null where asmjit or the system refuses. `usual`: runs first, null for none, and leaves to `body`
// the iterations that it has not been made for. *Requires*: `runtime` outlives the function.
ChainFunctionPointer write_function(const Body& body, const Body* usual,
                                    std::span<const RowStep> rows, asmjit::JitRuntime& runtime);

}  // namespace understudy::worker::ops::chain_code
