// SPDX-License-Identifier: Apache-2.0
// What the forms of steps write machine code with: the registers and memory of slots, and code that
// rarely runs. Scalars are in VEX form, so that results need no copy of an operand; a processor
// that is given machine code has AVX2. Owns nothing but the list of code that rarely runs.
#pragma once

#include <asmjit/x86.h>
#include <functional>
#include <optional>
#include <vector>

#include "worker/ops/machine_code/loop_graph.h"

namespace understudy::worker::ops::machine {

namespace x86 = asmjit::x86;

// Flags that a comparison sets. Of floats, equality also needs the parity, which says NaN.
struct Condition {
  enum class Parity : std::uint8_t { ignored, clear_too, or_set };
  x86::CondCode code = x86::CondCode::kNZ;
  Parity parity = Parity::ignored;
};

class Emitter {
 public:
  Emitter(x86::Compiler& compiler, const LoopGraph& graph);

  x86::Compiler& cc;

  // ---- integers: the bits of an element, the others of its register are zero
  x86::Gp whole(const Value& value, Kind kind);
  // A register, or a constant of up to 32 bits.
  asmjit::Operand whole_or_constant(const Value& value, Kind kind);
  // In 32 or 64 bits: signed elements that are shorter are extended by their sign.
  x86::Gp extended(const Value& value, program::ElementType type);
  x86::Gp extended_by_sign(const Value& value, Kind kind);
  x86::Gp fresh_whole(Kind kind) { return kind == Kind::quad ? cc.newGpq() : cc.newGpd(); }
  // The register for a result that is written by the last instruction that reads an operand.
  x86::Gp whole_target(int slot);
  // For one that is written while operands but `allowed` are still to be read.
  x86::Gp whole_result(const Simple& step, std::optional<std::size_t> allowed = std::nullopt);
  // Cuts a result to the bits of a shorter element.
  void cut(const x86::Gp& reg, Kind kind);
  void put(int slot, const x86::Gp& reg);

  // ---- floats
  // `settled`: as it would be in memory; else a NaN may have any pattern.
  x86::Xmm number(const Value& value, Kind kind, bool settled);
  // The last operand of an instruction, whose NaN may have any pattern.
  asmjit::Operand number_or_memory(const Value& value, Kind kind);
  x86::Xmm fresh_number(Kind kind) { return kind == Kind::f32 ? cc.newXmmSs() : cc.newXmmSd(); }
  x86::Xmm number_target(int slot);
  // `settled` false: the result may be a NaN of any pattern, which becomes the one pattern where it
  // could be seen (docs/numerics.md).
  void put(int slot, const x86::Xmm& reg, bool settled);
  void settle(const x86::Xmm& reg, Kind kind);
  // Settles what is read beyond the present segment; changes flags.
  void settle_needed();
  // At the end of a segment, where nothing but settled values is read any more.
  void end_segment();
  void make_nan(const x86::Xmm& reg, Kind kind);
  // Sixteen bytes of a pattern.
  x86::Mem pattern(std::uint64_t bits, Kind kind);

  // ---- comparisons
  void postpone(const Simple& compare) { postponed_[slot_number(compare)] = &compare; }
  // The comparison behind a pred; nullptr: it is a value in its slot.
  const Simple* postponed(const Value& pred) const;
  Condition compare(const Simple& compare);
  Condition test(const Value& pred);

  // ---- memory
  // Loads the bases of the launch, so that memory can be reached from here on.
  void take_bases(const x86::Gp& bases);
  x86::Mem memory(const BoundPlace& place, Kind kind);
  x86::Mem memory_at(const Range& array, const x86::Gp& offset, std::uint32_t shift,
                     std::int32_t displacement, Kind kind);
  void load(int slot);
  void store(int slot);
  // An element of an array: to memory, or from it.
  void move_element(const x86::Mem& at, const Value& element, Kind kind, bool to_memory);
  const Slot& slot(int number) const { return graph_.slots[static_cast<std::size_t>(number)]; }

  // Code after the end of the function: a label to jump to.
  asmjit::Label rarely(std::function<void()> code);
  void finish_rare();

 private:
  static std::size_t slot_number(const Simple& step) { return static_cast<std::size_t>(step.out); }
  bool reads_other(const Simple& step, std::optional<std::size_t> allowed) const;
  Condition compare_floats(const Simple& compare);

  const LoopGraph& graph_;
  std::vector<x86::Gp> bases_;
  std::vector<x86::Gp> whole_;            // by slot
  std::vector<x86::Xmm> number_;          // by slot
  std::vector<bool> unsettled_;           // by slot
  std::vector<const Simple*> postponed_;  // by slot
  struct Rare {
    asmjit::Label label;
    std::function<void()> code;
  };
  std::vector<Rare> rare_;
};

// Element moves by kind.
x86::Mem sized(x86::Mem memory, Kind kind);
void load_whole(x86::Compiler& cc, const x86::Gp& to, const x86::Mem& from, Kind kind);
void store_whole(x86::Compiler& cc, const x86::Mem& to, const x86::Gp& from, Kind kind);
void load_number(x86::Compiler& cc, const x86::Xmm& to, const x86::Mem& from, Kind kind);
void store_number(x86::Compiler& cc, const x86::Mem& to, const x86::Xmm& from, Kind kind);

}  // namespace understudy::worker::ops::machine
