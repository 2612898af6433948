// SPDX-License-Identifier: Apache-2.0
// The element-wise functions of integers of 8 and 16 bits, and of preds, as AVX2 instructions over
// lanes of 1 or 2 bytes, with the bits of program/kernels. A lane has the number itself: in lanes
// of 2 bytes an i8 is extended by its sign, an ui8 by zeros. A pred is all bits of its lane or
// none.
#pragma once

#include <asmjit/x86.h>
#include <cstdint>
#include <optional>

#include "program/ir/element_type.h"
#include "worker/ops/chain_code/body.h"

namespace understudy::worker::ops::chain_code {

using program::BinaryOp;
using program::Direction;
using program::ElementType;
using program::UnaryOp;

class NarrowCode {
 public:
  // Appends to the body, which outlives it and has lanes of 1 or 2 bytes.
  explicit NarrowCode(Body& body) : body_(body) {}

  // nullopt where it has no instructions: has_narrow_code() says for which steps it has.
  std::optional<ValueId> unary(UnaryOp op, ElementType type, ValueId x);
  std::optional<ValueId> binary(BinaryOp op, ElementType type, const Part& a, const Part& b);
  std::optional<ValueId> convert(ElementType from, ElementType to, ValueId x);
  // (x << left) | (x >> right).
  std::optional<ValueId> rotate(ElementType type, ValueId x, const Part& left, const Part& right);
  ValueId compare(Direction direction, ElementType type, const Part& a, const Part& b);
  ValueId choose(ValueId mask, const Part& on_true, const Part& on_false);

  // A vector of elements in memory.
  Part at(ElementType type, const Memory& memory);
  // The number in all lanes.
  ValueId all(std::uint32_t number);
  // Stores two vectors, one after the other.
  void put(ElementType type, const Memory& at, ValueId first, ValueId second);
  // The operand in a register.
  ValueId loaded(const Part& part);

 private:
  // The instruction for lanes of this size.
  asmjit::InstId pick(asmjit::InstId bytes, asmjit::InstId halves) const {
    return has_bytes() ? bytes : halves;
  }
  bool has_bytes() const { return body_.lane_bytes() == 1; }
  // Whether numbers of the type use the highest bit of a lane for no sign.
  bool is_full_unsigned(ElementType type) const;
  ValueId shifted(asmjit::InstId id, ValueId x, unsigned bits);
  ValueId bitwise_and(ValueId x, std::uint32_t number);
  // The number whose lowest bits are in the lanes.
  ValueId wrapped(ElementType type, ValueId x);
  ValueId inverse(ValueId x);
  ValueId equal(ValueId a, ValueId b);
  ValueId product(ElementType type, ValueId a, ValueId b);
  ValueId extreme(bool larger, ElementType type, ValueId a, const Part& b);
  std::optional<ValueId> binary_of_masks(BinaryOp op, ValueId a, const Part& b);
  ValueId compare_masks(Direction direction, ValueId a, ValueId b);
  std::optional<ValueId> shift(BinaryOp op, ElementType type, ValueId x, const Part& by);
  ValueId shift_left(ElementType type, ValueId x, unsigned bits);
  ValueId shift_right(ElementType type, ValueId x, unsigned bits);
  ValueId shift_right_signed(ElementType type, ValueId x, unsigned bits);
  // Of each four bits, by a table of 16 bytes.
  ValueId of_fours(const std::uint32_t* table, ValueId fours);
  ValueId set_bits(ElementType type, ValueId x);
  ValueId leading_zeros(ElementType type, ValueId x);

  Body& body_;
};

}  // namespace understudy::worker::ops::chain_code
