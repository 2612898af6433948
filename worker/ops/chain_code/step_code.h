// SPDX-License-Identifier: Apache-2.0
// The element-wise functions of a chain as machine instructions, with the bits of
// program/kernels/chain: one implementation for AVX2, one for AVX-512. Preds are masks: vectors of
// all bits or none with AVX2, mask registers with AVX-512. A bf16 or f16 is the f32 of its value.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "program/ir/element_type.h"
#include "worker/ops/chain_code/body.h"

namespace understudy::worker::ops::chain_code {

using program::BinaryOp;
using program::Direction;
using program::ElementType;
using program::UnaryOp;

// Bits of an f32, and the one pattern of settled values.
constexpr std::uint32_t kSign = 0x80000000U, kQuietBit = 0x400000U, kSettledNan = 0x7fc00000U;

class StepCode {
 public:
  // Appends to the body, which outlives it.
  explicit StepCode(Body& body) : body_(body) {}
  virtual ~StepCode() = default;

  // Of no preds; nullopt where a kernel has to be called. A float's NaN is not settled.
  std::optional<ValueId> binary(BinaryOp op, ElementType type, Part a, Part b);
  std::optional<ValueId> unary(UnaryOp op, ElementType type, ValueId x);
  std::optional<ValueId> convert(ElementType from, ElementType to, ValueId x);
  // (x << left) | (x >> right).
  virtual ValueId rotate(ValueId x, ValueId left, ValueId right);
  ValueId known(std::uint32_t bits) { return body_.known(bits); }
  bool require(ValueId mask) { return body_.require(mask); }
  bool can_require() const { return body_.can_require(); }
  // a * b + c of f32, rounded once.
  ValueId fused(ValueId a, ValueId b, ValueId c) { return body_.make_fused(a, b, c); }
  // x times two to the power of a float that is an integer; nullopt where no instruction does it.
  virtual std::optional<ValueId> scaled(ValueId x, ValueId power) = 0;
  // A result of f32, rounded to the type.
  ValueId rounded_to(ElementType type, ValueId x);
  ValueId settled(ValueId x);
  // The operand in a register.
  ValueId loaded(const Part& part);

  virtual ValueId compare(Direction direction, ElementType type, Part a, Part b) = 0;
  virtual ValueId choose(ValueId mask, Part on_true, Part on_false) = 0;
  // Of preds; comparisons of them are bitwise functions.
  virtual std::optional<ValueId> binary_of_masks(BinaryOp op, ValueId a, ValueId b) = 0;
  ValueId compare_masks(Direction direction, ValueId a, ValueId b);
  // Of f32 in the total order.
  ValueId compare_total(Direction direction, Part a, Part b);
  virtual ValueId equal_masks(ValueId a, ValueId b) = 0;
  virtual ValueId inverse_mask(ValueId a) = 0;
  virtual ValueId choose_mask(ValueId mask, ValueId on_true, ValueId on_false) = 0;
  // Preds, bytes, bf16 and f16 in memory.
  virtual ValueId mask_at(const Memory& at) = 0;
  virtual void put_mask(const Memory& at, ValueId mask) = 0;
  // The elements number `turn` of each `step` elements in memory.
  ValueId strided_at(const Memory& at, std::size_t step, std::size_t turn);
  // Stores the values by turns. `put`: the instruction that stores a vector. *Requires* of both:
  // is_chain_stride().
  void put_strided(asmjit::InstId put, const Memory& at, std::span<const ValueId> values);
  // Integers of 8 bits as words of their value.
  ValueId bytes_at(ElementType type, const Memory& at);
  virtual void put_bytes(ElementType type, const Memory& at, ValueId x) = 0;
  // The same of four vectors, one after the other; false where one at a time is as quick.
  virtual bool put_bytes_of_four(ElementType type, const Memory& at, const ValueId* x);
  // `keeps_code`: else a signaling NaN of f16 may become quiet.
  ValueId halves_at(ElementType type, const Memory& at, bool keeps_code);
  // The bf16 of two vectors, one after the other.
  virtual ValueId packed_halves(ValueId x, ValueId y);
  // A vector's f16 in the lower half of a register.
  ValueId codes_of(ValueId x);
  // The values of such codes, which codes_of() finds again.
  ValueId value_of_codes(ValueId codes);
  // The bits of a number of 8 or 16 bits as a word, in memory or of a value; and the values that a
  // table has for such words, of any type. Of AVX-512.
  ValueId bits_at(ElementType type, const Memory& at);
  ValueId bits_of(ElementType type, ValueId x);
  ValueId looked_up(ElementType type, const std::byte* table, ValueId number);
  ValueId choose_f16(ValueId mask, ValueId on_true, ValueId on_false);

 protected:
  // The immediate of vcmpps, in the order of Direction: without a signal for a quiet NaN.
  static constexpr std::uint8_t kFloatTests[] = {0, 4, 29, 30, 18, 17};
  static constexpr std::uint8_t kUnordered = 3;

  using Pair = std::array<ValueId, 2>;
  using Triple = std::array<ValueId, 3>;
  // Every second lane of a and b one after the other, or every third one of three, from `first` on;
  // the last operand may be in memory.
  virtual ValueId every_second(ValueId a, Part b, std::size_t first) = 0;
  virtual ValueId every_third(ValueId a, ValueId b, Part c, std::size_t first) = 0;
  // Lanes of all by turns.
  virtual Pair interleaved(ValueId a, ValueId b) = 0;
  virtual Triple interleaved(ValueId a, ValueId b, ValueId c) = 0;
  std::vector<ValueId> interleaved(const std::vector<ValueId>& values);

  virtual ValueId choose_codes(ValueId mask, ValueId on_true, ValueId on_false) = 0;
  // Lanes where one of the two is a NaN.
  virtual ValueId unordered(ValueId a, ValueId b) = 0;
  virtual ValueId extreme(bool larger, ValueId a, ValueId b) = 0;
  // `bits` where the mask is set, else 0.
  virtual ValueId masked(ValueId mask, ValueId bits) = 0;
  virtual ValueId greater_than(ValueId a, ValueId b) = 0;  // of i32, a mask
  virtual ValueId set_bits(ValueId x);
  // To nearest even; the lower half of a NaN is 0.
  virtual ValueId rounded_to_bf16(ValueId x);
  // nullopt where a kernel has to be called.
  virtual std::optional<ValueId> leading_zeros(ValueId /*x*/) { return std::nullopt; }
  virtual ValueId root(ValueId x) { return body_.make(Inst::kIdVsqrtps, {x}); }
  // 1 / root(x), rounded twice.
  virtual ValueId inverse_root(ValueId x);

  // x / divisor without a division; nullopt if the code refines nothing, or the divisor is negative
  // or of an unusual size.
  virtual std::optional<ValueId> quotient_by(ValueId /*x*/, std::uint32_t /*divisor*/) {
    return std::nullopt;
  }

  // The instruction of this instruction set.
  asmjit::InstId pick(asmjit::InstId avx2, asmjit::InstId avx512) const {
    return body_.is_wide() ? avx512 : avx2;
  }
  // By a known number of bits.
  ValueId shifted(asmjit::InstId id, ValueId x, unsigned bits);
  // What a selection among the operands of a comparison is: the smaller or the larger one, and the
  // second where one is a NaN.
  std::optional<ValueId> bounded(ValueId mask, const Part& on_true, ValueId on_false);
  ValueId bitwise_and(ValueId x, std::uint32_t bits);
  // The next vector in memory.
  Memory after(Memory at, std::size_t vectors = 1) const {
    at.offset += static_cast<std::int32_t>(vectors * body_.vector_bytes());
    return at;
  }
  // A value by which products are the quotients by `part`, bit by bit.
  std::optional<ValueId> exact_reciprocal(const Part& part);
  Body& body_;

 private:
  ValueId rounded_to_f16(ValueId x);
  std::optional<ValueId> kept_codes(ValueId x) const;
  bool may_signal(ValueId x) const;
  ValueId with_kept_nan(ValueId x);
  ValueId narrowed_to(ElementType type, ValueId x);
  // A word's lowest byte; a float truncated, then clamped to the numbers of the type, NaN as 0.
  ValueId byte_of(ElementType type, ValueId x);
  ValueId byte_of_float(ElementType type, ValueId x);
  // The same of 32 bits.
  ValueId word_of_float(ElementType type, ValueId x);
  ValueId float_of_unsigned(ValueId x);
  ValueId stored_nan(ElementType type, ValueId x);
  // Quotient or remainder of integers by a number that all lanes share; nullopt where a kernel has
  // to be called.
  std::optional<ValueId> whole_quotient(BinaryOp op, ElementType type, Part a,
                                        std::optional<std::uint32_t> divisor);
  ValueId by_power_of_two(bool divides, bool is_signed, ValueId x, unsigned bits);
  ValueId upper_product(bool is_signed, ValueId x, std::uint32_t factor);
  ValueId signed_quotient(ValueId x, std::uint32_t divisor);
  ValueId unsigned_quotient(ValueId x, std::uint32_t divisor);
  std::optional<ValueId> sign_of_integers(ElementType type, ValueId x);
  ValueId sign_of_floats(ValueId x);
  ValueId whole(UnaryOp op, ValueId x);
  // nullopt where the iteration may not be left.
  std::optional<ValueId> hypot(ValueId re, ValueId im);
  ValueId changed_sign(UnaryOp op, ElementType type, ValueId x);
};

std::unique_ptr<StepCode> make_step_code(Body& body);
std::unique_ptr<StepCode> make_avx2_step_code(Body& body);
std::unique_ptr<StepCode> make_avx512_step_code(Body& body);

}  // namespace understudy::worker::ops::chain_code
