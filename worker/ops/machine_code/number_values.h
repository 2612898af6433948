// SPDX-License-Identifier: Apache-2.0
// Values for the text of program/kernels/f32_math.inl.h whose operations append instructions on
// single numbers of a loop instead of computing. Integers are in vector registers, too, of which
// only the lowest element counts. A number of the text is a constant, which meets a value that is
// none in each operation.
#pragma once

#include <bit>
#include <optional>

#include "worker/ops/machine_code/emitter.h"

namespace understudy::worker::ops::machine {

// One function of the text on its way into the code. What few arguments need is left out where the
// text asks whether it may be (all_usually()); for the others the code leaves to `unusual`.
struct NumberCode {
  Emitter& e;
  bool is_usual = false;
  std::function<void()> unusual = {};
  std::optional<asmjit::Label> exit = {};

  x86::Xmm fresh() const { return e.cc.newXmm(); }
  // Four times the same 32 bits.
  x86::Mem constant(std::uint32_t bits) const { return e.pattern(bits, Kind::f32); }
};

// Of 32 bits: a float, an i32 or a u32.
template <class Number>
class NumberValue {
 public:
  NumberValue(Number constant)  // NOLINT(google-explicit-constructor)
      : bits_(std::bit_cast<std::uint32_t>(constant)) {}
  NumberValue(NumberCode& code, const x86::Xmm& reg) : code_(&code), reg_(reg) {}
  NumberValue() : NumberValue(Number{}) {}

  NumberCode* code() const { return code_; }
  std::uint32_t bits() const { return bits_; }
  x86::Xmm in(NumberCode& code) const {
    if (code_ != nullptr) return reg_;
    const x86::Xmm reg = code.fresh();
    code.e.cc.vmovaps(reg, code.constant(bits_));
    return reg;
  }
  // The last operand of an instruction.
  asmjit::Operand operand(NumberCode& code) const {
    if (code_ != nullptr) return reg_;
    return code.constant(bits_);
  }

 private:
  NumberCode* code_ = nullptr;
  x86::Xmm reg_;
  std::uint32_t bits_ = 0;
};
using FloatNumber = NumberValue<float>;
using IntNumber = NumberValue<std::int32_t>;
using BitsNumber = NumberValue<std::uint32_t>;

// All bits of the lowest element are set where it holds, or, of an inverse mask, where it does not.
struct NumberMask {
  NumberCode* code;
  x86::Xmm reg;
  bool is_inverse = false;
};

template <class Number>
NumberCode& code_of(const NumberValue<Number>& a, const NumberValue<Number>& b) {
  return *(a.code() != nullptr ? a.code() : b.code());
}

template <class Number>
NumberValue<Number> emitted(asmjit::InstId id, const NumberValue<Number>& a,
                            const NumberValue<Number>& b) {
  NumberCode& code = code_of(a, b);
  const x86::Xmm out = code.fresh();
  asmjit::Operand last = b.operand(code);
  if (last.isMem() && std::is_same_v<Number, float>) last = sized(last.as<x86::Mem>(), Kind::f32);
  code.e.cc.emit(id, out, a.in(code), last);
  return {code, out};
}
// By a constant.
template <class Number>
NumberValue<Number> shifted(asmjit::InstId id, const NumberValue<Number>& a,
                            const NumberValue<Number>& by) {
  NumberCode& code = *a.code();
  const x86::Xmm out = code.fresh();
  code.e.cc.emit(id, out, a.in(code), asmjit::imm(by.bits()));
  return {code, out};
}

// The predicates of vcmpss.
enum class FloatTest : std::uint8_t { equal = 0, less = 1, not_equal = 4, greater = 14 };

inline NumberMask tested(FloatTest test, const FloatNumber& a, const FloatNumber& b) {
  NumberCode& code = code_of(a, b);
  const x86::Xmm out = code.fresh();
  asmjit::Operand last = b.operand(code);
  if (last.isMem()) last = sized(last.as<x86::Mem>(), Kind::f32);
  code.e.cc.emit(x86::Inst::kIdVcmpss, out, a.in(code), last, asmjit::imm(static_cast<int>(test)));
  return {&code, out};
}
template <class Number>
NumberMask equal(const NumberValue<Number>& a, const NumberValue<Number>& b, bool is_inverse) {
  NumberCode& code = code_of(a, b);
  const x86::Xmm out = code.fresh();
  code.e.cc.emit(x86::Inst::kIdVpcmpeqd, out, a.in(code), b.operand(code));
  return {&code, out, is_inverse};
}

#define UNDERSTUDY_NUMBER_OPERATOR(Value, op, function, id)  \
  inline Value operator op(const Value& a, const Value& b) { \
    return function(x86::Inst::kId##id, a, b);               \
  }
#define UNDERSTUDY_NUMBER_TEST(op, name)                                      \
  inline NumberMask operator op(const FloatNumber& a, const FloatNumber& b) { \
    return tested(FloatTest::name, a, b);                                     \
  }
UNDERSTUDY_NUMBER_OPERATOR(FloatNumber, +, emitted, Vaddss)
UNDERSTUDY_NUMBER_OPERATOR(FloatNumber, -, emitted, Vsubss)
UNDERSTUDY_NUMBER_OPERATOR(FloatNumber, *, emitted, Vmulss)
UNDERSTUDY_NUMBER_OPERATOR(FloatNumber, /, emitted, Vdivss)
UNDERSTUDY_NUMBER_TEST(<, less)
UNDERSTUDY_NUMBER_TEST(>, greater)
UNDERSTUDY_NUMBER_TEST(==, equal)
UNDERSTUDY_NUMBER_TEST(!=, not_equal)
UNDERSTUDY_NUMBER_OPERATOR(IntNumber, +, emitted, Vpaddd)
UNDERSTUDY_NUMBER_OPERATOR(IntNumber, -, emitted, Vpsubd)
UNDERSTUDY_NUMBER_OPERATOR(IntNumber, &, emitted, Vpand)
UNDERSTUDY_NUMBER_OPERATOR(IntNumber, >>, shifted, Vpsrad)
UNDERSTUDY_NUMBER_OPERATOR(BitsNumber, +, emitted, Vpaddd)
UNDERSTUDY_NUMBER_OPERATOR(BitsNumber, -, emitted, Vpsubd)
UNDERSTUDY_NUMBER_OPERATOR(BitsNumber, &, emitted, Vpand)
UNDERSTUDY_NUMBER_OPERATOR(BitsNumber, |, emitted, Vpor)
UNDERSTUDY_NUMBER_OPERATOR(BitsNumber, ^, emitted, Vpxor)
UNDERSTUDY_NUMBER_OPERATOR(BitsNumber, <<, shifted, Vpslld)
UNDERSTUDY_NUMBER_OPERATOR(BitsNumber, >>, shifted, Vpsrld)
#undef UNDERSTUDY_NUMBER_TEST
#undef UNDERSTUDY_NUMBER_OPERATOR
inline NumberMask operator==(const IntNumber& a, const IntNumber& b) { return equal(a, b, false); }
inline NumberMask operator!=(const IntNumber& a, const IntNumber& b) { return equal(a, b, true); }
inline NumberMask operator!=(const BitsNumber& a, const BitsNumber& b) { return equal(a, b, true); }

// The same bits under another type.
template <class To, class From>
To under(const From& x) {
  return {*x.code(), x.in(*x.code())};
}
inline BitsNumber bits_of(const FloatNumber& x) { return under<BitsNumber>(x); }
inline BitsNumber bits_of(const IntNumber& x) { return under<BitsNumber>(x); }
inline IntNumber signed_of(const BitsNumber& x) { return under<IntNumber>(x); }
inline FloatNumber float_of(const BitsNumber& x) { return under<FloatNumber>(x); }

inline FloatNumber operator-(const FloatNumber& x) {
  return float_of(bits_of(x) ^ BitsNumber(0x80000000U));
}
inline IntNumber operator-(const IntNumber& x) { return IntNumber(0) - x; }
// Of floats, whose masks are as they are.
inline NumberMask operator&(const NumberMask& a, const NumberMask& b) {
  const x86::Xmm out = a.code->fresh();
  a.code->e.cc.vandps(out, a.reg, b.reg);
  return {a.code, out};
}

template <class Number>
NumberValue<Number> choose(const NumberMask& mask, const NumberValue<Number>& on_true,
                           const NumberValue<Number>& on_false) {
  NumberCode& code = *mask.code;
  const auto& set = mask.is_inverse ? on_false : on_true;
  const auto& clear = mask.is_inverse ? on_true : on_false;
  const x86::Xmm out = code.fresh();
  code.e.cc.emit(x86::Inst::kIdVblendvps, out, clear.in(code), set.operand(code), mask.reg);
  return {code, out};
}
// Code has no branch for what holds now and then: the general text gives the same bits.
inline bool all_of(const NumberMask& /*mask*/) { return false; }
// But for what hardly ever does not.
inline bool all_usually(const NumberMask& mask) {
  NumberCode& code = *mask.code;
  if (!code.is_usual) return false;
  if (!code.exit) code.exit = code.e.rarely(code.unusual);
  const x86::Gp sign = code.e.cc.newGpd();
  code.e.cc.vmovmskps(sign, mask.reg);
  code.e.cc.test(sign, 1);
  code.e.cc.jz(*code.exit);
  return true;
}

// a * b + c, rounded once.
inline FloatNumber fused(const FloatNumber& a, const FloatNumber& b, const FloatNumber& c) {
  NumberCode& code = *(a.code() != nullptr ? a.code() : b.code());
  const x86::Xmm out = code.fresh();
  code.e.cc.vmovaps(out, a.in(code));
  asmjit::Operand last = c.operand(code);
  if (last.isMem()) last = sized(last.as<x86::Mem>(), Kind::f32);
  code.e.cc.emit(x86::Inst::kIdVfmadd213ss, out, b.in(code), last);
  return {code, out};
}
inline FloatNumber root_of(const FloatNumber& x) {
  const x86::Xmm out = x.code()->fresh();
  x.code()->e.cc.vsqrtss(out, x.in(*x.code()), x.in(*x.code()));
  return {*x.code(), out};
}
inline FloatNumber to_float(const IntNumber& x) {
  const x86::Xmm out = x.code()->fresh();
  x.code()->e.cc.vcvtdq2ps(out, x.in(*x.code()));
  return {*x.code(), out};
}
inline FloatNumber magnitude_of(const FloatNumber& x) {
  return float_of(bits_of(x) & BitsNumber(0x7fffffffU));
}
inline FloatNumber with_sign_of(const FloatNumber& magnitude, const FloatNumber& sign) {
  NumberCode& code = *sign.code();
  return float_of((bits_of(sign) & BitsNumber(0x80000000U)) | BitsNumber(code, magnitude.in(code)));
}

}  // namespace understudy::worker::ops::machine
