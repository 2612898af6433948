// SPDX-License-Identifier: Apache-2.0
#include "pjrt/core/compile/cost.h"

#include <algorithm>
#include <array>
#include <optional>
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
  } else if (std::holds_alternative<program::Reduce>(instruction.work) ||
             std::holds_alternative<program::ArgReduce>(instruction.work)) {
    cost.flops += elements(instruction.inputs[0]);
  }
}

void add(const CompiledCost& other, CompiledCost& cost) {
  cost.flops += other.flops;
  cost.transcendentals += other.transcendentals;
  cost.bytes_accessed += other.bytes_accessed;
}

// Only one branch runs: each quantity is that of the branch that needs most of it, as in XLA.
CompiledCost most_of(const CompiledCost& a, const CompiledCost& b) {
  CompiledCost most = a;
  most.flops = std::max(a.flops, b.flops);
  most.transcendentals = std::max(a.transcendentals, b.transcendentals);
  most.bytes_accessed = std::max(a.bytes_accessed, b.bytes_accessed);
  return most;
}

// A region and what is known of its cost. The regions of a loop add up; the branches of one
// conditional share a slot of `branches` of the region around them.
struct RegionCost {
  const program::Code* code = nullptr;
  std::size_t around = 0;           // index of the region that holds it
  std::optional<std::size_t> slot;  // in `branches` of that region; absent: it adds up
  CompiledCost cost;
  std::vector<CompiledCost> branches;
};

// All regions, each before those inside it.
std::vector<RegionCost> regions_of(const program::Code& code) {
  std::vector<RegionCost> all(1);
  all[0].code = &code;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const program::Code& here = *all[i].code;
    for (const program::Instruction& instruction : here) {
      add(instruction, all[i].cost);
      if (const auto* loop = std::get_if<program::While>(&instruction.work)) {
        for (const program::Code* one : {&loop->condition, &loop->body})
          all.push_back({one, i, std::nullopt, {}, {}});
      } else if (const auto* branch = std::get_if<program::Case>(&instruction.work)) {
        const std::size_t slot = all[i].branches.size();
        all[i].branches.emplace_back();
        for (const program::Code& one : branch->branches) all.push_back({&one, i, slot, {}, {}});
      }
    }
  }
  return all;
}

}  // namespace

// A loop counts once, because its number of rounds is unknown; XLA does the same. Lists instead of
// recursion, because nesting depth is up to the program: from the last region to the first, each is
// complete when its turn comes.
CompiledCost cost_of(const program::Executable& executable) {
  std::vector<RegionCost> all = regions_of(executable.code);
  for (std::size_t i = all.size(); i-- > 0;) {
    RegionCost& region = all[i];
    for (const CompiledCost& branch : region.branches) add(branch, region.cost);
    if (i == 0) break;
    RegionCost& around = all[region.around];
    if (!region.slot) {
      add(region.cost, around.cost);
    } else {
      CompiledCost& slot = around.branches[*region.slot];
      slot = most_of(slot, region.cost);
    }
  }
  return all[0].cost;
}

}  // namespace understudy::pjrt
