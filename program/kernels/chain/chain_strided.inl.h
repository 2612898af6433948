// SPDX-License-Identifier: Apache-2.0
// Part of chain.inl.h: 32-bit elements of an array in memory that are a few elements apart. Lane by
// lane: chains that are used often have machine code, which permutes whole vectors.
#pragma once

#include "program/kernels/chain/chain_forms.inl.h"

namespace understudy::program::kernels {
namespace {

void load_strided_step(const ChainStep* step, std::size_t i, ChainRoom& room, UNDERSTUDY_PIECE) {
  const std::size_t bytes = 4 * step->element_step;
  const std::byte* const a = step->a + bytes * i;
  const auto one = [&](std::size_t v, Words) __attribute__((always_inline)) {
    u32 lanes[kChainLanes];
    for (std::size_t l = 0; l < kChainLanes; ++l)
      __builtin_memcpy(&lanes[l], a + bytes * (v * kChainLanes + l), sizeof(u32));
    Words y;
    __builtin_memcpy(&y, lanes, sizeof(y));
    return y;
  };
  UNDERSTUDY_EACH(one);
  UNDERSTUDY_NEXT_STEP;
}
// Leaves the accumulator as it is.
template <ChainSource kA>
void store_strided_step(const ChainStep* step, std::size_t i, ChainRoom& room, UNDERSTUDY_PIECE) {
  const std::size_t bytes = 4 * step->element_step;
  std::byte* const out = step->out + bytes * i;
  const auto one = [&](std::size_t v, Words x) __attribute__((always_inline)) {
    const Words y = operand<kA>(step->a, i, v, x);
    u32 lanes[kChainLanes];
    __builtin_memcpy(lanes, &y, sizeof(y));
    for (std::size_t l = 0; l < kChainLanes; ++l)
      __builtin_memcpy(out + bytes * (v * kChainLanes + l), &lanes[l], sizeof(u32));
    return x;
  };
  UNDERSTUDY_EACH(one);
  UNDERSTUDY_NEXT_STEP;
}

ChainFunction chain_store_strided(ChainSource a) noexcept {
  constexpr ChainCall kForms[] = {&store_strided_step<accumulator>, &store_strided_step<dense>,
                                  &store_strided_step<shared>, &store_strided_step<held>};
  return as_function(kForms[number(a)]);
}

}  // namespace
}  // namespace understudy::program::kernels
