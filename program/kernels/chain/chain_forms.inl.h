// SPDX-License-Identifier: Apache-2.0
// Part of chain.inl.h: the forms of a step, one for each combination of the places of its operands.
#pragma once

#include "program/kernels/chain/chain_steps.inl.h"

namespace understudy::program::kernels {
namespace {

ChainFunction as_function(ChainCall call) noexcept { return reinterpret_cast<ChainFunction>(call); }

// The form of a step for the places of its operands; Forms::kCall has all of them.
#define UNDERSTUDY_ROW(...)                                                                     \
  {                                                                                             \
    Forms::template kCall<__VA_ARGS__, accumulator>, Forms::template kCall<__VA_ARGS__, dense>, \
        Forms::template kCall<__VA_ARGS__, shared>, Forms::template kCall<__VA_ARGS__, held>    \
  }
#define UNDERSTUDY_SQUARE(a)                                                             \
  {                                                                                      \
    UNDERSTUDY_ROW(a, accumulator), UNDERSTUDY_ROW(a, dense), UNDERSTUDY_ROW(a, shared), \
        UNDERSTUDY_ROW(a, held)                                                          \
  }
std::size_t number(ChainSource source) noexcept { return static_cast<std::size_t>(source); }
template <class Forms>
ChainFunction form_of(ChainSource a, ChainSource b) noexcept {
  static constexpr ChainCall kForms[4][4] = {UNDERSTUDY_ROW(accumulator), UNDERSTUDY_ROW(dense),
                                             UNDERSTUDY_ROW(shared), UNDERSTUDY_ROW(held)};
  return as_function(kForms[number(a)][number(b)]);
}
template <class Forms>
ChainFunction form_of(ChainSource a, ChainSource b, ChainSource c) noexcept {
  static constexpr ChainCall kForms[4][4][4] = {UNDERSTUDY_SQUARE(accumulator),
                                                UNDERSTUDY_SQUARE(dense), UNDERSTUDY_SQUARE(shared),
                                                UNDERSTUDY_SQUARE(held)};
  return as_function(kForms[number(a)][number(b)][number(c)]);
}
#undef UNDERSTUDY_SQUARE
#undef UNDERSTUDY_ROW

}  // namespace
}  // namespace understudy::program::kernels
