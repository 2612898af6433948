// SPDX-License-Identifier: Apache-2.0
#include "worker/ops/fused/last_run.h"

#include <algorithm>

#include "worker/ops/fused/fused_chain.h"

namespace understudy::worker::ops {
namespace {

// Whether one call of the code computes all elements.
bool does_all(const ChainCode& code, const ChainRun& chain,
              const program::kernels::ChainStep* steps, std::size_t elements) {
  const std::size_t lanes = code.lanes(chain);
  if (elements % lanes == 0) return true;
  return elements > lanes && code.overlaps(0) &&
         (code.masks_stores(0) || !overwrites(chain, *code.addresses(0), steps));
}

}  // namespace

void LastRun::keep(const ChainCode& code, const ChainRun& chain,
                   std::span<const program::kernels::ChainStep> steps, std::size_t elements,
                   const program::Instruction& instruction, Execution& execution) {
  code_ = nullptr;
  is_refused_ = true;
  if (code.streams() || !does_all(code, chain, steps.data(), elements)) return;
  const auto reads_tile = [&](std::size_t l) {
    const ChainLink& link = chain.links[l];
    for (const auto* const place : {&link.a, &link.b, &link.c, &link.out})
      if (*place && (*place)->space == program::Space::frame) return true;
    return false;
  };
  if (std::ranges::any_of(code.addresses(0)->links, reads_tile)) return;
  is_refused_ = false;
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
