// SPDX-License-Identifier: Apache-2.0
// Division of integers and its remainder, as the kernels define them: by 0, the quotient has all
// bits set and the remainder is the dividend; the smallest number by -1 wraps. A division takes a
// dozen cycles, so a constant divisor of 32 bits is a product or a shift (Granlund and Montgomery
// 1994).
#include <bit>

#include "worker/ops/machine_code/emitter.h"
#include "worker/ops/machine_code/forms.h"

namespace understudy::worker::ops::machine {
namespace {

struct Division {
  Emitter& e;
  const Simple& step;
  bool wants_remainder = false;

  Kind kind() const { return *kind_of(step.to); }
  bool is_signed() const { return program::is_signed_integer(step.to); }
  // The divisor, if it is a constant, as a number.
  std::int64_t constant() const {
    const std::uint64_t bits = step.in[1].bits;
    switch (kind()) {
      case Kind::byte:
        return is_signed() ? static_cast<std::int8_t>(bits) : static_cast<std::int64_t>(bits);
      case Kind::half:
        return is_signed() ? static_cast<std::int16_t>(bits) : static_cast<std::int64_t>(bits);
      case Kind::word:
        return is_signed() ? static_cast<std::int32_t>(bits) : static_cast<std::int64_t>(bits);
      default:
        return static_cast<std::int64_t>(bits);
    }
  }
  void finish(const x86::Gp& out) const {
    e.cut(out, kind());
    e.put(step.out, out);
  }
};

// out = a - quotient * divisor.
x86::Gp rest(const Division& d, const x86::Gp& a, const x86::Gp& quotient, std::uint32_t divisor) {
  const x86::Gp out = d.e.whole_target(d.step.out);
  d.e.cc.imul(quotient, quotient, asmjit::imm(static_cast<std::int32_t>(divisor)));
  if (out.id() != a.id()) d.e.cc.mov(out, a);
  d.e.cc.sub(out, quotient);
  return out;
}

void by_power_of_two(const Division& d, int exponent) {
  auto& cc = d.e.cc;
  const x86::Gp a = d.e.whole(d.step.in[0], Kind::word);
  const x86::Gp out = cc.newGpd();
  const std::int32_t below = static_cast<std::int32_t>((std::uint32_t{1} << exponent) - 1);
  cc.mov(out, a);
  if (d.is_signed() && exponent > 0) {
    // A negative dividend is rounded up, as the quotient goes towards zero.
    cc.sar(out, 31);
    cc.shr(out, 32 - exponent);
    cc.add(out, a);
  }
  if (!d.wants_remainder) {
    cc.emit(d.is_signed() ? x86::Inst::kIdSar : x86::Inst::kIdShr, out, asmjit::imm(exponent));
    return d.finish(out);
  }
  if (!d.is_signed()) {
    cc.and_(out, below);
    return d.finish(out);
  }
  const x86::Gp remainder = cc.newGpd();
  cc.and_(out, ~below);
  cc.mov(remainder, a);
  cc.sub(remainder, out);
  d.finish(remainder);
}

// The factor is above 2^(32 + s) / divisor by less than 2^-31 of it, where s is the exponent of the
// divisor: for a dividend of 31 bits and a sign, the product never reaches the next integer.
x86::Gp signed_quotient(const Division& d, const x86::Gp& a, std::uint32_t divisor) {
  auto& cc = d.e.cc;
  const int shift = 31 + std::bit_width(divisor);
  const std::uint64_t factor = (std::uint64_t{1} << shift) / divisor + 1;
  const x86::Gp product = cc.newGpq(), sign = cc.newGpd(), multiplier = cc.newGpq();
  cc.mov(multiplier, asmjit::imm(factor));
  cc.movsxd(product, a);
  cc.imul(product, multiplier);
  cc.sar(product, shift);
  cc.mov(sign, a);
  cc.sar(sign, 31);
  cc.sub(product.r32(), sign);
  return product.r32();
}

// The upper half of a product with 2^64 / divisor, rounded up: the error is below 2^-32 of a unit.
x86::Gp unsigned_quotient(const Division& d, const x86::Gp& a, std::uint32_t divisor) {
  auto& cc = d.e.cc;
  const std::uint64_t factor = ~std::uint64_t{0} / divisor + 1;
  const x86::Gp low = cc.newGpq(), high = cc.newGpq(), multiplier = cc.newGpq();
  cc.mov(multiplier, asmjit::imm(factor));
  cc.mov(low.r32(), a);
  cc.mul(high, low, multiplier);
  return high.r32();
}

bool by_constant(const Division& d) {
  if (d.kind() != Kind::word || !d.step.in[1].is_constant() || d.constant() <= 0) return false;
  const auto divisor = static_cast<std::uint32_t>(d.constant());
  if (std::has_single_bit(divisor)) {
    by_power_of_two(d, std::countr_zero(divisor));
    return true;
  }
  const x86::Gp a = d.e.whole(d.step.in[0], Kind::word);
  const x86::Gp quotient =
      d.is_signed() ? signed_quotient(d, a, divisor) : unsigned_quotient(d, a, divisor);
  d.finish(d.wants_remainder ? rest(d, a, quotient, divisor) : quotient);
  return true;
}

// The instruction, whose operands are in fixed registers.
void divide(const Division& d, const x86::Gp& out, const x86::Gp& a, const x86::Gp& b) {
  auto& cc = d.e.cc;
  const bool is_quad = d.kind() == Kind::quad;
  const x86::Gp low = d.e.fresh_whole(d.kind()), high = d.e.fresh_whole(d.kind());
  cc.mov(low, a);
  if (!d.is_signed()) {
    cc.xor_(high.r32(), high.r32());
    cc.div(high, low, b);
  } else {
    if (is_quad) {
      cc.cqo(high, low);
    } else {
      cc.cdq(high, low);
    }
    cc.idiv(high, low, b);
  }
  cc.mov(out, d.wants_remainder ? high : low);
}

// Divisors that the instruction refuses. Shorter numbers are divided in 32 bits, where the smallest
// one by -1 does not overflow.
void rule_out(const Division& d, const x86::Gp& out, const x86::Gp& a, const x86::Gp& b,
              const asmjit::Label& done) {
  auto& cc = d.e.cc;
  const bool wants_remainder = d.wants_remainder;
  cc.test(b, b);
  cc.jz(d.e.rarely([=, &cc] {
    if (wants_remainder) {
      cc.mov(out, a);
    } else {
      cc.mov(out, -1);
    }
    cc.jmp(done);
  }));
  if (!d.is_signed() || bytes_of(d.kind()) < 4) return;
  cc.cmp(b, -1);
  cc.je(d.e.rarely([=, &cc] {
    if (wants_remainder) {
      cc.xor_(out.r32(), out.r32());
    } else {
      cc.mov(out, a);
      cc.neg(out);
    }
    cc.jmp(done);
  }));
}

void emit(const Division& d) {
  if (by_constant(d)) return;
  const x86::Gp a = d.e.extended(d.step.in[0], d.step.to);
  // As the divisor is a register: a constant is loaded into one.
  const x86::Gp b = d.step.in[1].is_constant() ? d.e.fresh_whole(d.kind())
                                               : d.e.extended(d.step.in[1], d.step.to);
  if (d.step.in[1].is_constant()) d.e.cc.mov(b, asmjit::imm(d.constant()));
  const x86::Gp out = d.e.whole_target(d.step.out);
  const asmjit::Label done = d.e.cc.newLabel();
  rule_out(d, out, a, b, done);
  divide(d, out, a, b);
  d.e.cc.bind(done);
  d.finish(out);
}

}  // namespace

void divide_integers(Emitter& e, const Simple& step) { emit({e, step, false}); }
void remainder_of_integers(Emitter& e, const Simple& step) { emit({e, step, true}); }

}  // namespace understudy::worker::ops::machine
