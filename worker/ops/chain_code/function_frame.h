// SPDX-License-Identifier: Apache-2.0
// What the loop of a chain's function stands in: its frame, the registers that have addresses, and
// values that all iterations share. rbx has the present element, r12 their number, r15 the steps;
// addresses have the other registers that a call keeps, and all others where nothing is called. On
// the stack, from rsp up, are the room of calls, the addresses that have no register, and the slots
// of values.
#pragma once

#include <asmjit/x86.h>
#include <optional>
#include <utility>

#include "worker/ops/chain_code/body.h"
#include "worker/ops/chain_code/registers.h"

namespace understudy::worker::ops::chain_code {

namespace x86 = asmjit::x86;

class FunctionFrame final : public Transfers {
 public:
  // *Requires*: both outlive it.
  FunctionFrame(const Body& body, x86::Assembler& out)
      : body_(body), out_(out), registers_(std::in_place, body, *this) {}

  Assignment assign(std::size_t step) { return registers_->assign(step); }
  // Before a second copy of the steps: values that all share have the same places.
  void assign_again() { registers_.emplace(body_, *this); }
  void spill(Bank bank, std::uint32_t reg, std::uint32_t slot) override;
  void reload(Bank bank, std::uint32_t reg, std::uint32_t slot) override;
  x86::Vec vector(std::uint32_t reg) const;
  x86::Vec half_vector(std::uint32_t reg) const;
  x86::Mem slot_at(std::uint32_t slot) const;
  void enter_frame();
  void leave();
  // Whether iterations use parts of the lanes of a reduction by turns.
  bool takes_turns() const;
  void find_turn();  // of the present iteration
  // Before the first iteration: addresses and shared values, all or those that rows may change.
  void prepare();
  void prepare_row();
  x86::Mem rows() const;  // the third argument of the function
  // The mask of the lanes that masked stores change: a bit for each, all of them at first. Of AVX2:
  // the address of masks of the lanes that they keep, a byte for each.
  x86::Mem stored_lanes(std::size_t first = 0) const;
  x86::Mem pointer_at(std::size_t bytes) const;
  x86::Mem memory_at(const Memory& memory);
  // After an iteration: registers that are not fixed have no value.
  void store_sums();
  // What the next iteration has instead of a shared value.
  void carry(const MachineStep& step, const Assignment& assigned);

 private:
  std::size_t room_bytes() const;
  std::size_t addresses_bytes() const;
  x86::Mem saved_address(std::size_t number) const;
  x86::Mem strided_at(const Memory& memory);
  void load_address(std::size_t number);
  void make_shared(const Shared& shared);
  bool has_register(std::size_t address) const;
  x86::Mem sums_at(const Shared& shared);
  void load_vector(const Shared& shared);  // of other lanes
  void load_shared(Shared::From from, const x86::Gp& bits);
  void repeat_in_word(const x86::Gp& bits);  // a lane that is smaller than that

  const Body& body_;
  x86::Assembler& out_;
  std::optional<Registers> registers_;
};

}  // namespace understudy::worker::ops::chain_code
