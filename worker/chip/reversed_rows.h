// SPDX-License-Identifier: Apache-2.0
// Dense rows of a few bytes in reversed order, as the pixels of an image that is flipped. Pure
// function of memory.
#pragma once

#include <cstddef>
#include <cstdint>

namespace understudy::worker::ops {

// Copies rows of up to 8 bytes: row r lies r * bytes before `in`, and goes to r * bytes after
// `out`. Returns how many of the `count` rows it did, from the first one on.
std::int64_t reverse_dense_rows(std::int64_t count, std::size_t bytes, const std::byte* in,
                                std::byte* out);

}  // namespace understudy::worker::ops
