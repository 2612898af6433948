// SPDX-License-Identifier: Apache-2.0
#include "pjrt/core/cost.h"

#include <algorithm>
#include <variant>
#include <vector>

namespace understudy::pjrt {
namespace {

double elements(const program::Operand& operand) {
  return static_cast<double>(operand.type.elements());
}

// Multiply-adds count as two operations, as XLA counts them.
double flops_of(const program::Dot& dot, const program::Instruction& instruction) {
  double depth = 1;
  for (const std::int64_t dimension : dot.lhs_contracting)
    depth *=
        static_cast<double>(instruction.inputs[0].type.shape[static_cast<std::size_t>(dimension)]);
  return 2 * depth * elements(instruction.outputs[0]);
}

double flops_of(const program::Convolution& convolution, const program::Instruction& instruction) {
  const auto& kernel = instruction.inputs[1].type.shape;
  const auto outputs = kernel[static_cast<std::size_t>(convolution.kernel_output_feature)];
  return 2 * elements(instruction.outputs[0]) * elements(instruction.inputs[1]) /
         static_cast<double>(std::max<std::int64_t>(outputs, 1));
}

bool is_transcendental(program::UnaryOp op) {
  using enum program::UnaryOp;
  constexpr std::array kThem = {cbrt,   cosine,       exponential, exponential_minus_one,
                                log,    log_plus_one, logistic,    rsqrt,
                                sine,   sqrt,         tan,         tanh,
                                erf,    erf_inv,      erfc,        lgamma,
                                digamma};
  return std::ranges::find(kThem, op) != kThem.end();
}

// Element-wise instructions count one operation per element of the result, as in XLA's
// HloCostAnalysis. Instructions without a branch below only move bytes.
void add(const program::Instruction& instruction, CompiledCost& cost) {
  for (const auto* list : {&instruction.inputs, &instruction.outputs})
    for (const program::Operand& operand : *list)
      cost.bytes_accessed += static_cast<double>(operand.type.bytes());
  if (instruction.outputs.empty()) return;
  const double size = elements(instruction.outputs[0]);
  if (const auto* dot = std::get_if<program::Dot>(&instruction.work)) {
    cost.flops += flops_of(*dot, instruction);
  } else if (const auto* conv = std::get_if<program::Convolution>(&instruction.work)) {
    cost.flops += flops_of(*conv, instruction);
  } else if (const auto* unary = std::get_if<program::Unary>(&instruction.work)) {
    (is_transcendental(unary->op) ? cost.transcendentals : cost.flops) += size;
  } else if (std::holds_alternative<program::Binary>(instruction.work) ||
             std::holds_alternative<program::Compare>(instruction.work)) {
    cost.flops += size;
  } else if (std::holds_alternative<program::Reduce>(instruction.work)) {
    cost.flops += elements(instruction.inputs[0]);
  }
}

}  // namespace

// A loop counts once, because its number of rounds is unknown; XLA does the same. An explicit list
// instead of recursion, because nesting depth is up to the program.
CompiledCost cost_of(const program::Executable& executable) {
  CompiledCost cost;
  std::vector<const program::Code*> codes = {&executable.code};
  while (!codes.empty()) {
    const program::Code& code = *codes.back();
    codes.pop_back();
    for (const program::Instruction& instruction : code) {
      add(instruction, cost);
      if (const auto* loop = std::get_if<program::While>(&instruction.work)) {
        codes.push_back(&loop->condition);
        codes.push_back(&loop->body);
      } else if (const auto* branch = std::get_if<program::Case>(&instruction.work)) {
        for (const program::Code& one : branch->branches) codes.push_back(&one);
      }
    }
  }
  return cost;
}

}  // namespace understudy::pjrt
