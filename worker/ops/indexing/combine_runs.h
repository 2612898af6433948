// SPDX-License-Identifier: Apache-2.0
// Combinations of short runs of numbers with those at places that offsets name, by vectors. Pure
// functions of memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "program/ir/kinds.h"

namespace understudy::worker::ops {

// Types of numbers that combine_runs() takes.
template <class T>
constexpr bool kCombinesRuns = std::is_same_v<T, float> || std::is_same_v<T, double> ||
                               std::is_same_v<T, std::int32_t> || std::is_same_v<T, std::uint32_t>;

// y[offsets[i] + r] becomes its sum, product, minimum or maximum with x[i * run + r] for each r
// below `run`, one run after the other; nothing at kOutside. A NaN becomes its one pattern, and -0
// is below +0. Integers that wrap are unsigned: i32 has no sums and products.
template <class T>
void combine_runs(program::Reduction reduction, const std::uint32_t* offsets, std::size_t count,
                  std::size_t run, const T* x, T* y);

}  // namespace understudy::worker::ops
