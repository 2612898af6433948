// SPDX-License-Identifier: Apache-2.0
// bf16 and f16 as the f32 of their values: how they come from memory and go there, and how results
// of f32 are rounded to them. The bits are those of program/kernels/chain/chain_halves.inl.h.
#include <bit>

#include "worker/ops/chain_code/step_code.h"

namespace understudy::worker::ops::chain_code {
namespace {

using program::kernels::is_byte;
using program::kernels::is_half;

constexpr unsigned kF16Shift = 13;          // from the lowest bit of an f16 to that of an f32
constexpr std::uint8_t kToNearestEven = 0;  // of vcvtps2ph

// The code of an f16 that is given as the bits of an f32.
std::uint32_t f16_code(std::uint32_t bits) {
  constexpr std::uint32_t kLeast = 113U << 23, kInfinity = 0x7f800000U;  // the least normal value
  const std::uint32_t sign = (bits & kSign) >> 16, rest = bits & ~kSign;
  if (rest >= kInfinity) return sign | ((rest - kInfinity) >> kF16Shift) | 0x7c00U;
  if (rest >= kLeast) return sign | (((rest - kLeast) >> kF16Shift) + 0x400U);
  return sign | static_cast<std::uint32_t>(std::bit_cast<float>(rest) * 0x1p24F);
}

}  // namespace

ValueId StepCode::halves_at(ElementType type, const Memory& at, bool keeps_code) {
  if (type == ElementType::bf16)
    return shifted(Inst::kIdVpslld, body_.make(Inst::kIdVpmovzxwd, {at}), 16);
  if (keeps_code) return value_of_codes(body_.make_half(Inst::kIdVmovups, {at}, true, true));
  return body_.make_half(Inst::kIdVcvtph2ps, {at}, false, true);
}

// Packed within quarters or halves of a register, whose words of 64 bits then come together.
ValueId StepCode::packed_halves(ValueId x, ValueId y) {
  constexpr std::uint8_t kInterleaved = 0xd8;  // of four: 0 2 1 3
  const ValueId left = shifted(Inst::kIdVpsrld, x, 16), right = shifted(Inst::kIdVpsrld, y, 16);
  return shifted(Inst::kIdVpermq, body_.make(Inst::kIdVpackusdw, {left, right}), kInterleaved);
}

// ---- f16: values, whose NaN the processor's conversion makes quiet, and codes, which keep them

ValueId StepCode::value_of_codes(ValueId codes) {
  return body_.make_half(Inst::kIdVcvtph2ps, {codes}, false, true);
}
std::optional<ValueId> StepCode::kept_codes(ValueId x) const {
  const MachineStep* const made = body_.maker(x);
  if (made == nullptr || made->id != Inst::kIdVcvtph2ps || made->in[0].memory) return std::nullopt;
  return made->in[0].value;
}
ValueId StepCode::codes_of(ValueId x) {
  if (const auto codes = kept_codes(x)) return *codes;
  if (const auto bits = body_.bits_of(x)) return body_.known(f16_code(*bits) * 0x10001U);
  return body_.make_half(Inst::kIdVcvtps2ph, {x}, true, false, kToNearestEven);
}
// Whether the codes of a value may be of signaling NaN: unless they are results of the processor's.
bool StepCode::may_signal(ValueId x) const {
  if (const auto bits = body_.bits_of(x))
    return (*bits & ~kSign) > 0x7f800000U && (*bits & kQuietBit) == 0;
  const auto codes = kept_codes(x);
  if (!codes) return false;
  const MachineStep* const made = body_.maker(*codes);
  return made == nullptr || made->id != Inst::kIdVcvtps2ph;
}
ValueId StepCode::choose_f16(ValueId mask, ValueId on_true, ValueId on_false) {
  if (!may_signal(on_true) && !may_signal(on_false)) return choose(mask, on_true, on_false);
  if (!may_signal(on_false))
    if (const auto y = bounded(mask, on_true, on_false)) return *y;
  return value_of_codes(choose_codes(mask, codes_of(on_true), codes_of(on_false)));
}
// As an f32, which has the bits of a NaN.
ValueId StepCode::with_kept_nan(ValueId x) {
  if (!may_signal(x) || body_.bits_of(x)) return x;
  const ValueId words = body_.make_half(Inst::kIdVpmovzxwd, {codes_of(x)}, false, true);
  const ValueId placed = shifted(Inst::kIdVpslld, words, kF16Shift);
  const ValueId bits =
      body_.make(pick(Inst::kIdVpor, Inst::kIdVpord), {placed, body_.known(~kQuietBit)});
  const ValueId kept = body_.make(pick(Inst::kIdVpand, Inst::kIdVpandd), {x, bits});
  return choose(unordered(x, x), kept, x);
}

// ---- tables

ValueId StepCode::bits_at(ElementType type, const Memory& at) {
  return body_.make(is_half(type) ? Inst::kIdVpmovzxwd : Inst::kIdVpmovzxbd, {at});
}
ValueId StepCode::bits_of(ElementType type, ValueId x) {
  if (type == ElementType::bf16) return shifted(Inst::kIdVpsrld, x, 16);
  if (type != ElementType::f16) return bitwise_and(x, 0xffU);
  return body_.make_half(Inst::kIdVpmovzxwd, {codes_of(x)}, false, true);
}
ValueId StepCode::looked_up(ElementType type, const std::byte* table, ValueId number) {
  const auto bytes = static_cast<std::uint8_t>(program::byte_size(type));
  const ValueId word = body_.look_up(table, bytes, number);
  if (type == ElementType::bf16) return shifted(Inst::kIdVpslld, word, 16);
  if (type == ElementType::f16)
    return value_of_codes(body_.make_half(Inst::kIdVpmovdw, {word}, true, false));
  return is_byte(type) ? byte_of(type, word) : word;
}

ValueId StepCode::rounded_to(ElementType type, ValueId x) {
  if (type == ElementType::bf16) return rounded_to_bf16(x);
  return type == ElementType::f16 ? rounded_to_f16(x) : x;
}
ValueId StepCode::rounded_to_bf16(ValueId x) {
  ValueId y = bitwise_and(shifted(Inst::kIdVpsrld, x, 16), 1);
  y = body_.make(Inst::kIdVpaddd, {y, x});
  y = body_.make(Inst::kIdVpaddd, {y, body_.known(0x7fff)});
  return bitwise_and(y, 0xffff0000U);
}
ValueId StepCode::rounded_to_f16(ValueId x) {
  return value_of_codes(body_.make_half(Inst::kIdVcvtps2ph, {x}, true, false, kToNearestEven));
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

// A value that was rounded to f16 is settled before, so that its codes can be stored.
ValueId StepCode::settled(ValueId x) {
  const auto codes = kept_codes(x);
  const MachineStep* const narrowed = codes ? body_.maker(*codes) : nullptr;
  const bool is_rounded = narrowed != nullptr && narrowed->id == Inst::kIdVcvtps2ph;
  const ValueId y = is_rounded ? narrowed->in[0].value : x;
  const ValueId z = choose(unordered(y, y), body_.known(kSettledNan), y);
  return is_rounded ? rounded_to_f16(z) : z;
}

}  // namespace understudy::worker::ops::chain_code
