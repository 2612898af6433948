// SPDX-License-Identifier: Apache-2.0
// Quotients and remainders of 32-bit integers by a constant, without a division: products with its
// reciprocal, 2^k / divisor rounded up, for a k so large that the upper half is right for every
// dividend (Granlund and Montgomery, "Division by invariant integers using multiplication", 1994).
#include <bit>

#include "worker/ops/chain_code/step_code.h"

namespace understudy::worker::ops::chain_code {
namespace {

constexpr std::uint32_t kHighest = 0x80000000U;

// The least l with 2^l >= divisor.
unsigned bits_to_hold(std::uint32_t divisor) {
  return static_cast<unsigned>(std::bit_width(divisor - 1));
}

// 2^(32 + shift) / divisor, rounded up to a whole number below 2^32.
struct Reciprocal {
  std::uint32_t factor;
  unsigned shift;
};
// The shortest one that is right for every dividend: of signed numbers it may exceed the exact one
// by twice as much. nullopt where 32 bits are too few, which are enough for signed ones.
// *Requires*: a divisor that is no power of two, unless it is signed.
std::optional<Reciprocal> reciprocal_of(std::uint32_t divisor, bool is_signed) {
  for (unsigned shift = 0; shift < bits_to_hold(divisor); ++shift) {
    const std::uint64_t power = std::uint64_t{1} << (32 + shift), factor = power / divisor + 1;
    if (factor * divisor - power <= std::uint64_t{1} << (shift + (is_signed ? 1 : 0)))
      return Reciprocal{static_cast<std::uint32_t>(factor), shift};
  }
  return std::nullopt;
}
}  // namespace

std::optional<ValueId> StepCode::whole_quotient(BinaryOp op, ElementType type, Part a,
                                                std::optional<std::uint32_t> divisor) {
  const bool divides = op == BinaryOp::divide, is_signed = type == ElementType::i32;
  if ((!divides && op != BinaryOp::remainder) || (!is_signed && type != ElementType::ui32))
    return std::nullopt;
  // By 0 and -1 kernels have rules of their own.
  if (!divisor || *divisor <= 1 || (is_signed && *divisor == ~0U)) return std::nullopt;
  const ValueId x = loaded(a);
  if (std::has_single_bit(*divisor) && !(is_signed && *divisor == kHighest))
    return by_power_of_two(divides, is_signed, x,
                           static_cast<unsigned>(std::countr_zero(*divisor)));
  // A remainder does not depend on the divisor's sign.
  const bool is_negative = is_signed && *divisor >= kHighest;
  const std::uint32_t size = is_negative ? 0U - *divisor : *divisor;
  const ValueId y = is_signed ? signed_quotient(x, size) : unsigned_quotient(x, size);
  if (!divides) {
    const ValueId multiple = body_.make(Inst::kIdVpmulld, {y, body_.known(size)});
    return body_.make(Inst::kIdVpsubd, {x, multiple});
  }
  return is_negative ? body_.make(Inst::kIdVpsubd, {body_.known(0), y}) : y;
}

// Quotients are rounded to zero: a negative dividend grows by the divisor less one before.
ValueId StepCode::by_power_of_two(bool divides, bool is_signed, ValueId x, unsigned bits) {
  const std::uint32_t below = (1U << bits) - 1;
  if (!is_signed) return divides ? shifted(Inst::kIdVpsrld, x, bits) : bitwise_and(x, below);
  const ValueId sign = shifted(Inst::kIdVpsrad, x, 31);
  const ValueId less = shifted(Inst::kIdVpsrld, sign, 32 - bits);
  const ValueId sum = body_.make(Inst::kIdVpaddd, {x, less});
  if (divides) return shifted(Inst::kIdVpsrad, sum, bits);
  return body_.make(Inst::kIdVpsubd, {x, bitwise_and(sum, ~below)});
}

// The upper halves of products of 64 bits, which instructions make of every other lane.
ValueId StepCode::upper_product(bool is_signed, ValueId x, std::uint32_t factor) {
  const auto multiply = is_signed ? Inst::kIdVpmuldq : Inst::kIdVpmuludq;
  const ValueId by = body_.known(factor);
  const ValueId even = body_.make(multiply, {x, by});
  const ValueId odd = body_.make(multiply, {shifted(Inst::kIdVpsrlq, x, 32), by});
  constexpr std::uint8_t kUpperHalves = 0xdd,
                         kInterleaved = 0xd8;  // of four words: 1 3 1 3, 0 2 1 3
  const ValueId both = body_.make(Inst::kIdVshufps, {even, odd}, kUpperHalves);
  return shifted(Inst::kIdVpshufd, both, kInterleaved);
}

// A reciprocal of 32 bits, of which the highest is 1, is as a signed number 2^32 less, so the
// dividend is added. The quotient of a negative dividend is rounded to zero by adding 1.
ValueId StepCode::signed_quotient(ValueId x, std::uint32_t divisor) {
  const Reciprocal reciprocal = *reciprocal_of(divisor, true);
  ValueId upper = upper_product(true, x, reciprocal.factor);
  if (reciprocal.factor >= kHighest) upper = body_.make(Inst::kIdVpaddd, {upper, x});
  const ValueId down =
      reciprocal.shift > 0 ? shifted(Inst::kIdVpsrad, upper, reciprocal.shift) : upper;
  return body_.make(Inst::kIdVpsubd, {down, shifted(Inst::kIdVpsrad, x, 31)});
}

// Of a reciprocal of 33 bits the dividend is added for the highest one, in halves, as the sum may
// have 33 bits as well.
ValueId StepCode::unsigned_quotient(ValueId x, std::uint32_t divisor) {
  if (const auto reciprocal = reciprocal_of(divisor, false)) {
    const ValueId upper = upper_product(false, x, reciprocal->factor);
    return reciprocal->shift > 0 ? shifted(Inst::kIdVpsrld, upper, reciprocal->shift) : upper;
  }
  const unsigned bits = bits_to_hold(divisor);
  const auto lower = (((std::uint64_t{1} << bits) - divisor) << 32) / divisor + 1;
  const ValueId upper = upper_product(false, x, static_cast<std::uint32_t>(lower));
  const ValueId rest = shifted(Inst::kIdVpsrld, body_.make(Inst::kIdVpsubd, {x, upper}), 1);
  return shifted(Inst::kIdVpsrld, body_.make(Inst::kIdVpaddd, {rest, upper}), bits - 1);
}

}  // namespace understudy::worker::ops::chain_code
