// SPDX-License-Identifier: Apache-2.0
// The gates of a session, one by one (docs/architecture.md).
#include <algorithm>
#include <array>
#include <charconv>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include "configs/base/diagnosis_id.h"
#include "configs/base/error.h"
#include "configs/base/procfs.h"
#include "configs/base/version.h"
#include "configs/launch/fault.h"
#include "configs/launch/shell_variables.h"
#include "worker/gates/build_identity.h"
#include "worker/gates/contract.h"
#include "worker/gates/live_probe.h"
#include "worker/pod/segment.h"
#include "worker/pod/sync_point.h"
#include "worker/session.h"

namespace understudy::worker {
namespace {

using configs::FaultKind;
using configs::Phase;

// libtpu's device stays busy for up to half a minute after its process was killed; wait at most
// twice that. A wait shorter than kLongWait is not worth reporting.
constexpr Seconds kChipPatience{60.0}, kLongWait{0.04};

}  // namespace

// The gates in their order, each with the name of its line in the record.
struct Session::Gate {
  std::string_view name;
  void (Session::*pass)();
};

void Session::pass_gates() {
  static constexpr std::array<Gate, 8> kGates = {{
      {"contract checked", &Session::check_contract},
      {"environment frozen", &Session::freeze_environment},
      {"import_guard", &Session::guard_against_imports},
      {"chip_lock", &Session::lock_chip},
      {"runtime initialised", &Session::start_runtime},
      {"live_probe", &Session::probe},
      {"SPMD enabled", &Session::enable_spmd},
      {"tensors allowed", &Session::allow_tensors},
  }};
  for (const Gate& gate : kGates) {
    try {
      (this->*gate.pass)();
    } catch (const Error& error) {
      gates_.fail(gate.name, error.message());
      throw;
    }
  }
}

void Session::check_contract() {
  const configs::Variables environment = configs::variables_of(process_environment_.environment);
  if (const auto launch = environment.find(std::string(configs::kLaunchVariable));
      launch != environment.end())
    inputs_ = configs::read_launch_inputs(launch->second, launch->first);
  const configs::Contract contract = configs::contract_of(
      {plan_, inputs_, configs::digest_of_programs(plan_, *program_, other_programs_),
       environment});
  // The instruction set is chosen once per process and is part of the record: results are
  // reproducible per instruction set.
  kernels_ = &program::kernels::select(process_environment_.isa);
  mxu_ = std::make_unique<Mxu>(*kernels_);
  record_start(contract, environment);
  // The contract is exchanged between this moment and the next reading of the clocks, so every
  // correct clock falls into the time that the exchange took on rank 0.
  contract_arrival_seconds_ = wall_clock() + faults_->clock_offset();
  // Library versions and the build id are unknown to the launcher; all ranks must agree on them.
  ContractGate gate(control_channel_, plan_, process_environment_.machine,
                    inputs_ ? &*inputs_ : nullptr);
  try {
    gate.check(contract, {{"binary", {{"build_id", build_id()}}},
                          {"libraries", library_versions(setup_.mpi_version)}});
  } catch (const Error&) {
    culprit_ = gate.culprit();
    throw;
  }
  const std::string clocks = compare_clocks(
      control_channel_, plan_, contract_arrival_seconds_, wall_clock() + faults_->clock_offset(),
      culprit_, [this](const std::vector<double>& skews) { record_clocks(skews); });
  gates_.note("clocks", clocks);
  gates_.pass(Phase::contract_checked, digest_of(contract));
}

void Session::record_clocks(const std::vector<double>& skews) {
  constexpr double kMilliseconds = 1e3;
  configs::ClocksSeen seen;
  for (const double seconds : skews) seen.skew_ms.push_back(seconds * kMilliseconds);
  setup_.record.append(seen);
}

void Session::record_start(const configs::Contract& contract,
                           const configs::Variables& environment) {
  configs::Started started;
  const ProcessIdentity self = this_process_identity();
  started.pid = self.pid;
  started.pid_start = self.start;
  started.machine = process_environment_.machine;
  started.host = plan_.host_of[index_of(control_channel_.rank())].value;
  started.cpu = process_environment_.cpu;
  started.isa = kernels_->isa;
  started.mxu = mxu_->name();
  started.mpi = setup_.mpi_version;
  started.version = version();
  started.revision = revision();
  // Digests of what this worker computed, not copies from the plan: the receipt compares the two.
  started.contract_digest = digest_of(contract);
  for (const configs::ContractSection& section : contract.sections) {
    if (section.name == "environment") started.environment_digest = digest_of(section);
    if (section.name == "program") started.program_digest = digest_of(section);
  }
  // What the environment says, not what the plan says: the receipt shows both.
  if (const auto id = environment.find("TPU_WORKER_ID"); id != environment.end()) {
    std::int64_t number = 0;
    const char* const last = id->second.data() + id->second.size();
    const auto [end, code] = std::from_chars(id->second.data(), last, number);
    if (code == std::errc() && end == last) started.worker_id = number;
  }
  setup_.record.append(started);
}

// From here on no code of this process may change the environment: a variable set by code that runs
// at import is too late for the runtime.
void Session::freeze_environment() {
  // The fault "late-env" acts between the contract and the check, as code run at import would.
  faults_->change_environment();
  check_frozen(process_environment_, environment_now());
  gates_.pass(Phase::environment_frozen,
              fmt::format("{} variables", process_environment_.environment.size()));
}

void Session::guard_against_imports() {
  if (!inputs_) return;  // started by hand: no emulated hosts
  if (faults_->strikes(FaultKind::second_framework)) faults_->load_second_framework(setup_.run_dir);
  guard_imports(inputs_->profile.launch.multiple_libtpu);
  gates_.note("import_guard", "no other framework's runtime in this process");
}

// The chip is this process's alone.
void Session::lock_chip() {
  if (!inputs_) return;
  const std::int64_t rank = control_channel_.rank().value;
  const HostId host = plan_.host_of[index_of(control_channel_.rank())];
  // Lock files are per emulated host and machine; `rank % chips_per_host` is the chip's number on
  // it.
  const ChipPlace place = chip_place(setup_.record_dir.empty() ? setup_.run_dir : setup_.record_dir,
                                     host, rank % inputs_->chips_per_host());
  chip_lock_.emplace(place, host, std::min(kChipPatience, Seconds(plan_.timeout_seconds)));
  gates_.note(
      "chip_lock",
      chip_lock_->waited() < kLongWait
          ? "locked by this process"
          : fmt::format("locked by this process after {:.1f} s: the device was busy with an "
                        "earlier process",
                        chip_lock_->waited().count()));
}

void Session::start_runtime() {
  // Collective. Everything after it may look at peers: the status cell moves into the segment and
  // the main thread starts to watch.
  memory_ = std::make_unique<PodMemory>(control_channel_, plan_.hbm_bytes, plan_.run_id,
                                        SegmentAccess::automatic, true);
  flight_recorder_ = std::make_unique<FlightRecorder>(setup_.record, *memory_, plan_);
  setup_.worker_status.attach(memory_->own().header());
  if (setup_.on_pod) setup_.on_pod(plan_, *memory_);
  chip_ = std::make_unique<Chip>(memory_->own().hbm(),
                                 faults_->of_chip().vmem_limit.value_or(plan_.vmem_bytes),
                                 std::move(mxu_), *kernels_);
  std::size_t local = 0;
  for (std::size_t rank = 0; rank < memory_->size(); ++rank) {
    local += memory_->of(Rank(static_cast<std::int64_t>(rank))) != nullptr ? 1U : 0U;
  }
  gates_.pass(Phase::runtime_initialised,
              fmt::format("{} of {} chips on this machine", local, memory_->size()));
}

void Session::probe() {
  DeviceReport own = probe_device(*chip_, memory_->own().hbm(), plan_, control_channel_.rank());
  faults_->change_report(own);
  setup_.record.append(configs::Probed{own.kind, own.at});
  gates_.note("live_probe", compare_devices(control_channel_, own, plan_,
                                            inputs_ ? &*inputs_ : nullptr, culprit_));
}

void Session::enable_spmd() {
  // The fault "late-spmd": a program that creates a tensor before SPMD is enabled.
  if (faults_->strikes(FaultKind::late_spmd)) require_spmd("a tensor");
  if (plan_.replicas * plan_.partitions != control_channel_.size()) {
    throw Error(
        ErrorKind::protocol,
        fmt::format("{} replicas of {} partitions need {} chips, the pod has {}", plan_.replicas,
                    plan_.partitions, plan_.replicas * plan_.partitions, control_channel_.size()));
  }
  // All ranks must be at the same sync point; a fault makes this rank claim another one.
  barrier(control_channel_, plan_, faults_->strikes(FaultKind::sync_point) ? "evaluation" : "SPMD",
          culprit_);
  const std::int64_t rank = control_channel_.rank().value;
  gates_.pass(Phase::spmd_enabled,
              fmt::format("replica {} of {}, partition {} of {}", rank / plan_.partitions,
                          plan_.replicas, rank % plan_.partitions, plan_.partitions));
}

void Session::require_spmd(std::string_view what) const {
  try {
    gates_.require(Phase::spmd_enabled, what);
  } catch (Error& error) {
    throw error.diagnosed(name_of(DiagnosisId::tensor_before_spmd));
  }
}

// Writes and reads the last byte of HBM: the whole segment is mapped and writable.
void Session::allow_tensors() {
  const std::byte probe{0x5a};
  std::byte& last = memory_->own().hbm().back();
  last = probe;
  UNDERSTUDY_ASSERT(last == probe);
  // The page goes back: only what programs use counts as used.
  void* const page = &last - reinterpret_cast<std::uintptr_t>(&last) % kPage;
  if (::madvise(page, kPage, MADV_REMOVE) != 0) last = std::byte{0};
  gates_.pass(Phase::tensors_allowed, fmt::format("{} bytes of HBM", chip_->hbm.capacity()));
}

}  // namespace understudy::worker
