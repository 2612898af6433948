// SPDX-License-Identifier: Apache-2.0
// One run of a program, from its options to its receipt. Used by `understudy run` and by rungs of a
// rehearsal. Prints only notes and progress. Call from the main thread.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "configs/receipt/receipt.h"
#include "launcher/diagnose/outcome.h"
#include "launcher/options/run_options.h"
#include "launcher/pod/launch.h"
#include "launcher/run/compare.h"

namespace understudy::launcher {

struct Console;
struct Environment;

// The outcome of a run.
struct RunReport {
  int exit_code = 0;
  configs::Receipt receipt;
  std::string receipt_path;  // empty: no receipt was written
  std::string receipt_lost;  // the message if it could not be written
  std::vector<Comparison> comparisons;
  Outcome outcome;
  std::string metrics;  // in the format of torch_xla; empty unless requested
  // How the first step program differs from the main program; empty if all steps run the same.
  std::string difference;
  bool restarted = false;  // MPI_Init failed the first time
};

// The launch that would be started. Starts no process and leaves no file.
Launch plan_program(RunOptions options, const Environment& environment, const Console& console);

// Called from the main thread; each may be empty.
struct RunHooks {
  // Repeatedly, with the first step that not all chips have finished (from 0) and the number of
  // steps. If empty, the run shows its own progress line.
  std::function<void(std::int64_t, std::int64_t)> step = {};
  // Once, when the receipt is written and signals are still held.
  std::function<void(const RunReport&)> settled = {};
};

// *Throws* errors of the command line or the program. Every other failure is in the returned report
// and its receipt.
RunReport run_program(RunOptions options, const Environment& environment, const Console& console,
                      const RunHooks& hooks = {});

}  // namespace understudy::launcher
