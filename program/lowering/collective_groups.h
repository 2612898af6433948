// SPDX-License-Identifier: Apache-2.0
// Shared first and last steps of lowering a collective. Throw Error{input} at the operation.
#pragma once

#include <vector>

#include "program/lowering/lowering.h"

namespace understudy::program::passes {

// Kind, channel and mode. `reducing` kinds follow the rules of all_reduce, others those of
// all_to_all (StableHLO spec). Throws Error{unsupported} inside a region that runs per element.
Collective start_collective(Lowering& lowering, const Operation& op, CollectiveKind kind,
                            bool reducing);

// replica_groups, as rows of ids or as axes of a mesh, without padding; no row at all means
// everybody in one group.
std::vector<Shape> groups_of(const Lowering& lowering, const Operation& op, const Attribute* groups,
                             GroupMode mode);

// The groups as process numbers (replica * partitions + partition), members in their order.
std::vector<Shape> processes_of(const Interface& interface, GroupMode mode,
                                const std::vector<Shape>& groups);

// The region of a reducing collective; returns the operands in the element type that it takes.
Parts with_reducer(Lowering& lowering, const Operation& op, Collective& work, std::size_t count);

// Emits it, one output per input; outputs in the element types of the inputs.
Parts emit_collective(Lowering& lowering, const Operation& op, Collective work,
                      const Parts& inputs);
void bind_collective(Lowering& lowering, const Operation& op, const Parts& outputs);

}  // namespace understudy::program::passes
