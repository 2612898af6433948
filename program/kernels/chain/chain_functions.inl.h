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
// Of floats in the total order: their bits with the lower ones of negative numbers inverted.
template <Direction kDirection>
struct TotalTest {
  UNDERSTUDY_INLINE static Words key(Words x) { return x ^ (words(as<Ints>(x) >> 31) >> 1); }
  UNDERSTUDY_INLINE static Words apply(Words a, Words b) {
    return compared<kDirection, Ints>(key(a), key(b));
  }
};
template <UnaryOp kOp, class T>
struct Change {
  UNDERSTUDY_INLINE static Words apply(Words x) { return changed<kOp, T>(x); }
};
// Rounds the result of the function of f32; other types leave it as it is.
template <class F, ElementType kType>
struct Rounded {
  UNDERSTUDY_INLINE static Words apply(Words a, Words b) {
    return rounded_to<kType>(F::apply(a, b));
  }
  UNDERSTUDY_INLINE static Words apply(Words x) { return rounded_to<kType>(F::apply(x)); }
};
// Changes the sign alone; kernels of bf16 and f16 store a NaN anew.
template <UnaryOp kOp, ElementType kType>
struct Signed {
  UNDERSTUDY_INLINE static Words apply(Words x) {
    const Words y = changed<kOp, Floats>(x);
    return floats(x) == floats(x) ? y : stored_nan<kType>(y);
  }
};
template <ElementType kType>
struct Narrow {
  UNDERSTUDY_INLINE static Words apply(Words x) { return narrowed_to<kType>(x); }
};
struct Finite {
  UNDERSTUDY_INLINE static Words apply(Words x) {
    return words(Ints(as<Ints>(x & 0x7fffffffU) < 0x7f800000));
  }
};
struct Settle {
  UNDERSTUDY_INLINE static Words apply(Words x) { return settled_words(x); }
};
struct Zero {
  UNDERSTUDY_INLINE static Words apply(Words) { return Words{}; }
};
struct Keep {
  UNDERSTUDY_INLINE static Words apply(Words x) { return x; }
};
struct FloatsOfInts {
  UNDERSTUDY_INLINE static Words apply(Words x) {
    return words(__builtin_convertvector(as<Ints>(x), Floats));
  }
};
// Truncated, clamped to the numbers of the type, NaN as 0.
template <ElementType kType>
struct BytesOfFloats {
  UNDERSTUDY_INLINE static Words apply(Words x) {
    constexpr float kLeast = kType == ElementType::ui8 ? 0.0F : -128.0F;
    constexpr float kMost = kType == ElementType::ui8 ? 255.0F : 127.0F;
    const Floats y = floats(x) == floats(x) ? floats(x) : Floats{};
    const Floats above = y < kLeast ? Floats{} + kLeast : y;
    const Floats inside = above > kMost ? Floats{} + kMost : above;
    return words(__builtin_convertvector(inside, Ints));
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
