// SPDX-License-Identifier: Apache-2.0
// Moves of runs of bytes to or from places that offsets name. Pure functions of memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace understudy::worker::ops {

// Offsets in units of so many bytes. Run i of `out` is the one at offsets[i] of `from`.
void gather_runs_of_bytes(std::span<const std::int64_t> offsets, std::size_t unit,
                          std::size_t bytes, const std::byte* from, std::byte* out);
// Run i of `from` goes to offsets[i] of `out`, one after the other; none to a negative offset.
void scatter_runs_of_bytes(std::span<const std::int64_t> offsets, std::size_t unit,
                           std::size_t bytes, const std::byte* from, std::byte* out);

}  // namespace understudy::worker::ops
