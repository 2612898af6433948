// SPDX-License-Identifier: Apache-2.0
#include "worker/ops/chain_code/body.h"

#include <algorithm>

namespace understudy::worker::ops::chain_code {

ValueId Body::new_value(Bank bank) {
  banks_.push_back(bank);
  return static_cast<ValueId>(banks_.size() - 1);
}

ValueId Body::make(asmjit::InstId id, std::initializer_list<Part> in,
                   std::optional<std::uint8_t> immediate, Bank bank) {
  MachineStep step;
  step.id = id;
  for (const Part& part : in) step.in[step.inputs++] = part;
  step.folds = step.inputs - 1;
  step.immediate = immediate;
  step.result = new_value(bank);
  steps_.push_back(step);
  return step.result;
}

ValueId Body::make_masked(asmjit::InstId id, ValueId mask, bool zeroes,
                          std::initializer_list<Part> in) {
  const ValueId result = make(id, in);
  last().mask = mask;
  last().zeroes = zeroes;
  return result;
}

void Body::put(asmjit::InstId id, const Memory& at, ValueId value, bool narrow) {
  MachineStep step;
  step.id = id;
  step.in[0] = at;
  step.in[1] = value;
  step.inputs = 2;
  step.narrow = narrow;
  steps_.push_back(step);
}

void Body::call(void (*kernel)(), bool two) {
  MachineStep step;
  step.kernel = kernel;
  step.two = two;
  steps_.push_back(step);
  calls_ = true;
}

ValueId Body::share(Shared shared) {
  const auto found = std::ranges::find_if(shared_, [&](const Shared& x) {
    return x.from == shared.from && x.bits == shared.bits && x.pointer == shared.pointer;
  });
  if (found != shared_.end()) return found->value;
  const bool is_mask = wide_ && shared.from == Shared::From::pred;
  shared.value = new_value(is_mask ? Bank::masks : Bank::vectors);
  shared_.push_back(shared);
  return shared.value;
}

std::uint32_t Body::address(std::size_t pointer) {
  const auto found = std::ranges::find(addresses_, pointer);
  const auto number = static_cast<std::uint32_t>(found - addresses_.begin());
  if (found == addresses_.end()) addresses_.push_back(pointer);
  return number;
}

std::optional<std::uint32_t> Body::bits_of(const Part& part) const {
  if (part.value == kNoValue) return std::nullopt;
  for (const Shared& shared : shared_)
    if (shared.value == part.value && shared.from == Shared::From::known) return shared.bits;
  return std::nullopt;
}

}  // namespace understudy::worker::ops::chain_code
