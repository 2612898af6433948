// SPDX-License-Identifier: Apache-2.0
// One rank of a stress run: supervises one contender, synchronises with the other ranks at the
// start and the end of each round, and reports to rank 0. MPI is idle while contenders work. Call
// from the main thread.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "configs/receipt/cache_stress.h"
#include "worker/pod/control_channel.h"
#include "worker/stress/fault_injector.h"
#include "worker/stress/fork_server.h"
#include "worker/stress/ledger.h"
#include "worker/stress/setup.h"
#include "worker/stress/slot.h"

namespace understudy::worker {

// The ranks and their machines.
struct StressPod {
  ControlChannel& control_channel;
  std::vector<bool> on_this_machine;  // by rank
  bool leads_machine = false;         // the lowest rank of this machine
  bool leads_mount = false;           // the lowest rank of those that see the same directory
  bool several_machines = false;
};
// Collective. Creates the plan's directory where it is missing, and a temporary file in it.
StressPod attach_pod(ControlChannel& control_channel, const configs::StressPlan& plan);

class Supervisor {
 public:
  // For the setup's discipline, which has that number in the plan. The references must outlive it.
  Supervisor(StressPod& pod, ForkServer& fork_server, const StressSetup& setup,
             std::int64_t discipline, ContenderMemory& memory, MachinePage& page);

  // Runs all rounds. Collective. Returns the outcome at rank 0, without prediction and diagnosis.
  configs::PolicyStress run();

 private:
  bool another_round(Clock::time_point begin);
  void round();
  void start();
  Clock::time_point agree_on_start();
  void supervise();
  void take_note_of_end(int status);
  void look_for_stuck();
  void finish();
  void settle_all();
  void clear();
  configs::PolicyStress report();
  void gather_numbers(configs::PolicyStress& stress);
  void gather_startups(configs::PolicyStress& stress, double& all);
  void gather_words(configs::PolicyStress& stress);

  StressPod& pod_;
  ForkServer& fork_server_;
  const StressSetup& setup_;
  const std::int64_t discipline_;
  ContenderMemory& memory_;
  MachinePage& page_;
  Contender contender_;
  FaultInjector fault_injector_;
  Ledger ledger_;  // of rank 0
  std::int64_t rounds_ = 0, killed_ = 0, stuck_ = 0;
  // What look_for_stuck() compares with: progress seen, and when it last changed.
  std::int64_t seen_progress_ = 0;
  Clock::time_point start_, last_progress_;
  std::vector<double> startups_;  // by round
  std::string trouble_;
};

}  // namespace understudy::worker
