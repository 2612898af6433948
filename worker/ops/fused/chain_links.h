// SPDX-License-Identifier: Apache-2.0
// The links of a chain: its units in their order, with the places of their operands. Results that
// later links of the chain read, and nobody else, are held in pieces. Pure functions.
#pragma once

#include <span>

#include "program/kernels/kernel_table.h"
#include "worker/ops/fused/fused_chain.h"

namespace understudy::worker::ops {

// Puts the links of a chain into `run`, whose steps are known. `held`: the place of the first piece
// that is held. Returns the number of pieces.
std::size_t add_links(const program::kernels::KernelTable& table,
                      std::span<const ChainCandidate> candidates, const FusedPlace& held,
                      ChainRun& run);

}  // namespace understudy::worker::ops
