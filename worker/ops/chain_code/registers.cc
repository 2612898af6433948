// SPDX-License-Identifier: Apache-2.0
#include "worker/ops/chain_code/registers.h"

#include <algorithm>

#include "configs/base/error.h"

namespace understudy::worker::ops::chain_code {
namespace {

template <class F>
void for_each_value(const MachineStep& step, const F& f) {
  for (std::size_t i = 0; i < step.inputs; ++i)
    if (step.in[i].value != kNoValue) f(step.in[i].value);
  if (step.mask != kNoValue) f(step.mask);
}

// Vectors that are made in an iteration and wait for their last use.
std::size_t most_alive(const Body& body) {
  std::vector<std::size_t> last(body.banks().size(), 0);
  for (std::size_t s = 0; s < body.steps().size(); ++s)
    for_each_value(body.steps()[s], [&](ValueId value) { last[value] = s; });
  std::vector<int> change(body.steps().size() + 1, 0);
  for (std::size_t s = 0; s < body.steps().size(); ++s) {
    const ValueId made = body.steps()[s].result;
    if (made == kNoValue || body.banks()[made] != Bank::vectors || last[made] <= s) continue;
    ++change[s];
    --change[last[made]];
  }
  int alive = 0, most = 0;
  for (const int step : change) most = std::max(most, alive += step);
  return static_cast<std::size_t>(most);
}

}  // namespace

Registers::Registers(const Body& body, Transfers& transfers)
    : body_(body), transfers_(transfers), values_(body.banks().size()) {
  // Masked stores of AVX2 use the last vector.
  const std::size_t narrow = body.masks_stores() ? kVectorsOfAvx2 - 1 : kVectorsOfAvx2;
  files_[kVectors].holds.assign(body.is_wide() ? 32 : narrow, kNoValue);
  // Look-ups and masked stores use the last mask.
  const bool uses_last = body.has_look_ups() || body.masks_stores();
  const std::size_t masks = uses_last ? kMasksOfAvx512 - 1 : kMasksOfAvx512;
  files_[kMasks].holds.assign(body.is_wide() ? masks : 1, kNoValue);
  files_[kMasks].first = 1;
  find_uses();
  fix_shared();
}

void Registers::find_uses() {
  for (std::size_t s = 0; s < body_.steps().size(); ++s)
    for_each_value(body_.steps()[s], [&](ValueId value) {
      auto& uses = values_[value].uses;
      if (uses.empty() || uses.back() != s) uses.push_back(static_cast<std::uint32_t>(s));
    });
  for (const Shared& shared : body_.all_shared()) {
    values_[shared.value].is_shared = true;
    values_[shared.value].is_sums = shared.from == Shared::From::sums;
  }
}

// A call changes every register. Else those that are used most stay, while the iteration's own
// values have room, with one more for what comes from the stack.
void Registers::fix_shared() {
  std::vector<ValueId> order;
  for (const Shared& shared : body_.all_shared()) order.push_back(shared.value);
  std::ranges::stable_sort(
      order, [&](ValueId a, ValueId b) { return values_[a].uses.size() > values_[b].uses.size(); });
  // The next iteration waits for these.
  std::ranges::stable_partition(order, [&](ValueId value) { return values_[value].is_sums; });
  std::size_t room[2] = {0, 0};
  if (body_.calls() == 0) {
    const std::size_t own = most_alive(body_) + 1, all = files_[kVectors].holds.size();
    room[kVectors] = own < all ? all - own : 0;
    room[kMasks] = 2;
  }
  for (const ValueId value : order) {
    const Bank bank = body_.banks()[value];
    std::size_t& left = room[bank == Bank::vectors ? kVectors : kMasks];
    values_[value].is_fixed = left > 0;
    if (left > 0) {
      --left;
      auto& holds = file(bank).holds;
      const auto free = std::ranges::find(holds.rbegin(), holds.rend(), kNoValue);
      values_[value].reg = static_cast<std::uint32_t>(holds.rend() - free - 1);
      *free = value;
    } else {
      values_[value].slot = new_slot();
    }
  }
}

std::optional<std::uint32_t> Registers::fixed_register(ValueId value) const {
  if (!values_[value].is_fixed) return std::nullopt;
  return values_[value].reg;
}

std::uint32_t Registers::new_slot() {
  const auto free = std::ranges::find(used_slots_, false);
  const auto slot = static_cast<std::uint32_t>(free - used_slots_.begin());
  if (free == used_slots_.end()) used_slots_.push_back(true);
  used_slots_[slot] = true;
  return slot;
}

std::uint32_t Registers::next_use(const Value& value) const {
  return value.used < value.uses.size() ? value.uses[value.used] : UINT32_MAX;
}

// A value is made once: what has a slot is there already.
void Registers::evict(ValueId id) {
  Value& value = values_[id];
  const Bank bank = body_.banks()[id];
  if (value.slot == kNone) {
    value.slot = new_slot();
    transfers_.spill(bank, value.reg, value.slot);
  }
  file(bank).holds[value.reg] = kNoValue;
  value.reg = kNone;
}

std::uint32_t Registers::take(Bank bank) {
  File& from = file(bank);
  for (std::uint32_t r = from.first; r < from.holds.size(); ++r)
    if (from.holds[r] == kNoValue) return r;
  std::uint32_t farthest = kNone, use = 0;
  for (std::uint32_t r = from.first; r < from.holds.size(); ++r) {
    const ValueId held = from.holds[r];
    const std::uint32_t next = next_use(values_[held]);
    if (values_[held].is_fixed || std::ranges::find(pinned_, held) != pinned_.end()) continue;
    if (farthest != kNone && next <= use) continue;
    farthest = r;
    use = next;
  }
  UNDERSTUDY_ASSERT(farthest != kNone);
  evict(from.holds[farthest]);
  return farthest;
}

std::uint32_t Registers::bring(ValueId id) {
  Value& value = values_[id];
  if (value.reg == kNone) {
    const Bank bank = body_.banks()[id];
    value.reg = take(bank);
    file(bank).holds[value.reg] = id;
    transfers_.reload(bank, value.reg, value.slot);
  }
  pinned_.push_back(id);
  return value.reg;
}

// Whether an instruction reads the value from the stack: unless a register is free for it until its
// next use.
bool Registers::stays_in_memory(const MachineStep& step, std::size_t input) const {
  const ValueId id = step.in[input].value;
  const Value& value = values_[id];
  if (value.reg != kNone || input != step.folds || body_.banks()[id] != Bank::vectors) return false;
  for (std::size_t i = 0; i < step.inputs; ++i)
    if (i != input && step.in[i].value == id) return false;
  const auto& holds = files_[kVectors].holds;
  const bool is_last = value.used + 1 >= value.uses.size();
  return is_last || std::ranges::find(holds, kNoValue) == holds.end();
}

void Registers::release(ValueId id) {
  Value& value = values_[id];
  if (value.is_shared && value.is_fixed) return;
  if (value.reg != kNone) file(body_.banks()[id]).holds[value.reg] = kNoValue;
  value.reg = kNone;
  if (value.slot != kNone && !value.is_shared) left_slots_.push_back(value.slot);
}

void Registers::release_dead(const MachineStep& step, std::size_t number) {
  for_each_value(step, [&](ValueId id) {
    Value& value = values_[id];
    while (value.used < value.uses.size() && value.uses[value.used] <= number) ++value.used;
    if (value.used == value.uses.size()) release(id);
  });
}

void Registers::clear_for_call() {
  for (File& one : files_)
    for (const ValueId held : std::vector<ValueId>(one.holds))
      if (held != kNoValue) evict(held);
}

Assignment Registers::assign(std::size_t number) {
  const MachineStep& step = body_.steps()[number];
  Assignment found;
  pinned_.clear();
  // Only now: the step before may have read them.
  for (const std::uint32_t slot : left_slots_) used_slots_[slot] = false;
  left_slots_.clear();
  if (step.id == Inst::kIdNone) {
    clear_for_call();
    return found;
  }
  for (std::size_t i = 0; i < step.inputs; ++i) {
    if (step.in[i].value == kNoValue) continue;
    found.in_memory[i] = stays_in_memory(step, i);
    found.in[i] = found.in_memory[i] ? values_[step.in[i].value].slot : bring(step.in[i].value);
  }
  if (step.mask != kNoValue) found.mask = bring(step.mask);
  if (step.overwrites) return overwriting(step, number, found);
  if (step.table != nullptr) {  // into another register than that of the numbers
    found.result = give_register(step.result);
    release_dead(step, number);
    return found;
  }
  release_dead(step, number);
  if (step.result != kNoValue) found.result = give_register(step.result);
  return found;
}

// The register of a result.
std::uint32_t Registers::give_register(ValueId id) {
  const Bank bank = body_.banks()[id];
  const std::uint32_t reg = take(bank);
  if (values_[id].uses.empty()) return reg;
  values_[id].reg = reg;
  file(bank).holds[reg] = id;
  return reg;
}

// The first input's register where nobody reads it again; else a new one, which is no input's.
Assignment Registers::overwriting(const MachineStep& step, std::size_t number, Assignment found) {
  const ValueId first = step.in[0].value;
  const Value& value = values_[first];
  const bool again =
      value.is_fixed || value.uses.back() > number || std::ranges::count(step.in, step.in[0]) > 1;
  if (again) {
    found.copies = true;
    found.result = give_register(step.result);
    release_dead(step, number);
    return found;
  }
  release_dead(step, number);
  found.result = found.in[0];
  values_[step.result].reg = found.result;
  file(Bank::vectors).holds[found.result] = step.result;
  return found;
}

}  // namespace understudy::worker::ops::chain_code
