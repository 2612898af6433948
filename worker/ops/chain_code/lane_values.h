// SPDX-License-Identifier: Apache-2.0
// Values for the text of program/kernels/f32_math.inl.h whose operations append machine
// instructions instead of computing. A number of the text is a constant that belongs to no body
// until it meets a value that does.
#pragma once

#include <bit>

#include "worker/ops/chain_code/step_code.h"

namespace understudy::worker::ops::chain_code {

// Of 32 bits: floats, i32 or u32.
template <ElementType kType, class Number>
class LaneValue {
 public:
  LaneValue(Number constant)  // NOLINT(google-explicit-constructor)
      : bits_(std::bit_cast<std::uint32_t>(constant)) {}
  LaneValue(StepCode& code, ValueId id) : code_(&code), id_(id) {}
  LaneValue() : LaneValue(Number{}) {}

  StepCode* code() const { return code_; }
  ValueId in(StepCode& code) const { return code_ != nullptr ? id_ : code.known(bits_); }

 private:
  StepCode* code_ = nullptr;
  ValueId id_ = kNoValue;
  std::uint32_t bits_ = 0;
};
using LaneFloats = LaneValue<ElementType::f32, float>;
using LaneInts = LaneValue<ElementType::i32, std::int32_t>;
using LaneBits = LaneValue<ElementType::ui32, std::uint32_t>;

struct LaneMask {
  StepCode* code;
  ValueId id;
};

// One of two operands is no constant.
template <ElementType kType, class N>
LaneValue<kType, N> combined(BinaryOp op, const LaneValue<kType, N>& a,
                             const LaneValue<kType, N>& b) {
  StepCode& code = *(a.code() != nullptr ? a.code() : b.code());
  return {code, *code.binary(op, kType, a.in(code), b.in(code))};
}
template <ElementType kType, class N>
LaneMask compared(Direction direction, const LaneValue<kType, N>& a, const LaneValue<kType, N>& b) {
  StepCode& code = *(a.code() != nullptr ? a.code() : b.code());
  return {&code, code.compare(direction, kType, a.in(code), b.in(code))};
}

#define UNDERSTUDY_LANE_OPERATOR(Value, op, name)            \
  inline Value operator op(const Value& a, const Value& b) { \
    return combined(BinaryOp::name, a, b);                   \
  }
#define UNDERSTUDY_LANE_TEST(Value, op, name)                   \
  inline LaneMask operator op(const Value& a, const Value& b) { \
    return compared(Direction::name, a, b);                     \
  }
UNDERSTUDY_LANE_OPERATOR(LaneFloats, +, add)
UNDERSTUDY_LANE_OPERATOR(LaneFloats, -, subtract)
UNDERSTUDY_LANE_OPERATOR(LaneFloats, *, multiply)
UNDERSTUDY_LANE_OPERATOR(LaneFloats, /, divide)
UNDERSTUDY_LANE_TEST(LaneFloats, <, lt)
UNDERSTUDY_LANE_TEST(LaneFloats, >, gt)
UNDERSTUDY_LANE_TEST(LaneFloats, ==, eq)
UNDERSTUDY_LANE_TEST(LaneFloats, !=, ne)
UNDERSTUDY_LANE_OPERATOR(LaneInts, +, add)
UNDERSTUDY_LANE_OPERATOR(LaneInts, -, subtract)
UNDERSTUDY_LANE_OPERATOR(LaneInts, >>, shift_right_arithmetic)
UNDERSTUDY_LANE_OPERATOR(LaneInts, &, logical_and)
UNDERSTUDY_LANE_TEST(LaneInts, ==, eq)
UNDERSTUDY_LANE_TEST(LaneInts, !=, ne)
UNDERSTUDY_LANE_OPERATOR(LaneBits, +, add)
UNDERSTUDY_LANE_OPERATOR(LaneBits, -, subtract)
UNDERSTUDY_LANE_OPERATOR(LaneBits, &, logical_and)
UNDERSTUDY_LANE_OPERATOR(LaneBits, |, logical_or)
UNDERSTUDY_LANE_OPERATOR(LaneBits, ^, logical_xor)
UNDERSTUDY_LANE_OPERATOR(LaneBits, <<, shift_left)
UNDERSTUDY_LANE_TEST(LaneBits, !=, ne)
#undef UNDERSTUDY_LANE_TEST
#undef UNDERSTUDY_LANE_OPERATOR

inline LaneFloats operator-(const LaneFloats& x) {
  return {*x.code(), *x.code()->unary(UnaryOp::negate, ElementType::f32, x.in(*x.code()))};
}
inline LaneInts operator-(const LaneInts& x) { return LaneInts(0) - x; }
inline LaneMask operator&(const LaneMask& a, const LaneMask& b) {
  return {a.code, *a.code->binary_of_masks(BinaryOp::logical_and, a.id, b.id)};
}

template <ElementType kType, class N>
LaneValue<kType, N> choose(const LaneMask& mask, const LaneValue<kType, N>& on_true,
                           const LaneValue<kType, N>& on_false) {
  StepCode& code = *mask.code;
  return {code, code.choose(mask.id, on_true.in(code), on_false.in(code))};
}
// Code has no branch for lanes that are all alike: the general text gives them the same bits.
inline bool all_of(const LaneMask& /*mask*/) { return false; }
// But it may leave the iteration for another body (Body::require).
inline bool all_usually(const LaneMask& mask) { return mask.code->require(mask.id); }

// a * b + c, rounded once.
inline LaneFloats fused(const LaneFloats& a, const LaneFloats& b, const LaneFloats& c) {
  StepCode& code = *(a.code() != nullptr ? a.code() : b.code());
  return {code, code.fused(a.in(code), b.in(code), c.in(code))};
}
inline LaneFloats root_of(const LaneFloats& x) {
  return {*x.code(), *x.code()->unary(UnaryOp::sqrt, ElementType::f32, x.in(*x.code()))};
}

// The same bits under another type.
template <class To, class From>
To under(const From& x) {
  return {*x.code(), x.in(*x.code())};
}
inline LaneBits bits_of(const LaneFloats& x) { return under<LaneBits>(x); }
inline LaneBits bits_of(const LaneInts& x) { return under<LaneBits>(x); }
inline LaneInts signed_of(const LaneBits& x) { return under<LaneInts>(x); }
inline LaneFloats float_of(const LaneBits& x) { return under<LaneFloats>(x); }
inline LaneFloats to_float(const LaneInts& x) {
  StepCode& code = *x.code();
  return {code, *code.convert(ElementType::i32, ElementType::f32, x.in(code))};
}
inline LaneFloats magnitude_of(const LaneFloats& x) {
  return float_of(bits_of(x) & LaneBits(0x7fffffffU));
}
inline LaneFloats with_sign_of(const LaneFloats& magnitude, const LaneFloats& sign) {
  const LaneBits bits = bits_of(sign) & LaneBits(0x80000000U);
  return float_of(LaneBits(bits | (magnitude.code() != nullptr
                                       ? bits_of(magnitude)
                                       : LaneBits(*sign.code(), magnitude.in(*sign.code())))));
}

}  // namespace understudy::worker::ops::chain_code
