// SPDX-License-Identifier: Apache-2.0
// Part of chain.inl.h: the functions that steps of a chain apply, as types.
#pragma once

#include "program/kernels/chain/chain_steps.inl.h"

namespace understudy::program::kernels {
namespace {

template <BinaryOp kOp, class T>
struct Combine {
  UNDERSTUDY_INLINE static Words apply(Words a, Words b) { return combined<kOp, T>(a, b); }
};
template <Direction kDirection, class T>
struct Test {
  UNDERSTUDY_INLINE static Words apply(Words a, Words b) { return compared<kDirection, T>(a, b); }
};
template <UnaryOp kOp, class T>
struct Change {
  UNDERSTUDY_INLINE static Words apply(Words x) { return changed<kOp, T>(x); }
};
template <class F>
struct AsItIs : F {};
// In a chain of bf16: rounds the result of the function of f32.
template <class F>
struct Rounded {
  UNDERSTUDY_INLINE static Words apply(Words a, Words b) { return rounded_to_bf16(F::apply(a, b)); }
  UNDERSTUDY_INLINE static Words apply(Words x) { return rounded_to_bf16(F::apply(x)); }
};
// A NaN of which a kernel of bf16 changes the sign alone becomes a quiet one.
template <UnaryOp kOp>
struct Quieted {
  UNDERSTUDY_INLINE static Words apply(Words x) {
    const Words y = changed<kOp, Floats>(x);
    return floats(x) == floats(x) ? y : y | 0x400000U;
  }
};
struct Narrow {
  UNDERSTUDY_INLINE static Words apply(Words x) { return narrowed_to_bf16(x); }
};
struct Finite {
  UNDERSTUDY_INLINE static Words apply(Words x) {
    return words(Ints(as<Ints>(x & 0x7fffffffU) < 0x7f800000));
  }
};
struct Settle {
  UNDERSTUDY_INLINE static Words apply(Words x) { return settled_words(x); }
};
struct Keep {
  UNDERSTUDY_INLINE static Words apply(Words x) { return x; }
};
struct FloatsOfInts {
  UNDERSTUDY_INLINE static Words apply(Words x) {
    return words(__builtin_convertvector(as<Ints>(x), Floats));
  }
};
struct FloatsOfPreds {
  UNDERSTUDY_INLINE static Words apply(Words x) { return words(Floats{} + 1.0F) & x; }
};
struct IntsOfPreds {
  UNDERSTUDY_INLINE static Words apply(Words x) { return x & 1U; }
};

}  // namespace
}  // namespace understudy::program::kernels
