// SPDX-License-Identifier: Apache-2.0
#include "worker/ops/chain_code/step_code.h"

#include <algorithm>
#include <bit>

#include "program/kernels/chain/chain_kernels.h"
#include "worker/ops/chain_code/lane_code.h"

namespace understudy::worker::ops::chain_code {
namespace {

using asmjit::InstId;

using program::kernels::is_byte;
using program::kernels::is_chain_float;
using program::kernels::is_half;

constexpr std::uint32_t kOne = 0x3f800000U;

enum class Lanes : std::uint8_t { floats, ints, words, any };  // any: of 32-bit integers

// One instruction does it. Operands of `commutes` may change places.
struct BinaryRow {
  BinaryOp op;
  Lanes lanes;
  InstId avx2, avx512;
  bool commutes;
  InstId by_known = Inst::kIdNone;  // a shift by the same number of bits in all lanes
};
constexpr BinaryRow kBinary[] = {
    {BinaryOp::add, Lanes::floats, Inst::kIdVaddps, Inst::kIdVaddps, true},
    {BinaryOp::subtract, Lanes::floats, Inst::kIdVsubps, Inst::kIdVsubps, false},
    {BinaryOp::multiply, Lanes::floats, Inst::kIdVmulps, Inst::kIdVmulps, true},
    {BinaryOp::divide, Lanes::floats, Inst::kIdVdivps, Inst::kIdVdivps, false},
    {BinaryOp::add, Lanes::any, Inst::kIdVpaddd, Inst::kIdVpaddd, true},
    {BinaryOp::subtract, Lanes::any, Inst::kIdVpsubd, Inst::kIdVpsubd, false},
    {BinaryOp::multiply, Lanes::any, Inst::kIdVpmulld, Inst::kIdVpmulld, true},
    {BinaryOp::maximum, Lanes::ints, Inst::kIdVpmaxsd, Inst::kIdVpmaxsd, true},
    {BinaryOp::minimum, Lanes::ints, Inst::kIdVpminsd, Inst::kIdVpminsd, true},
    {BinaryOp::maximum, Lanes::words, Inst::kIdVpmaxud, Inst::kIdVpmaxud, true},
    {BinaryOp::minimum, Lanes::words, Inst::kIdVpminud, Inst::kIdVpminud, true},
    {BinaryOp::logical_and, Lanes::any, Inst::kIdVpand, Inst::kIdVpandd, true},
    {BinaryOp::logical_or, Lanes::any, Inst::kIdVpor, Inst::kIdVpord, true},
    {BinaryOp::logical_xor, Lanes::any, Inst::kIdVpxor, Inst::kIdVpxord, true},
    // Shifts by 32 or more give 0, or copies of the sign.
    {BinaryOp::shift_left, Lanes::any, Inst::kIdVpsllvd, Inst::kIdVpsllvd, false, Inst::kIdVpslld},
    {BinaryOp::shift_right_logical, Lanes::any, Inst::kIdVpsrlvd, Inst::kIdVpsrlvd, false,
     Inst::kIdVpsrld},
    {BinaryOp::shift_right_arithmetic, Lanes::any, Inst::kIdVpsravd, Inst::kIdVpsravd, false,
     Inst::kIdVpsrad},
};

// The reciprocal of a float that is a power of two, where it is one as well: quotients by the one
// and products with the other are the same number, rounded once.
std::optional<std::uint32_t> exact_reciprocal(std::uint32_t bits) {
  const std::uint32_t exponent = bits >> 23 & 0xff;
  if ((bits & 0x7fffffU) != 0 || exponent == 0 || exponent > 253) return std::nullopt;
  return (bits & kSign) | (254 - exponent) << 23;
}

const BinaryRow* find_row(BinaryOp op, ElementType type) {
  const auto* const found = std::ranges::find_if(kBinary, [&](const BinaryRow& row) {
    if (row.op != op || is_float(type) != (row.lanes == Lanes::floats)) return false;
    if (row.lanes == Lanes::ints) return type == ElementType::i32;
    return row.lanes != Lanes::words || type == ElementType::ui32;
  });
  return found == std::end(kBinary) ? nullptr : found;
}

}  // namespace

ValueId StepCode::loaded(const Part& part) {
  return part.memory ? body_.make(Inst::kIdVmovups, {part}) : part.value;
}

ValueId StepCode::bitwise_and(ValueId x, std::uint32_t bits) {
  return body_.make(pick(Inst::kIdVpand, Inst::kIdVpandd), {x, body_.known(bits)});
}

std::optional<ValueId> StepCode::binary(BinaryOp op, ElementType type, Part a, Part b) {
  if (is_float(type) && (op == BinaryOp::maximum || op == BinaryOp::minimum)) {
    const ValueId left = loaded(a), right = loaded(b);
    return extreme(op == BinaryOp::maximum, left, right);
  }
  if (op == BinaryOp::hypot) return hypot(loaded(a), loaded(b));
  if (is_float(type) && op == BinaryOp::divide) {
    if (const auto reciprocal = exact_reciprocal(b))
      return binary(BinaryOp::multiply, type, a, *reciprocal);
    if (const auto divisor = body_.bits_of(b))
      if (const auto y = quotient_by(loaded(a), *divisor)) return rounded_to(type, *y);
  }
  const BinaryRow* const row = find_row(op, type);
  if (row == nullptr) return whole_quotient(op, type, a, body_.bits_of(b));
  const auto bits = body_.bits_of(b);
  ValueId y = kNoValue;
  if (row->by_known != Inst::kIdNone && bits) {
    y = shifted(row->by_known, loaded(a), std::min<std::uint32_t>(*bits, 255));
  } else {
    if (a.memory && row->commutes) std::swap(a, b);
    const ValueId left = loaded(a);
    y = body_.make(pick(row->avx2, row->avx512), {left, b});
  }
  return rounded_to(type, y);
}

// Also of a selection between two such numbers, by which the gradients of maxima are divided.
std::optional<ValueId> StepCode::exact_reciprocal(const Part& part) {
  const auto of_known = [&](const Part& x) -> std::optional<ValueId> {
    const auto bits = body_.bits_of(x);
    const auto inverse = bits ? chain_code::exact_reciprocal(*bits) : std::nullopt;
    return inverse ? std::optional(known(*inverse)) : std::nullopt;
  };
  const MachineStep* const made =
      part.value == kNoValue || body_.bits_of(part) ? nullptr : body_.maker(part.value);
  if (made == nullptr) return of_known(part);
  if (made->id != pick(Inst::kIdVblendvps, Inst::kIdVblendmps)) return std::nullopt;
  const ValueId mask = body_.is_wide() ? made->mask : made->in[2].value;
  const auto on_false = of_known(made->in[0]), on_true = of_known(made->in[1]);
  if (!on_true || !on_false) return std::nullopt;
  return choose(mask, *on_true, *on_false);
}

ValueId StepCode::shifted(asmjit::InstId id, ValueId x, unsigned bits) {
  return body_.make_folding(id, {x}, MachineStep::kMostInputs, static_cast<std::uint8_t>(bits));
}

std::optional<ValueId> StepCode::bounded(ValueId mask, const Part& on_true, ValueId on_false) {
  const MachineStep* const test = body_.maker(mask);
  if (test == nullptr || test->id != Inst::kIdVcmpps) return std::nullopt;
  if (test->in[0] != Part(on_false) || test->in[1] != on_true || on_true.memory)
    return std::nullopt;
  const bool larger = test->immediate == kFloatTests[static_cast<int>(Direction::lt)];
  if (!larger && test->immediate != kFloatTests[static_cast<int>(Direction::gt)])
    return std::nullopt;
  return body_.make(larger ? Inst::kIdVmaxps : Inst::kIdVminps, {on_true, on_false});
}

// Kernels of bf16 and f16 store a NaN of which they change the sign alone anew.
ValueId StepCode::changed_sign(UnaryOp op, ElementType type, ValueId x) {
  const ValueId y = op == UnaryOp::abs ? bitwise_and(x, ~kSign)
                                       : body_.make(pick(Inst::kIdVpxor, Inst::kIdVpxord),
                                                    {x, body_.known(kSign)});
  return is_half(type) ? choose(unordered(x, x), stored_nan(type, y), y) : y;
}

std::optional<ValueId> StepCode::sign_of_integers(ElementType type, ValueId x) {
  if (type != ElementType::i32) return std::nullopt;
  const ValueId least = body_.make(Inst::kIdVpmaxsd, {x, body_.known(~0U)});
  return body_.make(Inst::kIdVpminsd, {least, body_.known(1)});
}
ValueId StepCode::inverse_root(ValueId x) {
  const ValueId y = root(x);
  return body_.make(Inst::kIdVdivps, {body_.known(kOne), y});
}
// Zeros and NaN are themselves.
ValueId StepCode::sign_of_floats(ValueId x) {
  const ValueId zero = body_.known(0);
  const ValueId above = compare(Direction::gt, ElementType::f32, x, zero);
  const ValueId y = choose(above, body_.known(kOne), x);
  return choose(compare(Direction::lt, ElementType::f32, x, zero), body_.known(kOne | kSign), y);
}
ValueId StepCode::whole(UnaryOp op, ValueId x) {
  // The modes of vroundps and vrndscaleps, without a signal for what is lost.
  const std::uint8_t mode = op == UnaryOp::floor ? 9 : op == UnaryOp::ceil ? 10 : 8;
  return body_.make(pick(Inst::kIdVroundps, Inst::kIdVrndscaleps), {x}, mode);
}

// The numbers of bits of each four, from a table, then added.
ValueId StepCode::set_bits(ValueId x) {
  static constexpr std::array<std::uint32_t, 16> kBitsOfFour = [] {
    std::array<std::uint32_t, 16> all{};
    for (std::uint32_t byte = 0; byte < 64; ++byte)
      all[byte / 4] |= static_cast<std::uint32_t>(std::popcount(byte % 16)) << 8 * (byte % 4);
    return all;
  }();
  const ValueId table = body_.lanes_of(kBitsOfFour.data());
  const auto looked_up = [&](ValueId fours) {
    return body_.make(Inst::kIdVpshufb, {table, bitwise_and(fours, 0x0f0f0f0fU)});
  };
  const ValueId lower = looked_up(x), upper = looked_up(shifted(Inst::kIdVpsrld, x, 4));
  const ValueId bytes = body_.make(Inst::kIdVpaddb, {lower, upper});
  const ValueId halves = body_.make(Inst::kIdVpmaddubsw, {bytes, body_.known(0x01010101U)});
  return body_.make(Inst::kIdVpmaddwd, {halves, body_.known(0x00010001U)});
}

std::optional<ValueId> StepCode::unary(UnaryOp op, ElementType type, ValueId x) {
  const bool floats = is_float(type);
  const auto rounded = [&](ValueId y) { return rounded_to(type, y); };
  switch (op) {
    case UnaryOp::negate:
      if (floats) return changed_sign(op, type, x);
      return body_.make(Inst::kIdVpsubd, {body_.known(0), x});
    case UnaryOp::abs:
      if (floats) return changed_sign(op, type, x);
      if (type == ElementType::i32) return body_.make(Inst::kIdVpabsd, {x});
      return std::nullopt;
    case UnaryOp::square:
      return binary(BinaryOp::multiply, type, x, x);
    case UnaryOp::logical_not:
      return binary(BinaryOp::logical_xor, type, x, body_.known(~0U));
    case UnaryOp::imag:
      return floats ? std::optional(body_.known(0)) : std::nullopt;
    case UnaryOp::popcnt:
      return set_bits(x);
    case UnaryOp::count_leading_zeros:
      return leading_zeros(x);
    case UnaryOp::sqrt:
      return floats ? std::optional(rounded(root(x))) : std::nullopt;
    case UnaryOp::rsqrt:
      return floats ? std::optional(rounded(inverse_root(x))) : std::nullopt;
    case UnaryOp::sign:
      return floats ? sign_of_floats(x) : sign_of_integers(type, x);
    case UnaryOp::floor:
    case UnaryOp::ceil:
    case UnaryOp::round_nearest_even:
      return floats ? std::optional(rounded(whole(op, x))) : std::nullopt;
    case UnaryOp::is_finite:
      if (!floats) return std::nullopt;
      return greater_than(body_.known(0x7f800000U), bitwise_and(x, ~kSign));
    default:
      break;
  }
  // Of bf16 the steps, which round in registers as well, were never slower.
  if (!floats || type == ElementType::bf16) return std::nullopt;
  const auto y = lane_function(*this, op, x);
  return y ? std::optional(rounded(*y)) : std::nullopt;
}

ValueId StepCode::bytes_at(ElementType type, const Memory& at) {
  return body_.make(type == ElementType::i8 ? Inst::kIdVpmovsxbd : Inst::kIdVpmovzxbd, {at});
}
bool StepCode::put_bytes_of_four(ElementType /*type*/, const Memory& /*at*/, const ValueId* /*x*/) {
  return false;
}
ValueId StepCode::byte_of(ElementType type, ValueId x) {
  if (type == ElementType::ui8) return bitwise_and(x, 0xffU);
  return shifted(Inst::kIdVpsrad, shifted(Inst::kIdVpslld, x, 24), 24);
}
ValueId StepCode::byte_of_float(ElementType type, ValueId x) {
  const auto number = [&](float y) { return body_.known(std::bit_cast<std::uint32_t>(y)); };
  const bool is_signed = type == ElementType::i8;
  const ValueId y = choose(unordered(x, x), body_.known(0), x);
  const ValueId above = body_.make(Inst::kIdVmaxps, {y, number(is_signed ? -128.0F : 0.0F)});
  const ValueId inside = body_.make(Inst::kIdVminps, {above, number(is_signed ? 127.0F : 255.0F)});
  return body_.make(Inst::kIdVcvttps2dq, {inside});
}

ValueId StepCode::word_of_float(ElementType type, ValueId x) {
  constexpr std::uint32_t kTwo31 = 0x4f000000U, kTwo32 = 0x4f800000U;
  const ValueId y = choose(unordered(x, x), body_.known(0), x);
  const auto truncated = [&](ValueId some) { return body_.make(Inst::kIdVcvttps2dq, {some}); };
  const auto reaches = [&](ValueId some, std::uint32_t limit) {
    return compare(Direction::ge, ElementType::f32, some, body_.known(limit));
  };
  // What is too low gives the least number, and so does what is too high.
  if (type == ElementType::i32)
    return choose(reaches(y, kTwo31), body_.known(0x7fffffffU), truncated(y));
  const ValueId positive = body_.make(Inst::kIdVmaxps, {y, body_.known(0)});
  if (body_.is_wide()) return body_.make(Inst::kIdVcvttps2udq, {positive});
  const ValueId lower = body_.make(Inst::kIdVsubps, {positive, body_.known(kTwo31)});
  const ValueId upper = body_.make(Inst::kIdVpxor, {truncated(lower), body_.known(kSign)});
  const ValueId inside = choose(reaches(positive, kTwo31), upper, truncated(positive));
  return choose(reaches(positive, kTwo32), body_.known(UINT32_MAX), inside);
}

ValueId StepCode::float_of_unsigned(ValueId x) {
  if (body_.is_wide()) return body_.make(Inst::kIdVcvtudq2ps, {x});
  const ValueId upper = shifted(Inst::kIdVpsrld, x, 16), lower = bitwise_and(x, 0xffffU);
  const auto value = [&](ValueId half) { return body_.make(Inst::kIdVcvtdq2ps, {half}); };
  return fused(value(upper), body_.known(0x47800000U), value(lower));  // 2^16
}

std::optional<ValueId> StepCode::convert(ElementType from, ElementType to, ValueId x) {
  if (is_byte(to) && is_chain_float(from)) return byte_of_float(to, x);
  if (is_chain_float(from) && (to == ElementType::i32 || to == ElementType::ui32))
    return word_of_float(to, x);
  if (is_byte(to) && from != ElementType::pred) return byte_of(to, x);
  if (is_byte(from) && is_float(to)) return body_.make(Inst::kIdVcvtdq2ps, {x});
  if (from == ElementType::f16 && to == ElementType::f32) return with_kept_nan(x);
  if (from == to || (is_half(from) && to == ElementType::f32)) return x;
  if (is_chain_float(from) && is_half(to)) return narrowed_to(to, x);
  if (from == ElementType::i32 && to == ElementType::f32)
    return body_.make(Inst::kIdVcvtdq2ps, {x});
  if (from == ElementType::ui32 && to == ElementType::f32) return float_of_unsigned(x);
  const bool are_ints = !is_float(from) && !is_float(to);
  if (are_ints && from != ElementType::pred && to != ElementType::pred) return x;
  if (from != ElementType::pred) return std::nullopt;
  return masked(x, body_.known(is_float(to) ? kOne : 1));
}

ValueId StepCode::rotate(ValueId x, ValueId left, ValueId right) {
  const auto up = binary(BinaryOp::shift_left, ElementType::ui32, x, left);
  const auto down = binary(BinaryOp::shift_right_logical, ElementType::ui32, x, right);
  return *binary(BinaryOp::logical_or, ElementType::ui32, *up, *down);
}

std::unique_ptr<StepCode> make_step_code(Body& body) {
  return body.is_wide() ? make_avx512_step_code(body) : make_avx2_step_code(body);
}

}  // namespace understudy::worker::ops::chain_code
