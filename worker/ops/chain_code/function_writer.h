// SPDX-License-Identifier: Apache-2.0
// A machine function that runs a body over the elements of a chain. Called by one thread.
#pragma once

#include "program/kernels/chain/chain_kernels.h"
#include "worker/ops/chain_code/body.h"

namespace understudy::worker::ops::chain_code {

// As ChainKernels::run, of one chain.
using ChainFunctionPointer = void (*)(const program::kernels::ChainStep* steps, std::size_t n);

// Null where asmjit or the system refuses. `usual`: runs first, null for none, and leaves to `body`
// the iterations that it has not been made for. *Requires*: `runtime` outlives the function.
ChainFunctionPointer write_function(const Body& body, const Body* usual,
                                    asmjit::JitRuntime& runtime);

}  // namespace understudy::worker::ops::chain_code
