// SPDX-License-Identifier: Apache-2.0
// Arithmetic of complex<f32> in a fused loop as arithmetic of real and imaginary parts, each a
// value of the tile: steps of f32 run in registers, and parts that cancel are never stored. The
// formulas are those of the kernels (program/kernels/complex.inl.h), so the bits are the same.
#include <algorithm>
#include <optional>
#include <unordered_map>
#include <utility>

#include "program/passes/fusion/groups.h"

namespace understudy::program::passes {

namespace {

bool is_c64(const Operand& operand) { return operand.type.element == ElementType::c64; }

bool touches_c64(const Instruction& step) {
  return std::ranges::any_of(step.inputs, is_c64) || std::ranges::any_of(step.outputs, is_c64);
}

bool has_parts(const Unary& unary) {
  switch (unary.op) {
    case UnaryOp::abs:
    case UnaryOp::real:
    case UnaryOp::imag:
    case UnaryOp::conj:
    case UnaryOp::negate:
    case UnaryOp::square:
      return true;
    default:
      return false;
  }
}
bool has_parts(const Binary& binary) {
  return binary.op == BinaryOp::complex || binary.op == BinaryOp::add ||
         binary.op == BinaryOp::subtract || binary.op == BinaryOp::multiply;
}
bool converts(const Instruction& step) {
  const ElementType from = step.inputs[0].type.element, to = step.outputs[0].type.element;
  const auto is_known = [](ElementType type) {
    return type == ElementType::f32 || type == ElementType::c64;
  };
  return is_known(from) && is_known(to);
}

// Whether a step that touches c64 is made of steps of parts.
bool splits(const Instruction& step) {
  if (!touches_c64(step)) return false;
  if (const auto* unary = std::get_if<Unary>(&step.work)) return has_parts(*unary);
  if (const auto* binary = std::get_if<Binary>(&step.work)) return has_parts(*binary);
  if (const auto* compare = std::get_if<Compare>(&step.work))
    return !compare->total_order &&
           (compare->direction == Direction::eq || compare->direction == Direction::ne);
  if (std::holds_alternative<Convert>(step.work)) return converts(step);
  return std::holds_alternative<Select>(step.work) || std::holds_alternative<Fill>(step.work);
}

class PartSplitter {
 public:
  PartSplitter(Fused& work, std::vector<Operand>& inputs, std::uint64_t& values)
      : work_(work), inputs_(inputs), values_(values) {}

  void run() {
    if (!is_worth_it()) return;
    for (Instruction& step : std::exchange(work_.steps, {})) {
      op_ = step.op;
      if (splits(step)) {
        split(step);
        continue;
      }
      for (const Operand& input : step.inputs) materialise(input);
      parts_.erase(step.outputs[0].at);
      work_.steps.push_back(std::move(step));
    }
    remove_unread();
  }

 private:
  struct Parts {
    Operand re, im;
    bool is_stored = true;  // the number itself is in memory, too
  };

  // A kernel of one step does the same as the steps of its parts.
  bool is_worth_it() const {
    const auto computes = [](const Instruction& step) {
      return splits(step) && !std::holds_alternative<Fill>(step.work);
    };
    const auto is_real = [](const Instruction& step) {
      return step.outputs[0].type.element == ElementType::f32 && !touches_c64(step) &&
             !std::holds_alternative<Reduce>(step.work) && !std::holds_alternative<Fill>(step.work);
    };
    const auto count = std::ranges::count_if(work_.steps, computes);
    return count >= 2 || (count == 1 && std::ranges::any_of(work_.steps, is_real));
  }

  Operand value(ElementType type, const Shape& shape) {
    return {{Space::frame, 0, values_++}, {type, shape}};
  }
  void emit(Work work, std::vector<Operand> inputs, const Operand& out) {
    work_.steps.push_back({std::move(work), std::move(inputs), {out}, op_});
  }
  Operand make(Work work, std::vector<Operand> inputs, ElementType type = ElementType::f32) {
    Operand out = value(type, inputs.back().type.shape);
    emit(std::move(work), std::move(inputs), out);
    return out;
  }
  Operand binary(BinaryOp op, const Operand& a, const Operand& b) {
    return make(Binary{op}, {a, b});
  }
  Operand negative(const Operand& x) { return make(Unary{UnaryOp::negate}, {x}); }

  Parts parts_of(const Operand& x) {
    const auto found = parts_.find(x.at);
    if (found != parts_.end() && found->second.re.type.shape == x.type.shape) return found->second;
    materialise(x);
    const Parts parts{make(Unary{UnaryOp::real}, {x}), make(Unary{UnaryOp::imag}, {x})};
    return parts_[x.at] = parts;
  }

  // Before a step that reads the number from memory.
  void materialise(const Operand& x) {
    const auto found = parts_.find(x.at);
    if (found == parts_.end() || found->second.is_stored) return;
    found->second.is_stored = true;
    emit(Binary{BinaryOp::complex}, {found->second.re, found->second.im}, x);
  }

  void split(const Instruction& step) {
    const Operand& out = step.outputs[0];
    if (out.type.element == ElementType::c64) return put(out, parts_made_by(step));
    if (std::holds_alternative<Compare>(step.work)) return compare(step);
    const auto* unary = std::get_if<Unary>(&step.work);
    const Parts parts = parts_of(step.inputs[0]);
    if (unary != nullptr && unary->op == UnaryOp::abs)
      return emit(Binary{BinaryOp::hypot}, {parts.re, parts.im}, out);
    emit(Convert{}, {unary != nullptr && unary->op == UnaryOp::imag ? parts.im : parts.re}, out);
  }

  void put(const Operand& out, Parts parts) {
    parts.is_stored = false;
    parts_[out.at] = parts;
    if (out.at.space != Space::frame) materialise(out);
  }

  Parts parts_made_by(const Instruction& step) {
    const std::vector<Operand>& in = step.inputs;
    if (const auto* unary = std::get_if<Unary>(&step.work)) {
      const Parts x = parts_of(in[0]);
      if (unary->op == UnaryOp::square) return product(x, x);
      if (unary->op == UnaryOp::conj) return {x.re, negative(x.im)};
      return {negative(x.re), negative(x.im)};
    }
    if (const auto* binary = std::get_if<Binary>(&step.work)) return of_binary(binary->op, in);
    if (std::holds_alternative<Select>(step.work)) {
      const Parts x = parts_of(in[1]), y = parts_of(in[2]);
      return {make(Select{}, {in[0], x.re, y.re}), make(Select{}, {in[0], x.im, y.im})};
    }
    if (std::holds_alternative<Convert>(step.work)) {
      if (is_c64(in[0])) return parts_of(in[0]);
      return {make(Convert{}, {in[0]}), make(Unary{UnaryOp::imag}, {in[0]})};
    }
    return filled(in[0], step.outputs[0].type.shape);
  }

  Parts of_binary(BinaryOp op, const std::vector<Operand>& in) {
    // Copies, as a result may be written again.
    if (op == BinaryOp::complex) return {make(Convert{}, {in[0]}), make(Convert{}, {in[1]})};
    const Parts x = parts_of(in[0]), y = parts_of(in[1]);
    if (op == BinaryOp::multiply) return product(x, y);
    return {binary(op, x.re, y.re), binary(op, x.im, y.im)};
  }

  Parts product(const Parts& x, const Parts& y) {
    const Operand a = binary(BinaryOp::multiply, x.re, y.re);
    const Operand b = binary(BinaryOp::multiply, x.im, y.im);
    const Operand re = binary(BinaryOp::subtract, a, b);
    const Operand c = binary(BinaryOp::multiply, x.re, y.im);
    const Operand d = binary(BinaryOp::multiply, x.im, y.re);
    return {re, binary(BinaryOp::add, c, d)};
  }

  // The parts of a number for all lanes are two numbers next to each other.
  Parts filled(const Operand& one, const Shape& shape) {
    const bool is_number = one.type.elements() == 1 && one.at.space == Space::argument;
    const Parts parts = is_number ? Parts{word(one, 0), word(one, sizeof(float))} : parts_of(one);
    const Operand re = value(ElementType::f32, shape), im = value(ElementType::f32, shape);
    emit(Fill{}, {parts.re}, re);
    emit(Fill{}, {parts.im}, im);
    return {re, im};
  }
  Operand word(const Operand& one, std::uint64_t offset) {
    Operand input = inputs_[one.at.index];
    input.at.offset += offset;
    input.type = {ElementType::f32, {1}};
    const auto found = std::ranges::find(inputs_, input);
    const auto number = static_cast<std::uint32_t>(found - inputs_.begin());
    if (found == inputs_.end()) inputs_.push_back(input);
    return {{Space::argument, number, 0}, {ElementType::f32, one.type.shape}};
  }

  void compare(const Instruction& step) {
    const auto& work = std::get<Compare>(step.work);
    const Parts x = parts_of(step.inputs[0]), y = parts_of(step.inputs[1]);
    const Operand re = make(work, {x.re, y.re}, ElementType::pred);
    const Operand im = make(work, {x.im, y.im}, ElementType::pred);
    const bool both = work.direction == Direction::eq;
    emit(Binary{both ? BinaryOp::logical_and : BinaryOp::logical_or}, {re, im}, step.outputs[0]);
  }

  void remove_unread() {
    std::vector<bool> is_read(values_, false);
    std::vector<bool> gone(work_.steps.size(), false);
    for (std::size_t s = work_.steps.size(); s-- > 0;) {
      const Instruction& step = work_.steps[s];
      const Buffer& out = step.outputs[0].at;
      gone[s] = out.space == Space::frame && !is_read[out.offset];
      if (gone[s]) continue;
      for (const Operand& input : step.inputs)
        if (input.at.space == Space::frame) is_read[input.at.offset] = true;
    }
    remove_marked(work_.steps, gone);
  }

  Fused& work_;
  std::vector<Operand>& inputs_;
  std::uint64_t& values_;
  std::unordered_map<Buffer, Parts, BufferHash> parts_;
  std::uint32_t op_ = 0;
};

}  // namespace

void split_complex(Fused& work, std::vector<Operand>& inputs, std::uint64_t& values) {
  PartSplitter(work, inputs, values).run();
}

}  // namespace understudy::program::passes
