// SPDX-License-Identifier: Apache-2.0
#include "worker/chip/non_finite.h"

#include <array>
#include <cmath>
#include <cstring>
#include <vector>

#include "program/kernels/kernels.h"
#include "worker/chip/execution.h"

namespace understudy::worker {
namespace {

using program::ElementType;
using program::Operand;

// Notes of one chip: later ones are not the first, and the record has bounded room.
constexpr std::size_t kMostNoted = 1000;

// NaN and infinity have all bits of the exponent set; the fraction of an infinity is zero.
template <class Bits>
NonFiniteCount count_bits(std::span<const std::byte> bytes, Bits exponent, Bits fraction) {
  NonFiniteCount count;
  for (std::size_t at = 0; at + sizeof(Bits) <= bytes.size(); at += sizeof(Bits)) {
    Bits bits;
    std::memcpy(&bits, bytes.data() + at, sizeof bits);
    if ((bits & exponent) != exponent) continue;
    ++((bits & fraction) != 0 ? count.nans : count.infinities);
  }
  return count;
}

NonFiniteCount count_by_value(ElementType element, std::span<const std::byte> bytes) {
  NonFiniteCount count;
  const auto convert = program::kernels::select("portable").convert(element, ElementType::f64);
  const std::size_t width = program::byte_size(element);
  if (convert == nullptr) return count;
  for (std::size_t at = 0; at + width <= bytes.size(); at += width) {
    double value = 0;
    convert(bytes.data() + at, &value, 1);
    count.nans += std::isnan(value) ? 1 : 0;
    count.infinities += std::isinf(value) ? 1 : 0;
  }
  return count;
}

// Values of bodies are in frames, which the instruction that owns the body accounts for.
NonFiniteCount count_operands(std::span<const Operand> operands, const Execution& execution) {
  NonFiniteCount all;
  for (const Operand& operand : operands) {
    const NonFiniteCount one = count_non_finite(
        operand.type.element,
        {execution.address(operand.at), static_cast<std::size_t>(operand.type.bytes())});
    all.nans += one.nans;
    all.infinities += one.infinities;
  }
  return all;
}

// The operands and results as the instruction has them. Loops and branches consist of instructions;
// a slice that is only found has been computed elsewhere, or will be;
// an exchange that was only entered has no result yet, and its end has both.
struct Sides {
  std::span<const Operand> in, out;
};
Sides sides_of(const program::Instruction& instruction) {
  if (std::holds_alternative<program::While>(instruction.work) ||
      std::holds_alternative<program::Case>(instruction.work) ||
      std::holds_alternative<program::LocateSlice>(instruction.work))
    return {};
  if (const auto* collective = std::get_if<program::Collective>(&instruction.work);
      collective != nullptr && collective->lane != 0)
    return {};
  const std::span<const Operand> inputs(instruction.inputs);
  if (std::holds_alternative<program::CollectiveDone>(instruction.work))
    return {inputs.first(inputs.size() / 2), inputs.subspan(inputs.size() / 2)};
  return {inputs, instruction.outputs};
}

}  // namespace

NonFiniteCount count_non_finite(ElementType element, std::span<const std::byte> bytes) {
  switch (element) {
    case ElementType::f32:
    case ElementType::c64:
      return count_bits<std::uint32_t>(bytes, 0x7f800000U, 0x007fffffU);
    case ElementType::f64:
    case ElementType::c128:
      return count_bits<std::uint64_t>(bytes, 0x7ff0000000000000U, 0x000fffffffffffffU);
    case ElementType::bf16:
      return count_bits<std::uint16_t>(bytes, 0x7f80, 0x007f);
    case ElementType::f16:
      return count_bits<std::uint16_t>(bytes, 0x7c00, 0x03ff);
    default:
      return program::is_float(element) ? count_by_value(element, bytes) : NonFiniteCount{};
  }
}

void NonFiniteWatch::before(const program::Instruction& instruction, const Execution& execution) {
  if (execution.frame != nullptr) return;
  operands_ = count_operands(sides_of(instruction).in, execution);
}

void NonFiniteWatch::after(const program::Instruction& instruction, const Execution& execution) {
  if (execution.frame != nullptr) return;
  const NonFiniteCount results = count_operands(sides_of(instruction).out, execution);
  if (results.nans > 0) note(instruction, true, operands_.nans == 0, operands_.infinities > 0);
  if (results.infinities > 0) note(instruction, false, operands_.infinities == 0, false);
}

// Once as a carrier, and once more if it turns out to make them itself.
void NonFiniteWatch::note(const program::Instruction& instruction, bool is_nan, bool is_new,
                          bool from_infinity) {
  if (noted_.size() >= kMostNoted) return;
  const auto [at, fresh] = noted_.try_emplace({instruction.op, is_nan}, is_new);
  if (!fresh && (at->second || !is_new)) return;
  at->second = is_new;
  record_.append(
      configs::NonFiniteSeen{instruction.op, step_, order_++, is_nan, is_new, from_infinity});
}

}  // namespace understudy::worker
