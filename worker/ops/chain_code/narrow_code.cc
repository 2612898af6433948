// SPDX-License-Identifier: Apache-2.0
#include "worker/ops/chain_code/narrow_code.h"

#include <algorithm>
#include <array>
#include <bit>

namespace understudy::worker::ops::chain_code {
namespace {

constexpr unsigned kByteBits = 8;

unsigned bits_of(ElementType type) {
  return kByteBits * static_cast<unsigned>(program::byte_size(type));
}
bool is_signed(ElementType type) { return type == ElementType::i8 || type == ElementType::i16; }
std::uint32_t mask_of(ElementType type) { return (1U << bits_of(type)) - 1; }

// A function of four bits as 16 bytes, twice, which vpshufb looks up.
template <class F>
constexpr std::array<std::uint32_t, 8> table_of(F f) {
  std::array<std::uint32_t, 8> all{};
  for (std::uint32_t byte = 0; byte < 32; ++byte)
    all[byte / 4] |= static_cast<std::uint32_t>(f(byte % 16)) << kByteBits * (byte % 4);
  return all;
}
constexpr auto kSetBits = table_of([](std::uint32_t x) { return std::popcount(x); });
constexpr auto kLeadingZeros = table_of([](std::uint32_t x) { return std::countl_zero(x) - 28; });

}  // namespace

ValueId NarrowCode::loaded(const Part& part) {
  return part.memory ? body_.make(Inst::kIdVmovups, {part}) : part.value;
}
ValueId NarrowCode::all(std::uint32_t number) {
  return body_.known(has_bytes() ? (number & 0xffU) * 0x01010101U : (number & 0xffffU) * 0x10001U);
}
bool NarrowCode::is_full_unsigned(ElementType type) const {
  return !is_signed(type) && program::byte_size(type) == body_.lane_bytes();
}
// Not from the stack, which these instructions do not read.
ValueId NarrowCode::shifted(asmjit::InstId id, ValueId x, unsigned bits) {
  return body_.make_folding(id, {x}, MachineStep::kMostInputs, static_cast<std::uint8_t>(bits));
}
ValueId NarrowCode::bitwise_and(ValueId x, std::uint32_t number) {
  return body_.make(Inst::kIdVpand, {x, all(number)});
}
ValueId NarrowCode::inverse(ValueId x) { return body_.make(Inst::kIdVpxor, {x, body_.known(~0U)}); }
ValueId NarrowCode::equal(ValueId a, ValueId b) {
  return body_.make(pick(Inst::kIdVpcmpeqb, Inst::kIdVpcmpeqw), {a, b});
}

ValueId NarrowCode::wrapped(ElementType type, ValueId x) {
  if (program::byte_size(type) == body_.lane_bytes()) return x;
  if (!is_signed(type)) return bitwise_and(x, mask_of(type));
  return shifted(Inst::kIdVpsraw, shifted(Inst::kIdVpsllw, x, kByteBits), kByteBits);
}

// There are no products of bytes: of those with even and with odd numbers, as halves of words.
ValueId NarrowCode::product(ElementType type, ValueId a, ValueId b) {
  const auto product = [&](ValueId x, ValueId y) { return body_.make(Inst::kIdVpmullw, {x, y}); };
  if (!has_bytes()) return wrapped(type, product(a, b));
  const ValueId even = body_.make(Inst::kIdVpand, {product(a, b), body_.known(0x00ff00ffU)});
  const ValueId odd =
      product(shifted(Inst::kIdVpsrlw, a, kByteBits), shifted(Inst::kIdVpsrlw, b, kByteBits));
  return body_.make(Inst::kIdVpor, {even, shifted(Inst::kIdVpsllw, odd, kByteBits)});
}

ValueId NarrowCode::extreme(bool larger, ElementType type, ValueId a, const Part& b) {
  if (is_full_unsigned(type))
    return body_.make(larger ? pick(Inst::kIdVpmaxub, Inst::kIdVpmaxuw)
                             : pick(Inst::kIdVpminub, Inst::kIdVpminuw),
                      {a, b});
  return body_.make(
      larger ? pick(Inst::kIdVpmaxsb, Inst::kIdVpmaxsw) : pick(Inst::kIdVpminsb, Inst::kIdVpminsw),
      {a, b});
}

std::optional<ValueId> NarrowCode::binary_of_masks(BinaryOp op, ValueId a, const Part& b) {
  switch (op) {
    case BinaryOp::logical_and:
      return body_.make(Inst::kIdVpand, {a, b});
    case BinaryOp::logical_or:
      return body_.make(Inst::kIdVpor, {a, b});
    case BinaryOp::logical_xor:
      return body_.make(Inst::kIdVpxor, {a, b});
    default:
      return std::nullopt;
  }
}

std::optional<ValueId> NarrowCode::binary(BinaryOp op, ElementType type, const Part& a,
                                          const Part& b) {
  const ValueId x = loaded(a);
  if (type == ElementType::pred) return binary_of_masks(op, x, b);
  switch (op) {
    case BinaryOp::add:
      return wrapped(type, body_.make(pick(Inst::kIdVpaddb, Inst::kIdVpaddw), {x, b}));
    case BinaryOp::subtract:
      return wrapped(type, body_.make(pick(Inst::kIdVpsubb, Inst::kIdVpsubw), {x, b}));
    case BinaryOp::multiply:
      return product(type, x, loaded(b));
    case BinaryOp::maximum:
    case BinaryOp::minimum:
      return extreme(op == BinaryOp::maximum, type, x, b);
    case BinaryOp::shift_left:
    case BinaryOp::shift_right_logical:
    case BinaryOp::shift_right_arithmetic:
      return shift(op, type, x, b);
    default:
      return binary_of_masks(op, x, b);
  }
}

// By the same number in all lanes, which is known. Bits that come from the next number are cleared.
std::optional<ValueId> NarrowCode::shift(BinaryOp op, ElementType type, ValueId x, const Part& by) {
  const auto known = body_.bits_of(by);
  if (!known) return std::nullopt;
  const unsigned bits = *known & mask_of(type), most = bits_of(type);
  if (op == BinaryOp::shift_right_arithmetic)
    return shift_right_signed(type, x, std::min(bits, most - 1));
  if (bits >= most) return all(0);
  return op == BinaryOp::shift_left ? shift_left(type, x, bits) : shift_right(type, x, bits);
}
ValueId NarrowCode::shift_left(ElementType type, ValueId x, unsigned bits) {
  const ValueId y = shifted(Inst::kIdVpsllw, x, bits);
  return has_bytes() ? bitwise_and(y, 0xffU << bits) : wrapped(type, y);
}
ValueId NarrowCode::shift_right(ElementType type, ValueId x, unsigned bits) {
  if (has_bytes()) return bitwise_and(shifted(Inst::kIdVpsrlw, x, bits), 0xffU >> bits);
  const ValueId y = is_signed(type) ? bitwise_and(x, mask_of(type)) : x;
  return wrapped(type, shifted(Inst::kIdVpsrlw, y, bits));
}
// Of bytes the sign is where the shift has put it, and goes to the bits above.
ValueId NarrowCode::shift_right_signed(ElementType type, ValueId x, unsigned bits) {
  if (!has_bytes()) {
    const ValueId y = type == ElementType::ui8 ? wrapped(ElementType::i8, x) : x;
    const ValueId moved = shifted(Inst::kIdVpsraw, y, bits);
    return type == ElementType::ui8 ? wrapped(type, moved) : moved;
  }
  const ValueId sign = all(0x80U >> bits);
  const ValueId moved = body_.make(Inst::kIdVpxor, {shift_right(type, x, bits), sign});
  return body_.make(Inst::kIdVpsubb, {moved, sign});
}
std::optional<ValueId> NarrowCode::rotate(ElementType type, ValueId x, const Part& left,
                                          const Part& right) {
  const auto up = shift(BinaryOp::shift_left, type, x, left);
  const auto down = shift(BinaryOp::shift_right_logical, type, x, right);
  if (!up || !down) return std::nullopt;
  return body_.make(Inst::kIdVpor, {*up, *down});
}

ValueId NarrowCode::of_fours(const std::uint32_t* table, ValueId fours) {
  const ValueId number = body_.make(Inst::kIdVpand, {fours, body_.known(0x0f0f0f0fU)});
  return body_.make(Inst::kIdVpshufb, {body_.lanes_of(table), number});
}
ValueId NarrowCode::set_bits(ElementType type, ValueId x) {
  const ValueId lower = of_fours(kSetBits.data(), x);
  const ValueId upper = of_fours(kSetBits.data(), shifted(Inst::kIdVpsrlw, x, 4));
  const ValueId bytes = body_.make(Inst::kIdVpaddb, {lower, upper});
  if (has_bytes()) return bytes;
  if (program::byte_size(type) == 1) return bitwise_and(bytes, 0xffU);
  return body_.make(Inst::kIdVpaddw,
                    {shifted(Inst::kIdVpsrlw, bytes, kByteBits), bitwise_and(bytes, 0xffU)});
}
// Those of the lower part count where the upper one has no bit.
ValueId NarrowCode::leading_zeros(ElementType type, ValueId x) {
  const auto joined = [&](asmjit::InstId same, asmjit::InstId add, ValueId upper, ValueId lower,
                          std::uint32_t all_zeros) {
    const ValueId is_empty = body_.make(same, {upper, body_.known(all_zeros)});
    return body_.make(add, {upper, body_.make(Inst::kIdVpand, {is_empty, lower})});
  };
  const ValueId bytes = joined(Inst::kIdVpcmpeqb, Inst::kIdVpaddb,
                               of_fours(kLeadingZeros.data(), shifted(Inst::kIdVpsrlw, x, 4)),
                               of_fours(kLeadingZeros.data(), x), 0x04040404U);
  if (has_bytes()) return bytes;
  const ValueId lower = bitwise_and(bytes, 0xffU);
  if (program::byte_size(type) == 1) return lower;
  return joined(Inst::kIdVpcmpeqw, Inst::kIdVpaddw, shifted(Inst::kIdVpsrlw, bytes, kByteBits),
                lower, 0x00080008U);
}

std::optional<ValueId> NarrowCode::unary(UnaryOp op, ElementType type, ValueId x) {
  if (type == ElementType::pred)
    return op == UnaryOp::logical_not ? std::optional(inverse(x)) : std::nullopt;
  switch (op) {
    case UnaryOp::negate:
      return binary(BinaryOp::subtract, type, all(0), x);
    case UnaryOp::logical_not:
      return body_.make(Inst::kIdVpxor, {x, all(is_signed(type) ? ~0U : mask_of(type))});
    case UnaryOp::square:
      return product(type, x, x);
    case UnaryOp::abs:
      if (!is_signed(type)) return x;
      return wrapped(type, body_.make(pick(Inst::kIdVpabsb, Inst::kIdVpabsw), {x}));
    case UnaryOp::sign:
      if (!is_signed(type)) return extreme(false, type, x, all(1));
      return body_.make(pick(Inst::kIdVpsignb, Inst::kIdVpsignw), {all(1), x});
    case UnaryOp::popcnt:
      return set_bits(type, x);
    case UnaryOp::count_leading_zeros:
      return leading_zeros(type, x);
    default:
      return std::nullopt;
  }
}

std::optional<ValueId> NarrowCode::convert(ElementType from, ElementType to, ValueId x) {
  if (from == to) return x;
  if (from == ElementType::pred) return bitwise_and(x, 1);
  if (to == ElementType::pred) return inverse(equal(x, all(0)));
  return wrapped(to, x);
}

ValueId NarrowCode::compare_masks(Direction direction, ValueId a, ValueId b) {
  const auto without = [&](ValueId x, ValueId y) { return body_.make(Inst::kIdVpandn, {x, y}); };
  switch (direction) {
    case Direction::eq:
      return equal(a, b);
    case Direction::ne:
      return body_.make(Inst::kIdVpxor, {a, b});
    case Direction::lt:
      return without(a, b);
    case Direction::gt:
      return without(b, a);
    case Direction::le:
      return inverse(without(b, a));
    case Direction::ge:
      break;
  }
  return inverse(without(a, b));
}

ValueId NarrowCode::compare(Direction direction, ElementType type, const Part& a, const Part& b) {
  const ValueId left = loaded(a), right = loaded(b);
  if (type == ElementType::pred) return compare_masks(direction, left, right);
  const auto greater = [&](ValueId x, ValueId y) {
    if (!is_full_unsigned(type))
      return body_.make(pick(Inst::kIdVpcmpgtb, Inst::kIdVpcmpgtw), {x, y});
    return inverse(equal(extreme(false, type, x, y), x));
  };
  const auto reaches = [&](ValueId x, ValueId y) { return equal(extreme(true, type, x, y), x); };
  switch (direction) {
    case Direction::eq:
      return equal(left, right);
    case Direction::ne:
      return inverse(equal(left, right));
    case Direction::gt:
      return greater(left, right);
    case Direction::lt:
      return greater(right, left);
    case Direction::ge:
      return reaches(left, right);
    case Direction::le:
      break;
  }
  return reaches(right, left);
}

ValueId NarrowCode::choose(ValueId mask, const Part& on_true, const Part& on_false) {
  return body_.make_folding(Inst::kIdVpblendvb, {loaded(on_false), on_true, mask}, 1);
}

Part NarrowCode::at(ElementType type, const Memory& memory) {
  const bool is_pred = type == ElementType::pred;
  if (!is_pred && program::byte_size(type) == body_.lane_bytes()) return memory;
  const bool extends_sign = type == ElementType::i8;
  const Part wide =
      has_bytes() ? Part(memory)
                  : body_.make(extends_sign ? Inst::kIdVpmovsxbw : Inst::kIdVpmovzxbw, {memory});
  if (!is_pred) return wide;
  return body_.make(pick(Inst::kIdVpsubb, Inst::kIdVpsubw), {all(0), wide});
}

// Bytes of lanes of 2 bytes are packed within halves of registers, which then change places.
void NarrowCode::put(ElementType type, const Memory& at, ValueId first, ValueId second) {
  const auto stored = [&](ValueId x) {
    return type == ElementType::pred ? body_.make(Inst::kIdVpand, {x, body_.known(0x01010101U)})
                                     : x;
  };
  if (program::byte_size(type) == body_.lane_bytes()) {
    Memory behind = at;
    behind.offset += static_cast<std::int32_t>(body_.vector_bytes());
    body_.put(Inst::kIdVmovups, at, stored(first));
    body_.put(Inst::kIdVmovups, behind, stored(second));
    return;
  }
  constexpr std::uint8_t kByTurns = 0xd8;
  const auto pack = type == ElementType::ui8 ? Inst::kIdVpackuswb : Inst::kIdVpacksswb;
  const ValueId bytes = body_.make(Inst::kIdVpermq, {body_.make(pack, {first, second})}, kByTurns);
  body_.put(Inst::kIdVmovups, at, stored(bytes));
}

}  // namespace understudy::worker::ops::chain_code
