// SPDX-License-Identifier: Apache-2.0
// The vector unit: pure functions over dense runs of elements, used by workers and tests. Each
// table is one compilation of kernels.inl.h for one instruction set; all give the same bits.
// Kernels are noexcept, trust the caller's checks, and allow out to be the same run as an input
// (never a shifted one). Thread-safe.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "program/executable.h"

namespace understudy::program::kernels {

using UnaryKernel = void (*)(const void* in, void* out, std::size_t n) noexcept;
using BinaryKernel = void (*)(const void* a, const void* b, void* out, std::size_t n) noexcept;
// Folds n elements into *accumulator (one element of `accumulator_type(type)`), in a fixed order:
// 16 logical lanes, lane l takes elements l, l+16, ..., then a fixed tree over the lanes.
using FoldKernel = void (*)(const void* in, std::size_t n, void* accumulator) noexcept;

struct KernelTable {
  std::string_view isa;  // "portable", "avx2", "avx512"
  // Each returns nullptr where the operation has no meaning for the type.
  UnaryKernel (*unary)(UnaryOp op, ElementType type) noexcept;
  BinaryKernel (*binary)(BinaryOp op, ElementType type) noexcept;
  BinaryKernel (*compare)(Direction direction, bool total_order, ElementType type) noexcept;
  UnaryKernel (*convert)(ElementType from, ElementType to) noexcept;  // a copy where they are equal
  FoldKernel (*fold)(Reduction reduction, ElementType type) noexcept;
  // out = combine(a, b) where a and out are accumulators and b has the element type: bf16 and f16
  // accumulate in f32.
  BinaryKernel (*accumulate)(Reduction reduction, ElementType type) noexcept;
};

// The table for this machine: the widest that the CPU has, or what UNDERSTUDY_ISA names (its value
// is passed in; an unknown or unavailable name throws Error{usage}). `wanted` empty: the widest.
const KernelTable& select(std::string_view wanted);
// All tables this CPU can run, portable first.
std::vector<const KernelTable*> available();

// The element type in which a reduction of `type` accumulates: f32 for bf16 and f16, else itself.
ElementType accumulator_type(ElementType type) noexcept;

// The neutral element of a reduction, written to `out` (one element of `type`).
void write_identity(Reduction reduction, ElementType type, void* out) noexcept;

}  // namespace understudy::program::kernels
