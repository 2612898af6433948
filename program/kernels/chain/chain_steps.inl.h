// SPDX-License-Identifier: Apache-2.0
// Part of chain.inl.h: the steps, which apply functions of vectors to a piece.
#pragma once

#include "program/kernels/chain/chain_math.inl.h"
#include "program/kernels/lane_functions.inl.h"

namespace understudy::program::kernels {
namespace {

// x_v = f(v, x_v) of all vectors of the piece.
#define UNDERSTUDY_EACH(f) \
  x0 = f(0, x0);           \
  x1 = f(1, x1);           \
  x2 = f(2, x2);           \
  x3 = f(3, x3);           \
  x4 = f(4, x4);           \
  x5 = f(5, x5);           \
  x6 = f(6, x6);           \
  x7 = f(7, x7)

template <class F, ElementType kType, ChainSource kA, ChainSource kB>
void binary_step(const ChainStep* step, std::size_t i, ChainRoom& room, UNDERSTUDY_PIECE) {
  const auto one = [&](std::size_t v, Words x) __attribute__((always_inline)) {
    return F::apply(operand_of<kType, kA>(step->a, i, v, x),
                    operand_of<kType, kB>(step->b, i, v, x));
  };
  UNDERSTUDY_EACH(one);
  UNDERSTUDY_NEXT_STEP;
}
template <class F>
void unary_step(const ChainStep* step, std::size_t i, ChainRoom& room, UNDERSTUDY_PIECE) {
  const auto one = [](std::size_t, Words x) __attribute__((always_inline)) { return F::apply(x); };
  UNDERSTUDY_EACH(one);
  UNDERSTUDY_NEXT_STEP;
}
template <ElementType kType, ChainSource kC, ChainSource kA, ChainSource kB>
void select_step(const ChainStep* step, std::size_t i, ChainRoom& room, UNDERSTUDY_PIECE) {
  const auto one = [&](std::size_t v, Words x) __attribute__((always_inline)) {
    return operand_of<ElementType::pred, kC>(step->c, i, v, x) != 0U
               ? operand_of<kType, kA, true>(step->a, i, v, x)
               : operand_of<kType, kB, true>(step->b, i, v, x);
  };
  UNDERSTUDY_EACH(one);
  UNDERSTUDY_NEXT_STEP;
}
template <class Product, class Sum, ElementType kType, ChainSource kA, ChainSource kB,
          ChainSource kC>
void multiply_add_step(const ChainStep* step, std::size_t i, ChainRoom& room, UNDERSTUDY_PIECE) {
  const auto one = [&](std::size_t v, Words x) __attribute__((always_inline)) {
    const Words product = Product::apply(operand_of<kType, kA>(step->a, i, v, x),
                                         operand_of<kType, kB>(step->b, i, v, x));
    return Sum::apply(product, operand_of<kType, kC>(step->c, i, v, x));
  };
  UNDERSTUDY_EACH(one);
  UNDERSTUDY_NEXT_STEP;
}
// (x << b) | (x >> c): a rotation where b and c make 32.
template <ChainSource kA>
void rotate_step(const ChainStep* step, std::size_t i, ChainRoom& room, UNDERSTUDY_PIECE) {
  const Words left = operand<shared>(step->b, 0, 0, x0);
  const Words right = operand<shared>(step->c, 0, 0, x0);
  const auto turn = [&](std::size_t v, Words x) __attribute__((always_inline)) {
    return turned(operand<kA>(step->a, i, v, x), left);
  };
  const auto shift = [&](std::size_t v, Words x) __attribute__((always_inline)) {
    const Words y = operand<kA>(step->a, i, v, x);
    return shifted_left(y, left) | shifted_right(y, right);
  };
  if (left[0] <= 32U && left[0] + right[0] == 32U) {
    UNDERSTUDY_EACH(turn);
  } else {
    UNDERSTUDY_EACH(shift);
  }
  UNDERSTUDY_NEXT_STEP;
}
template <ElementType kType, ChainSource kA>
void load_step(const ChainStep* step, std::size_t i, ChainRoom& room, UNDERSTUDY_PIECE) {
  const auto one = [&](std::size_t v, Words x) __attribute__((always_inline)) {
    return operand_of<kType, kA, true>(step->a, i, v, x);
  };
  UNDERSTUDY_EACH(one);
  UNDERSTUDY_NEXT_STEP;
}
// Addresses are read once: compilers cannot know that a store does not change the step.
void hold_step(const ChainStep* step, std::size_t i, ChainRoom& room, UNDERSTUDY_PIECE) {
  std::byte* const at = step->out;
  const auto one = [&](std::size_t v, Words x) __attribute__((always_inline)) {
    __builtin_memcpy(at + v * sizeof(x), &x, sizeof(x));
    return x;
  };
  UNDERSTUDY_EACH(one);
  UNDERSTUDY_NEXT_STEP;
}
void store_step(const ChainStep* step, std::size_t i, ChainRoom& room, UNDERSTUDY_PIECE) {
  std::byte* const at = step->out + 4 * i;
  const auto one = [&](std::size_t v, Words x) __attribute__((always_inline)) {
    __builtin_memcpy(at + v * sizeof(x), &x, sizeof(x));
    return x;
  };
  UNDERSTUDY_EACH(one);
  UNDERSTUDY_NEXT_STEP;
}
// The lowest byte of each word, as far as the mask has it: of preds one bit.
template <u32 kMask>
void store_bytes_step(const ChainStep* step, std::size_t i, ChainRoom& room, UNDERSTUDY_PIECE) {
  std::byte* const at = step->out + i;
  const auto one = [&](std::size_t v, Words x) __attribute__((always_inline)) {
    put_narrowed(at + v * kChainLanes, x & kMask);
    return x;
  };
  UNDERSTUDY_EACH(one);
  UNDERSTUDY_NEXT_STEP;
}
template <ElementType kType>
void store_halves_step(const ChainStep* step, std::size_t i, ChainRoom& room, UNDERSTUDY_PIECE) {
  std::byte* const at = step->out + 2 * i;
  constexpr std::size_t kPair = 4 * kChainLanes;  // bytes of two vectors of halves
  put_halves<kType>(at, x0, x1);
  put_halves<kType>(at + kPair, x2, x3);
  put_halves<kType>(at + 2 * kPair, x4, x5);
  put_halves<kType>(at + 3 * kPair, x6, x7);
  UNDERSTUDY_NEXT_STEP;
}
// Functions that have no step of their own: a kernel of f32 from one piece in memory to another.
template <ElementType kType>
void call_step(const ChainStep* step, std::size_t i, ChainRoom& room, UNDERSTUDY_PIECE) {
  const auto put = [&](std::size_t v, Words x) __attribute__((always_inline)) {
    return room[0][v] = x;
  };
  const auto got = [&](std::size_t v, Words) __attribute__((always_inline)) {
    return rounded_to<kType>(room[1][v]);
  };
  UNDERSTUDY_EACH(put);
  reinterpret_cast<UnaryKernel>(step->kernel)(room[0], room[1], kChainPiece);
  UNDERSTUDY_EACH(got);
  UNDERSTUDY_NEXT_STEP;
}
template <ElementType kType, ChainSource kA, ChainSource kB>
void call_two_step(const ChainStep* step, std::size_t i, ChainRoom& room, UNDERSTUDY_PIECE) {
  const auto put = [&](std::size_t v, Words x) __attribute__((always_inline)) {
    room[0][v] = operand_of<kType, kA>(step->a, i, v, x);
    return room[1][v] = operand_of<kType, kB>(step->b, i, v, x);
  };
  const auto got = [&](std::size_t v, Words) __attribute__((always_inline)) {
    return rounded_to<kType>(room[0][v]);
  };
  UNDERSTUDY_EACH(put);
  reinterpret_cast<BinaryKernel>(step->kernel)(room[0], room[1], room[0], kChainPiece);
  UNDERSTUDY_EACH(got);
  UNDERSTUDY_NEXT_STEP;
}
// A function over lanes, whose result is rounded to the type.
template <class F, ElementType kType>
UNDERSTUDY_INLINE void apply_lanes(Words& x0, Words& x1, Words& x2, Words& x3) {
  FloatLanes x;
  x.v0 = floats(x0);
  x.v1 = floats(x1);
  x.v2 = floats(x2);
  x.v3 = floats(x3);
  x = F::apply(x);
  x0 = rounded_to<kType>(words(x.v0));
  x1 = rounded_to<kType>(words(x.v1));
  x2 = rounded_to<kType>(words(x.v2));
  x3 = rounded_to<kType>(words(x.v3));
}
template <class F, ElementType kType>
void lanes_step(const ChainStep* step, std::size_t i, ChainRoom& room, UNDERSTUDY_PIECE) {
  apply_lanes<F, kType>(x0, x1, x2, x3);
  apply_lanes<F, kType>(x4, x5, x6, x7);
  UNDERSTUDY_NEXT_STEP;
}
void end_step(const ChainStep*, std::size_t, ChainRoom&, Words, Words, Words, Words, Words, Words,
              Words, Words) {}

void run_chain(const ChainStep* steps, std::size_t n) noexcept {
  const auto first = reinterpret_cast<ChainCall>(steps[0].run);
  const Words none{};
  ChainRoom room;
  for (std::size_t i = 0; i < n; i += kChainPiece)
    first(steps, i, room, none, none, none, none, none, none, none, none);
}

}  // namespace
}  // namespace understudy::program::kernels
