// SPDX-License-Identifier: Apache-2.0
#include "program/passes/sharding/followed_calls.h"

#include <algorithm>
#include <vector>

#include "program/passes/module/attributes.h"
#include "program/passes/module/calls.h"

namespace understudy::program::passes {

std::optional<std::string> custom_call_target(const Operation& op) {
  if (op.name != "stablehlo.custom_call") return std::nullopt;
  return string_of(op, "call_target_name", "");
}

bool is_annotation(const Operation& op) {
  if (op.name == "sdy.sharding_constraint") return true;
  const auto target = custom_call_target(op);
  // This target only marks operands for shape refinement.
  return target == "Sharding" || target == "stablehlo.shape_refinement_operand_wrapper";
}

namespace {

bool has_manual_computation(const Function& function) {
  return std::ranges::any_of(function.block().operations, [](const auto& op) {
    return op->name == "sdy.manual_computation" ||
           custom_call_target(*op) == "SPMDFullToShardShape";
  });
}

}  // namespace

FollowedCalls::FollowedCalls(const Module& module, const Function& main) : module_(module) {
  std::vector<const Function*> found;
  for (const auto& function : module.functions)
    if (!function->body.blocks.empty() && has_manual_computation(*function))
      found.push_back(function.get());
  // Most programs call no such function; for the others, callers are followed as well.
  const bool only_main = found.empty() || (found.size() == 1 && found[0] == &main);
  if (only_main) return;
  std::unordered_map<const Function*, std::vector<const Function*>> callers;
  for (const auto& function : module.functions)
    if (!function->body.blocks.empty())
      // Calls inside of regions are not followed: values there have no place of their own.
      for (const auto& op : function->block().operations)
        if (op->name == "func.call")
          callers[module.find_function(symbol_of(*op, "callee"))].push_back(function.get());
  while (!found.empty()) {
    const Function* const function = found.back();
    found.pop_back();
    if (function == &main || !functions_.insert(function).second) continue;
    for (const Function* caller : callers[function]) found.push_back(caller);
  }
  // Followed functions are walked once per call, so recursion must be excluded first.
  check_calls(module, main);
}

const Function* FollowedCalls::callee(const Operation& op) const {
  if (op.name != "func.call" || functions_.empty()) return nullptr;
  const Function* callee = module_.find_function(symbol_of(op, "callee"));
  return callee != nullptr && functions_.contains(callee) ? callee : nullptr;
}

void FollowedCalls::enter(const Operation& call, const Function& callee) {
  for (std::size_t i = 0; i < call.operands.size(); ++i)
    given_[callee.block().arguments.at(i).get()] = call.operands[i];
}

const Value* FollowedCalls::root_of(const Value* value) const {
  for (;;) {
    const auto given = given_.find(value);
    if (given != given_.end()) {
      value = given->second;
    } else if (value->owner != nullptr && is_annotation(*value->owner)) {
      value = value->owner->operands[0];
    } else {
      return value;
    }
  }
}

}  // namespace understudy::program::passes
