// SPDX-License-Identifier: Apache-2.0
// One run of a program, from its options to its receipt: what the verb `run` does, and a rung of a
// rehearsal. Prints nothing but remarks of the way. Call from the main thread.
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

// What became of it, with what the launcher made of it.
struct RunReport {
  int exit_code = 0;
  configs::Receipt receipt;
  std::string receipt_path;  // empty: none was written
  std::string receipt_lost;  // why one that was wanted is not there, and what it says
  std::vector<Comparison> comparisons;
  Outcome outcome;
  std::string metrics;  // in torch_xla's form; empty unless asked for
  // Of the first program of some steps from the run's own, in words; empty: all run the same.
  std::string difference;
  bool restarted = false;  // MPI did not come up the first time
};

// What would be started, and nothing else: no process, no file that stays.
Launch plan_program(RunOptions options, const Environment& environment, const Console& console);

// `on_step` hears of the first step that not all chips have finished, from 0, and of their number,
// again and again; unset, the run shows its own progress. *Throws* what is wrong with the command
// line or the program; whatever else happens, there is a receipt, unless the options ask for none.
RunReport run_program(RunOptions options, const Environment& environment, const Console& console,
                      const std::function<void(std::int64_t, std::int64_t)>& on_step = {});

}  // namespace understudy::launcher
