// SPDX-License-Identifier: Apache-2.0
// Part of chain.inl.h: complex<f32> in memory, of which a chain holds the parts.
#pragma once

#include <utility>

#include "program/kernels/chain/chain_forms.inl.h"

namespace understudy::program::kernels {
namespace {

// Lane i of the result is lane kFirst + kStep * i of a followed by b.
template <int kFirst, int kStep, std::size_t... kLane>
UNDERSTUDY_INLINE Words every(Words a, Words b, std::index_sequence<kLane...> /*all*/) {
  return __builtin_shufflevector(a, b, (kFirst + kStep * static_cast<int>(kLane))...);
}
// Lanes from kFirst on of a and b by turns.
template <int kFirst, std::size_t... kLane>
UNDERSTUDY_INLINE Words by_turns(Words a, Words b, std::index_sequence<kLane...> /*all*/) {
  return __builtin_shufflevector(
      a, b, (kFirst + static_cast<int>(kLane / 2 + kLane % 2 * kChainLanes))...);
}
using EachLane = std::make_index_sequence<kChainLanes>;

// kPart: 0 real, 1 imaginary.
template <int kPart>
void load_part_step(const ChainStep* step, std::size_t i, ChainRoom& room, UNDERSTUDY_PIECE) {
  const auto one = [&](std::size_t v, Words) __attribute__((always_inline)) {
    const std::byte* const at = step->a + 8 * (i + v * kChainLanes);
    Words a, b;
    __builtin_memcpy(&a, at, sizeof(a));
    __builtin_memcpy(&b, at + sizeof(a), sizeof(b));
    return every<kPart, 2>(a, b, EachLane{});
  };
  UNDERSTUDY_EACH(one);
  UNDERSTUDY_NEXT_STEP;
}
// Leaves the accumulator as it is.
template <ChainSource kA, ChainSource kB>
void store_complex_step(const ChainStep* step, std::size_t i, ChainRoom& room, UNDERSTUDY_PIECE) {
  std::byte* const out = step->out + 8 * i;
  const auto one = [&](std::size_t v, Words x) __attribute__((always_inline)) {
    const Words re = operand<kA>(step->a, i, v, x);
    const Words im = operand<kB>(step->b, i, v, x);
    const Words lower = by_turns<0>(re, im, EachLane{});
    const Words upper = by_turns<kChainLanes / 2>(re, im, EachLane{});
    __builtin_memcpy(out + 2 * v * sizeof(x), &lower, sizeof(x));
    __builtin_memcpy(out + (2 * v + 1) * sizeof(x), &upper, sizeof(x));
    return x;
  };
  UNDERSTUDY_EACH(one);
  UNDERSTUDY_NEXT_STEP;
}

struct StoreComplexForms {
  template <ChainSource kA, ChainSource kB>
  static constexpr ChainCall kCall = &store_complex_step<kA, kB>;
};
ChainFunction chain_store_complex(ChainSource a, ChainSource b) noexcept {
  return form_of<StoreComplexForms>(a, b);
}
ChainFunction chain_load_part(UnaryOp part) noexcept {
  if (part == UnaryOp::real) return as_function(&load_part_step<0>);
  return part == UnaryOp::imag ? as_function(&load_part_step<1>) : nullptr;
}

}  // namespace
}  // namespace understudy::program::kernels
