// SPDX-License-Identifier: Apache-2.0
// Algebraic clean-up that keeps every bit: arithmetic of integers and preds with a neutral constant
// (x + 0, x * 1, x or false, x shifted by 0), comparisons of preds that are the pred (x != false,
// as jnp.remainder has them), sums in a wider type that are narrowed again, selections of which one
// side is known, and what else an unsigned number that is never below 0 makes known. Users read the
// operand instead. Floats stay: x * 1 gives a NaN its one
// pattern. Equivalent: XLA's AlgebraicSimplifier.
#include <algorithm>
#include <cstring>
#include <optional>
#include <unordered_map>

#include "program/passes/constants/narrow_sums.h"
#include "program/passes/element_bytes.h"
#include "program/passes/nested.h"
#include "program/passes/values.h"

namespace understudy::program::passes {

namespace {

// What the other operand has to be for an operation to change nothing.
struct Neutral {
  BinaryOp op;
  bool left, right;  // on which side
  enum class Value : std::uint8_t { zero, one, ones } value;
};
constexpr Neutral kNeutral[] = {
    {BinaryOp::add, true, true, Neutral::Value::zero},
    {BinaryOp::subtract, false, true, Neutral::Value::zero},
    {BinaryOp::multiply, true, true, Neutral::Value::one},
    {BinaryOp::divide, false, true, Neutral::Value::one},
    {BinaryOp::logical_or, true, true, Neutral::Value::zero},
    {BinaryOp::logical_xor, true, true, Neutral::Value::zero},
    {BinaryOp::logical_and, true, true, Neutral::Value::ones},
    {BinaryOp::shift_left, false, true, Neutral::Value::zero},
    {BinaryOp::shift_right_logical, false, true, Neutral::Value::zero},
    {BinaryOp::shift_right_arithmetic, false, true, Neutral::Value::zero},
};

// The bits of a value, in as many bytes as the type has.
std::uint64_t bits_of(Neutral::Value value, ElementType type) {
  if (value == Neutral::Value::zero) return 0;
  if (value == Neutral::Value::one || is_pred(type)) return 1;
  return ~std::uint64_t{0} >> (64 - 8 * byte_size(type));
}

class Simplifier {
 public:
  explicit Simplifier(Draft& draft) : draft_(draft), writes_(draft) {}

  void run(Code& code) {
    std::erase_if(code, [&](Instruction& instruction) {
      rename(instruction);
      for_each_nested(instruction, [this](Code& nested) { run(nested); });
      // The condition, which may just have been left out, has made it.
      if (auto* loop = std::get_if<While>(&instruction.work)) rename(loop->predicate);
      note_fill(instruction);
      note_known(instruction);
      return leave_out(instruction);
    });
  }

 private:
  template <class Named>  // an instruction or an operand
  void rename(Named& named) const {
    rename_temporaries(named, replaced_, [](Buffer& at, const Buffer& by) {
      at = {by.space, by.index, by.offset + at.offset};
    });
  }

  // The one value of all elements, if it is a constant of at most 8 bytes.
  std::optional<std::uint64_t> value_of(const Operand& operand) const {
    if (operand.at.space == Space::temporary) {
      const auto fill = fills_.find(operand.at.index);
      if (fill == fills_.end() || operand.at.offset != 0) return std::nullopt;
      return fill->second;
    }
    const std::size_t bytes = byte_size(operand.type.element);
    const auto all = static_cast<std::size_t>(operand.type.bytes());
    if (operand.at.space != Space::constant || bytes > sizeof(std::uint64_t) || all == 0)
      return std::nullopt;
    const std::byte* const at = draft_.constants.data() + operand.at.offset;
    // Each element is the one before it.
    if (std::memcmp(at, at + bytes, all - bytes) != 0) return std::nullopt;
    std::uint64_t bits = 0;
    std::memcpy(&bits, at, bytes);
    return bits;
  }

  void note_fill(const Instruction& instruction) {
    if (!std::holds_alternative<Fill>(instruction.work)) return;
    const Operand& out = instruction.outputs[0];
    const auto value = value_of(instruction.inputs[0]);
    if (value && writes_.is_value(out)) fills_[out.at.index] = *value;
  }

  // A result that has one value, whatever the operands that are no constants.
  void note_known(const Instruction& instruction) {
    if (instruction.outputs.size() != 1 || !writes_.is_value(instruction.outputs[0])) return;
    if (const auto value = known_result(instruction))
      fills_[instruction.outputs[0].at.index] = *value;
  }
  std::optional<std::uint64_t> known_result(const Instruction& instruction) const {
    if (const auto* compare = std::get_if<Compare>(&instruction.work)) {
      const bool is_below = compare->direction == Direction::lt;
      // No unsigned number is below 0.
      if (is_unsigned_integer(instruction.inputs[0].type.element) &&
          (is_below || compare->direction == Direction::ge) && value_of(instruction.inputs[1]) == 0)
        return is_below ? 0 : 1;
      return std::nullopt;
    }
    const auto* const binary = std::get_if<Binary>(&instruction.work);
    if (binary == nullptr || binary->op != BinaryOp::logical_and) return std::nullopt;
    for (const Operand& input : instruction.inputs)
      if (value_of(input) == 0) return 0;
    return std::nullopt;
  }

  // The operand that the result of an instruction equals.
  const Operand* equal_operand(const Instruction& instruction) const {
    if (const auto* binary = std::get_if<Binary>(&instruction.work))
      return equal_operand(binary->op, instruction);
    if (const auto* compare = std::get_if<Compare>(&instruction.work))
      return equal_operand(compare->direction, instruction);
    if (!std::holds_alternative<Select>(instruction.work)) return nullptr;
    const Operand& yes = instruction.inputs[1];
    const Operand& no = instruction.inputs[2];
    if (yes == no) return &yes;
    const auto choice = value_of(instruction.inputs[0]);
    return !choice ? nullptr : *choice != 0 ? &yes : &no;
  }

  // Of preds: x != false, x == true.
  const Operand* equal_operand(Direction direction, const Instruction& instruction) const {
    const bool has_equality = direction == Direction::eq || direction == Direction::ne;
    if (!has_equality || !is_pred(instruction.inputs[0].type.element)) return nullptr;
    const std::uint64_t neutral = direction == Direction::eq ? 1 : 0;
    for (const std::size_t other : {1, 0})
      if (value_of(instruction.inputs[other]) == neutral) return &instruction.inputs[1 - other];
    return nullptr;
  }

  const Operand* equal_operand(BinaryOp op, const Instruction& instruction) const {
    const ElementType type = instruction.outputs[0].type.element;
    const bool is_whole = is_pred(type) || is_whole_integer(type);
    const auto* const row = std::ranges::find(kNeutral, op, &Neutral::op);
    if (!is_whole || row == std::end(kNeutral)) return nullptr;
    // Sums and products of preds are other functions.
    if (is_pred(type) && op != BinaryOp::logical_or && op != BinaryOp::logical_and &&
        op != BinaryOp::logical_xor)
      return nullptr;
    const std::uint64_t neutral = bits_of(row->value, type);
    const auto is_neutral = [&](const Operand& operand) { return value_of(operand) == neutral; };
    if (row->right && is_neutral(instruction.inputs[1])) return &instruction.inputs[0];
    if (row->left && is_neutral(instruction.inputs[0])) return &instruction.inputs[1];
    return nullptr;
  }

  bool leave_out(const Instruction& instruction) {
    if (instruction.outputs.size() != 1) return false;
    const Operand& out = instruction.outputs[0];
    const Operand* const equal = equal_operand(instruction);
    if (equal == nullptr || equal->type != out.type || !writes_.is_value(out) ||
        !writes_.is_stable(equal->at))
      return false;
    replaced_[out.at.index] = equal->at;
    if (const auto value = value_of(*equal)) fills_[out.at.index] = *value;
    return true;
  }

  Draft& draft_;
  Writes writes_;
  std::unordered_map<std::uint32_t, std::uint64_t> fills_;  // temporaries of one value
  std::unordered_map<std::uint32_t, Buffer> replaced_;      // temporaries
};

}  // namespace

void simplify_algebra(Draft& draft) {
  Simplifier(draft).run(draft.code);
  narrow_sums(draft);
  eliminate_dead_code(draft);
}

}  // namespace understudy::program::passes
