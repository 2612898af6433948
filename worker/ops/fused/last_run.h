// SPDX-License-Identifier: Apache-2.0
// The last run of a loop that is one chain over one tile: in a loop of the program its operands are
// mostly where they were, and then the call of its machine code is all that there is to do. Call
// from one thread at a time.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "program/executable/executable.h"
#include "program/kernels/chain/chain_kernels.h"
#include "program/kernels/kernel_table.h"
#include "worker/chip/execution.h"
#include "worker/ops/chain_code/chain_code.h"

namespace understudy::worker::ops {

// Whether a loop has less than a piece of elements, but whole vectors, and its chains may become
// machine code for that.
bool runs_short_chains(const program::Fused& work, const program::kernels::KernelTable& kernels);

class LastRun {
 public:
  // Runs the machine code of the last run where all operands have its addresses.
  bool run_again(const program::Instruction& instruction, Execution& execution) const {
    if (code_ == nullptr) return false;
    const std::byte* const* at = addresses_.data();
    for (const program::Operand& input : instruction.inputs)
      if (*at++ != execution.address(input.at)) return false;
    for (const program::Operand& output : instruction.outputs)
      if (*at++ != execution.address(output.at)) return false;
    ++execution.chains.again;
    code_(steps_.data(), elements_, 1);
    return true;
  }
  // After a run over `elements` with `steps` of a chain that has machine code. Keeps nothing where
  // that reads the tile, stores past the caches, or leaves lanes beyond whole iterations.
  void keep(const ChainCode& code, const ChainRun& chain,
            std::span<const program::kernels::ChainStep> steps, std::size_t elements,
            const program::Instruction& instruction, Execution& execution);

  // Whether there is machine code that cannot be kept.
  bool is_refused() const { return is_refused_; }

 private:
  ChainMachineCode code_ = nullptr;
  bool is_refused_ = false;
  std::size_t elements_ = 0;
  mutable std::vector<program::kernels::ChainStep> steps_;
  std::vector<const std::byte*> addresses_;  // of inputs, then of outputs
};

}  // namespace understudy::worker::ops
