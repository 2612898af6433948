// SPDX-License-Identifier: Apache-2.0
// One run: starts mpirun, watches the pod, determines the outcome, cleans up. Call from the main
// thread.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "configs/launch/inputs.h"
#include "configs/launch/profile/profile.h"
#include "configs/launch/run_plan.h"
#include "configs/launch/topology.h"
#include "configs/receipt/receipt.h"
#include "launcher/contract/checks.h"
#include "launcher/diagnose/op_locations.h"
#include "launcher/diagnose/outcome.h"
#include "launcher/options/run_deadline.h"
#include "launcher/pod/mpirun_command.h"
#include "launcher/pod/run_folder.h"

namespace understudy::launcher {

struct Console;
struct Environment;

// A launch: the command line of mpirun, and the plan with its contract.
struct Launch {
  configs::RunPlan plan;
  std::vector<std::string> words;
  std::vector<std::string> variables;  // of mpirun, "NAME=value"
  std::optional<RunDeadline> deadline;
  configs::LaunchInputs inputs;           // the source of all host environments
  configs::ReceiptLaunch receipt_launch;  // the launch section of the receipt
  std::string remark;  // note on shell variables that are not passed to the chips, or ""
  std::optional<Refusal> refusal;  // set if a contract check failed: nothing is started then
};

// Where and how workers are started.
struct StartOptions {
  std::string worker;    // empty: in the folder of this binary
  std::string hostfile;  // empty: this machine only
  std::vector<std::string> mpi_words;
  std::optional<configs::ResolvedProfile> profile = {};  // unset: the default one
  std::optional<RunDeadline> deadline = {};              // time limit of the run; unset: none
  std::vector<std::string> host_names = {};              // empty: made from the slice's name
};

// Collects the facts for starting `ranks` workers. `worker`: the binary beside understudy that they
// run, if the options name none. *Throws* Error{system} if mpirun or that binary is missing.
MpirunFacts mpirun_facts(const StartOptions& options, std::int64_t ranks,
                         const Environment& environment, RunFolder& folder,
                         const std::string& worker = "understudy-worker");

// Completes the plan with the contract digest and makes the command line. `program`: source text
// that the workers read; empty for a hosted pod. `others`: sources of the plan's other programs, in
// order.
Launch make_launch(configs::RunPlan plan, const configs::Slice& slice, const StartOptions& options,
                   std::string_view program, const std::vector<std::string>& others,
                   const Environment& environment, RunFolder& folder);

struct Finish {
  WatchedRun watched;
  Outcome outcome;
  std::string mpirun_output;
  std::string started_at;  // UTC
  double wall_seconds = 0;
  bool restarted = false;  // MPI_Init failed the first time
};

// Runs a launch to its end; restarts it once if MPI_Init fails. `ops`: source places for failures.
// `stop_requested` is polled; true ends the pod. `on_step` gets the step and the number of steps,
// instead of the progress line. *Throws* Error{system} if mpirun cannot be started.
Finish run_launch(
    const Launch& launch, const OpLocations& ops, const configs::Slice& slice,
    const RunFolder& folder, const Console& console,
    const std::function<bool()>& stop_requested = [] { return false; },
    const std::function<void(std::int64_t, std::int64_t)>& on_step = {});

// A unique name for a run: UTC time and the six letters of its folder; of a run whose folder could
// not be made, the pid.
std::string make_run_id(const RunFolder& folder);
std::string make_run_id_without_folder();
// UTC, "2026-01-31T12:00:00Z".
std::string utc_now();

}  // namespace understudy::launcher
