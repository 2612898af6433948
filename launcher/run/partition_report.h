// SPDX-License-Identifier: Apache-2.0
// What the partitioner did to a program, for people: the collectives it inserted, its warnings, and
// the files of --dump-passes.
#pragma once

#include <string>

#include "launcher/run/plan_run.h"

namespace understudy::launcher {

struct Console;

// Says that a program was partitioned, with XLA's warnings; with `details` also the table of its
// collectives and the memory it needs per chip. Nothing for other programs.
void tell_partition(const Console& console, const LoadedProgram& program, bool details);

// "collectives of one chip: ..." and the memory, as lines.
std::string collectives_text(const LoadedProgram& program);

// Writes to `folder`, which is created: given.mlir[bc] (the program as given, if it was
// partitioned), program.mlir[bc] (what the chips run), collectives.txt, executable.txt (the
// instructions), warnings.txt. *Throws* Error{system}.
void dump_program(const std::string& folder, const LoadedProgram& program);

}  // namespace understudy::launcher
