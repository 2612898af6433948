// SPDX-License-Identifier: Apache-2.0
#include "worker/ops/chain_code/chain_text.h"

#include <array>
#include <cstddef>
#include <cstring>
#include <map>
#include <tuple>

#include "configs/base/error.h"
#include "worker/ops/chain_code/step_code.h"

namespace understudy::worker::ops::chain_code {
namespace {

using program::kernels::ChainFunction;
using program::kernels::ChainSource;
using program::kernels::ChainStep;
using Kind = ChainOperation::Kind;

// Where a step has the address of each operand.
constexpr std::size_t kOperandPointers[] = {offsetof(ChainStep, a), offsetof(ChainStep, b),
                                            offsetof(ChainStep, c)};

std::uint8_t shift_of(ElementType type) {
  if (type == ElementType::pred) return 0;
  return type == ElementType::bf16 ? 1 : 2;
}

class TextWriter {
 public:
  TextWriter(const ChainText& text, Body& body)
      : text_(text), body_(body), code_(make_step_code(body)) {}

  void write() {
    for (link_ = 0; link_ < text_.links.size(); ++link_) write_link();
  }

 private:
  using Piece = std::array<ValueId, kMostVectors>;

  const ChainLink& link() const { return text_.links[link_]; }
  const ChainOperation& operation() const { return link().operation; }

  template <class F>
  void each(const F& f) {
    Piece next{};
    for (vector_ = 0; vector_ < body_.unroll(); ++vector_) next[vector_] = f();
    accumulator_ = next;
  }
  ValueId accumulator() const { return accumulator_[vector_]; }

  void write_link() {
    switch (operation().kind) {
      case Kind::unary:
      case Kind::convert:
      case Kind::binary:
        return write_function();
      case Kind::compare:
        return each([&] { return compare(); });
      case Kind::select:
        return each([&] { return select(); });
      case Kind::multiply_add:
        return each([&] { return multiply_add(); });
      case Kind::rotate:
        return each([&] { return code_->rotate(value(0), value(1), value(2)); });
      case Kind::load:
        return each([&] { return value(0); });
      case Kind::settle:
        return each([&] { return code_->settled(accumulator()); });
      case Kind::hold:
        held_[link().out->beyond] = accumulator_;
        return;
      case Kind::store:
        return store();
    }
  }

  // ---- operands ----

  // The same place has the same address in every link.
  std::size_t pointer_of(const FusedPlace& place, std::size_t member) {
    const auto key = std::make_tuple(place.space, place.index, place.offset, place.beyond,
                                     place.bytes, place.by_row, place.by_column);
    return pointers_.try_emplace(key, link_ * sizeof(ChainStep) + member).first->second;
  }
  Memory memory_at(const FusedPlace& place, std::size_t member, ElementType type) {
    const std::uint8_t shift = shift_of(type);
    return {body_.address(pointer_of(place, member)), shift,
            static_cast<std::int32_t>((vector_ * body_.lanes()) << shift)};
  }
  Part dense(const FusedPlace& place, std::size_t member, ElementType type) {
    const Memory at = memory_at(place, member, type);
    if (type == ElementType::pred) return code_->mask_at(at);
    return type == ElementType::bf16 ? Part(code_->halves_at(at)) : Part(at);
  }
  bool is_constant(const FusedPlace& place) const {
    return place.space == program::Space::argument && !place.by_row && !place.by_column &&
           text_.instruction.inputs[place.index].at.space == program::Space::constant;
  }
  Part shared(const FusedPlace& place, std::size_t member, ElementType type) {
    if (type == ElementType::pred)
      return body_.shared(Shared::From::pred, pointer_of(place, member));
    const bool half = type == ElementType::bf16;
    if (is_constant(place)) {
      const std::byte* at = nullptr;
      std::memcpy(&at, reinterpret_cast<const std::byte*>(text_.steps + link_) + member,
                  sizeof(at));
      std::uint32_t bits = 0;
      std::memcpy(&bits, at, place.bytes);
      return body_.known(half ? bits << 16 : bits);
    }
    return body_.shared(half ? Shared::From::half : Shared::From::word, pointer_of(place, member));
  }
  // Operand a, b or c of the link.
  Part operand(std::size_t which, ElementType type) {
    const std::optional<FusedPlace>* const places[] = {&link().a, &link().b, &link().c};
    const auto& place = *places[which];
    switch (link().from[which]) {
      case ChainSource::accumulator:
        return accumulator();
      case ChainSource::held:
        return held_.at(place->beyond)[vector_];
      case ChainSource::dense:
        return dense(*place, kOperandPointers[which], type);
      case ChainSource::shared:
        break;
    }
    return shared(*place, kOperandPointers[which], type);
  }
  Part operand(std::size_t which) { return operand(which, operation().type); }
  ValueId value(std::size_t which) { return code_->loaded(operand(which)); }

  // ---- links ----

  std::optional<ValueId> binary(BinaryOp op, Part a, Part b) {
    const ElementType type = operation().type;
    if (type != ElementType::pred) return code_->binary(op, type, a, b);
    return code_->binary_of_masks(op, a.value, b.value);
  }
  std::optional<ValueId> own_function() {
    const ChainOperation& work = operation();
    if (work.kind == Kind::convert) return code_->convert(work.type, work.result, accumulator());
    if (work.kind == Kind::binary) {
      const Part a = operand(0), b = operand(1);
      return binary(work.binary, a, b);
    }
    if (work.type == ElementType::pred) return code_->inverse_mask(accumulator());
    return code_->unary(work.unary, work.type, accumulator());
  }
  void write_function() {
    // Known before anything is written: a function has code for all vectors or for none.
    if (!has_code()) return call();
    each([&] { return own_function().value(); });
  }
  bool has_code() const {
    Body trial(body_.is_wide(), 1);
    const auto code = make_step_code(trial);
    const ChainOperation& work = operation();
    const ValueId x = trial.known(0);
    if (work.type == ElementType::pred) return true;
    if (work.kind == Kind::convert) return code->convert(work.type, work.result, x).has_value();
    if (work.kind == Kind::unary) return code->unary(work.unary, work.type, x).has_value();
    return code->binary(work.binary, work.type, x, x).has_value();
  }
  ValueId compare() {
    const ChainOperation& work = operation();
    const Part a = operand(0), b = operand(1);
    if (work.type != ElementType::pred) return code_->compare(work.direction, work.type, a, b);
    return work.direction == Direction::eq ? code_->equal_masks(a.value, b.value)
                                           : *binary(BinaryOp::logical_xor, a, b);
  }
  ValueId select() {
    const ValueId mask = operand(2, ElementType::pred).value;
    const Part on_true = operand(0), on_false = operand(1);
    if (operation().type == ElementType::pred)
      return code_->choose_mask(mask, on_true.value, on_false.value);
    return code_->choose(mask, on_true, on_false);
  }
  ValueId multiply_add() {
    const Part a = operand(0), b = operand(1);
    const ValueId product = *binary(BinaryOp::multiply, a, b);
    return *binary(BinaryOp::add, product, operand(2));
  }
  void store() {
    const ElementType type = operation().type;
    each([&] {
      const Memory at = memory_at(*link().out, offsetof(ChainStep, out), type);
      if (type == ElementType::pred) {
        code_->put_mask(at, accumulator());
      } else if (type == ElementType::bf16) {
        code_->put_halves(at, accumulator());
      } else {
        body_.put(Inst::kIdVmovups, at, accumulator());
      }
      return accumulator();
    });
  }

  // ---- calls ----

  ChainFunction kernel() const {
    if (link().kernel != nullptr) return link().kernel;
    const auto found = text_.table.unary(operation().unary, ElementType::f32);
    UNDERSTUDY_ASSERT(found != nullptr);
    return reinterpret_cast<ChainFunction>(found);
  }
  Memory room(std::size_t operand) const {
    return {Memory::kRoom, 0,
            static_cast<std::int32_t>((operand * body_.unroll() + vector_) * body_.vector_bytes())};
  }
  // By a kernel of f32 in memory. Of bf16 its result is rounded.
  void call() {
    const bool two = operation().kind == Kind::binary;
    for (vector_ = 0; vector_ < body_.unroll(); ++vector_) {
      body_.put(Inst::kIdVmovups, room(0), two ? value(0) : accumulator());
      if (two) body_.put(Inst::kIdVmovups, room(1), value(1));
    }
    body_.call(kernel(), two);
    each([&] {
      const ValueId y = code_->loaded(room(0));
      return operation().result == ElementType::bf16 ? code_->rounded_to_bf16(y) : y;
    });
  }

  const ChainText& text_;
  Body& body_;
  const std::unique_ptr<StepCode> code_;
  std::size_t link_ = 0, vector_ = 0;
  Piece accumulator_{};
  std::map<std::size_t, Piece> held_;  // by their places
  std::map<
      std::tuple<program::Space, std::uint32_t, std::size_t, std::size_t, std::size_t, bool, bool>,
      std::size_t>
      pointers_;
};

}  // namespace

Body body_of(const ChainText& text, bool wide, std::size_t unroll) {
  Body body(wide, unroll);
  TextWriter(text, body).write();
  return body;
}

}  // namespace understudy::worker::ops::chain_code
