// SPDX-License-Identifier: Apache-2.0
// Functions of one f32 in loops, from the text of their kernels.

#include "program/kernels/wave_functions.inl.h"
#include "worker/ops/machine_code/forms.h"
#include "worker/ops/machine_code/number_values.h"

namespace understudy::worker::ops::machine {
namespace {

namespace kernels = program::kernels;
using program::UnaryOp;
using NumberFunction = FloatNumber (*)(const FloatNumber& x);

template <NumberFunction kFunction>
void apply_function(Emitter& e, const Simple& step) {
  const x86::Xmm in = e.number(step.in[0], Kind::f32, false);
  const x86::Xmm out = e.fresh_number(Kind::f32);
  const asmjit::Label back = e.cc.newLabel();
  NumberCode code{e, true, [&e, in, out, back] {
                    NumberCode general{e};
                    e.cc.vmovaps(out, kFunction(FloatNumber(general, in)).in(general));
                    e.cc.jmp(back);
                  }};
  e.cc.vmovaps(out, kFunction(FloatNumber(code, in)).in(code));
  e.cc.bind(back);
  e.put(step.out, out, false);
}

// Sine, cosine and tangent: far from 0 a call computes them, as their kernels do.
using FarNumber = float (*)(float);
template <NumberFunction kFunction, FarNumber kFar>
void apply_wave(Emitter& e, const Simple& step) {
  const x86::Xmm in = e.number(step.in[0], Kind::f32, false);
  const x86::Xmm out = e.fresh_number(Kind::f32);
  const asmjit::Label back = e.cc.newLabel();
  NumberCode code{e, true, [&e, in, out, back] {
                    asmjit::InvokeNode* invoke = nullptr;
                    e.cc.invoke(&invoke, asmjit::imm(reinterpret_cast<std::uintptr_t>(kFar)),
                                asmjit::FuncSignatureT<float, float>());
                    invoke->setArg(0, in);
                    invoke->setRet(0, out);
                    e.cc.jmp(back);
                  }};
  const FloatNumber x(code, in);
  all_usually(magnitude_of(x) < FloatNumber(kernels::kReach32));
  e.cc.vmovaps(out, kFunction(x).in(code));
  e.cc.bind(back);
  e.put(step.out, out, false);
}
template <class Wave>
float number_of(float x) {
  return Wave::apply(x);
}

// To the bf16 that a product takes of it, as an f32; a NaN stays one.
FloatNumber nearest_bf16(const FloatNumber& x) {
  const BitsNumber bits = bits_of(x);
  const BitsNumber even = (bits >> BitsNumber(16)) & BitsNumber(1);
  const BitsNumber nearest = (bits + BitsNumber(0x7fff) + even) & BitsNumber(0xffff0000U);
  return choose(x != x, x, float_of(nearest));
}

// A bf16 as an f32.
void widen_bf16(Emitter& e, const Simple& step) {
  const x86::Gp bits = e.cc.newGpd();
  e.cc.mov(bits, e.whole(step.in[0], Kind::half));
  e.cc.shl(bits, 16);
  const x86::Xmm out = e.number_target(step.out);
  e.cc.vmovd(out, bits);
  e.put(step.out, out, true);
}

struct FunctionForm {
  UnaryOp op;
  Emit emit;
};
#define UNDERSTUDY_FUNCTION(op, function) \
  { UnaryOp::op, &apply_function<&kernels::function<FloatNumber>> }
constexpr FunctionForm kFunctions[] = {
    UNDERSTUDY_FUNCTION(acosh, acosh_f32),
    UNDERSTUDY_FUNCTION(asinh, asinh_f32),
    UNDERSTUDY_FUNCTION(atanh, atanh_f32),
    {UnaryOp::cosine, &apply_wave<&kernels::cos_f32<FloatNumber>, &number_of<kernels::LaneCosine>>},
    UNDERSTUDY_FUNCTION(erf, erf_f32),
    UNDERSTUDY_FUNCTION(erf_inv, erf_inv_f32),
    UNDERSTUDY_FUNCTION(exponential_minus_one, expm1_f32),
    UNDERSTUDY_FUNCTION(log, log_f32),
    UNDERSTUDY_FUNCTION(log_plus_one, log1p_f32),
    UNDERSTUDY_FUNCTION(logistic, logistic_f32),
    {UnaryOp::sine, &apply_wave<&kernels::sin_f32<FloatNumber>, &number_of<kernels::LaneSine>>},
    {UnaryOp::tan, &apply_wave<&kernels::tan_f32<FloatNumber>, &number_of<kernels::LaneTangent>>},
    UNDERSTUDY_FUNCTION(tanh, tanh_f32),
};
#undef UNDERSTUDY_FUNCTION

FloatNumber exponential(const FloatNumber& x) { return kernels::exp_f32(x); }

}  // namespace

Emit number_function(UnaryOp op) {
  if (op == UnaryOp::exponential) return &apply_function<&exponential>;
  for (const FunctionForm& form : kFunctions)
    if (form.op == op) return form.emit;
  return nullptr;
}

Emit bf16_rounding() { return &apply_function<&nearest_bf16>; }
Emit bf16_widening() { return &widen_bf16; }

}  // namespace understudy::worker::ops::machine
