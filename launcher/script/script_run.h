// SPDX-License-Identifier: Apache-2.0
// A run of a user's script: workers for all chips of the slice, and one host process per host whose
// framework finds them through the PJRT plugin (docs/pjrt.md). From the options to the receipt.
// Call from the main thread.
#pragma once

#include "launcher/options/run_options.h"
#include "launcher/run/run_program.h"

namespace understudy::launcher {

// *Throws* errors of the command line; every other failure is in the report and its receipt.
RunReport run_script(RunOptions options, const Environment& environment, const Console& console);

}  // namespace understudy::launcher
