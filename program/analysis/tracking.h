// SPDX-License-Identifier: Apache-2.0
// What an instruction makes of the influences and known numbers of its operands. A selection by a
// known predicate, a product with a known zero and a branch by a known index keep out the data of
// the side that is not taken; the slice of a gathered value has the data of the chips it is of.
// Thread-compatible.
#pragma once

#include <map>
#include <span>
#include <utility>
#include <vector>

#include "program/analysis/influence.h"
#include "program/analysis/node.h"
#include "program/passes/draft.h"

namespace understudy::program::analysis {

class Tracking {
 public:
  Tracking(const passes::Draft& draft, const Interface& interface);

  Influences& influences() { return influences_; }
  Influences take_influences() { return std::move(influences_); }  // call last

  // The first of these inputs are the instruction's own operands, in order. `one_by_one`: output
  // `output` depends on input 0 of the list alone, as that of a collective.
  Track after(const Instruction& instruction, std::span<const NodePointer> inputs,
              std::size_t output, bool one_by_one);
  // A value that may be any of these, as far as they are not null.
  Track any_of(std::span<const NodePointer> nodes);
  Track either(const Track& a, const Track& b);
  // The value of branch min(index, last), where every process takes its own; kept out where the
  // index is known.
  Track chosen(NodePointer index, bool is_predicate, std::span<const NodePointer> by_branch);
  Track unknown() const { return {.influence = Influences::kAll}; }
  Track of_argument(std::size_t argument) const {
    return {.influence = influences_.of_argument(argument)};
  }

 private:
  using Id = Influences::Id;
  Id read(const Operand& operand, NodePointer node, std::int64_t first, std::int64_t last);
  Id read(const Operand& operand, NodePointer node);
  Id mixed(const Instruction& instruction, std::span<const NodePointer> inputs,
           const std::vector<Known>& known);
  Id kept_by(const Instruction& instruction, std::span<const NodePointer> inputs,
             const std::vector<Known>& known);
  Id sliced(const Instruction& instruction, std::span<const NodePointer> inputs,
            const std::vector<Known>& known);
  Track collected(const Instruction& instruction, const Collective& collective, Id in);
  const std::vector<std::vector<std::size_t>>& sources(const Instruction& instruction,
                                                       const Collective& collective);

  const passes::Draft& draft_;
  const Interface& interface_;
  Influences influences_;
  std::size_t processes_;
  bool on_;  // there are several processes
  std::map<const Instruction*, std::vector<std::vector<std::size_t>>> sources_;
  std::map<std::pair<const Instruction*, Id>, Track> collected_;
};

}  // namespace understudy::program::analysis
