// SPDX-License-Identifier: Apache-2.0
// Custom calls with a known meaning. Any other target is refused before the run, as its semantics
// are in a library that only the producer has.
#include <fmt/format.h>

#include "program/lowering/exported_calls.h"
#include "program/passes/attributes.h"

namespace understudy::program::passes {

namespace {

void lower_identity(Lowering& lowering, const Operation& op) {
  lowering.bind_all(op.results, lowering.parts(op));
}

// Operand 1 is the shape of operand 0, which refine() gives to the result.
void lower_shape_wrapper(Lowering& lowering, const Operation& op) {
  lowering.bind(*op.results[0], lowering.parts(op, 0, 1));
}

// The message of a failed assertion: {0}, {1}, ... stand for the operands after the predicate.
std::string assertion_text(Lowering& lowering, const Operation& op) {
  std::string text = string_of(op, "error_message", "shape_assertion failed");
  for (std::size_t i = 1; i < op.operands.size(); ++i) {
    const auto value = lowering.known_operand(op, i);
    const std::string name = fmt::format("{{{}}}", i - 1);
    const std::string number = value ? fmt::format("{}", value->front()) : name;
    for (std::size_t at = text.find(name); at != std::string::npos;
         at = text.find(name, at + number.size()))
      text.replace(at, name.size(), number);
  }
  return text;
}

// JAX's checks of polymorphic shapes: decided now if the predicate is known, else at run time.
void lower_shape_assertion(Lowering& lowering, const Operation& op) {
  const auto holds = lowering.known_operand(op, 0);
  if (!holds)
    return lowering.emit(Assert{string_of(op, "error_message", "shape_assertion failed")},
                         lowering.parts(op), Parts());
  if (holds->front() == 0)
    throw error_at(op.location, ErrorKind::check, assertion_text(lowering, op));
}

// Sharding annotations are identities: interface_of() has checked that no data has to move for any
// of them.
constexpr std::pair<std::string_view, LowerFunction> kTargets[] = {
    {"Sharding", lower_identity},
    {"mhlo.copy", lower_identity},
    {"mhlo.topk", lower_top_k},
    {"ragged_all_to_all", lower_ragged_all_to_all},
    {"shape_assertion", lower_shape_assertion},
    {"SPMDFullToShardShape", lower_identity},
    {"SPMDShardToFullShape", lower_identity},
    {"stablehlo.dynamic_reduce_window", lower_dynamic_reduce_window},
    {"stablehlo.dynamic_rng_bit_generator", lower_rng_bit_generator},
    {"stablehlo.dynamic_top_k", lower_top_k},
    {"stablehlo.shape_refinement_operand_wrapper", lower_shape_wrapper},
    {"xla.sdy.FuncResultSharding", lower_identity},
};

// torch_xla writes element-wise functions that StableHLO lacks as custom calls: @mhlo.erf is the
// unary operation erf.
constexpr std::string_view kMhlo = "mhlo.";

void lower_mhlo_unary(Lowering& lowering, const Operation& op) {
  const std::string target = string_of(op, "call_target_name", "");
  const auto unary = unary_op_of(std::string_view(target).substr(kMhlo.size()));
  const Operand x = lowering.operand(op, 0);
  if (is_expanded(*unary, x.type.element))
    return lowering.bind(*op.results[0], expanded(lowering, *unary, x));
  lowering.emit_result(op, Unary{*unary}, {x});
}

// How a target is lowered, or nothing where it is not known.
LowerFunction target_of(const Operation& op) {
  const std::string target = string_of(op, "call_target_name", "");
  for (const auto& [name, lower] : kTargets)
    if (name == target) return lower;
  if (is_check_call(target)) return lower_check_call;
  if (target.starts_with(kMhlo) && op.operands.size() == 1 &&
      unary_op_of(std::string_view(target).substr(kMhlo.size())))
    return lower_mhlo_unary;
  return nullptr;
}

void lower_custom_call(Lowering& lowering, const Operation& op) {
  const LowerFunction lower = target_of(op);
  if (lower == nullptr)
    throw error_at(
        op.location, ErrorKind::unsupported,
        fmt::format("{}: unsupported target @{}", op.name, string_of(op, "call_target_name", "")));
  lower(lowering, op);
}

}  // namespace

bool can_lower_custom_call(const Operation& op) { return target_of(op) != nullptr; }

std::vector<std::string_view> custom_call_targets() {
  std::vector<std::string_view> names{"mhlo.*"};
  for (const auto& [name, lower] : kTargets) names.push_back(name);
  return names;
}

void add_custom_calls(LowerTable& table) {
  table.emplace("stablehlo.custom_call", lower_custom_call);
}

}  // namespace understudy::program::passes
