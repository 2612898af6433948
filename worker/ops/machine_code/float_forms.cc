// SPDX-License-Identifier: Apache-2.0
// Functions of f32 and f64. A NaN that arithmetic makes is settled where it could be seen.
#include "worker/ops/machine_code/emitter.h"
#include "worker/ops/machine_code/forms.h"

namespace understudy::worker::ops::machine {
namespace {

using program::BinaryOp;
using program::UnaryOp;
using Id = asmjit::InstId;

constexpr std::uint64_t kOne32 = 0x3f800000, kOne64 = 0x3ff0000000000000;

template <Id k32, Id k64>
Id of(Kind kind) {
  return kind == Kind::f32 ? k32 : k64;
}

template <Id k32, Id k64>
void combine_numbers(Emitter& e, const Simple& step) {
  const Kind kind = *kind_of(step.to);
  const x86::Xmm a = e.number(step.in[0], kind, false);
  const asmjit::Operand b = e.number_or_memory(step.in[1], kind);
  const x86::Xmm out = e.number_target(step.out);
  e.cc.emit(of<k32, k64>(kind), out, a, b);
  e.put(step.out, out, false);
}

void square_number(Emitter& e, const Simple& step) {
  Simple product = step;
  product.in[1] = step.in[0];
  product.inputs = 2;
  combine_numbers<x86::Inst::kIdVmulss, x86::Inst::kIdVmulsd>(e, product);
}

void square_root(Emitter& e, const Simple& step) {
  const Kind kind = *kind_of(step.to);
  const x86::Xmm in = e.number(step.in[0], kind, false);
  const x86::Xmm out = e.number_target(step.out);
  e.cc.emit(of<x86::Inst::kIdVsqrtss, x86::Inst::kIdVsqrtsd>(kind), out, in, in);
  e.put(step.out, out, false);
}

// 1 / sqrt(x), rounded twice, as the kernel.
void reciprocal_root(Emitter& e, const Simple& step) {
  const Kind kind = *kind_of(step.to);
  const x86::Xmm in = e.number(step.in[0], kind, false);
  const x86::Xmm root = e.fresh_number(kind), out = e.number_target(step.out);
  const Value one{Value::kConstant, kind == Kind::f32 ? kOne32 : kOne64};
  e.cc.emit(of<x86::Inst::kIdVsqrtss, x86::Inst::kIdVsqrtsd>(kind), root, in, in);
  const x86::Xmm ones = e.number(one, kind, true);
  e.cc.emit(of<x86::Inst::kIdVdivss, x86::Inst::kIdVdivsd>(kind), out, ones, root);
  e.put(step.out, out, false);
}

// 8: no exception for an inexact result.
enum class Rounding : std::uint8_t { even = 8, down = 9, up = 10 };

template <Rounding kRounding>
void round_number(Emitter& e, const Simple& step) {
  const Kind kind = *kind_of(step.to);
  const x86::Xmm in = e.number(step.in[0], kind, false);
  const x86::Xmm out = e.number_target(step.out);
  e.cc.emit(of<x86::Inst::kIdVroundss, x86::Inst::kIdVroundsd>(kind), out, in, in,
            asmjit::imm(static_cast<int>(kRounding)));
  e.put(step.out, out, false);
}

// By the sign bit: NaN keeps its pattern.
template <bool kNegates>
void change_sign(Emitter& e, const Simple& step) {
  const Kind kind = *kind_of(step.to);
  const std::uint64_t sign = kind == Kind::f32 ? 0x80000000 : 0x8000000000000000;
  const x86::Xmm in = e.number(step.in[0], kind, true);
  const x86::Xmm out = e.number_target(step.out);
  if (kNegates) {
    e.cc.vxorps(out, in, e.pattern(sign, kind));
  } else {
    e.cc.vandps(out, in, e.pattern(sign - 1, kind));
  }
  e.put(step.out, out, true);
}

// The instruction gives its second operand where both are equal, or one is NaN. Of two zeros, the
// larger one has the bits that both have, the smaller one those that either has. NaN is rare.
template <bool kLarger>
void extreme_number(Emitter& e, const Simple& step) {
  constexpr Id k32 = kLarger ? x86::Inst::kIdVmaxss : x86::Inst::kIdVminss;
  constexpr Id k64 = kLarger ? x86::Inst::kIdVmaxsd : x86::Inst::kIdVminsd;
  const Kind kind = *kind_of(step.to);
  const x86::Xmm a = e.number(step.in[0], kind, false), b = e.number(step.in[1], kind, false);
  const x86::Xmm first = e.fresh_number(kind), second = e.fresh_number(kind);
  const x86::Xmm out = e.number_target(step.out);
  e.cc.emit(of<k32, k64>(kind), first, a, b);
  e.cc.emit(of<k32, k64>(kind), second, b, a);
  e.cc.emit(of<x86::Inst::kIdVucomiss, x86::Inst::kIdVucomisd>(kind), a, b);
  e.cc.emit(kLarger ? x86::Inst::kIdVandps : x86::Inst::kIdVorps, out, first, second);
  const asmjit::Label back = e.cc.newLabel();
  e.cc.jp(e.rarely([&e, out, kind, back] {
    e.make_nan(out, kind);
    e.cc.jmp(back);
  }));
  e.cc.bind(back);
  e.put(step.out, out, true);
}

constexpr auto kFloat = Family::floating;

constexpr UnaryForm kFloatUnary[] = {
    {UnaryOp::abs, kFloat, &change_sign<false>},
    {UnaryOp::ceil, kFloat, &round_number<Rounding::up>},
    {UnaryOp::floor, kFloat, &round_number<Rounding::down>},
    {UnaryOp::negate, kFloat, &change_sign<true>},
    {UnaryOp::round_nearest_even, kFloat, &round_number<Rounding::even>},
    {UnaryOp::rsqrt, kFloat, &reciprocal_root},
    {UnaryOp::sqrt, kFloat, &square_root},
    {UnaryOp::square, kFloat, &square_number},
};

constexpr BinaryForm kFloatBinary[] = {
    {BinaryOp::add, kFloat, &combine_numbers<x86::Inst::kIdVaddss, x86::Inst::kIdVaddsd>},
    {BinaryOp::divide, kFloat, &combine_numbers<x86::Inst::kIdVdivss, x86::Inst::kIdVdivsd>},
    {BinaryOp::maximum, kFloat, &extreme_number<true>},
    {BinaryOp::minimum, kFloat, &extreme_number<false>},
    {BinaryOp::multiply, kFloat, &combine_numbers<x86::Inst::kIdVmulss, x86::Inst::kIdVmulsd>},
    {BinaryOp::subtract, kFloat, &combine_numbers<x86::Inst::kIdVsubss, x86::Inst::kIdVsubsd>},
};

}  // namespace

std::span<const UnaryForm> float_unary_forms() { return kFloatUnary; }
std::span<const BinaryForm> float_binary_forms() { return kFloatBinary; }

}  // namespace understudy::worker::ops::machine
