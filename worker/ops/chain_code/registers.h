// SPDX-License-Identifier: Apache-2.0
// Registers for the values of a body, which is a straight line: where one is missing, the value
// that is used last of all leaves its register (Belady 1966). asmjit's own allocator is made for
// code with branches: it takes 2 us per instruction, and more for each one of a long body.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "worker/ops/chain_code/body.h"

namespace understudy::worker::ops::chain_code {

// What the allocator asks for: a value goes to its place on the stack, or comes from there.
class Transfers {
 public:
  virtual void spill(Bank bank, std::uint32_t reg, std::uint32_t slot) = 0;
  virtual void reload(Bank bank, std::uint32_t reg, std::uint32_t slot) = 0;

 protected:
  ~Transfers() = default;
};

// The registers of a step.
struct Assignment {
  // Of each input that is a value: a register, or a slot where it is read from memory.
  std::uint32_t in[MachineStep::kMostInputs] = {};
  bool in_memory[MachineStep::kMostInputs] = {};
  std::uint32_t mask = 0, result = 0;
  bool copies = false;  // the first input goes into the result's register before
};

// Of which the first selects nothing.
constexpr std::uint32_t kMasksOfAvx512 = 8, kVectorsOfAvx2 = 16;

class Registers {
 public:
  // *Requires*: both outlive it.
  Registers(const Body& body, Transfers& transfers);

  // Shared values that stay in a register for the whole loop; the others are on the stack.
  std::optional<std::uint32_t> fixed_register(ValueId value) const;
  std::uint32_t slot_of(ValueId value) const { return values_[value].slot; }
  // Steps in their order. A call takes all values out of registers before it.
  Assignment assign(std::size_t step);
  // Of the whole body, after the last step.
  std::size_t slots() const { return used_slots_.size(); }

 private:
  static constexpr std::uint32_t kNone = UINT32_MAX;
  struct Value {
    std::uint32_t reg = kNone, slot = kNone;
    std::vector<std::uint32_t> uses;  // steps, ascending
    std::size_t used = 0;             // of `uses`, up to the present step
    bool is_shared = false, is_sums = false, is_fixed = false;
  };
  struct File {
    std::vector<ValueId> holds;  // by register
    std::uint32_t first = 0;     // k0 selects nothing
  };

  static constexpr std::uint32_t kVectors = 0, kMasks = 1;
  void find_uses();
  void fix_shared();
  void clear_for_call();
  bool stays_in_memory(const MachineStep& step, std::size_t input) const;
  std::uint32_t bring(ValueId value);
  std::uint32_t take(Bank bank);
  std::uint32_t give_register(ValueId id);
  Assignment overwriting(const MachineStep& step, std::size_t number, Assignment found);
  void evict(ValueId value);
  void release_dead(const MachineStep& step, std::size_t number);
  void release(ValueId value);
  std::uint32_t next_use(const Value& value) const;
  std::uint32_t new_slot();
  File& file(Bank bank) { return files_[bank == Bank::vectors ? kVectors : kMasks]; }

  const Body& body_;
  Transfers& transfers_;
  std::vector<Value> values_;
  File files_[2];
  std::vector<bool> used_slots_;
  std::vector<std::uint32_t> left_slots_;  // by the present step
  std::vector<ValueId> pinned_;            // of the present step
};

}  // namespace understudy::worker::ops::chain_code
