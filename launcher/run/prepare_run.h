// SPDX-License-Identifier: Apache-2.0
// From options to a run that is ready to start: the program is read, the launch is planned, the
// inputs of the workers are written. Call from the main thread.
#pragma once

#include <vector>

#include "configs/launch/mesh_layout.h"
#include "configs/receipt/provenance.h"
#include "launcher/options/run_options.h"
#include "launcher/pod/launch.h"
#include "launcher/run/other_programs.h"
#include "launcher/run/plan_run.h"

namespace understudy::launcher {

struct Console;
struct Environment;
struct Fill;

// A run that is ready to start. Planning also copies the values of the profile into the options.
struct Planned {
  LoadedProgram program;
  configs::Slice slice;
  std::vector<configs::MeshAxisPlace> mesh;  // the axes of the program's mesh in the slice
  std::vector<OtherProgram> others;
  Launch launch;
  configs::Provenance provenance;
};

// Copies the values of the profile into the options. Starts no process. *Throws* errors of the
// command line and of the program.
Planned plan_in(RunFolder& folder, RunOptions& options, const Environment& environment,
                const Console& console);

// All inputs of the workers: tiles of the arguments, program texts, and the plan last. `arguments`:
// the global arrays.
void write_all(const RunFolder& folder, const Planned& planned,
               const std::vector<program::Array>& arguments, const Fill& fill);

}  // namespace understudy::launcher
