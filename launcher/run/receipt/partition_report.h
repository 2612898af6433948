// SPDX-License-Identifier: Apache-2.0
// What the partitioner did to a program, for people: the collectives it inserted, its warnings, and
// the files of --dump-passes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "configs/launch/mesh_layout.h"
#include "configs/receipt/partition.h"
#include "launcher/run/plan_run.h"

namespace understudy::launcher {

struct Console;

// Says that a program was partitioned, with XLA's warnings; with `details` also the table of its
// collectives and the memory it needs per chip. Nothing for other programs.
void tell_partition(const Console& console, const LoadedProgram& program, bool details);

// "collectives of one chip: ..." and the memory, as lines.
std::string collectives_text(const LoadedProgram& program);

// For the receipt; nullopt of a program that was not partitioned.
std::optional<configs::PartitionSeen> partition_seen(const LoadedProgram& program);
// Where the axes of the program's mesh lie in the slice. `device_order`: none, or a valid one.
std::vector<configs::MeshAxisPlace> mesh_of(const LoadedProgram& program,
                                            const configs::Slice& slice,
                                            const std::vector<std::int64_t>& device_order);

// Writes to `folder`, which is created: given.mlir[bc] (the program as given, if it was
// partitioned), program.mlir[bc] (what the chips run), collectives.txt, executable.txt (the
// instructions), warnings.txt. *Throws* Error{system}.
void dump_program(const std::string& folder, const LoadedProgram& program);

}  // namespace understudy::launcher
