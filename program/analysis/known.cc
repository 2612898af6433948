// SPDX-License-Identifier: Apache-2.0
#include "program/analysis/known.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <optional>

#include "program/kernels/kernels.h"

namespace understudy::program::analysis {
namespace {

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
// A longer constant is data, such as a table of weights.
constexpr std::int64_t kMostElements = 4096;

// Numbers of this type are computed exactly as doubles, within the range that can_hold() checks.
// Complex numbers and 8-bit floats are not worth a model of their arithmetic: no index is computed
// in them.
bool is_followed(ElementType element) {
  return element == ElementType::pred || is_integer(element) || element == ElementType::f32 ||
         element == ElementType::f64 || element == ElementType::bf16 || element == ElementType::f16;
}

// Integers wrap around at the ends of their type and floats round; both are left unknown. bf16 has
// the fewest bits of the floats that are followed: 2^8 holds every integer below.
bool can_hold(ElementType element, double value) {
  if (element == ElementType::pred) return value == 0 || value == 1;
  if (!is_integer(element))
    return value == std::trunc(value) &&
           // 2^8 and 2^24 are the largest ranges in which bf16 (and f16) and f32 hold every
           // integer.
           std::fabs(value) <= (byte_size(element) < 4 ? 256.0 : 16777216.0);
  const int bits = static_cast<int>(8 * byte_size(element));
  const bool is_unsigned = mlir_name(element).starts_with("ui");
  // 53 bits: doubles carry the numbers, so 64-bit integers beyond that are unknown.
  const double top = std::ldexp(1.0, std::min(bits - (is_unsigned ? 0 : 1), 53)) - 1;
  return value <= top && value >= (is_unsigned ? 0 : -top);
}

std::vector<double> numbers_of(std::span<const std::byte> constants, const Operand& operand) {
  const auto convert = kernels::select("").convert(operand.type.element, ElementType::f64);
  if (convert == nullptr || !is_followed(operand.type.element) ||
      operand.type.elements() > kMostElements)
    return {};
  std::vector<double> values(static_cast<std::size_t>(operand.type.elements()));
  convert(constants.data() + operand.at.offset, values.data(), values.size());
  return values;
}

double binary(BinaryOp op, ElementType element, double a, double b) {
  const bool whole = is_integer(element) || element == ElementType::pred;
  switch (op) {
    case BinaryOp::add:
      return a + b;
    case BinaryOp::subtract:
      return a - b;
    case BinaryOp::multiply:
      return a * b;
    case BinaryOp::maximum:
      return std::max(a, b);
    case BinaryOp::minimum:
      return std::min(a, b);
    case BinaryOp::divide:
      // Division by zero has no result that a program should rely on.
      return whole && b != 0 ? std::trunc(a / b) : kUnknown;
    case BinaryOp::remainder:
      return whole && b != 0 ? std::fmod(a, b) : kUnknown;
    case BinaryOp::logical_and:
    case BinaryOp::logical_or:
    case BinaryOp::logical_xor: {
      if (!whole || a < 0 || b < 0) return kUnknown;
      // Not negative, so their bits are those of the number in any width.
      const auto x = static_cast<std::uint64_t>(a), y = static_cast<std::uint64_t>(b);
      return static_cast<double>(op == BinaryOp::logical_and  ? x & y
                                 : op == BinaryOp::logical_or ? x | y
                                                              : x ^ y);
    }
    default:
      return kUnknown;
  }
}

// Not shared with kernels/compare.inl.h: files that are compiled for one instruction set may give
// no function to others.
bool compare(Direction direction, double a, double b) {
  switch (direction) {
    case Direction::eq:
      return a == b;
    case Direction::ne:
      return a != b;
    case Direction::ge:
      return a >= b;
    case Direction::gt:
      return a > b;
    case Direction::le:
      return a <= b;
    case Direction::lt:
      return a < b;
  }
  return false;
}

// The inputs of one process.
struct At {
  std::span<const Known> inputs;
  std::size_t process;
  double operator[](std::size_t input) const {
    return input < inputs.size() && inputs[input] ? (*inputs[input])[process] : kUnknown;
  }
};

// An operand that decides a product or a logical operation alone.
std::optional<double> decided(BinaryOp op, ElementType element, double a, double b) {
  if (op == BinaryOp::multiply || op == BinaryOp::logical_and)
    // Also where the other operand is unknown (NaN).
    if (a == 0 || b == 0) return 0;
  if (op == BinaryOp::logical_or && element == ElementType::pred)
    if (a == 1 || b == 1) return 1;
  return std::nullopt;
}

double value_at(const Instruction& instruction, const At& at, const Interface& interface) {
  const Work& work = instruction.work;
  const ElementType element = instruction.outputs[0].type.element;
  if (const auto* index = std::get_if<ProcessIndex>(&work)) {
    const auto process = static_cast<std::int64_t>(at.process);
    return static_cast<double>(index->replica ? process / interface.partitions
                                              : process % interface.partitions);
  }
  if (std::holds_alternative<Fill>(work) || std::holds_alternative<StridedCopy>(work) ||
      std::holds_alternative<DynamicSlice>(work) || std::holds_alternative<HostMove>(work))
    return at[0];
  if (std::holds_alternative<Convert>(work))
    return element == ElementType::pred ? (std::isnan(at[0]) ? at[0] : double(at[0] != 0))
           : is_integer(element)        ? std::trunc(at[0])
                                        : at[0];
  if (const auto* unary = std::get_if<Unary>(&work)) {
    if (unary->op == UnaryOp::negate) return -at[0];
    if (unary->op == UnaryOp::abs) return std::fabs(at[0]);
    if (unary->op == UnaryOp::logical_not && element == ElementType::pred) return 1 - at[0];
    return kUnknown;
  }
  if (const auto* two = std::get_if<Binary>(&work))
    return decided(two->op, element, at[0], at[1]).value_or(binary(two->op, element, at[0], at[1]));
  if (const auto* one = std::get_if<Compare>(&work))
    return std::isnan(at[0]) || std::isnan(at[1]) ? kUnknown
                                                  : compare(one->direction, at[0], at[1]);
  if (std::holds_alternative<Select>(work)) {
    // Equal alternatives make the predicate irrelevant; NaN never compares equal.
    if (at[1] == at[2]) return at[1];
    return at[0] == 1 ? at[1] : at[0] == 0 ? at[2] : kUnknown;
  }
  if (std::holds_alternative<Clamp>(work))
    return std::isnan(at[0] + at[1] + at[2]) ? kUnknown : std::min(std::max(at[1], at[0]), at[2]);
  return kUnknown;
}

// The element of a constant table that a known index selects: how JAX permutes device ids.
std::optional<std::vector<double>> looked_up(const Instruction& instruction,
                                             std::span<const Known> inputs,
                                             std::span<const std::byte> constants,
                                             std::size_t processes) {
  // Only a table whose single element is selected: a row would not be one number.
  if (!std::holds_alternative<DynamicSlice>(instruction.work) ||
      instruction.inputs[0].at.space != Space::constant ||
      instruction.outputs[0].type.elements() != 1)
    return std::nullopt;
  const std::vector<double> table = numbers_of(constants, instruction.inputs[0]);
  if (table.empty()) return std::nullopt;
  const Shape& shape = instruction.inputs[0].type.shape;
  std::vector<double> values(processes, kUnknown);
  for (std::size_t p = 0; p < processes; ++p) {
    const At at{inputs, p};
    double element = 0;
    for (std::size_t d = 0; d < shape.size(); ++d)
      // Row-major; a NaN start makes the whole index NaN, and the value unknown.
      element = element * static_cast<double>(shape[d]) +
                std::clamp(at[1 + d], 0.0, static_cast<double>(shape[d] - 1));
    if (!std::isnan(element)) values[p] = table[static_cast<std::size_t>(element)];
  }
  return values;
}

Known kept(std::vector<double> values) {
  if (std::ranges::all_of(values, [](double value) { return std::isnan(value); })) return nullptr;
  return std::make_shared<const std::vector<double>>(std::move(values));
}

}  // namespace

Known known_constant(std::span<const std::byte> constants, const Operand& operand,
                     std::size_t processes) {
  const std::vector<double> values = numbers_of(constants, operand);
  if (values.empty() || std::ranges::any_of(values, [&](double v) { return v != values[0]; }) ||
      !can_hold(operand.type.element, values[0]))
    return nullptr;
  return kept(std::vector<double>(processes, values[0]));
}

Known known_after(const Instruction& instruction, std::span<const Known> inputs,
                  std::span<const std::byte> constants, const Interface& interface) {
  const bool made = std::holds_alternative<ProcessIndex>(instruction.work);
  const bool any = std::ranges::any_of(inputs, [](const Known& one) { return one != nullptr; });
  if ((!made && !any) || instruction.outputs.size() != 1 ||
      !is_followed(instruction.outputs[0].type.element))
    return nullptr;
  const auto processes = static_cast<std::size_t>(interface.processes());
  if (auto table = looked_up(instruction, inputs, constants, processes))
    return kept(std::move(*table));
  std::vector<double> values(processes, kUnknown);
  for (std::size_t p = 0; p < processes; ++p) {
    const double value = value_at(instruction, {inputs, p}, interface);
    if (can_hold(instruction.outputs[0].type.element, value)) values[p] = value;
  }
  return kept(std::move(values));
}

Known known_in_both(const Known& a, const Known& b) {
  if (!a || !b || a == b) return a == b ? a : nullptr;
  std::vector<double> values(*a);
  for (std::size_t p = 0; p < values.size(); ++p)
    // Negated, since a comparison with NaN is false: unknown on one side is unknown in both.
    if (!(values[p] == (*b)[p])) values[p] = kUnknown;
  return kept(std::move(values));
}

bool equally_known(const Known& a, const Known& b) {
  if (!a || !b || a == b) return a == b;
  for (std::size_t p = 0; p < a->size(); ++p)
    if (!((*a)[p] == (*b)[p] || (std::isnan((*a)[p]) && std::isnan((*b)[p])))) return false;
  return true;
}

}  // namespace understudy::program::analysis
