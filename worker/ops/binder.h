// SPDX-License-Identifier: Apache-2.0
// The state of binding one executable, and one function per family of instructions. Each returns
// false where the instruction has no quicker form; it then runs as a whole by its function in
// worker/chip/ops.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "program/executable/executable.h"
#include "program/kernels/kernel_table.h"
#include "worker/chip/bound_code.h"
#include "worker/ops/fused/fused.h"

namespace understudy::worker::ops {

class Binder {
 public:
  Binder(BoundCode& code, const program::kernels::KernelTable& kernels)
      : code_(code), kernels_(kernels) {}

  // The steps of a list, kept in the code.
  BoundSteps* list(const program::Code& code);

 private:
  using Instruction = program::Instruction;
  using Steps = std::vector<BoundStep>;

  // Appends the steps of one instruction.
  void add(const Instruction& instruction, Steps& steps);
  template <class Work>
  bool bind(const Work& /*work*/, const Instruction& /*instruction*/, Steps& /*steps*/) {
    return false;
  }
  bool bind(const program::Unary& work, const Instruction& instruction, Steps& steps);
  bool bind(const program::Binary& work, const Instruction& instruction, Steps& steps);
  bool bind(const program::Compare& work, const Instruction& instruction, Steps& steps);
  bool bind(const program::Select& work, const Instruction& instruction, Steps& steps);
  bool bind(const program::Clamp& work, const Instruction& instruction, Steps& steps);
  bool bind(const program::BitcastConvert& work, const Instruction& instruction, Steps& steps);
  bool bind(const program::Convert& work, const Instruction& instruction, Steps& steps);
  bool bind(const program::Fill& work, const Instruction& instruction, Steps& steps);
  bool bind(const program::StridedCopy& work, const Instruction& instruction, Steps& steps);
  bool bind(const program::DynamicSlice& work, const Instruction& instruction, Steps& steps);
  bool bind(const program::DynamicUpdateSlice& work, const Instruction& instruction, Steps& steps);
  bool bind(const program::Reduce& work, const Instruction& instruction, Steps& steps);
  bool bind(const program::Fused& work, const Instruction& instruction, Steps& steps);
  bool bind(const program::Dot& work, const Instruction& instruction, Steps& steps);
  bool bind(const program::Collective& work, const Instruction& instruction, Steps& steps);
  bool bind(const program::While& work, const Instruction& instruction, Steps& steps);
  bool bind(const program::Case& work, const Instruction& instruction, Steps& steps);

  BoundPlace place_of(const program::Buffer& buffer) const;
  // A step whose operands are the instruction's first three and its first output; without places
  // where one of them is in a slice.
  BoundStep step_of(const Instruction& instruction) const;
  // A window of an array whose starts are operands; false where it is no dense run.
  bool bind_window(const program::TensorType& whole, const program::Shape& window,
                   std::span<const program::Operand> starts, std::size_t first, BoundStep& step);
  // VMEM that is kept for the whole launch; nullopt where too much is taken already.
  std::optional<std::size_t> take_scratch(std::size_t bytes);
  // False where the values of the tile find no room. `are_few`: the steps are quicker than a plan.
  bool bind_chain(const program::Fused& work, const Instruction& instruction, bool are_few,
                  Steps& steps);
  bool bind_tile(const program::Fused& work, const Instruction& instruction, std::size_t lanes,
                 Steps& steps);

  BoundCode& code_;
  const program::kernels::KernelTable& kernels_;
  int loops_ = 0;               // around the present list
  std::size_t tile_place_ = 0;  // of the values of tiles, in the scratch
  std::size_t tile_bytes_ = 0;
};

// False for a scalar that an instruction repeats.
bool same_counts(const program::Instruction& instruction);

// Whether an operand has its address only once a LocateSlice has run. Such instructions ask the
// Execution for addresses.
bool uses_slices(const program::Instruction& instruction);

BoundPlace bound_place(const program::Buffer& buffer, const program::Executable& executable);

// Functions for single elements, with the bits of the kernels; nullptr where there is none.
BoundFunction scalar_function(program::BinaryOp op, program::ElementType type);
BoundFunction scalar_compare(program::Direction direction, program::ElementType type);
BoundFunction scalar_select(std::size_t element_bytes);
// Copies `count` bytes; quicker ones for the sizes of one element.
BoundFunction copy_function(std::size_t bytes);

// The functions of steps that run kernels over `count` elements.
void run_one(const LinkedStep& step, Execution& execution);
void run_two(const LinkedStep& step, Execution& execution);
void run_choose(const LinkedStep& step, Execution& execution);
// One element `count` times.
void run_fill(const LinkedStep& step, Execution& execution);

}  // namespace understudy::worker::ops
