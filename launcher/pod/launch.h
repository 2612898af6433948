// SPDX-License-Identifier: Apache-2.0
// One run from the argument vector to the receipt: starts mpirun, watches, decides, leaves nothing
// behind. Call from the main thread.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "configs/launch/inputs.h"
#include "configs/launch/profile.h"
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

// What is started: the words for mpirun, and the plan with its contract.
struct Launch {
  configs::RunPlan plan;
  std::vector<std::string> words;
  std::vector<std::string> variables;  // of mpirun, "NAME=value"
  std::optional<RunDeadline> deadline;
  configs::LaunchInputs inputs;    // what the environments of the hosts are made of
  configs::ReceiptLaunch told;     // the same for the receipt, with what became of the shell's
  std::string remark;              // on variables of the shell that do not reach the chips, or ""
  std::optional<Refusal> refusal;  // what is wrong with it: it then ends before it begins
};

// Where and how workers are started.
struct StartOptions {
  std::string worker;    // empty: beside ourselves
  std::string hostfile;  // empty: this machine only
  std::vector<std::string> mpi_words;
  std::optional<configs::ResolvedProfile> profile = {};  // unset: the default one
  std::optional<RunDeadline> deadline = {};              // of all that is started; unset: none
};

// How so many ranks are started; the words for each of them are its own folder. `worker`: the
// binary beside understudy that they run, where the options name none. *Throws* Error{system}
// where there is no mpirun or no such binary.
MpirunFacts mpirun_facts(const StartOptions& options, std::int64_t ranks,
                         const Environment& environment, RunFolder& folder,
                         const std::string& worker = "understudy-worker");

// Completes the plan with the contract's digest and makes the argument vector. `program` is the
// source that the workers will read; empty where a host process hands it to them. `others`: the
// sources of the plan's other programs, in its order.
Launch make_launch(configs::RunPlan plan, const configs::Slice& slice, const StartOptions& options,
                   std::string_view program, const std::vector<std::string>& others,
                   const Environment& environment, RunFolder& folder);

struct Finish {
  Watched watched;
  Outcome outcome;
  std::string mpirun_output;
  std::string started_at;  // UTC
  double wall_seconds = 0;
  bool restarted = false;  // MPI did not come up the first time
};

// Runs it to its end, where MPI does not come up a second time. `ops` names the places of failures.
// `given_up` is asked again and again: true ends the pod. `on_step` hears of the step and of
// their number in place of the line that a terminal gets. *Throws* Error{system} where mpirun
// cannot be started.
Finish run_launch(
    const Launch& launch, const OpLocations& ops, const configs::Slice& slice,
    const RunFolder& folder, const Console& console,
    const std::function<bool()>& given_up = [] { return false; },
    const std::function<void(std::int64_t, std::int64_t)>& on_step = {});

// A name for a run: UTC time to the second and six letters.
std::string make_run_id(const RunFolder& folder);
// UTC, "2026-01-31T12:00:00Z".
std::string utc_now();

}  // namespace understudy::launcher
