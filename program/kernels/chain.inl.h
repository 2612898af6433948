// SPDX-License-Identifier: Apache-2.0
// The text of chain_*.cc: which step belongs to an operation, its type and the places of its
// operands.
#pragma once

#include "program/kernels/chain_steps.inl.h"

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

ChainFunction as_function(ChainCall call) noexcept { return reinterpret_cast<ChainFunction>(call); }

// Two shared operands have no step: such values are no chain's.
template <class F, ElementType kType>
ChainFunction binary_for(ChainSource a, ChainSource b) noexcept {
  static constexpr ChainCall kForms[3][3] = {
      {&binary_step<F, kType, accumulator, accumulator>, &binary_step<F, kType, accumulator, dense>,
       &binary_step<F, kType, accumulator, shared>},
      {&binary_step<F, kType, dense, accumulator>, &binary_step<F, kType, dense, dense>,
       &binary_step<F, kType, dense, shared>},
      {&binary_step<F, kType, shared, accumulator>, &binary_step<F, kType, shared, dense>,
       nullptr}};
  return as_function(kForms[static_cast<std::size_t>(a)][static_cast<std::size_t>(b)]);
}

template <class T, ElementType kType>
ChainFunction arithmetic(BinaryOp op, ChainSource a, ChainSource b) noexcept {
  switch (op) {
    case BinaryOp::add:
      return binary_for<Combine<BinaryOp::add, T>, kType>(a, b);
    case BinaryOp::subtract:
      return binary_for<Combine<BinaryOp::subtract, T>, kType>(a, b);
    case BinaryOp::multiply:
      return binary_for<Combine<BinaryOp::multiply, T>, kType>(a, b);
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
    case ElementType::f32:
      if (op == BinaryOp::divide)
        return binary_for<Combine<BinaryOp::divide, Floats>, ElementType::f32>(a, b);
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
ChainFunction comparison(Direction direction, ChainSource a, ChainSource b) noexcept {
  constexpr ElementType kType = ElementType::ui32;
  switch (direction) {
    case Direction::eq:
      return binary_for<Test<Direction::eq, T>, kType>(a, b);
    case Direction::ne:
      return binary_for<Test<Direction::ne, T>, kType>(a, b);
    case Direction::ge:
      return binary_for<Test<Direction::ge, T>, kType>(a, b);
    case Direction::gt:
      return binary_for<Test<Direction::gt, T>, kType>(a, b);
    case Direction::le:
      return binary_for<Test<Direction::le, T>, kType>(a, b);
    case Direction::lt:
      return binary_for<Test<Direction::lt, T>, kType>(a, b);
  }
  return nullptr;
}
ChainFunction chain_compare(Direction direction, ElementType type, ChainSource a,
                            ChainSource b) noexcept {
  if (type == ElementType::f32) return comparison<Floats>(direction, a, b);
  if (type == ElementType::i32) return comparison<Ints>(direction, a, b);
  if (type == ElementType::ui32) return comparison<Words>(direction, a, b);
  return nullptr;
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
ChainFunction chain_unary(UnaryOp op, ElementType type) noexcept {
  if (type == ElementType::f32 && op == UnaryOp::sqrt)
    return as_function(&unary_step<Change<UnaryOp::sqrt, Floats>>);
  if (type == ElementType::f32 && op == UnaryOp::rsqrt)
    return as_function(&unary_step<Change<UnaryOp::rsqrt, Floats>>);
  if (type == ElementType::f32) return change<Floats>(op);
  if (op == UnaryOp::logical_not &&
      (type == ElementType::pred || type == ElementType::i32 || type == ElementType::ui32))
    return as_function(&unary_step<Change<UnaryOp::logical_not, Words>>);
  return type == ElementType::i32 ? change<Ints>(op) : nullptr;
}

ChainFunction chain_select(ChainSource a, ChainSource b) noexcept {
  static constexpr ChainCall kForms[2][2] = {
      {&select_step<dense, dense>, &select_step<dense, shared>},
      {&select_step<shared, dense>, &select_step<shared, shared>}};
  if (a == accumulator || b == accumulator) return nullptr;
  return as_function(kForms[a == shared][b == shared]);
}
ChainFunction chain_rotate(ChainSource a) noexcept {
  return as_function(a == accumulator ? &rotate_step<accumulator> : &rotate_step<dense>);
}
bool is_word(ElementType type) noexcept {
  return type == ElementType::f32 || type == ElementType::i32 || type == ElementType::ui32;
}
ChainFunction chain_convert(ElementType from, ElementType to) noexcept {
  if (from == to && (is_word(from) || from == ElementType::pred))
    return as_function(&unary_step<Keep>);
  if (from == ElementType::i32 && to == ElementType::f32)
    return as_function(&unary_step<FloatsOfInts>);
  if (from != ElementType::pred) return nullptr;
  if (to == ElementType::f32) return as_function(&unary_step<FloatsOfPreds>);
  if (to == ElementType::i32 || to == ElementType::ui32)
    return as_function(&unary_step<IntsOfPreds>);
  return nullptr;
}
ChainFunction chain_load(ElementType type, ChainSource a) noexcept {
  constexpr ElementType kPred = ElementType::pred;
  constexpr ElementType kWord = ElementType::ui32;
  if (type == kPred)
    return as_function(a == dense ? &load_step<kPred, dense> : &load_step<kPred, shared>);
  if (!is_word(type)) return nullptr;
  return as_function(a == dense ? &load_step<kWord, dense> : &load_step<kWord, shared>);
}
ChainFunction chain_store(ElementType type) noexcept {
  if (type == ElementType::pred) return as_function(&store_pred_step);
  return is_word(type) ? as_function(&store_step) : nullptr;
}

ChainKernels chain_kernels() noexcept {
  return {kChainPiece,
          &chain_unary,
          &chain_binary,
          &chain_compare,
          &chain_select,
          &chain_rotate,
          &chain_convert,
          &chain_load,
          &chain_store,
          as_function(&unary_step<Settle>),
          as_function(&end_step),
          &run_chain};
}

}  // namespace
}  // namespace understudy::program::kernels
