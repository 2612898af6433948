// SPDX-License-Identifier: Apache-2.0
// Gathers single elements with the gather instructions of AVX-512: moves of bits, so that results
// are those of other instruction sets, whatever UNDERSTUDY_ISA says. Pure function of memory.
#pragma once

#include <cstddef>

#include "worker/ops/indexing/single_elements.h"

namespace understudy::worker::ops {

// As gather_elements(), for elements of 4 or 8 bytes that signed offsets of 32 bits reach. False,
// with nothing done, for others and where the processor has no such instructions.
bool gather_by_avx512(const ElementIndices& indices, const std::byte* x, std::size_t element_bytes,
                      std::byte* out);

}  // namespace understudy::worker::ops
