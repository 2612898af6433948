// SPDX-License-Identifier: Apache-2.0
// Comparisons, and selections by them. The flags of a comparison are used where they are made: by a
// selection or a branch, or else for a pred of 0 or 1.
#include <array>

#include "worker/ops/machine_code/emitter.h"
#include "worker/ops/machine_code/forms.h"

namespace understudy::worker::ops::machine {
namespace {

using program::Direction;
using x86::CondCode;
using Parity = Condition::Parity;

struct Codes {
  Direction direction;
  CondCode is_signed, is_unsigned;
  CondCode floats;  // after a comparison of floats
  bool exchanges;   // its operands: NaN then makes it false
  Parity parity;
  int predicate;  // of the instruction that makes a mask
};

constexpr std::array<Codes, 6> kCodes{{
    {Direction::eq, CondCode::kE, CondCode::kE, CondCode::kE, false, Parity::clear_too, 0},
    {Direction::ne, CondCode::kNE, CondCode::kNE, CondCode::kNE, false, Parity::or_set, 4},
    {Direction::ge, CondCode::kGE, CondCode::kAE, CondCode::kAE, false, Parity::ignored, 0x1d},
    {Direction::gt, CondCode::kG, CondCode::kA, CondCode::kA, false, Parity::ignored, 0x1e},
    {Direction::le, CondCode::kLE, CondCode::kBE, CondCode::kAE, true, Parity::ignored, 0x12},
    {Direction::lt, CondCode::kL, CondCode::kB, CondCode::kA, true, Parity::ignored, 0x11},
}};

const Codes& codes_of(Direction direction) { return kCodes[static_cast<std::size_t>(direction)]; }

// A pred of 0 or 1. The registers are cleared before the comparison, as that sets flags.
void make_pred(Emitter& e, const Simple& step) {
  const x86::Gp out = e.whole_result(step), parity = e.cc.newGpd();
  const bool has_parity =
      is_float(*kind_of(step.from)) && codes_of(step.direction).parity != Parity::ignored;
  e.cc.xor_(out, out);
  if (has_parity) e.cc.xor_(parity, parity);
  const Condition condition = e.compare(step);
  e.cc.emit(x86::Inst::setccFromCond(condition.code), out.r8());
  if (condition.parity == Parity::clear_too) {
    e.cc.setnp(parity.r8());
    e.cc.and_(out, parity);
  } else if (condition.parity == Parity::or_set) {
    e.cc.setp(parity.r8());
    e.cc.or_(out, parity);
  }
  e.put(step.out, out);
}

void select_whole(Emitter& e, const Simple& step) {
  const Kind kind = *kind_of(step.to);
  // Before the flags are made: to load a constant may need an instruction that changes them.
  const x86::Gp on_true = e.whole(step.in[1], kind), on_false = e.whole(step.in[2], kind);
  const Condition condition = e.test(step.in[0]);
  const bool is_both = condition.parity == Parity::clear_too;
  // Unequal floats are unordered ones too: equality is its contrary, exchanged.
  const x86::Gp first = is_both ? on_true : on_false, second = is_both ? on_false : on_true;
  const CondCode code = is_both ? x86::negateCond(condition.code) : condition.code;
  x86::Gp out = e.whole_target(step.out);
  if (out.id() == second.id() && condition.parity == Parity::ignored) {
    e.cc.emit(x86::Inst::cmovccFromCond(x86::negateCond(code)), out, first);
    return e.put(step.out, out);
  }
  if (out.id() == second.id()) out = e.fresh_whole(kind);
  if (out.id() != first.id()) e.cc.mov(out, first);
  e.cc.emit(x86::Inst::cmovccFromCond(code), out, second);
  if (condition.parity != Parity::ignored) e.cc.cmovp(out, second);
  e.put(step.out, out);
}

// All bits where the pred is true.
x86::Xmm mask_of(Emitter& e, const Value& pred, Kind kind) {
  const x86::Xmm mask = e.fresh_number(kind);
  const Simple* const compare = e.postponed(pred);
  if (compare != nullptr && *kind_of(compare->from) == kind) {
    const x86::Xmm a = e.number(compare->in[0], kind, false);
    const auto instruction = kind == Kind::f32 ? x86::Inst::kIdVcmpss : x86::Inst::kIdVcmpsd;
    e.cc.emit(instruction, mask, a, e.number_or_memory(compare->in[1], kind),
              asmjit::imm(codes_of(compare->direction).predicate));
    return mask;
  }
  const x86::Gp bits = e.cc.newGpq(), all = e.cc.newGpq();
  e.cc.mov(all, -1);
  e.cc.mov(bits, 0);
  const Condition condition = e.test(pred);
  if (condition.parity == Parity::clear_too) {
    e.cc.emit(x86::Inst::cmovccFromCond(condition.code), bits, all);
    e.cc.mov(all, 0);
    e.cc.cmovp(bits, all);
  } else {
    e.cc.emit(x86::Inst::cmovccFromCond(condition.code), bits, all);
    if (condition.parity == Parity::or_set) e.cc.cmovp(bits, all);
  }
  e.cc.vmovq(mask, bits);
  return mask;
}

void select_number(Emitter& e, const Simple& step) {
  const Kind kind = *kind_of(step.to);
  const x86::Xmm on_true = e.number(step.in[1], kind, true);
  const x86::Xmm on_false = e.number(step.in[2], kind, true);
  const x86::Xmm mask = mask_of(e, step.in[0], kind);
  const x86::Xmm out = e.number_target(step.out);
  e.cc.emit(kind == Kind::f32 ? x86::Inst::kIdVblendvps : x86::Inst::kIdVblendvpd, out, on_false,
            on_true, mask);
  e.put(step.out, out, true);
}

}  // namespace

const Simple* Emitter::postponed(const Value& pred) const {
  return pred.is_constant() ? nullptr : postponed_[static_cast<std::size_t>(pred.slot)];
}

Condition Emitter::compare_floats(const Simple& step) {
  const Kind kind = *kind_of(step.from);
  const Codes& codes = codes_of(step.direction);
  const Value& first = step.in[codes.exchanges ? 1 : 0];
  const Value& second = step.in[codes.exchanges ? 0 : 1];
  const x86::Xmm a = number(first, kind, false);
  cc.emit(kind == Kind::f32 ? x86::Inst::kIdVucomiss : x86::Inst::kIdVucomisd, a,
          number_or_memory(second, kind));
  return {codes.floats, codes.parity};
}

Condition Emitter::compare(const Simple& step) {
  const Kind kind = *kind_of(step.from);
  if (is_float(kind)) return compare_floats(step);
  const Codes& codes = codes_of(step.direction);
  const bool is_signed = program::is_signed_integer(step.from);
  if (is_signed && bytes_of(kind) < 4) {
    const x86::Gp a = extended_by_sign(step.in[0], kind), b = extended_by_sign(step.in[1], kind);
    cc.cmp(a, b);
  } else {
    const x86::Gp a = whole(step.in[0], kind);
    cc.emit(x86::Inst::kIdCmp, a, whole_or_constant(step.in[1], kind));
  }
  return {is_signed ? codes.is_signed : codes.is_unsigned, Parity::ignored};
}

Condition Emitter::test(const Value& pred) {
  if (const Simple* const step = postponed(pred)) return compare(*step);
  const x86::Gp bits = whole(pred, Kind::byte);
  cc.test(bits, bits);
  return {CondCode::kNZ, Parity::ignored};
}

Emit compare_form() { return &make_pred; }
Emit select_form(Kind kind) { return is_float(kind) ? &select_number : &select_whole; }

}  // namespace understudy::worker::ops::machine
