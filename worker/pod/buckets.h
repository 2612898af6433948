// SPDX-License-Identifier: Apache-2.0
// Which operands of a collective are combined into one array, and how they are packed. Equivalents:
// XLA's all-reduce combiner, DDP's gradient buckets. Pure values; call from the executor thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "program/executable/executable.h"
#include "worker/chip/execution.h"

namespace understudy::worker {

using Bucket = std::vector<std::size_t>;  // operands of an instruction, by index

// Combines the operands of at most kMaxCombinableOperandBytes each of one element type, where the
// reduction takes elements one by one; every other operand is alone. In the order of each bucket's
// first operand.
std::vector<Bucket> buckets_of(const program::Collective& collective,
                               const program::Instruction& instruction);

// Each operand alone. A ragged_all_to_all moves one operand; its other inputs are offsets and
// sizes.
std::vector<Bucket> one_by_one(const program::Collective& collective,
                               const program::Instruction& instruction);

// The program's operations that the operands come from, as ordinals.
std::vector<std::uint32_t> ops_of(const program::Collective& collective,
                                  const program::Instruction& instruction, const Bucket& bucket);

// The operands of a bucket, one behind the other.
class Packing {
 public:
  // `instruction` outlives it.
  Packing(const program::Instruction& instruction, const Bucket& bucket)
      : instruction_(instruction), bucket_(bucket) {}

  program::TensorType type() const;  // of the whole: one dimension
  // From the inputs into `packed`, which has type().bytes().
  void pack(const Execution& execution, std::span<std::byte> packed) const;
  // From `packed` into the outputs.
  void unpack(std::span<const std::byte> packed, Execution& execution) const;

 private:
  const program::Instruction& instruction_;
  const Bucket& bucket_;
};

}  // namespace understudy::worker
