// SPDX-License-Identifier: Apache-2.0
// Sums of short runs of floats at places that offsets name, by vectors. Pure functions of memory.
#pragma once

#include <cstddef>
#include <cstdint>

namespace understudy::worker::ops {

// y[offsets[i] + r] += x[i * run + r] for each r below `run`, one run after the other, a NaN as its
// one pattern; none at kOutside.
void add_runs(const std::uint32_t* offsets, std::size_t count, std::size_t run, const float* x,
              float* y);
void add_runs(const std::uint32_t* offsets, std::size_t count, std::size_t run, const double* x,
              double* y);

}  // namespace understudy::worker::ops
