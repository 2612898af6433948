// SPDX-License-Identifier: Apache-2.0
// The text of chain_*.cc: which step belongs to an operation, its type and the places of its
// operands.
#pragma once

#include "program/kernels/chain/chain_compare.inl.h"
#include "program/kernels/chain/chain_complex.inl.h"
#include "program/kernels/chain/chain_forms.inl.h"
#include "program/kernels/chain/chain_functions.inl.h"
#include "program/kernels/chain/chain_strided.inl.h"

namespace understudy::program::kernels {
namespace {

// The larger or smaller operand is exact.
template <class T, ElementType kType>
ChainFunction arithmetic(BinaryOp op, ChainSource a, ChainSource b) noexcept {
  switch (op) {
    case BinaryOp::add:
      return binary_for<Rounded<Combine<BinaryOp::add, T>, kType>, kType>(a, b);
    case BinaryOp::subtract:
      return binary_for<Rounded<Combine<BinaryOp::subtract, T>, kType>, kType>(a, b);
    case BinaryOp::multiply:
      return binary_for<Rounded<Combine<BinaryOp::multiply, T>, kType>, kType>(a, b);
    case BinaryOp::divide:
      if constexpr (__is_same(T, Floats))
        return binary_for<Rounded<Combine<BinaryOp::divide, T>, kType>, kType>(a, b);
      return nullptr;
    case BinaryOp::maximum:
      return binary_for<Combine<BinaryOp::maximum, T>, kType>(a, b);
    case BinaryOp::minimum:
      return binary_for<Combine<BinaryOp::minimum, T>, kType>(a, b);
    default:
      return nullptr;
  }
}
template <ElementType kType>
ChainFunction bitwise(BinaryOp op, ChainSource a, ChainSource b) noexcept {
  switch (op) {
    case BinaryOp::logical_and:
      return binary_for<Combine<BinaryOp::logical_and, Words>, kType>(a, b);
    case BinaryOp::logical_or:
      return binary_for<Combine<BinaryOp::logical_or, Words>, kType>(a, b);
    case BinaryOp::logical_xor:
      return binary_for<Combine<BinaryOp::logical_xor, Words>, kType>(a, b);
    default:
      return nullptr;
  }
}
ChainFunction shift(BinaryOp op, ChainSource a, ChainSource b) noexcept {
  constexpr ElementType kType = ElementType::ui32;
  switch (op) {
    case BinaryOp::shift_left:
      return binary_for<Combine<BinaryOp::shift_left, Words>, kType>(a, b);
    case BinaryOp::shift_right_logical:
      return binary_for<Combine<BinaryOp::shift_right_logical, Words>, kType>(a, b);
    case BinaryOp::shift_right_arithmetic:
      return binary_for<Combine<BinaryOp::shift_right_arithmetic, Words>, kType>(a, b);
    default:
      return nullptr;
  }
}
ChainFunction chain_binary(BinaryOp op, ElementType type, ChainSource a, ChainSource b) noexcept {
  switch (type) {
    case ElementType::bf16:
      return arithmetic<Floats, ElementType::bf16>(op, a, b);
    case ElementType::f16:
      return arithmetic<Floats, ElementType::f16>(op, a, b);
    case ElementType::f32:
      return arithmetic<Floats, ElementType::f32>(op, a, b);
    case ElementType::i32:
    case ElementType::ui32: {
      if (const auto found = bitwise<ElementType::ui32>(op, a, b)) return found;
      if (const auto found = shift(op, a, b)) return found;
      return type == ElementType::i32 ? arithmetic<Ints, ElementType::ui32>(op, a, b)
                                      : arithmetic<Words, ElementType::ui32>(op, a, b);
    }
    case ElementType::pred:
      return bitwise<ElementType::pred>(op, a, b);
    default:
      return nullptr;
  }
}

template <class T>
ChainFunction change(UnaryOp op) noexcept {
  switch (op) {
    case UnaryOp::negate:
      return as_function(&unary_step<Change<UnaryOp::negate, T>>);
    case UnaryOp::abs:
      return as_function(&unary_step<Change<UnaryOp::abs, T>>);
    case UnaryOp::square:
      return as_function(&unary_step<Change<UnaryOp::square, T>>);
    default:
      return nullptr;
  }
}
template <ElementType kType>
ChainFunction lanes_for(UnaryOp op) noexcept {
  switch (op) {
#define UNDERSTUDY_CASE(name, F) \
  case UnaryOp::name:            \
    return as_function(&lanes_step<F, kType>);
    UNDERSTUDY_CASE(exponential, LaneExponential)
    UNDERSTUDY_CASE(exponential_minus_one, LaneExponentialMinusOne)
    UNDERSTUDY_CASE(log, LaneLog)
    UNDERSTUDY_CASE(log_plus_one, LaneLogPlusOne)
    UNDERSTUDY_CASE(logistic, LaneLogistic)
    UNDERSTUDY_CASE(tanh, LaneTanh)
    UNDERSTUDY_CASE(sine, LaneSine)
    UNDERSTUDY_CASE(cosine, LaneCosine)
    UNDERSTUDY_CASE(erf, LaneErf)
    UNDERSTUDY_CASE(erfc, LaneErfc)
    UNDERSTUDY_CASE(erf_inv, LaneErfInv)
#undef UNDERSTUDY_CASE
    default:
      return nullptr;
  }
}
template <ElementType kType>
ChainFunction unary_half(UnaryOp op) noexcept {
  switch (op) {
    case UnaryOp::negate:
      return as_function(&unary_step<Signed<UnaryOp::negate, kType>>);
    case UnaryOp::abs:
      return as_function(&unary_step<Signed<UnaryOp::abs, kType>>);
    case UnaryOp::square:
      return as_function(&unary_step<Rounded<Change<UnaryOp::square, Floats>, kType>>);
    case UnaryOp::sqrt:
      return as_function(&unary_step<Rounded<Change<UnaryOp::sqrt, Floats>, kType>>);
    case UnaryOp::rsqrt:
      return as_function(&unary_step<Rounded<Change<UnaryOp::rsqrt, Floats>, kType>>);
    default:
      return lanes_for<kType>(op);
  }
}
ChainFunction chain_unary(UnaryOp op, ElementType type) noexcept {
  if (op == UnaryOp::is_finite && is_chain_float(type)) return as_function(&unary_step<Finite>);
  if (type == ElementType::bf16) return unary_half<ElementType::bf16>(op);
  if (type == ElementType::f16) return unary_half<ElementType::f16>(op);
  if (type == ElementType::f32)
    if (const auto found = lanes_for<ElementType::f32>(op)) return found;
  if (type == ElementType::f32 && op == UnaryOp::sqrt)
    return as_function(&unary_step<Change<UnaryOp::sqrt, Floats>>);
  if (type == ElementType::f32 && op == UnaryOp::rsqrt)
    return as_function(&unary_step<Change<UnaryOp::rsqrt, Floats>>);
  if (type == ElementType::f32 && op == UnaryOp::imag) return as_function(&unary_step<Zero>);
  if (type == ElementType::f32) return change<Floats>(op);
  if (op == UnaryOp::logical_not &&
      (type == ElementType::pred || type == ElementType::i32 || type == ElementType::ui32))
    return as_function(&unary_step<Change<UnaryOp::logical_not, Words>>);
  return type == ElementType::i32 ? change<Ints>(op) : nullptr;
}

template <ElementType kType>
struct SelectForms {
  template <ChainSource kC, ChainSource kA, ChainSource kB>
  static constexpr ChainCall kCall = &select_step<kType, kC, kA, kB>;
};
ChainFunction chain_select(ElementType type, ChainSource c, ChainSource a, ChainSource b) noexcept {
  if (is_word(type)) return form_of<SelectForms<ElementType::ui32>>(c, a, b);
  if (type == ElementType::bf16) return form_of<SelectForms<ElementType::bf16>>(c, a, b);
  if (type == ElementType::f16) return form_of<SelectForms<ElementType::f16>>(c, a, b);
  return type == ElementType::pred ? form_of<SelectForms<ElementType::pred>>(c, a, b) : nullptr;
}
template <ElementType kType>
struct MultiplyAddForms {
  using Product = Rounded<Combine<BinaryOp::multiply, Floats>, kType>;
  using Sum = Rounded<Combine<BinaryOp::add, Floats>, kType>;
  template <ChainSource kA, ChainSource kB, ChainSource kC>
  static constexpr ChainCall kCall = &multiply_add_step<Product, Sum, kType, kA, kB, kC>;
};
ChainFunction chain_multiply_add(ElementType type, ChainSource a, ChainSource b,
                                 ChainSource c) noexcept {
  if (type == ElementType::f32) return form_of<MultiplyAddForms<ElementType::f32>>(a, b, c);
  if (type == ElementType::bf16) return form_of<MultiplyAddForms<ElementType::bf16>>(a, b, c);
  if (type == ElementType::f16) return form_of<MultiplyAddForms<ElementType::f16>>(a, b, c);
  return nullptr;
}
ChainFunction chain_rotate(ChainSource a) noexcept {
  if (a == held) return as_function(&rotate_step<held>);
  return as_function(a == accumulator ? &rotate_step<accumulator> : &rotate_step<dense>);
}
// To i8 or ui8.
template <ElementType kTo>
ChainFunction convert_to_byte(ElementType from) noexcept {
  if (is_chain_float(from)) return as_function(&unary_step<BytesOfFloats<kTo>>);
  if (is_word(from) || is_byte(from)) return as_function(&unary_step<Rounded<Keep, kTo>>);
  return from == ElementType::pred ? as_function(&unary_step<IntsOfPreds>) : nullptr;
}
ChainFunction chain_convert(ElementType from, ElementType to) noexcept {
  if (to == ElementType::i8) return convert_to_byte<ElementType::i8>(from);
  if (to == ElementType::ui8) return convert_to_byte<ElementType::ui8>(from);
  // Every byte is a number of each float.
  if (is_byte(from) && is_chain_float(to)) return as_function(&unary_step<FloatsOfInts>);
  if (is_byte(from) && is_word(to)) return as_function(&unary_step<Keep>);
  if (from == to && (is_word(from) || from == ElementType::pred || is_half(from)))
    return as_function(&unary_step<Keep>);
  if (is_half(from) && to == ElementType::f32) return as_function(&unary_step<Keep>);
  if (is_half(to) && is_chain_float(from))
    return as_function(to == ElementType::bf16 ? &unary_step<Narrow<ElementType::bf16>>
                                               : &unary_step<Narrow<ElementType::f16>>);
  if (from == ElementType::i32 && to == ElementType::f32)
    return as_function(&unary_step<FloatsOfInts>);
  if (from != ElementType::pred) return nullptr;
  if (is_chain_float(to)) return as_function(&unary_step<FloatsOfPreds>);
  if (to == ElementType::i32 || to == ElementType::ui32)
    return as_function(&unary_step<IntsOfPreds>);
  return nullptr;
}
template <ElementType kType>
ChainFunction load_for(ChainSource a) noexcept {
  return as_function(a == dense ? &load_step<kType, dense> : &load_step<kType, shared>);
}
ChainFunction chain_load(ElementType type, ChainSource a) noexcept {
  if (a == held) return as_function(&load_step<ElementType::ui32, held>);
  if (type == ElementType::pred) return load_for<ElementType::pred>(a);
  if (type == ElementType::bf16) return load_for<ElementType::bf16>(a);
  if (type == ElementType::f16) return load_for<ElementType::f16>(a);
  if (type == ElementType::i8) return load_for<ElementType::i8>(a);
  if (type == ElementType::ui8) return load_for<ElementType::ui8>(a);
  return is_word(type) ? load_for<ElementType::ui32>(a) : nullptr;
}
ChainFunction chain_store(ElementType type) noexcept {
  if (type == ElementType::pred) return as_function(&store_bytes_step<1U>);
  if (type == ElementType::bf16) return as_function(&store_halves_step<ElementType::bf16>);
  if (type == ElementType::f16) return as_function(&store_halves_step<ElementType::f16>);
  if (is_byte(type)) return as_function(&store_bytes_step<0xffU>);
  return is_word(type) ? as_function(&store_step) : nullptr;
}

ChainFunction chain_call(ElementType type) noexcept {
  if (is_word(type)) return as_function(&call_step<ElementType::f32>);
  if (type == ElementType::f16) return as_function(&call_step<ElementType::f16>);
  return type == ElementType::bf16 ? as_function(&call_step<ElementType::bf16>) : nullptr;
}
template <ElementType kType>
struct CallTwoForms {
  template <ChainSource kA, ChainSource kB>
  static constexpr ChainCall kCall = &call_two_step<kType, kA, kB>;
};
ChainFunction chain_call_two(ElementType type, ChainSource a, ChainSource b) noexcept {
  if (is_word(type)) return form_of<CallTwoForms<ElementType::f32>>(a, b);
  if (type == ElementType::f16) return form_of<CallTwoForms<ElementType::f16>>(a, b);
  return type == ElementType::bf16 ? form_of<CallTwoForms<ElementType::bf16>>(a, b) : nullptr;
}

ChainKernels chain_kernels() noexcept {
  return {kChainPiece,
          kChainLanes,
          4 * kChainPiece,
          &chain_unary,
          &chain_binary,
          &chain_compare,
          &chain_select,
          &chain_multiply_add,
          &chain_rotate,
          &chain_convert,
          &chain_load,
          &chain_store,
          &chain_load_part,
          &chain_store_complex,
          &chain_call,
          &chain_call_two,
          &chain_store_strided,
          as_function(&load_strided_step),
          as_function(&unary_step<Settle>),
          as_function(&hold_step),
          as_function(&end_step),
          &run_chain};
}

}  // namespace
}  // namespace understudy::program::kernels
