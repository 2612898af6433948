// SPDX-License-Identifier: Apache-2.0
// Gathers of single elements whose results leave as vectors: a processor does more loads at a time
// than stores, and its gather instructions are no faster than these loads. Pure functions of
// memory.
#pragma once

#include <cstddef>
#include <cstdint>

#include "worker/ops/indexing/single_elements.h"

namespace understudy::worker::ops {

// As gather_elements(), for elements of up to 8 bytes that signed offsets of 32 bits reach. False,
// with nothing done, for others.
bool gather_by_vectors(const ElementIndices& indices, const std::byte* x, std::size_t element_bytes,
                       std::byte* out);

// The same elements of each line of an array: out[line][i] = x[line][offsets[i]] for i below
// `count`. Lines of x have `length` elements, each of 1, 2, 4 or 8 bytes.
void take_lines(const std::int32_t* offsets, std::int64_t count, std::int64_t lines,
                std::int64_t length, std::size_t element_bytes, const std::byte* x, std::byte* out);

}  // namespace understudy::worker::ops
