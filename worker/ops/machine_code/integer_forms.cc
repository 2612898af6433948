// SPDX-License-Identifier: Apache-2.0
// Functions of integers and preds, and copies. Integers wrap; the bits of a register above those of
// its element are zero.
#include <array>
#include <utility>

#include "worker/ops/machine_code/emitter.h"
#include "worker/ops/machine_code/forms.h"

namespace understudy::worker::ops::machine {
namespace {

using program::BinaryOp;
using program::UnaryOp;

int bits_of(Kind kind) { return static_cast<int>(8 * bytes_of(kind)); }

// d = a op b, of an instruction that overwrites its first operand.
template <asmjit::InstId kInstruction, bool kCommutes, bool kIsBitwise = false>
void combine_whole(Emitter& e, const Simple& step) {
  const Kind kind = *kind_of(step.to);
  Value a = step.in[0], b = step.in[1];
  if (kCommutes && a.is_constant()) std::swap(a, b);
  x86::Gp first = e.whole(a, kind);
  asmjit::Operand second = e.whole_or_constant(b, kind);
  x86::Gp out = e.whole_result(step, 0);
  const auto is_out = [&](const asmjit::Operand& operand) {
    return operand.isReg() && operand.id() == out.id();
  };
  if (kCommutes && is_out(second)) {
    const x86::Gp other = second.as<x86::Gp>();
    second = first;
    first = other;
  }
  if (is_out(second) && !is_out(first)) out = e.fresh_whole(kind);
  if (kInstruction == x86::Inst::kIdImul && second.isImm()) {
    e.cc.emit(kInstruction, out, first, second);
  } else {
    if (!is_out(first)) e.cc.mov(out, first);
    e.cc.emit(kInstruction, out, second);
  }
  if (!kIsBitwise) e.cut(out, kind);
  e.put(step.out, out);
}

// Of bits above those of the element, which are zero in both operands.
template <asmjit::InstId kInstruction>
constexpr Emit bitwise = &combine_whole<kInstruction, true, true>;

template <asmjit::InstId kInstruction>
void change_whole(Emitter& e, const Simple& step) {
  const Kind kind = *kind_of(step.to);
  const x86::Gp in = e.whole(step.in[0], kind);
  const x86::Gp out = e.whole_result(step, 0);
  if (out.id() != in.id()) e.cc.mov(out, in);
  e.cc.emit(kInstruction, out);
  e.cut(out, kind);
  e.put(step.out, out);
}

void invert_pred(Emitter& e, const Simple& step) {
  const x86::Gp in = e.whole(step.in[0], Kind::byte);
  const x86::Gp out = e.whole_result(step, 0);
  if (out.id() != in.id()) e.cc.mov(out, in);
  e.cc.xor_(out, 1);
  e.put(step.out, out);
}

void absolute(Emitter& e, const Simple& step) {
  const Kind kind = *kind_of(step.to);
  const x86::Gp in = e.extended(step.in[0], step.to);
  const x86::Gp out = e.whole_result(step);
  e.cc.mov(out, in);
  if (program::is_signed_integer(step.to)) {
    e.cc.neg(out);
    e.cc.cmovs(out, in);
  }
  e.cut(out, kind);
  e.put(step.out, out);
}

// (x > 0) or all bits of the sign.
void sign(Emitter& e, const Simple& step) {
  const Kind kind = *kind_of(step.to);
  const x86::Gp in = e.extended(step.in[0], step.to);
  const x86::Gp out = e.whole_result(step);
  e.cc.xor_(out.r32(), out.r32());
  e.cc.test(in, in);
  if (program::is_signed_integer(step.to)) {
    const x86::Gp all = e.fresh_whole(kind);
    e.cc.setg(out.r8());
    e.cc.mov(all, in);
    e.cc.sar(all, kind == Kind::quad ? 63 : 31);
    e.cc.or_(out, all);
  } else {
    e.cc.setnz(out.r8());
  }
  e.cut(out, kind);
  e.put(step.out, out);
}

void square_whole(Emitter& e, const Simple& step) {
  const Kind kind = *kind_of(step.to);
  const x86::Gp in = e.whole(step.in[0], kind);
  const x86::Gp out = e.whole_result(step, 0);
  if (out.id() != in.id()) e.cc.mov(out, in);
  e.cc.imul(out, out);
  e.cut(out, kind);
  e.put(step.out, out);
}

template <bool kLarger>
void extreme_whole(Emitter& e, const Simple& step) {
  const Kind kind = *kind_of(step.to);
  const bool is_signed = program::is_signed_integer(step.to);
  const x86::Gp a = e.extended(step.in[0], step.to), b = e.extended(step.in[1], step.to);
  const x86::Gp out = e.whole_result(step, 0);
  if (out.id() != a.id()) e.cc.mov(out, a);
  e.cc.cmp(a, b);
  using x86::CondCode;
  const CondCode replaces =
      is_signed ? (kLarger ? CondCode::kL : CondCode::kG) : (kLarger ? CondCode::kB : CondCode::kA);
  e.cc.emit(x86::Inst::cmovccFromCond(replaces), out, b);
  e.cut(out, kind);
  e.put(step.out, out);
}

enum class Shift : std::uint8_t { left, logical, arithmetic };

template <Shift kShift>
constexpr asmjit::InstId kShiftInstruction = kShift == Shift::left      ? x86::Inst::kIdShl
                                             : kShift == Shift::logical ? x86::Inst::kIdShr
                                                                        : x86::Inst::kIdSar;

// By a register: the instruction takes the number modulo 32 or 64.
template <Shift kShift>
void shift_by_number(Emitter& e, const x86::Gp& out, const Value& by, Kind kind) {
  const x86::Gp number = e.whole(by, kind);
  const x86::Gp count = e.fresh_whole(kind), most = e.fresh_whole(kind);
  e.cc.mov(count, number);
  if (kShift == Shift::arithmetic) {
    e.cc.mov(most, bits_of(kind) - 1);
    e.cc.cmp(count, most);
    e.cc.cmova(count, most);
    e.cc.sar(out, count.r8());
    return;
  }
  e.cc.emit(kShiftInstruction<kShift>, out, count.r8());
  e.cc.mov(most, 0);
  e.cc.cmp(number, bits_of(kind));
  e.cc.cmovae(out, most);
}

// A shift by the width or more gives 0, or the sign.
template <Shift kShift>
void shift(Emitter& e, const Simple& step) {
  const Kind kind = *kind_of(step.to);
  const x86::Gp in = kShift == Shift::arithmetic ? e.extended_by_sign(step.in[0], kind)
                                                 : e.whole(step.in[0], kind);
  const Value& by = step.in[1];
  const x86::Gp out = by.is_constant() ? e.whole_result(step, 0) : e.fresh_whole(kind);
  if (out.id() != in.id()) e.cc.mov(out, in);
  const auto width = static_cast<std::uint64_t>(bits_of(kind));
  if (!by.is_constant()) {
    shift_by_number<kShift>(e, out, by, kind);
  } else if (by.bits < width) {
    e.cc.emit(kShiftInstruction<kShift>, out, asmjit::imm(by.bits));
  } else if (kShift == Shift::arithmetic) {
    e.cc.sar(out, asmjit::imm(width - 1));
  } else {
    e.cc.xor_(out.r32(), out.r32());
  }
  e.cut(out, kind);
  e.put(step.out, out);
}

void copy_whole(Emitter& e, const Simple& step) {
  const Kind kind = *kind_of(step.to);
  e.put(step.out, e.whole(step.in[0], kind));
}

constexpr auto kInteger = Family::integer;
constexpr auto kPred = Family::pred;

constexpr UnaryForm kIntegerUnary[] = {
    {UnaryOp::abs, kInteger, &absolute},
    {UnaryOp::logical_not, kInteger, &change_whole<x86::Inst::kIdNot>},
    {UnaryOp::logical_not, kPred, &invert_pred},
    {UnaryOp::negate, kInteger, &change_whole<x86::Inst::kIdNeg>},
    {UnaryOp::sign, kInteger, &sign},
    {UnaryOp::square, kInteger, &square_whole},
};

constexpr BinaryForm kIntegerBinary[] = {
    {BinaryOp::add, kPred, bitwise<x86::Inst::kIdOr>},
    {BinaryOp::add, kInteger, &combine_whole<x86::Inst::kIdAdd, true>},
    {BinaryOp::divide, kInteger, &divide_integers},
    {BinaryOp::logical_and, kInteger, bitwise<x86::Inst::kIdAnd>},
    {BinaryOp::logical_and, kPred, bitwise<x86::Inst::kIdAnd>},
    {BinaryOp::logical_or, kInteger, bitwise<x86::Inst::kIdOr>},
    {BinaryOp::logical_or, kPred, bitwise<x86::Inst::kIdOr>},
    {BinaryOp::logical_xor, kInteger, bitwise<x86::Inst::kIdXor>},
    {BinaryOp::logical_xor, kPred, bitwise<x86::Inst::kIdXor>},
    {BinaryOp::maximum, kInteger, &extreme_whole<true>},
    {BinaryOp::maximum, kPred, bitwise<x86::Inst::kIdOr>},
    {BinaryOp::minimum, kInteger, &extreme_whole<false>},
    {BinaryOp::minimum, kPred, bitwise<x86::Inst::kIdAnd>},
    {BinaryOp::multiply, kPred, bitwise<x86::Inst::kIdAnd>},
    {BinaryOp::multiply, kInteger, &combine_whole<x86::Inst::kIdImul, true>},
    {BinaryOp::remainder, kInteger, &remainder_of_integers},
    {BinaryOp::shift_left, kInteger, &shift<Shift::left>},
    {BinaryOp::shift_right_arithmetic, kInteger, &shift<Shift::arithmetic>},
    {BinaryOp::shift_right_logical, kInteger, &shift<Shift::logical>},
    {BinaryOp::subtract, kInteger, &combine_whole<x86::Inst::kIdSub, false>},
};

void copy_number(Emitter& e, const Simple& step) {
  const Kind kind = *kind_of(step.to);
  e.put(step.out, e.number(step.in[0], kind, true), true);
}

}  // namespace

std::span<const UnaryForm> integer_unary_forms() { return kIntegerUnary; }
std::span<const BinaryForm> integer_binary_forms() { return kIntegerBinary; }
Emit copy_form(Kind kind) { return is_float(kind) ? &copy_number : &copy_whole; }

}  // namespace understudy::worker::ops::machine
