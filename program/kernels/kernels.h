// SPDX-License-Identifier: Apache-2.0
// The vector unit: pure functions over dense runs of elements, used by workers and tests. Each
// table is one compilation of kernels.inl.h for one instruction set; all give the same bits.
// Kernels are noexcept, trust the caller's checks, and allow out to be the same run as an input
// (never a shifted one). Thread-safe.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "program/kernels/kernel_table.h"

namespace understudy::program::kernels {

// The table for this machine: the widest that the CPU has, or what UNDERSTUDY_ISA names (its value
// is passed in; an unknown or unavailable name throws Error{usage}). `wanted` empty: the widest.
const KernelTable& select(std::string_view wanted);
// All tables this CPU can run, portable first.
std::vector<const KernelTable*> available();

// The element type in which a reduction of `type` accumulates: f32 for bf16 and f16, else itself.
ElementType accumulator_type(ElementType type) noexcept;
// Whether the reductions that have kernels take `from` to `to`: to itself, or to what it
// accumulates in, so that the sum is not rounded.
bool reduces_to(ElementType from, ElementType to) noexcept;
// Whether elements of that type can be searched for their extremes with positions (ArgReduce).
bool finds_extremes(ElementType type) noexcept;

// The neutral element of a reduction, written to `out` (one element of `type`).
void write_identity(Reduction reduction, ElementType type, void* out) noexcept;

}  // namespace understudy::program::kernels
