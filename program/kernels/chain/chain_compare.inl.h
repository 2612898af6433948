// SPDX-License-Identifier: Apache-2.0
// Part of chain.inl.h: which step belongs to a comparison.
#pragma once

#include "program/kernels/chain/chain_forms.inl.h"
#include "program/kernels/chain/chain_functions.inl.h"

namespace understudy::program::kernels {
namespace {

template <class F, ElementType kType>
struct BinaryForms {
  template <ChainSource kA, ChainSource kB>
  static constexpr ChainCall kCall = &binary_step<F, kType, kA, kB>;
};
template <class F, ElementType kType>
ChainFunction binary_for(ChainSource a, ChainSource b) noexcept {
  return form_of<BinaryForms<F, kType>>(a, b);
}

template <template <Direction> class F, ElementType kType>
ChainFunction for_direction(Direction direction, ChainSource a, ChainSource b) noexcept {
  switch (direction) {
    case Direction::eq:
      return binary_for<F<Direction::eq>, kType>(a, b);
    case Direction::ne:
      return binary_for<F<Direction::ne>, kType>(a, b);
    case Direction::ge:
      return binary_for<F<Direction::ge>, kType>(a, b);
    case Direction::gt:
      return binary_for<F<Direction::gt>, kType>(a, b);
    case Direction::le:
      return binary_for<F<Direction::le>, kType>(a, b);
    case Direction::lt:
      return binary_for<F<Direction::lt>, kType>(a, b);
  }
  return nullptr;
}
template <class T>
struct TestsOf {
  template <Direction kDirection>
  using In = Test<kDirection, T>;
};
template <class T, ElementType kType = ElementType::ui32>
ChainFunction comparison(Direction direction, ChainSource a, ChainSource b) noexcept {
  return for_direction<TestsOf<T>::template In, kType>(direction, a, b);
}
template <ElementType kType>
ChainFunction total_comparison(Direction direction, ChainSource a, ChainSource b) noexcept {
  return for_direction<TotalTest, kType>(direction, a, b);
}
// Lanes of f16 do not keep the bits of NaN, which the total order has apart.
ChainFunction chain_compare(Direction direction, bool total, ElementType type, ChainSource a,
                            ChainSource b) noexcept {
  if (total && is_chain_float(type))
    return type == ElementType::f32    ? total_comparison<ElementType::f32>(direction, a, b)
           : type == ElementType::bf16 ? total_comparison<ElementType::bf16>(direction, a, b)
                                       : nullptr;
  // Masks, of which true is the larger one.
  if (type == ElementType::pred) return comparison<Words, ElementType::pred>(direction, a, b);
  if (type == ElementType::f32) return comparison<Floats>(direction, a, b);
  if (type == ElementType::i32) return comparison<Ints>(direction, a, b);
  if (type == ElementType::ui32) return comparison<Words>(direction, a, b);
  if (type == ElementType::bf16) return comparison<Floats, ElementType::bf16>(direction, a, b);
  if (type == ElementType::f16) return comparison<Floats, ElementType::f16>(direction, a, b);
  return nullptr;
}

}  // namespace
}  // namespace understudy::program::kernels
