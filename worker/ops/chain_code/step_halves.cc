// SPDX-License-Identifier: Apache-2.0
// bf16 and f16 as the f32 of their values: how they come from memory and go there, and how results
// of f32 are rounded to them. The bits are those of program/kernels/chain/chain_halves.inl.h.
#include "worker/ops/chain_code/step_code.h"

namespace understudy::worker::ops::chain_code {
namespace {

constexpr unsigned kF16Shift = 13;          // from the lowest bit of an f16 to that of an f32
constexpr std::uint8_t kToNearestEven = 0;  // of vcvtps2ph

}  // namespace

ValueId StepCode::halves_at(ElementType type, const Memory& at, bool keeps_nan) {
  if (type == ElementType::bf16)
    return shifted(Inst::kIdVpslld, body_.make(Inst::kIdVpmovzxwd, {at}), 16);
  const ValueId y = body_.make_half(Inst::kIdVcvtph2ps, {at}, false, true);
  if (!keeps_nan) return y;
  // The conversion makes a NaN quiet.
  const ValueId codes = shifted(Inst::kIdVpslld, body_.make(Inst::kIdVpmovzxwd, {at}), kF16Shift);
  const ValueId bits =
      body_.make(pick(Inst::kIdVpor, Inst::kIdVpord), {codes, body_.known(~kQuietBit)});
  const ValueId kept = body_.make(pick(Inst::kIdVpand, Inst::kIdVpandd), {y, bits});
  return choose(unordered(y, y), kept, y);
}

// Packed within quarters or halves of a register, whose words of 64 bits then come together.
ValueId StepCode::packed_halves(ValueId x, ValueId y) {
  constexpr std::uint8_t kInterleaved = 0xd8;  // of four: 0 2 1 3
  const ValueId left = shifted(Inst::kIdVpsrld, x, 16), right = shifted(Inst::kIdVpsrld, y, 16);
  return shifted(Inst::kIdVpermq, body_.make(Inst::kIdVpackusdw, {left, right}), kInterleaved);
}

// A value that was rounded has its code in a register already.
ValueId StepCode::f16_codes(ValueId x, bool may_signal) {
  const MachineStep* const made = body_.maker(x);
  if (made != nullptr && made->id == Inst::kIdVcvtph2ps && !made->in[0].memory)
    return made->in[0].value;
  const ValueId codes = body_.make_half(Inst::kIdVcvtps2ph, {x}, true, false, kToNearestEven);
  if (!may_signal) return codes;
  const ValueId inverse =
      body_.make(pick(Inst::kIdVpandn, Inst::kIdVpandnd), {x, body_.known(kQuietBit)});
  const ValueId added = shifted(Inst::kIdVpsrld, masked(unordered(x, x), inverse), kF16Shift);
  return body_.make_half(pick(Inst::kIdVpxor, Inst::kIdVpxord), {codes, lower_halves(added)}, true,
                         true);
}

ValueId StepCode::rounded_to(ElementType type, ValueId x) {
  if (type == ElementType::bf16) return rounded_to_bf16(x);
  return type == ElementType::f16 ? rounded_to_f16(x) : x;
}
// To nearest even; the lower half of a NaN is 0.
ValueId StepCode::rounded_to_bf16(ValueId x) {
  ValueId y = bitwise_and(shifted(Inst::kIdVpsrld, x, 16), 1);
  y = body_.make(Inst::kIdVpaddd, {y, x});
  y = body_.make(Inst::kIdVpaddd, {y, body_.known(0x7fff)});
  return bitwise_and(y, 0xffff0000U);
}
ValueId StepCode::rounded_to_f16(ValueId x) {
  const ValueId codes = body_.make_half(Inst::kIdVcvtps2ph, {x}, true, false, kToNearestEven);
  return body_.make_half(Inst::kIdVcvtph2ps, {codes}, false, true);
}

// A NaN as kernels store it: of bf16 the upper half of its bits, made quiet, of f16 its sign alone.
ValueId StepCode::stored_nan(ElementType type, ValueId x) {
  const bool is_f16 = type == ElementType::f16;
  return body_.make(pick(Inst::kIdVpor, Inst::kIdVpord),
                    {bitwise_and(x, is_f16 ? kSign : 0xffff0000U),
                     body_.known(is_f16 ? kSettledNan : kQuietBit)});
}
// Of any f32.
ValueId StepCode::narrowed_to(ElementType type, ValueId x) {
  return rounded_to(type, choose(unordered(x, x), stored_nan(type, x), x));
}

// A value that was rounded to f16 is settled before, so that its code can be stored.
ValueId StepCode::settled(ValueId x) {
  const MachineStep* const made = body_.maker(x);
  if (made != nullptr && made->id == Inst::kIdVcvtph2ps && !made->in[0].memory) {
    const MachineStep* const narrowed = body_.maker(made->in[0].value);
    if (narrowed != nullptr && narrowed->id == Inst::kIdVcvtps2ph) {
      const ValueId y = narrowed->in[0].value;
      return rounded_to_f16(choose(unordered(y, y), body_.known(kSettledNan), y));
    }
  }
  return choose(unordered(x, x), body_.known(kSettledNan), x);
}

}  // namespace understudy::worker::ops::chain_code
