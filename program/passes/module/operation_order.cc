// SPDX-License-Identifier: Apache-2.0
// The order that Instruction::op refers to: pre-order, functions in the order of the module.
// Compiler and readers of a receipt must agree on it.
#include "program/compile.h"

namespace understudy::program {

namespace {

void collect(const Block& block, std::vector<const Operation*>& order) {
  for (const auto& op : block.operations) {
    order.push_back(op.get());
    for (const auto& region : op->regions)
      for (const auto& nested : region->blocks) collect(*nested, order);
  }
}

}  // namespace

std::vector<const Operation*> operations_in_order(const Module& module) {
  std::vector<const Operation*> order;
  for (const auto& function : module.functions)
    for (const auto& block : function->body.blocks) collect(*block, order);
  return order;
}

}  // namespace understudy::program
