// SPDX-License-Identifier: Apache-2.0
// Gathers from tables of few elements, which registers hold: codebooks of quantised weights,
// colours of a palette, rows of a small matrix. Pure function of memory.
#pragma once

#include <cstddef>

#include "worker/ops/indexing/single_elements.h"

namespace understudy::worker::ops {

// As gather_elements(), of up to 16 elements of 1, 2 or 4 bytes in a row, by one integer of up to
// 32 bits each. False, with nothing done, for others.
bool gather_from_registers(const ElementIndices& indices, const std::byte* x,
                           std::size_t element_bytes, std::byte* out);

}  // namespace understudy::worker::ops
