// SPDX-License-Identifier: Apache-2.0
// The life of one chip between the start and the end of MPI: it receives the plan, passes the gates
// one by one, and executes the commands of the run. Runs on the executor thread, over any
// Transport.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "collectives/fabric.h"
#include "configs/base/deadline.h"
#include "configs/launch/contract.h"
#include "configs/launch/inputs.h"
#include "configs/launch/run_plan.h"
#include "configs/receipt/record/record.h"
#include "worker/chip/chip.h"
#include "worker/chip/chip_lock.h"
#include "worker/chip/program_at_work.h"
#include "worker/commander.h"
#include "worker/gates/faults.h"
#include "worker/gates/gates.h"
#include "worker/gates/process_environment.h"
#include "worker/pod/control_channel.h"
#include "worker/pod/flight_recorder.h"
#include "worker/pod/memory.h"
#include "worker/pod/neighbours.h"
#include "worker/pod/worker_status.h"

namespace understudy::worker {

// What a session is given; everything outlives it.
struct SessionSetup {
  collectives::Transport& transport;
  configs::RecordWriter& record;
  WorkerStatus& worker_status;
  // Rank 0 alone reads plan, program and data in it; others have their records and sockets there.
  std::string run_dir;
  std::string mpi_version;
  Clock::time_point start;
  // Called once the memory of the pod is mapped: from then on peers can be watched.
  std::function<void(const configs::RunPlan&, const PodMemory&)> on_pod;
  collectives::Library* library = nullptr;  // null: no MPI behind the transport
  // What the process was started with; empty: what it has now.
  std::vector<std::string> environment = {};
  std::string record_dir = {};  // folder of the run's files on this machine; empty: run_dir
};

class Session {
 public:
  explicit Session(SessionSetup setup);
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  // From the plan to the final barrier. *Throws* the error of this rank.
  void run();

  // Appends the stragglers of collectives to the record, once; run() does it at a successful end.
  // From any thread once the pod's memory is mapped.
  void note_arrivals();
  // For the failure record; from any thread at any time.
  std::string op_name(std::int64_t ordinal) const { return at_work_.op_name(ordinal); }
  configs::Phase reached() const { return gates_.reached(); }
  // The rank that caused the failure, where this rank only learnt of it. After run().
  std::optional<Rank> culprit() const { return culprit_; }

 private:
  struct Gate;
  void receive_plan();
  void pass_gates();
  void check_contract();
  void record_start(const configs::Contract& contract, const configs::Variables& environment);
  void record_clocks(const std::vector<double>& skews);
  void freeze_environment();
  void guard_against_imports();
  void lock_chip();
  void start_runtime();
  void probe();
  void enable_spmd();
  void require_spmd(std::string_view what) const;
  void allow_tensors();
  void run_programs();
  void serve_host_process();
  collectives::Fabric fabric();
  CommanderSetup commander_setup();

  SessionSetup setup_;
  ControlChannel control_channel_;
  Gates gates_;
  ProgramAtWork at_work_;
  ProcessEnvironment process_environment_;
  configs::RunPlan plan_;
  std::optional<configs::LaunchInputs> inputs_;  // as this worker found them
  std::optional<Rank> culprit_;
  std::optional<GateFaults> faults_;
  double contract_arrival_seconds_ = 0;  // arrival at the contract gate, seconds by our clock
  std::optional<ChipLock> chip_lock_;
  std::shared_ptr<const std::string> program_;  // the plan's
  std::vector<std::string> other_programs_;     // in the plan's order
  const program::kernels::KernelTable* kernels_ = nullptr;
  std::unique_ptr<Mxu> mxu_;  // moved into the chip by start_runtime()
  std::unique_ptr<PodMemory> memory_;
  std::unique_ptr<Chip> chip_;
  collectives::PodLayout layout_;
  std::unique_ptr<Neighbours> neighbours_;
  std::unique_ptr<FlightRecorder> flight_recorder_;
  std::atomic<bool> arrivals_noted_{false};
  std::unique_ptr<Commander> commander_;
};

}  // namespace understudy::worker
