// SPDX-License-Identifier: Apache-2.0
#include "worker/ops/chain_code/chain_operands.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstring>

#include "worker/ops/chain_code/link_values.h"

namespace understudy::worker::ops::chain_code {
namespace {

using program::kernels::ChainSource;
using program::kernels::ChainStep;
using program::kernels::is_byte;
using program::kernels::is_half;
using Kind = ChainOperation::Kind;

bool is_nan(std::uint32_t bits) { return (bits & 0x7fffffffU) > 0x7f800000U; }

std::uint8_t shift_of(ElementType type) {
  return static_cast<std::uint8_t>(std::countr_zero(program::byte_size(type)));
}

std::size_t inputs(Kind kind) {
  if (kind == Kind::unary || kind == Kind::convert) return 1;
  return kind == Kind::binary || kind == Kind::compare ? 2 : 3;
}
bool hides_nan(const ChainOperation& work) {
  if (!is_float(work.type)) return false;
  if (work.kind == Kind::unary) return work.unary != UnaryOp::negate && work.unary != UnaryOp::abs;
  return work.kind != Kind::convert && !work.total_order;
}
// Kernels settle their results, as extremes are.
bool makes_settled(const ChainOperation& work, bool calls) {
  if (work.kind == Kind::convert) return !is_float(work.type) && is_float(work.result);
  if (!is_float(work.type) || !is_float(work.result)) return false;
  if (work.kind == Kind::binary &&
      (work.binary == BinaryOp::maximum || work.binary == BinaryOp::minimum ||
       work.binary == BinaryOp::hypot))
    return true;
  return (work.kind == Kind::binary || work.kind == Kind::unary) && calls;
}

}  // namespace

bool is_constant(const program::Instruction& loop, const FusedPlace& place) {
  return place.space == program::Space::argument && !place.by_row && !place.by_column &&
         !place.is_view && loop.inputs[place.index].at.space == program::Space::constant;
}

// The same place has the same address in every link.
ChainOperands::Pointer ChainOperands::pointer_at(const FusedPlace& place, std::size_t member) {
  const FusedPlace first = place.first_turn();
  const auto found = std::ranges::find(pointers_, first, &Pointer::place);
  if (found != pointers_.end()) return *found;
  pointers_.push_back({first, link_ * sizeof(ChainStep) + member, place.turn()});
  return pointers_.back();
}
Memory ChainOperands::memory_at(const FusedPlace& place, std::size_t member, ElementType type) {
  const std::uint8_t shift = shift_of(type);
  const Pointer pointer = pointer_at(place, member);
  const auto first = static_cast<std::int32_t>(vector_ * body_.lanes() * place.element_step);
  Memory at{body_.address(pointer.at), shift,
            (first - static_cast<std::int32_t>(pointer.turn)) * (1 << shift)};
  at.step = static_cast<std::uint8_t>(place.element_step);
  return at;
}
Memory ChainOperands::sums_at(const FusedPlace& place, std::size_t member) {
  Memory at = memory_at(place, member, ElementType::f32);
  at.is_sums = true;
  return at;
}
void ChainOperands::fetch(Memory at, std::size_t ahead, bool writes) {
  constexpr std::int32_t kLine = 64;
  const std::int32_t end = at.offset + (static_cast<std::int32_t>(body_.lanes()) << at.shift);
  for (; at.offset < end; at.offset += kLine) {
    if (at.offset % kLine != 0) return;  // of the vector before
    Memory line = at;
    line.offset += static_cast<std::int32_t>(ahead);
    body_.fetch(line, writes);
  }
}
Memory ChainOperands::dense_at(std::size_t which, ElementType type) {
  const Memory at = memory_at(*place_of(link(), which), kOperandPointers[which], type);
  if (link().ahead[which] > 0) fetch(at, link().ahead[which], false);
  return at;
}
const std::byte* ChainOperands::address_at(std::size_t member) const {
  const std::byte* at = nullptr;
  std::memcpy(&at, reinterpret_cast<const std::byte*>(text_.steps + link_) + member, sizeof(at));
  return at;
}
Part ChainOperands::dense(const FusedPlace& place, std::size_t which, ElementType type) {
  const Memory at = dense_at(which, type);
  if (type == ElementType::pred) return code_->mask_at(at);
  if (program::kernels::is_pair(type))
    return code_->strided_at(at, 2, operation().unary == UnaryOp::imag ? 1 : 0);
  if (place.element_step > 1) return code_->strided_at(at, place.element_step, place.turn());
  if (is_byte(type)) return code_->bytes_at(type, at);
  return is_half(type) ? Part(code_->halves_at(type, at, shows_operand_nan())) : Part(at);
}
ValueId ChainOperands::bits_in_memory(std::size_t which, ElementType type) {
  return code_->bits_at(type, dense_at(which, type));
}
Part ChainOperands::shared(const FusedPlace& place, std::size_t member, ElementType type) {
  if (type == ElementType::pred) return body_.shared(Shared::From::pred, pointer_of(place, member));
  if (is_constant(text_.instruction, place)) {
    const std::byte* const at = address_at(member);
    std::uint32_t bits = 0;
    if (is_half(type) || is_byte(type)) {
      text_.table.convert(type, is_half(type) ? ElementType::f32 : ElementType::i32)(at, &bits, 1);
    } else {
      std::memcpy(&bits, at, place.bytes);
    }
    return body_.known(bits);
  }
  if (type == ElementType::f16 && shows_operand_nan())
    return code_->value_of_codes(body_.shared(Shared::From::f16_codes, pointer_of(place, member)));
  const auto from = type == ElementType::bf16  ? Shared::From::bf16
                    : type == ElementType::f16 ? Shared::From::f16
                    : type == ElementType::i8  ? Shared::From::i8
                    : type == ElementType::ui8 ? Shared::From::ui8
                                               : Shared::From::word;
  return body_.shared(from, pointer_of(place, member));
}
// Operand a, b or c of the link.
Part ChainOperands::operand(std::size_t which, ElementType type) {
  if (const auto value = in_register(which)) return *value;
  const FusedPlace& place = *place_of(link(), which);
  return link().from[which] == ChainSource::dense ? dense(place, which, type)
                                                  : shared(place, kOperandPointers[which], type);
}
std::optional<ValueId> ChainOperands::in_register(std::size_t which) const {
  if (link().from[which] == ChainSource::accumulator) return accumulator();
  if (link().from[which] != ChainSource::held) return std::nullopt;
  return held_.at(place_of(link(), which)->beyond).at[vector_];
}

// The bits of a shared operand that is a constant.
std::optional<std::uint32_t> ChainOperands::known_operand(std::size_t which) {
  if (link().from[which] != ChainSource::shared || operation().type == ElementType::pred)
    return std::nullopt;
  vector_ = 0;
  return body_.bits_of(operand(which));
}

// The operand as a piece in registers; null where it is in memory or shared.
ChainOperands::Piece* ChainOperands::piece(std::size_t which) {
  if (link().from[which] == ChainSource::accumulator) return &accumulator_;
  if (link().from[which] != ChainSource::held) return nullptr;
  return &held_.at(place_of(link(), which)->beyond);
}
void ChainOperands::settle(std::size_t which) {
  Piece* const one = piece(which);
  if (one == nullptr || one->nan != Nan::unsettled) return;
  for (std::size_t v = 0; v < body_.unroll(); ++v) one->at[v] = code_->settled(one->at[v]);
  one->nan = Nan::settled;
}

// Whether an operand in memory or a shared one is a constant with no NaN but the settled one.
ChainOperands::Nan ChainOperands::nan_of(std::size_t which) {
  if (const Piece* const one = piece(which)) return one->nan;
  const auto bits = known_operand(which);
  if (!is_float(operation().type)) return Nan::any;
  return bits && (!is_nan(*bits) || *bits == kSettledNan) ? Nan::settled : Nan::any;
}

// Settles the operands whose NaN the link lets show; returns what the result's may look like.
ChainOperands::Nan ChainOperands::prepare_nan(bool calls) {
  const ChainOperation& work = operation();
  switch (work.kind) {
    case Kind::hold:
      return accumulator_.nan;
    case Kind::settle:
      return accumulator_.nan == Nan::settled ? Nan::settled : Nan::unsettled;
    case Kind::load: {
      const Piece* const one = piece(0);
      return one == nullptr ? Nan::any : one->nan;
    }
    case Kind::select:
      return prepare_selection();
    case Kind::store:
      // A reduction settles its result.
      if (link().keeps) settle(0);
      if (program::kernels::is_pair(work.type)) settle(1);
      return accumulator_.nan;
    default:
      break;
  }
  if (!hides_nan(work))
    for (std::size_t i = 0; i < inputs(work.kind); ++i) settle(i);
  return makes_settled(work, calls) ? Nan::settled : Nan::any;
}

// A selection among values that are settled sooner or later can be settled instead of them.
ChainOperands::Nan ChainOperands::prepare_selection() {
  const Nan a = nan_of(0), b = nan_of(1);
  if (is_float(operation().type) && a != Nan::any && b != Nan::any)
    return a == Nan::settled && b == Nan::settled ? Nan::settled : Nan::unsettled;
  settle(0);
  settle(1);
  return Nan::any;
}

// Whether the link, or the one that it loads for, keeps the bits of a NaN.
bool ChainOperands::shows_operand_nan() const {
  const Kind kind = operation().kind;
  return kind == Kind::select ||
         (kind == Kind::load && text_.links[link_ + 1].operation.kind == Kind::convert);
}

}  // namespace understudy::worker::ops::chain_code
