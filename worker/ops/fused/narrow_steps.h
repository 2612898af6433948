// SPDX-License-Identifier: Apache-2.0
// Steps of integers of 8 and 16 bits that machine code computes in lanes of their size, which are
// two or four times as many as those of 32 bits. Pure function.
#pragma once

#include <cstddef>

#include "program/executable/executable.h"

namespace understudy::worker::ops {

// The bytes of the widest operand or result of a step that has such code
// (worker/ops/chain_code/narrow_code.h), 1 or 2; else 0. `has_known_second`: its second operand is
// a constant that all lanes share.
std::size_t narrow_lane_bytes(const program::Instruction& instruction, bool has_known_second);

}  // namespace understudy::worker::ops
