// SPDX-License-Identifier: Apache-2.0
// Sorts by keys instead of a comparator, line by line: all of a line, or, where the outputs are
// shorter than the inputs, the first elements of it. Call from the executor thread only.
#pragma once

#include <span>

#include "worker/chip/ops.h"
#include "worker/ops/sort/sort_keys.h"

namespace understudy::worker::ops {

// False where the keys cannot say (a NaN under a comparison that has no place for it, lines of 2^32
// elements or more); the outputs are then not complete.
bool sort_by_keys(const program::Sort& work, const Instruction& instruction, Execution& execution,
                  std::span<const SortKey> keys);

}  // namespace understudy::worker::ops
