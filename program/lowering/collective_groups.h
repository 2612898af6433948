// SPDX-License-Identifier: Apache-2.0
// replica_groups and source_target_pairs as written to the processes that they name (StableHLO
// specification, "Collective ops"), and the shared first and last steps of lowering a collective.
// Throw Error{input} at the operation.
#pragma once

#include <cstdint>
#include <vector>

#include "program/executable/group_mode.h"
#include "program/lowering/lowering.h"

namespace understudy::program::passes {

// The groups of `written`, rows of ids or axes of a mesh; padding (-1) is left out, and no row at
// all means everybody in one group.
std::vector<ProcessGroup> groups_of(const Lowering& lowering, const Operation& op,
                                    const Attribute* written, GroupMode mode);

// Kind and channel. Throws Error{unsupported} inside a region that runs per element.
Collective collective_of(const Lowering& lowering, const Operation& op, CollectiveKind kind);

// The same, with the groups of its attribute replica_groups. `reducing` kinds follow the rules of
// all_reduce for the mode, others those of all_to_all.
Collective grouped_collective(const Lowering& lowering, const Operation& op, CollectiveKind kind,
                              bool reducing);

// The region of a reducing collective; returns the operands in the element type that it takes.
Parts with_reducer(Lowering& lowering, const Operation& op, Collective& work, std::size_t count);

// Emits it, one output per input; outputs in the element types of the inputs.
Parts emit_collective(Lowering& lowering, const Operation& op, Collective work,
                      const Parts& inputs);
void bind_collective(Lowering& lowering, const Operation& op, const Parts& outputs);

}  // namespace understudy::program::passes
