// SPDX-License-Identifier: Apache-2.0
// Temporaries as values: which are written once, and what may be computed elsewhere or not at all.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "program/passes/draft.h"

namespace understudy::program::passes {

// Where one list of instructions accesses a temporary: positions, ascending; accesses of nested
// code count at their place.
struct Accesses {
  std::vector<std::size_t> writes, reads;
};
// Of each temporary, by its number.
std::map<std::uint32_t, Accesses> accesses_in(const Code& code);

// The writes of each temporary in a whole draft. What a While carries counts as written by it.
class Writes {
 public:
  explicit Writes(const Draft& draft);

  // One instruction writes the whole temporary: it holds the same value wherever it is read.
  bool is_value(const Operand& written) const;
  // Such a value, an argument or a constant.
  bool is_stable(const Buffer& read) const;
  // Whether only these accesses of one list name a temporary.
  bool are_all(std::uint32_t temporary, const Accesses& accesses) const {
    return uses(temporary) == accesses.writes.size() + accesses.reads.size();
  }
  // How many operands of the program name a temporary.
  std::size_t uses(std::uint32_t temporary) const { return counts_.at(temporary).uses; }
  // How many of them write it.
  std::size_t writes(std::uint32_t temporary) const { return counts_.at(temporary).writes; }

 private:
  struct Counts {
    std::size_t uses = 0, writes = 0;
  };
  const std::vector<std::uint64_t>& bytes_;
  std::unordered_map<std::uint32_t, Counts> counts_;
};

// The temporaries that an instruction writes, nested code included.
std::unordered_set<std::uint32_t> written_by(const Instruction& instruction);

// It runs from start to end where it stands, so that its results may be written elsewhere.
bool runs_where_it_stands(const Instruction& instruction);

// A function of its inputs alone: no effect, no control flow, no random state of the launch, no
// body that reads values from outside.
bool is_function_of_inputs(const Instruction& instruction);

// What other passes may compute earlier, or not at all: a function whose results have no more bytes
// than its inputs. Larger results are cheap to make where they are used, and dear to keep.
bool may_move(const Instruction& instruction);

// Calls apply(buffer, value) for a temporary that `renamed` has a value for.
template <class Renamed, class Apply>
void rename_temporaries(Operand& operand, const Renamed& renamed, const Apply& apply) {
  if (operand.at.space != Space::temporary) return;
  if (const auto found = renamed.find(operand.at.index); found != renamed.end())
    apply(operand.at, found->second);
}
// The same for all operands of an instruction.
template <class Renamed, class Apply>
void rename_temporaries(Instruction& instruction, const Renamed& renamed, const Apply& apply) {
  if (renamed.empty()) return;
  visit_operands(instruction,
                 [&](Operand& operand, Access) { rename_temporaries(operand, renamed, apply); });
}

}  // namespace understudy::program::passes
