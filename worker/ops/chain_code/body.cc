// SPDX-License-Identifier: Apache-2.0
#include "worker/ops/chain_code/body.h"

#include <algorithm>

namespace understudy::worker::ops::chain_code {
namespace {

constexpr std::size_t kHashes = 1024;

}  // namespace

bool MachineStep::same_as(const MachineStep& other) const {
  return id == other.id && inputs == other.inputs && std::equal(in, in + inputs, other.in) &&
         mask == other.mask && zeroes == other.zeroes && immediate == other.immediate &&
         half_result == other.half_result && half_inputs == other.half_inputs &&
         rounds_up == other.rounds_up && is_rare == other.is_rare && then == other.then &&
         table == other.table && merges == other.merges;
}

ValueId Body::new_value(Bank bank) {
  banks_.push_back(bank);
  makers_.push_back(kNoValue);
  return static_cast<ValueId>(banks_.size() - 1);
}

// Two steps with one hash: the later one is remembered. That finds most equal ones.
ValueId Body::append(const MachineStep& step, Bank bank) {
  if (same_.empty()) same_.assign(kHashes, kNoValue);
  std::size_t hash = step.id;
  bool reads_memory = false;
  for (std::size_t i = 0; i < step.inputs; ++i) {
    const Part& part = step.in[i];
    reads_memory = reads_memory || part.memory;
    hash = hash * 31 + (part.memory ? static_cast<std::size_t>(part.memory->offset) : part.value);
  }
  std::uint32_t& before = same_[hash % kHashes];
  if (before != kNoValue && step.same_as(steps_[before]) && (!reads_memory || before >= stored_))
    return steps_[before].result;
  before = static_cast<std::uint32_t>(steps_.size());
  steps_.push_back(step);
  const ValueId result = new_value(bank);
  makers_[result] = before;
  steps_.back().result = result;
  return result;
}

ValueId Body::make_folding(asmjit::InstId id, std::initializer_list<Part> in, std::size_t folds,
                           std::optional<std::uint8_t> immediate, Bank bank) {
  MachineStep step;
  step.id = id;
  for (const Part& part : in) step.in[step.inputs++] = part;
  step.folds = folds;
  step.immediate = immediate;
  return append(step, bank);
}

ValueId Body::make(asmjit::InstId id, std::initializer_list<Part> in,
                   std::optional<std::uint8_t> immediate, Bank bank) {
  return make_folding(id, in, in.size() - 1, immediate, bank);
}

ValueId Body::make_fused(std::initializer_list<Part> in, asmjit::InstId id, bool rounds_up) {
  MachineStep step;
  step.id = id;
  for (const Part& part : in) step.in[step.inputs++] = part;
  // An operand in memory has no rounding of its own.
  step.folds = rounds_up ? MachineStep::kMostInputs : 2;
  step.overwrites = true;
  step.rounds_up = rounds_up;
  return append(step, Bank::vectors);
}

ValueId Body::make_rare(asmjit::InstId id, ValueId mask, ValueId usual, ValueId x) {
  return make_rare(id, Inst::kIdNone, mask, usual, x, kNoValue);
}

ValueId Body::make_rare(asmjit::InstId id, asmjit::InstId then, ValueId mask, ValueId usual,
                        ValueId x, ValueId a) {
  MachineStep step;
  step.id = id;
  step.then = then;
  step.in[0] = usual;
  step.in[1] = x;
  step.in[2] = a;
  step.inputs = then == Inst::kIdNone ? 2 : 3;
  step.folds = 1;
  step.mask = mask;
  step.overwrites = true;
  step.is_rare = true;
  return append(step, Bank::vectors);
}

ValueId Body::make_half(asmjit::InstId id, std::initializer_list<Part> in, bool half_result,
                        bool half_inputs, std::optional<std::uint8_t> immediate, ValueId mask) {
  MachineStep step;
  step.id = id;
  for (const Part& part : in) step.in[step.inputs++] = part;
  // Not from the stack: what an instruction reads of memory may be less than a register.
  step.half_result = half_result;
  step.half_inputs = half_inputs;
  step.immediate = immediate;
  step.mask = mask;
  return append(step, Bank::vectors);
}

ValueId Body::make_masked(asmjit::InstId id, ValueId mask, bool zeroes,
                          std::initializer_list<Part> in) {
  MachineStep step;
  step.id = id;
  for (const Part& part : in) step.in[step.inputs++] = part;
  step.folds = step.inputs - 1;
  step.mask = mask;
  step.zeroes = zeroes;
  return append(step, Bank::vectors);
}

ValueId Body::make_merged(asmjit::InstId id, ValueId mask, ValueId first, Part second) {
  MachineStep step;
  step.id = id;
  step.in[0] = first;
  step.in[1] = second;
  step.inputs = 2;
  step.folds = 1;
  step.mask = mask;
  step.overwrites = step.merges = true;
  return append(step, Bank::vectors);
}

ValueId Body::make_ternary(ValueId a, ValueId b, Part c, std::uint8_t function) {
  MachineStep step;
  step.id = Inst::kIdVpternlogd;
  step.in[0] = a;
  step.in[1] = b;
  step.in[2] = c;
  step.inputs = 3;
  step.folds = 2;
  step.overwrites = true;
  step.immediate = function;
  return append(step, Bank::vectors);
}

ValueId Body::look_up(const std::byte* table, std::uint8_t bytes, ValueId number) {
  MachineStep step;
  step.id = Inst::kIdVpgatherdd;
  step.in[0] = number;
  step.inputs = 1;
  step.folds = MachineStep::kMostInputs;
  step.table = table;
  step.table_bytes = bytes;
  return append(step, Bank::vectors);
}

bool Body::has_look_ups() const {
  return std::ranges::any_of(steps_, [](const MachineStep& step) { return step.table != nullptr; });
}

namespace {

bool stores(const MachineStep& step) {
  return step.id != Inst::kIdNone && step.result == kNoValue && step.inputs == 2 &&
         step.in[0].memory && step.in[0].memory->address != Memory::kRoom;
}

}  // namespace

bool Body::mask_stores() {
  // A mask has a bit, or a byte, for each element: complex numbers would want two.
  const auto may_mask = [this](const MachineStep& step) {
    const Memory& at = *step.in[0].memory;
    const bool has_elements = at.step == 1 && !at.is_sums && at.shift <= 2;
    return has_elements && ((wide_ && step.id == Inst::kIdVpmovdb) ||
                            (step.id == Inst::kIdVmovups && (at.shift > 0 || lane_bytes_ < 4)));
  };
  const auto is_unmasked = [&](const MachineStep& step) { return stores(step) && !may_mask(step); };
  if (unroll_ * lanes() > kMostMasked || std::ranges::any_of(steps_, is_unmasked)) return false;
  for (MachineStep& step : steps_)
    if (wide_ && stores(step) && step.in[0].memory->shift == 1) step.id = Inst::kIdVmovdqu16;
  masks_stores_ = true;
  return true;
}

bool Body::is_masked_store(const MachineStep& step) const { return masks_stores_ && stores(step); }

void Body::put(asmjit::InstId id, const Memory& at, ValueId value, bool half) {
  MachineStep step;
  step.id = id;
  step.in[0] = at;
  step.in[1] = value;
  step.inputs = 2;
  step.half_inputs = half;
  steps_.push_back(step);
  stored_ = steps_.size();
  has_results_ = has_results_ || at.address != Memory::kRoom;
}

void Body::fetch(const Memory& at, bool writes) {
  MachineStep step;
  step.id = writes ? Inst::kIdPrefetchw : Inst::kIdPrefetcht1;
  step.in[0] = at;
  step.inputs = 1;
  steps_.push_back(step);
}

void Body::carry(ValueId sums, ValueId next) {
  MachineStep step;
  step.id = Inst::kIdVmovaps;
  step.in[0] = next;
  step.inputs = 1;
  step.carries = sums;
  steps_.push_back(step);
  has_results_ = true;
}

bool Body::require(ValueId mask) {
  if (!can_require()) return false;
  if (std::ranges::find(required_, mask) != required_.end()) return true;
  MachineStep step;
  step.id = wide_ ? Inst::kIdKortestw : Inst::kIdVmovmskps;
  step.in[0] = mask;
  step.inputs = 1;
  step.is_required = true;
  steps_.push_back(step);
  required_.push_back(mask);
  return true;
}

void Body::call(void (*kernel)(), bool two) {
  MachineStep step;
  step.kernel = kernel;
  step.two = two;
  steps_.push_back(step);
  stored_ = steps_.size();
  ++calls_;
}

bool Body::has_sums() const {
  return std::ranges::any_of(steps_, [](const MachineStep& step) {
    return step.in[0].memory && step.in[0].memory->is_sums;
  });
}

const MachineStep* Body::maker(ValueId value) const {
  return makers_[value] == kNoValue ? nullptr : &steps_[makers_[value]];
}

void Body::remove_unused() {
  std::vector<bool> used(banks_.size(), false);
  std::vector<MachineStep> kept;
  for (std::size_t s = steps_.size(); s-- > 0;) {
    const MachineStep& step = steps_[s];
    if (step.result != kNoValue && !used[step.result]) continue;
    for (std::size_t i = 0; i < step.inputs; ++i)
      if (step.in[i].value != kNoValue) used[step.in[i].value] = true;
    if (step.mask != kNoValue) used[step.mask] = true;
    kept.push_back(step);
  }
  std::ranges::reverse(kept);
  steps_ = std::move(kept);
  std::erase_if(shared_, [&](const Shared& shared) { return !used[shared.value]; });
}

// The divider and the two units for all else work side by side. Figures of vectors of 512 bits,
// which differ little from processor to processor.
std::size_t Body::cost() const {
  constexpr std::size_t kRoot = 24, kQuotient = 20, kCall = 100, kHalves = 2;
  std::size_t divider = 0, others = 0;
  for (const MachineStep& step : steps_) {
    const bool converts = step.id == Inst::kIdVcvtps2ph || step.id == Inst::kIdVcvtph2ps;
    others += step.id == Inst::kIdNone ? kCall : converts ? kHalves : 1;
    if (step.is_rare) continue;
    if (step.id == Inst::kIdVsqrtps) divider += kRoot;
    if (step.id == Inst::kIdVdivps) divider += kQuotient;
  }
  return std::max(divider, others);
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
