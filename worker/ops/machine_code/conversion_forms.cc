// SPDX-License-Identifier: Apache-2.0
// Conversions. Integers wrap, floats truncate towards zero to integers and saturate, NaN gives 0.
#include "worker/ops/machine_code/emitter.h"
#include "worker/ops/machine_code/forms.h"

namespace understudy::worker::ops::machine {
namespace {

using program::ElementType;

// A pred is the byte that it is stored as.
void whole_to_whole(Emitter& e, const Simple& step) {
  const Kind from = *kind_of(step.from), to = *kind_of(step.to);
  if (to != Kind::quad) {
    const x86::Gp in = e.extended(step.in[0], step.from);
    const x86::Gp out = e.whole_target(step.out);
    e.cc.mov(out, in.r32());
    e.cut(out, to);
    return e.put(step.out, out);
  }
  const x86::Gp in = e.extended(step.in[0], step.from);
  const x86::Gp out = e.whole_target(step.out);
  if (from == Kind::quad) {
    e.cc.mov(out, in);
  } else if (program::is_signed_integer(step.from)) {
    e.cc.movsxd(out, in.r32());
  } else {
    e.cc.mov(out.r32(), in.r32());
  }
  e.put(step.out, out);
}

void whole_to_pred(Emitter& e, const Simple& step) {
  const x86::Gp in = e.whole(step.in[0], *kind_of(step.from));
  const x86::Gp out = e.whole_result(step);
  e.cc.xor_(out, out);
  e.cc.test(in, in);
  e.cc.setnz(out.r8());
  e.put(step.out, out);
}

// NaN is no zero.
void float_to_pred(Emitter& e, const Simple& step) {
  Simple compare = step;
  compare.direction = program::Direction::ne;
  compare.in[1] = Value{};
  compare.inputs = 2;
  compare_form()(e, compare);
}

// Unsigned numbers of 32 bits are numbers of 64; the instruction leaves the upper part of its
// result as it was.
void whole_to_float(Emitter& e, const Simple& step) {
  const Kind from = *kind_of(step.from), to = *kind_of(step.to);
  x86::Gp in = e.extended(step.in[0], step.from);
  if (from == Kind::word && !program::is_signed_integer(step.from)) {
    const x86::Gp wide = e.cc.newGpq();
    e.cc.mov(wide.r32(), in);
    in = wide;
  }
  const x86::Xmm out = e.number_target(step.out);
  e.cc.vxorps(out, out, out);
  e.cc.emit(to == Kind::f32 ? x86::Inst::kIdVcvtsi2ss : x86::Inst::kIdVcvtsi2sd, out, out, in);
  e.put(step.out, out, true);
}

// The instruction keeps the upper bits of a NaN, as the kernel.
void float_to_float(Emitter& e, const Simple& step) {
  const Kind from = *kind_of(step.from), to = *kind_of(step.to);
  const x86::Xmm in = e.number(step.in[0], from, true);
  const x86::Xmm out = e.number_target(step.out);
  e.cc.emit(to == Kind::f32 ? x86::Inst::kIdVcvtsd2ss : x86::Inst::kIdVcvtss2sd, out, in, in);
  e.put(step.out, out, true);
}

// The instruction gives the smallest integer for whatever has no integer.
void float_to_whole(Emitter& e, const Simple& step) {
  const Kind from = *kind_of(step.from);
  const x86::Xmm in = e.number(step.in[0], from, false);
  const x86::Gp out = e.whole_target(step.out);
  e.cc.emit(from == Kind::f32 ? x86::Inst::kIdVcvttss2si : x86::Inst::kIdVcvttsd2si, out, in);
  const asmjit::Label back = e.cc.newLabel();
  e.cc.cmp(out, 1);
  e.cc.jo(e.rarely([&e, in, out, from, back] {
    const x86::Xmm zero = e.fresh_number(from);
    const x86::Gp none = e.cc.newGpq();
    const auto compare = from == Kind::f32 ? x86::Inst::kIdVucomiss : x86::Inst::kIdVucomisd;
    e.cc.xor_(none.r32(), none.r32());
    e.cc.vxorps(zero, zero, zero);
    e.cc.emit(compare, in, zero);
    // Of the smallest integer, the complement is the largest.
    const asmjit::Label is_smallest = e.cc.newLabel();
    e.cc.jb(is_smallest);  // or NaN
    e.cc.not_(out);
    e.cc.jmp(back);
    e.cc.bind(is_smallest);
    if (out.isGpq()) {
      e.cc.cmovp(out, none);
    } else {
      e.cc.cmovp(out, none.r32());
    }
    e.cc.jmp(back);
  }));
  e.cc.bind(back);
  e.put(step.out, out);
}

void float_bits_to_whole(Emitter& e, const Simple& step) {
  const Kind from = *kind_of(step.from);
  const x86::Xmm in = e.number(step.in[0], from, true);
  const x86::Gp out = e.whole_target(step.out);
  e.cc.emit(from == Kind::f32 ? x86::Inst::kIdVmovd : x86::Inst::kIdVmovq, out, in);
  e.put(step.out, out);
}

void whole_bits_to_float(Emitter& e, const Simple& step) {
  const Kind to = *kind_of(step.to);
  const x86::Gp in = e.whole(step.in[0], *kind_of(step.from));
  const x86::Xmm out = e.number_target(step.out);
  e.cc.emit(to == Kind::f32 ? x86::Inst::kIdVmovd : x86::Inst::kIdVmovq, out, in);
  e.put(step.out, out, true);
}

bool is_whole(ElementType type) {
  return family_of(type) == Family::integer || family_of(type) == Family::pred;
}

Emit to_whole(ElementType from, ElementType to) {
  if (is_whole(from)) return &whole_to_whole;
  // Other integers are rarely made of floats.
  const bool has_instruction = to == ElementType::i32 || to == ElementType::i64;
  return family_of(from) == Family::floating && has_instruction ? &float_to_whole : nullptr;
}

}  // namespace

Emit bitcast_form(Kind from, Kind to) {
  if (is_float(from) == is_float(to)) return copy_form(to);
  return is_float(from) ? &float_bits_to_whole : &whole_bits_to_float;
}

Emit convert_form(ElementType from, ElementType to) {
  if (family_of(from) == Family::none || family_of(to) == Family::none) return nullptr;
  if (from == to) return copy_form(*kind_of(to));
  if (family_of(to) == Family::pred) return is_whole(from) ? &whole_to_pred : &float_to_pred;
  if (family_of(to) == Family::integer) return to_whole(from, to);
  if (family_of(from) == Family::floating) return &float_to_float;
  return from == ElementType::ui64 ? nullptr : &whole_to_float;
}

}  // namespace understudy::worker::ops::machine
