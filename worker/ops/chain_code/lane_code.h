// SPDX-License-Identifier: Apache-2.0
// Functions of f32 as machine instructions, of the one text that the kernels are compiled from.
#pragma once

#include <optional>

#include "worker/ops/chain_code/step_code.h"

namespace understudy::worker::ops::chain_code {

// Whether its code may leave the iteration for arguments near or beyond some border
// (Body::require).
bool is_left_at_borders(UnaryOp op);

// nullopt where a kernel has to be called. A NaN is not settled.
std::optional<ValueId> lane_function(StepCode& code, UnaryOp op, ValueId x);

}  // namespace understudy::worker::ops::chain_code
