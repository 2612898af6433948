// SPDX-License-Identifier: Apache-2.0
// Temporaries as values: which are written once, and what may be computed elsewhere or not at all.
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <unordered_set>

#include "program/passes/draft.h"

namespace understudy::program::passes {

// The writes of each temporary in a whole draft. What a While carries counts as written by it.
class Writes {
 public:
  explicit Writes(const Draft& draft);

  // One instruction writes the whole temporary: it is a value, the same wherever it is read.
  bool is_value(const Operand& written) const;
  // A value, an argument or a constant.
  bool is_stable(const Buffer& read) const;

 private:
  const std::vector<std::uint64_t>& bytes_;
  std::unordered_map<std::uint32_t, std::size_t> writes_;
};

// The temporaries that an instruction writes, nested code included.
std::unordered_set<std::uint32_t> written_by(const Instruction& instruction);

// A function of its operands alone: no effect, no control flow, no random state of the launch.
bool is_pure(const Instruction& instruction);

// The results have more bytes than the operands: cheap to make where they are used, dear to keep.
bool is_inflating(const Instruction& instruction);

}  // namespace understudy::program::passes
