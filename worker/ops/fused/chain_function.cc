// SPDX-License-Identifier: Apache-2.0
#include "worker/ops/fused/chain_function.h"

namespace understudy::worker::ops {
namespace {

using program::BinaryOp;
using program::ElementType;
using program::Instruction;
using program::UnaryOp;
using program::kernels::ChainFunction;
using program::kernels::ChainKernels;
using program::kernels::is_chain_float;
using program::kernels::is_half;
using program::kernels::is_word;

ElementType type_of(const Instruction& instruction) { return instruction.inputs[0].type.element; }
ElementType result_of(const Instruction& instruction) {
  return instruction.outputs[0].type.element;
}

ChainFunction own_function_of(const ChainKernels& kernels, const Instruction& instruction,
                              const ChainSources& from) {
  const program::Work& work = instruction.work;
  if (stores_pair(instruction)) return kernels.store_complex(from[0], from[1]);
  if (loads_part(instruction)) return kernels.load_part(std::get<program::Unary>(work).op);
  if (const auto* unary = std::get_if<program::Unary>(&work))
    return kernels.unary(unary->op, type_of(instruction));
  if (const auto* binary = std::get_if<program::Binary>(&work))
    return kernels.binary(binary->op, type_of(instruction), from[0], from[1]);
  if (const auto* compare = std::get_if<program::Compare>(&work))
    return kernels.compare(compare->direction, compare->total_order, type_of(instruction), from[0],
                           from[1]);
  if (std::holds_alternative<program::Convert>(work))
    return kernels.convert(type_of(instruction), instruction.outputs[0].type.element);
  if (std::holds_alternative<program::Select>(work))
    return kernels.select(instruction.inputs[1].type.element, from[0], from[1], from[2]);
  return nullptr;
}

// The kernel of a function that has no step of its own: of f32, also for bf16 and f16, whose
// kernels round its results. Neighbours depend on the type, and parts of real numbers keep the bits
// of a NaN.
ChainFunction kernel_of(const program::kernels::KernelTable& table,
                        const Instruction& instruction) {
  const ElementType type = type_of(instruction), out = instruction.outputs[0].type.element;
  if (std::holds_alternative<program::Convert>(instruction.work) && is_word(type) && is_word(out))
    return reinterpret_cast<ChainFunction>(table.convert(type, out));
  if (out != type) return nullptr;
  const ElementType own = is_half(type) ? ElementType::f32 : type;
  if (const auto* unary = std::get_if<program::Unary>(&instruction.work)) {
    if (unary->op == UnaryOp::real || unary->op == UnaryOp::conj) return nullptr;
    return reinterpret_cast<ChainFunction>(table.unary(unary->op, own));
  }
  const auto* binary = std::get_if<program::Binary>(&instruction.work);
  if (binary == nullptr || (binary->op == BinaryOp::next_after && is_half(type))) return nullptr;
  return reinterpret_cast<ChainFunction>(table.binary(binary->op, own));
}

}  // namespace

bool loads_part(const Instruction& instruction) {
  const auto* unary = std::get_if<program::Unary>(&instruction.work);
  return unary != nullptr && (unary->op == UnaryOp::real || unary->op == UnaryOp::imag) &&
         program::kernels::is_pair(type_of(instruction));
}
bool stores_pair(const Instruction& instruction) {
  const auto* binary = std::get_if<program::Binary>(&instruction.work);
  return binary != nullptr && binary->op == BinaryOp::complex &&
         program::kernels::is_pair(result_of(instruction));
}

ChainStepFunction chain_function_of(const program::kernels::KernelTable& table,
                                    const ChainKernels& kernels, const Instruction& instruction,
                                    const ChainSources& from) {
  if (const auto own = own_function_of(kernels, instruction, from)) return {own, nullptr};
  const ChainFunction kernel = kernel_of(table, instruction);
  if (kernel == nullptr) return {};
  const ElementType type = type_of(instruction);
  const bool one = instruction.inputs.size() == 1;
  return {one ? kernels.call(type) : kernels.call_two(type, from[0], from[1]), kernel};
}

ChainOperation operation_of(const Instruction& instruction) {
  using Kind = ChainOperation::Kind;
  ChainOperation operation;
  operation.type = type_of(instruction);
  operation.result = result_of(instruction);
  if (const auto* unary = std::get_if<program::Unary>(&instruction.work)) {
    operation.kind = loads_part(instruction) ? Kind::load : Kind::unary;
    operation.unary = unary->op;
  } else if (const auto* binary = std::get_if<program::Binary>(&instruction.work)) {
    operation.kind = stores_pair(instruction) ? Kind::store : Kind::binary;
    operation.binary = binary->op;
    if (stores_pair(instruction)) operation.type = operation.result;
  } else if (const auto* compare = std::get_if<program::Compare>(&instruction.work)) {
    operation.kind = Kind::compare;
    operation.direction = compare->direction;
    operation.total_order = compare->total_order && is_chain_float(operation.type);
  } else if (std::holds_alternative<program::Convert>(instruction.work)) {
    operation.kind = Kind::convert;
  } else {
    operation.kind = Kind::select;
    operation.type = operation.result;
  }
  return operation;
}

bool makes_nan(const Instruction& instruction) {
  if (!is_chain_float(result_of(instruction)) || loads_part(instruction)) return false;
  if (const auto* unary = std::get_if<program::Unary>(&instruction.work))
    return unary->op != UnaryOp::negate && unary->op != UnaryOp::abs;
  const auto* binary = std::get_if<program::Binary>(&instruction.work);
  return binary != nullptr && binary->op != BinaryOp::maximum && binary->op != BinaryOp::minimum;
}

bool hides_nan(const Instruction& instruction) {
  if (!is_chain_float(type_of(instruction))) return false;
  if (stores_pair(instruction)) return false;
  if (const auto* compare = std::get_if<program::Compare>(&instruction.work))
    return !compare->total_order;  // which has the signs of NaN
  return std::holds_alternative<program::Binary>(instruction.work) || makes_nan(instruction);
}

}  // namespace understudy::worker::ops
