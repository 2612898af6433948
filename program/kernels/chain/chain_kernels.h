// SPDX-License-Identifier: Apache-2.0
// Chains of element-wise steps of 32-bit types, bf16, f16, preds and conversions of bytes without a
// pass over memory per step: a piece of elements is held in registers (the accumulator) while its
// steps run one after the other, each a function that calls the next (direct threaded code).
// Operands are dense arrays, one element that all lanes share, the accumulator, or a piece that an
// earlier step held for later ones. Bits are those of the kernels of kernel_table.h but for NaN,
// which arithmetic leaves as it comes: a step `settle` gives it its one pattern. Plain data.
#pragma once

#include <cstddef>
#include <cstdint>

#include "program/ir/kinds.h"

namespace understudy::program::kernels {

// The types of 32 bits that steps compute with.
constexpr bool is_word(ElementType type) noexcept {
  return type == ElementType::f32 || type == ElementType::i32 || type == ElementType::ui32;
}

// The floats of 16 bits, of which a chain holds the f32 of their value: each step rounds its
// result.
constexpr bool is_half(ElementType type) noexcept {
  return type == ElementType::bf16 || type == ElementType::f16;
}
// Integers of 8 bits, of which a chain holds the word of their value: conversions read and make
// them. Arithmetic of them has narrower lanes: machine code's own, or those of kernels.
constexpr bool is_byte(ElementType type) noexcept {
  return type == ElementType::i8 || type == ElementType::ui8;
}
// What steps load and store by parts, each an f32.
constexpr bool is_pair(ElementType type) noexcept { return type == ElementType::c64; }
// Whether a step can load or store elements that are so many apart: machine code takes every second
// and every third of what it has, one after the other.
constexpr std::size_t kMostChainStride = 9;
constexpr bool is_chain_stride(std::size_t step) noexcept {
  if (step < 2 || step > kMostChainStride) return false;
  while (step % 2 == 0) step /= 2;
  while (step % 3 == 0) step /= 3;
  return step == 1;
}
// The floats that steps compute with.
constexpr bool is_chain_float(ElementType type) noexcept {
  return type == ElementType::f32 || is_half(type);
}

// Where an operand of a step is.
enum class ChainSource : std::uint8_t { accumulator, dense, shared, held };

// A step; the functions know its signature. `run` is never called through this type.
struct ChainStep {
  void (*run)() = nullptr;
  const std::byte* a = nullptr;  // operands in memory, of the present tile
  const std::byte* b = nullptr;
  const std::byte* c = nullptr;
  std::byte* out = nullptr;
  void (*kernel)() = nullptr;    // of a call
  std::size_t element_step = 1;  // of a strided load or store
};
using ChainFunction = void (*)();

// Each lookup returns nullptr where the operation or the type has no step.
struct ChainKernels {
  std::size_t piece;       // elements
  std::size_t vector;      // of a register: a part of a piece
  std::size_t held_bytes;  // of a piece that is held
  ChainFunction (*unary)(UnaryOp op, ElementType type) noexcept;  // of the accumulator
  ChainFunction (*binary)(BinaryOp op, ElementType type, ChainSource a, ChainSource b) noexcept;
  // The accumulator becomes a pred.
  ChainFunction (*compare)(Direction direction, bool total, ElementType type, ChainSource a,
                           ChainSource b) noexcept;
  // By the pred c.
  ChainFunction (*select)(ElementType type, ChainSource c, ChainSource a, ChainSource b) noexcept;
  // a * b + c of floats, rounded twice.
  ChainFunction (*multiply_add)(ElementType type, ChainSource a, ChainSource b,
                                ChainSource c) noexcept;
  // (a << b) | (a >> c) of 32-bit integers, b and c being shared; a is no shared operand.
  ChainFunction (*rotate)(ChainSource a) noexcept;
  ChainFunction (*convert)(ElementType from, ElementType to) noexcept;  // of the accumulator
  ChainFunction (*load)(ElementType type, ChainSource a) noexcept;
  ChainFunction (*store)(ElementType type) noexcept;
  // The real or the imaginary part of complex<f32> at a.
  ChainFunction (*load_part)(UnaryOp part) noexcept;
  // Stores complex<f32> with the parts a and b.
  ChainFunction (*store_complex)(ChainSource a, ChainSource b) noexcept;
  // Runs ChainStep::kernel, a UnaryKernel of a 32-bit type, on the accumulator; of bf16 and f16 it
  // is one of f32, whose result is rounded.
  ChainFunction (*call)(ElementType type) noexcept;
  // The same with a BinaryKernel.
  ChainFunction (*call_two)(ElementType type, ChainSource a, ChainSource b) noexcept;
  // Stores a, of 32 bits, to places that are ChainStep::element_step elements apart.
  ChainFunction (*store_strided)(ChainSource a) noexcept;
  ChainFunction load_strided;  // from such
  ChainFunction settle;        // f32
  ChainFunction hold;          // puts the accumulator aside, whatever its type, at `out`
  ChainFunction end;
  // Runs the steps, the last being `end`, on the first n elements, a multiple of `piece`.
  void (*run)(const ChainStep* steps, std::size_t n) noexcept;
};

}  // namespace understudy::program::kernels
