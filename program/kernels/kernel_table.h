// SPDX-License-Identifier: Apache-2.0
// The table of kernels that one compilation of kernels.inl.h exports. Plain data.
#pragma once

#include <cstddef>

#include "program/ir/kinds.h"
#include "program/kernels/chain/chain_kernels.h"
#include "program/kernels/fft_kernels.h"

namespace understudy::program::kernels {

using UnaryKernel = void (*)(const void* in, void* out, std::size_t n) noexcept;
using BinaryKernel = void (*)(const void* a, const void* b, void* out, std::size_t n) noexcept;
// Lanes of a fold of n elements: 16, or from kLongFold on four registers of 64 bytes, as one
// register of sums waits for itself. Floats of 8 and fewer bits always have 16.
inline constexpr std::size_t kLongFold = 256;
constexpr std::size_t fold_lanes(std::size_t n, std::size_t accumulator_bytes) noexcept {
  return n < kLongFold || accumulator_bytes == 1 ? 16 : 256 / accumulator_bytes;
}
// Folds n elements into *accumulator (one element of `accumulator_type(type)`), in a fixed order:
// lane l takes elements l, l + fold_lanes(), ..., then a fixed tree joins the lanes: lane l with
// lane l + half of their number, then halves of those, and so on.
using FoldKernel = void (*)(const void* in, std::size_t n, void* accumulator) noexcept;

// As FoldKernel, for rows that are `stride` elements apart, each into its accumulator.
using FoldRowsKernel = void (*)(const void* in, std::size_t rows, std::size_t stride, std::size_t n,
                                void* accumulators) noexcept;
// `count` blocks of `rows` rows of `columns` elements; strides in elements.
struct RowBlocks {
  std::size_t count = 1, block_stride = 0;
  std::size_t rows = 0, row_stride = 0;
  std::size_t columns = 0;
};
// For each block, whose accumulators follow those of the one before: accumulators[i] = combine of
// itself, in[i], in[i + row_stride], ... from left to right.
using AccumulateRowsKernel = void (*)(const void* in, const RowBlocks& blocks,
                                      void* accumulators) noexcept;

// out[i] = combine of operands[0][i], operands[1][i], ... from left to right, `count` > 0 of them.
using GatherKernel = void (*)(const void* const* operands, std::size_t count, void* out,
                              std::size_t n) noexcept;

// out[i] = pred[i] != 0 ? on_true[i] : on_false[i].
using SelectKernel = void (*)(const void* pred, const void* on_true, const void* on_false,
                              void* out, std::size_t n) noexcept;
using IdentityWriter = void (*)(void* out) noexcept;

struct KernelTable {
  const char* isa;  // "portable", "avx2", "avx512"
  // Each returns nullptr where the operation has no meaning for the type.
  UnaryKernel (*unary)(UnaryOp op, ElementType type) noexcept;
  BinaryKernel (*binary)(BinaryOp op, ElementType type) noexcept;
  // out: one byte of 0 or 1 per element.
  BinaryKernel (*compare)(Direction direction, bool total_order, ElementType type) noexcept;
  UnaryKernel (*convert)(ElementType from, ElementType to) noexcept;  // a copy where they are equal
  FoldKernel (*fold)(Reduction reduction, ElementType type) noexcept;
  // The same for many rows at once; nullptr for types below 8 bits and f8 types as well.
  FoldRowsKernel (*fold_rows)(Reduction reduction, ElementType type) noexcept;
  AccumulateRowsKernel (*accumulate_rows)(Reduction reduction, ElementType type) noexcept;
  // out = combine(a, b) where a and out are accumulators and b has the element type: bf16 and f16
  // accumulate in f32.
  BinaryKernel (*accumulate)(Reduction reduction, ElementType type) noexcept;
  // The same over many operands at once; out holds accumulators. nullptr also for f8 types.
  GatherKernel (*accumulate_all)(Reduction reduction, ElementType type) noexcept;
  SelectKernel (*select)(std::size_t element_bytes) noexcept;  // 1, 2, 4, 8 or 16
  // Writes the neutral element of a reduction, one element of the type.
  IdentityWriter (*identity)(Reduction reduction, ElementType type) noexcept;
  FftKernels<float> fft_f32;
  FftKernels<double> fft_f64;
  ChainKernels (*chains)() noexcept;
};

}  // namespace understudy::program::kernels
