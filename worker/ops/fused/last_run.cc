// SPDX-License-Identifier: Apache-2.0
#include "worker/ops/fused/last_run.h"

#include <algorithm>

#include "worker/ops/fused/fused_chain.h"

namespace understudy::worker::ops {

void LastRun::keep(const ChainCode& code, const ChainRun& chain,
                   std::span<const program::kernels::ChainStep> steps, std::size_t elements,
                   const program::Instruction& instruction, Execution& execution) {
  code_ = nullptr;
  const ChainAddresses* const addresses = code.addresses(0);
  if (addresses == nullptr || code.streams()) return;
  const auto reads_tile = [&](std::size_t l) {
    const ChainLink& link = chain.links[l];
    for (const auto* const place : {&link.a, &link.b, &link.c, &link.out})
      if (*place && (*place)->space == program::Space::frame) return true;
    return false;
  };
  if (std::ranges::any_of(addresses->links, reads_tile)) return;
  code_ = code.machine_code(0);
  elements_ = elements;
  steps_.assign(steps.begin(), steps.end());
  addresses_.clear();
  for (const program::Operand& input : instruction.inputs)
    addresses_.push_back(execution.address(input.at));
  for (const program::Operand& output : instruction.outputs)
    addresses_.push_back(execution.address(output.at));
}

}  // namespace understudy::worker::ops
