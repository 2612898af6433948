// SPDX-License-Identifier: Apache-2.0
#include "worker/ops/chain_code/chain_text.h"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "configs/base/error.h"
#include "worker/ops/chain_code/chain_operands.h"
#include "worker/ops/chain_code/chain_tables.h"
#include "worker/ops/chain_code/lane_code.h"

namespace understudy::worker::ops::chain_code {
namespace {

using program::kernels::ChainFunction;
using program::kernels::ChainStep;

class TextWriter final : private ChainOperands {
 public:
  TextWriter(const ChainText& text, Body& body)
      : ChainOperands(text, body), numbers_(text.tables.size()) {}

  void write() {
    const std::vector<bool> is_needed = links_beside(text_);
    for (link_ = 0; link_ < text_.links.size(); ++link_) {
      read_numbers();
      const auto table = std::ranges::find(text_.tables, link_, &ChainTable::output);
      if (table != text_.tables.end()) {
        look_up(*table);
      } else if (is_needed[link_]) {
        write_link();
      }
      keep_numbers();
    }
  }

 private:
  // ---- tables ----

  Piece& numbers_of(const ChainTable& table) {
    return numbers_[static_cast<std::size_t>(&table - text_.tables.data())];
  }
  // Where the links first read them: later ones may write there.
  void read_numbers() {
    for (const ChainTable& table : text_.tables) {
      if (table.root.link != link_ || !table.root.operand) continue;
      Piece& numbers = numbers_of(table);
      for (vector_ = 0; vector_ < body_.unroll(); ++vector_)
        numbers.at[vector_] = bits_in_memory(*table.root.operand, table.number);
    }
  }
  void keep_numbers() {
    for (const ChainTable& table : text_.tables) {
      if (table.root.link != link_ || table.root.operand) continue;
      Piece& numbers = numbers_of(table);
      // As the steps before the number settle it.
      const bool settles = accumulator_.nan == Nan::unsettled;
      for (vector_ = 0; vector_ < body_.unroll(); ++vector_) {
        const ValueId x = settles ? code_->settled(accumulator()) : accumulator();
        numbers.at[vector_] = code_->bits_of(table.number, x);
      }
    }
  }
  // The table's results show the NaN of the steps that made them.
  void look_up(const ChainTable& table) {
    const Piece& numbers = numbers_of(table);
    each([&] { return code_->looked_up(table.result, table.entries.data(), numbers.at[vector_]); });
    accumulator_.nan = operation().kind == Kind::settle ? Nan::settled : Nan::any;
  }

  // ---- links ----

  template <class F>
  void each(const F& f) {
    Piece next;
    for (vector_ = 0; vector_ < body_.unroll(); ++vector_) next.at[vector_] = f();
    accumulator_ = next;
  }

  void write_link() {
    const bool calls = is_function(operation().kind) && !has_code();
    const Nan nan = prepare_nan(calls);
    write_operation(calls);
    accumulator_.nan = nan;
  }
  static bool is_function(Kind kind) {
    return kind == Kind::unary || kind == Kind::convert || kind == Kind::binary;
  }
  void write_operation(bool calls) {
    switch (operation().kind) {
      case Kind::unary:
      case Kind::convert:
      case Kind::binary:
        if (calls) return call();
        return each([&] { return own_function().value(); });
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
        return;
      case Kind::hold:
        held_[link().out->beyond] = accumulator_;
        return;
      case Kind::store:
        return store();
    }
  }

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
  // Whether a function has instructions: for all vectors or for none.
  bool has_code() {
    Body trial(body_.is_wide(), 1, false, body_.can_require());
    const auto code = make_step_code(trial);
    const ChainOperation& work = operation();
    const ValueId x = trial.known(0), divisor = trial.known(known_operand(1).value_or(0));
    if (work.type == ElementType::pred) return true;
    if (work.kind == Kind::convert) return code->convert(work.type, work.result, x).has_value();
    if (work.kind == Kind::unary) return code->unary(work.unary, work.type, x).has_value();
    return code->binary(work.binary, work.type, x, divisor).has_value();
  }
  ValueId compare() {
    const ChainOperation& work = operation();
    const Part a = operand(0), b = operand(1);
    if (work.total_order) return code_->compare_total(work.direction, a, b);
    if (work.type != ElementType::pred) return code_->compare(work.direction, work.type, a, b);
    return code_->compare_masks(work.direction, a.value, b.value);
  }
  ValueId select() {
    const ValueId mask = operand(2, ElementType::pred).value;
    const Part on_true = operand(0), on_false = operand(1);
    if (operation().type == ElementType::pred)
      return code_->choose_mask(mask, on_true.value, on_false.value);
    if (operation().type == ElementType::f16)
      return code_->choose_f16(mask, on_true.value, on_false.value);
    return code_->choose(mask, on_true, on_false);
  }
  ValueId multiply_add() {
    const Part a = operand(0), b = operand(1);
    const ValueId product = *binary(BinaryOp::multiply, a, b);
    return *binary(BinaryOp::add, product, operand(2));
  }
  // Combines the value with the lanes of the reduction.
  void fold() {
    const ElementType type =
        program::kernels::is_half(operation().type) ? ElementType::f32 : operation().type;
    for (vector_ = 0; vector_ < body_.unroll(); ++vector_) {
      const auto combined = [&](const Part& lanes) {
        return *code_->binary(*link().folds, type, accumulator(), lanes);
      };
      constexpr std::size_t kMember = offsetof(ChainStep, a);
      if (body_.unroll() * body_.lanes() == kSumsLanes) {
        const ValueId lanes = sums(*link().a, kMember);
        body_.carry(lanes, combined(lanes));
      } else {
        const Memory at = sums_at(*link().a, kMember);
        body_.put(Inst::kIdVmovups, at, combined(at));
      }
    }
  }
  void store() {
    if (operation().element_step > 1) return store_strided();
    if (link().folds) fold();
    if (!link().keeps) return;
    const ElementType type = operation().type;
    const bool streams = this->streams(link_);
    const auto instruction = storing(streams);
    if (program::kernels::is_pair(type)) return store_complex(instruction);
    const bool is_byte = program::kernels::is_byte(type);
    if (is_byte && body_.unroll() == kVectors) {
      vector_ = 0;
      const Memory at = memory_at(*link().out, offsetof(ChainStep, out), type);
      if (code_->put_bytes_of_four(type, at, accumulator_.at.data())) return;
    }
    if (!streams) fetch_result();
    const std::size_t step = type == ElementType::bf16 ? 2 : 1;  // vectors of a store
    for (vector_ = 0; vector_ < body_.unroll(); vector_ += step) {
      const Memory at = memory_at(*link().out, offsetof(ChainStep, out), type);
      if (type == ElementType::pred) {
        code_->put_mask(at, accumulator());
      } else if (is_byte) {
        code_->put_bytes(type, at, accumulator());
      } else if (type == ElementType::f16) {
        body_.put(instruction, at, code_->codes_of(accumulator()), true);
      } else if (type == ElementType::bf16) {
        body_.put(instruction, at,
                  code_->packed_halves(accumulator(), accumulator_.at[vector_ + 1]));
      } else {
        body_.put(instruction, at, accumulator());
      }
    }
  }

  // The lines that the next tile writes.
  void fetch_result() {
    const std::size_t ahead = link().ahead[ChainLink::kOut];
    for (vector_ = 0; ahead > 0 && vector_ < body_.unroll(); ++vector_)
      fetch(memory_at(*link().out, offsetof(ChainStep, out), operation().type), ahead, true);
  }
  bool streams(std::size_t link) const { return !text_.streams.empty() && text_.streams[link]; }
  static asmjit::InstId storing(bool streams) {
    return streams ? Inst::kIdVmovntps : Inst::kIdVmovups;
  }
  void store_complex(asmjit::InstId instruction) {
    for (vector_ = 0; vector_ < body_.unroll(); ++vector_) {
      const Memory at = memory_at(*link().out, offsetof(ChainStep, out), operation().type);
      const std::array parts{part(0), part(1)};
      code_->put_strided(instruction, at, parts);
    }
  }
  // The links of all turns follow each other: the first one has the address, and the last one
  // stores what all have.
  void store_strided() {
    const std::size_t count = operation().element_step, turn = operation().turn;
    constexpr std::size_t kMember = offsetof(ChainStep, out);
    for (vector_ = 0; vector_ < body_.unroll(); ++vector_) {
      const Memory at = memory_at(*link().out, kMember, operation().type);
      turns_[vector_][turn] = value(0);
      if (turn + 1 == count)
        code_->put_strided(storing(streams(link_ - turn)), at, {turns_[vector_].data(), count});
    }
  }
  ValueId part(std::size_t which) { return code_->loaded(operand(which, ElementType::f32)); }

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
  // By a kernel of f32 in memory, whose result is rounded to the type.
  void call() {
    const bool two = operation().kind == Kind::binary;
    for (vector_ = 0; vector_ < body_.unroll(); ++vector_) {
      body_.put(Inst::kIdVmovups, room(0), two ? value(0) : accumulator());
      if (two) body_.put(Inst::kIdVmovups, room(1), value(1));
    }
    body_.call(kernel(), two);
    each([&] { return code_->rounded_to(operation().result, code_->loaded(room(0))); });
  }

  std::vector<Piece> numbers_;  // of each table
  // What links of a strided store have so far, of each vector.
  std::array<std::array<ValueId, program::kernels::kMostChainStride>, kVectors> turns_{};
};

Body written_body(const ChainText& text, bool wide, std::size_t vectors, bool requires_usual) {
  const auto made = [&](bool refines) {
    Body body(wide, vectors, refines, requires_usual);
    TextWriter(text, body).write();
    body.remove_unused();
    return body;
  };
  Body plain = made(false);
  const auto may_refine = [&](const MachineStep& step) {
    return step.id == Inst::kIdVsqrtps ||
           (step.id == Inst::kIdVdivps && plain.bits_of(step.in[1]).has_value());
  };
  if (!wide || std::ranges::none_of(plain.steps(), may_refine)) return plain;
  Body refined = made(true);
  return refined.cost() < plain.cost() ? refined : plain;
}

}  // namespace

Body body_of(const ChainText& text, bool wide, std::size_t vectors) {
  return written_body(text, wide, vectors, false);
}

std::optional<Body> usual_body_of(const ChainText& text, bool wide, std::size_t vectors) {
  const auto has_border = [](const ChainLink& link) {
    const ChainOperation& work = link.operation;
    if (work.kind == ChainOperation::Kind::binary) return work.binary == BinaryOp::hypot;
    return work.kind == ChainOperation::Kind::unary && is_left_at_borders(work.unary);
  };
  if (std::ranges::none_of(text.links, has_border)) return std::nullopt;
  Body body = written_body(text, wide, vectors, true);
  return body.has_requirements() ? std::optional(std::move(body)) : std::nullopt;
}

}  // namespace understudy::worker::ops::chain_code
