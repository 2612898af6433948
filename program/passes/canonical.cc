// SPDX-License-Identifier: Apache-2.0
// What names a module's parts and the module itself, whatever its file looked like.
#include "configs/base/digest.h"
#include "program/compile.h"
#include "program/read.h"

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

std::string canonical_digest(const Module& module) { return digest_of(print(module)); }

}  // namespace understudy::program
