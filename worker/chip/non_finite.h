// SPDX-License-Identifier: Apache-2.0
// The search for the operations that make NaN and infinities: looks at the operands and the result
// of every instruction, outside of bodies. A diagnosis: it reads all values once more. Call from
// the executor thread only. Equivalents: jax_debug_nans, torch.autograd.detect_anomaly.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <utility>

#include "configs/receipt/record/record.h"
#include "program/executable/executable.h"

namespace understudy::worker {

struct Execution;

struct NonFiniteCount {
  std::int64_t nans = 0, infinities = 0;
};
// Of dense elements. Zero for types without NaN and infinities.
NonFiniteCount count_non_finite(program::ElementType element, std::span<const std::byte> bytes);

class NonFiniteWatch {
 public:
  explicit NonFiniteWatch(configs::RecordWriter& record) : record_(record) {}

  void begin_step(std::int64_t step) { step_ = step; }
  // Around each instruction: it may write over its own operands.
  void before(const program::Instruction& instruction, const Execution& execution);
  void after(const program::Instruction& instruction, const Execution& execution);

 private:
  void note(const program::Instruction& instruction, bool is_nan, bool is_new, bool from_infinity);

  configs::RecordWriter& record_;
  std::int64_t step_ = 0, order_ = 0;
  NonFiniteCount operands_;  // of the instruction that runs
  // Operations that were noted, with "NaN", and whether as the origin.
  std::map<std::pair<std::uint32_t, bool>, bool> noted_;
};

}  // namespace understudy::worker
