// SPDX-License-Identifier: Apache-2.0
// The options of `understudy cache stress`. A value.
#pragma once

#include <string>
#include <vector>

#include "cache/stress_faults.h"
#include "configs/launch/stress_plan.h"
#include "launcher/pod/launch.h"

namespace CLI {
class App;
}

namespace understudy::launcher {

struct StressOptions {
  configs::StressPlan plan;
  cache::StressFaults faults;  // parsed from plan.faults by complete_plan()
  StartOptions start;
  std::vector<std::string> policies{"per-host"}, scenarios;
  std::string lock, directory, plot, receipt;
  bool compares = false;
  std::string compared;  // comma-separated; empty: all
  double compile_ms = 100, fs_delay_ms = 1;
  bool json = false, dry_run = false, no_receipt = false;
};

// `options` must outlive the app.
void declare_stress(CLI::App& app, StressOptions& options);

// Fills the plan except what needs a folder: its directory, and locks that were not named. *Throws*
// Error{usage}.
void complete_plan(StressOptions& options);

}  // namespace understudy::launcher
