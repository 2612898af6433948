// SPDX-License-Identifier: Apache-2.0
// Functions around manual computations: jax.jit inside jax.jit makes a function, and a call moves
// no data. Placement treats their operations, at each call, like those of @main. Thread-compatible.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <unordered_map>

#include "program/ir/ir.h"

namespace understudy::program::passes {

// "Sharding" of a stablehlo.custom_call; nullopt for other operations.
std::optional<std::string> custom_call_target(const Operation& op);
// Whether it only annotates its operand, and passes it through.
bool is_annotation(const Operation& op);

class FollowedCalls {
 public:
  // Finds the functions, but for `main`. Throws at a function that calls itself.
  FollowedCalls(const Module& module, const Function& main);

  const std::set<const Function*>& functions() const { return functions_; }
  // The function that a call enters, if it is one of them.
  const Function* callee(const Operation& op) const;
  // From now on the operands of this call stand behind the arguments of its function.
  void enter(const Operation& call, const Function& callee);
  // The value behind annotations, and behind arguments of entered functions.
  const Value* root_of(const Value* value) const;

 private:
  const Module& module_;
  std::set<const Function*> functions_;
  std::unordered_map<const Value*, const Value*> given_;  // arguments of entered functions
};

}  // namespace understudy::program::passes
