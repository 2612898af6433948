// SPDX-License-Identifier: Apache-2.0
// The scalars of a loop that depend on nothing but constants: counters, and what is computed from
// them. The compiler runs a loop with these alone, to know where each iteration reads and writes.
// Equivalents: XLA's while-loop trip count and induction variable analyses.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <unordered_map>

#include "program/kernels/kernels.h"
#include "program/passes/draft.h"

namespace understudy::program::passes {

// Values of temporaries of one element, as far as they are known.
class ScalarValues {
 public:
  explicit ScalarValues(const Draft& draft)
      // The portable kernels, on every machine: bits are equal for all instruction sets anyway.
      : draft_(draft), kernels_(kernels::select("portable")) {}

  // What the instruction writes is known afterwards, or not.
  void run(const Instruction& instruction);
  // An integer or a pred.
  std::optional<std::int64_t> integer(const Operand& operand) const;

 private:
  using Value = std::array<std::byte, 16>;
  const std::byte* bytes_of(const Operand& operand) const;
  bool compute(const Instruction& instruction, std::byte* out) const;

  const Draft& draft_;
  const kernels::KernelTable& kernels_;
  std::unordered_map<std::uint32_t, Value> known_;
};

// Runs the loop with the scalars alone and calls visit(instruction, values) before each instruction
// of the body, with the values at that point. False where the condition is unknown once, or the
// loop is too long; what was visited then says nothing.
using LoopVisitor = std::function<void(const Instruction&, const ScalarValues&)>;
bool follow_loop(const While& loop, ScalarValues values, const LoopVisitor& visit);

}  // namespace understudy::program::passes
