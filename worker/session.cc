// SPDX-License-Identifier: Apache-2.0
#include "worker/session.h"

#include <algorithm>
#include <fmt/format.h>
#include <unistd.h>
#include <utility>
#include <vector>

#include "configs/base/error.h"
#include "configs/base/file.h"
#include "configs/base/procfs.h"
#include "configs/base/version.h"
#include "configs/chip_spec.h"
#include "configs/contract.h"
#include "configs/fault.h"
#include "configs/shell_variables.h"
#include "worker/build_identity.h"
#include "worker/contract_gate.h"
#include "worker/host_source.h"
#include "worker/key_agreement.h"
#include "worker/live_probe.h"
#include "worker/meeting.h"
#include "worker/planned_run.h"

namespace understudy::worker {
namespace {

using configs::FaultKind;
using configs::Phase;

// A device stays busy for up to half a minute after its process was killed; twice that is waited.
constexpr Seconds kChipPatience{60.0}, kLongWait{0.04};

// Open MPI's own variables are its own business.
std::vector<std::string> own_part(std::vector<std::string> environment) {
  std::erase_if(environment, [](const std::string& entry) {
    return configs::owner_of(entry.substr(0, entry.find('='))) == configs::VariableOwner::mpi;
  });
  std::ranges::sort(environment);
  return environment;
}

std::size_t index_of(Rank rank) { return static_cast<std::size_t>(rank.value); }

// Caches are filled by the lowest rank that runs the program: of its host, or of the whole pod.
bool leads(const configs::RunPlan& plan, Rank rank, bool whole_pod) {
  const HostId host = plan.host_of[index_of(rank)];
  const configs::PlannedProgram* const program = configs::other_program_of(plan, rank);
  for (Rank lower(0); lower < rank; ++lower.value) {
    const bool near = whole_pod || plan.host_of[index_of(lower)] == host;
    if (near && configs::other_program_of(plan, lower) == program) return false;
  }
  return true;
}

}  // namespace

Session::Session(SessionSetup setup)
    : setup_(std::move(setup)),
      courier_(setup_.transport),
      gates_(setup_.record, setup_.start),
      surroundings_(read_surroundings()) {
  if (!setup_.environment.empty()) surroundings_.environment = own_part(setup_.environment);
}

Session::~Session() = default;

void Session::run() {
  receive_plan();
  check_contract();
  freeze_environment();
  lock_chip();
  start_runtime();
  probe();
  enable_spmd();
  allow_tensors();
  run_programs();
}

void Session::receive_plan() {
  const std::string path = setup_.run_dir + "/plan.json";
  std::string text = courier_.is_root() ? read_text_file(path) : "";
  plan_ = configs::read_run_plan(courier_.broadcast_text(std::move(text), "the run plan"), path);
  if (plan_.chips != courier_.size()) {
    throw Error(ErrorKind::protocol, fmt::format("the plan is for {} chips, {} workers started",
                                                 plan_.chips, courier_.size()));
  }
  const bool reads = courier_.is_root() && !plan_.program_file.empty();
  std::string program = reads ? read_text_file(path_in(setup_.run_dir, plan_.program_file)) : "";
  program_ = std::make_shared<const std::string>(
      courier_.broadcast_text(std::move(program), "the program"));
  for (const configs::PlannedProgram& other : plan_.other_programs) {
    std::string source =
        courier_.is_root() ? read_text_file(path_in(setup_.run_dir, other.file)) : "";
    other_programs_.push_back(courier_.broadcast_text(std::move(source), "another program"));
  }
  const Rank rank = courier_.rank();
  faults_.emplace(plan_.faults, rank, plan_.host_of[index_of(rank)]);
  if (faults_->strikes(FaultKind::program_byte)) program_ = faults_->damaged(*program_);
}

void Session::check_contract() {
  const configs::Variables environment = configs::variables_of(surroundings_.environment);
  if (const auto launch = environment.find(std::string(configs::kLaunchVariable));
      launch != environment.end())
    inputs_ = configs::read_launch_inputs(launch->second, launch->first);
  const configs::Contract contract = configs::contract_of(
      {plan_, inputs_, configs::digest_of_programs(plan_, *program_, other_programs_),
       environment});
  kernels_ = &program::kernels::select(surroundings_.isa);
  mxu_ = std::make_unique<Mxu>(*kernels_);
  record_start(digest_of(contract));
  came_at_ = wall_clock() + faults_->clock_offset();
  ContractGate gate(courier_, plan_, surroundings_.machine, inputs_ ? &*inputs_ : nullptr);
  try {
    gate.check(contract, {{"binary", {{"build_id", build_id()}}},
                          {"libraries", library_versions(setup_.mpi_version)}});
  } catch (const Error&) {
    culprit_ = gate.culprit();
    throw;
  }
  const std::string clocks =
      compare_clocks(courier_, plan_, came_at_, wall_clock() + faults_->clock_offset(), culprit_);
  gates_.note("clocks", clocks);
  gates_.pass(Phase::contract_checked, digest_of(contract));
}

void Session::record_start(const std::string& contract_digest) {
  configs::Started started;
  const ProcessIdentity self = this_process_identity();
  started.pid = self.pid;
  started.pid_start = self.start;
  started.machine = surroundings_.machine;
  started.host = plan_.host_of[index_of(courier_.rank())].value;
  started.cpu = surroundings_.cpu;
  started.isa = kernels_->isa;
  started.mxu = mxu_->name();
  started.mpi = setup_.mpi_version;
  started.version = version();
  started.revision = revision();
  started.contract_digest = contract_digest;
  setup_.record.append(started);
}

// From here on nobody may change it: what is set in code that runs at import comes too late.
void Session::freeze_environment() {
  faults_->change_environment();
  check_frozen(surroundings_, environment_now());
  gates_.pass(Phase::environment_frozen,
              fmt::format("{} variables", surroundings_.environment.size()));
}

// The chip is this process's alone, and no other framework's.
void Session::lock_chip() {
  if (!inputs_) return;  // started by hand: there are no hosts to speak of
  if (faults_->strikes(FaultKind::second_framework)) faults_->load_second_framework(setup_.run_dir);
  guard_imports(inputs_->profile.launch.multiple_libtpu);
  gates_.note("import_guard", "no other framework's runtime in this process");
  const std::int64_t rank = courier_.rank().value;
  const HostId host = plan_.host_of[index_of(courier_.rank())];
  const ChipPlace place = chip_place(setup_.record_dir.empty() ? setup_.run_dir : setup_.record_dir,
                                     host, rank % inputs_->chips_per_host());
  chip_lock_.emplace(place, host, std::min(kChipPatience, Seconds(plan_.timeout_seconds)));
  gates_.note("chip_lock", chip_lock_->waited() < kLongWait
                               ? "the chip is this process's alone"
                               : fmt::format("the chip was busy for {:.1f} s after an earlier "
                                             "process",
                                             chip_lock_->waited().count()));
}

void Session::start_runtime() {
  memory_ = std::make_unique<PodMemory>(courier_, plan_.hbm_bytes, plan_.run_id);
  flight_log_ = std::make_unique<FlightLog>(setup_.record, *memory_, plan_);
  setup_.vitals.attach(memory_->own().header());
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
  DeviceReport own = probe_device(*chip_, memory_->own().hbm(), plan_, courier_.rank());
  faults_->change_report(own);
  gates_.note("live_probe",
              compare_devices(courier_, own, plan_, inputs_ ? &*inputs_ : nullptr, culprit_));
}

void Session::enable_spmd() {
  if (faults_->strikes(FaultKind::late_spmd)) require_spmd("a tensor");
  if (plan_.replicas * plan_.partitions != courier_.size()) {
    throw Error(
        ErrorKind::protocol,
        fmt::format("{} replicas of {} partitions need {} chips, the pod has {}", plan_.replicas,
                    plan_.partitions, plan_.replicas * plan_.partitions, courier_.size()));
  }
  meet(courier_, plan_, faults_->strikes(FaultKind::sync_point) ? "evaluation" : "SPMD", culprit_);
  const std::int64_t rank = courier_.rank().value;
  gates_.pass(Phase::spmd_enabled,
              fmt::format("replica {} of {}, partition {} of {}", rank / plan_.partitions,
                          plan_.replicas, rank % plan_.partitions, plan_.partitions));
}

void Session::require_spmd(std::string_view what) const {
  try {
    gates_.require(Phase::spmd_enabled, what);
  } catch (Error& error) {
    throw error.diagnosed("tensor-before-spmd");
  }
}

// A tensor of one byte goes to the last place of HBM and comes back.
void Session::allow_tensors() {
  const std::byte probe{0x5a};
  std::byte& last = memory_->own().hbm().back();
  last = probe;
  UNDERSTUDY_ASSERT(last == probe);
  last = std::byte{0};
  gates_.pass(Phase::tensors_allowed, fmt::format("{} bytes of HBM", chip_->hbm.capacity()));
}

collectives::Fabric Session::fabric() {
  std::copy_n(plan_.slice_shape.begin(), layout_.shape.size(), layout_.shape.begin());
  std::copy_n(plan_.slice_wraps.begin(), layout_.wraps.size(), layout_.wraps.begin());
  layout_.host_of = plan_.host_of;
  for (const auto& place : plan_.coordinates) {
    std::copy_n(place.begin(), layout_.shape.size(), layout_.at.emplace_back().begin());
  }
  neighbours_ = std::make_unique<Neighbours>(*memory_);
  return {.transport = setup_.transport,
          .layout = layout_,
          .shared = neighbours_.get(),
          .library = setup_.library,
          .reproducible = plan_.reproducible};
}

CommanderSetup Session::commander_setup() {
  const Rank rank = courier_.rank();
  cache::CacheRequest request;
  request.directory = plan_.cache_dir;
  request.policy = plan_.cache_policy;
  request.host = plan_.host_of[index_of(rank)];
  request.rank = rank;
  request.lock = plan_.cache_lock;
  request.max_bytes = plan_.cache_max_bytes;
  request.host_leader = leads(plan_, rank, false);
  request.pod_leader = leads(plan_, rank, true);
  request.patience = Seconds(plan_.timeout_seconds);
  const auto line = [this](Rank first) -> std::atomic<std::uint64_t>* {
    const Segment* const segment = memory_->of(first);
    return segment == nullptr ? nullptr : &segment->header().infeed;
  };
  CommanderSetup setup{*chip_,        setup_.transport,
                       fabric(),      setup_.record,
                       setup_.vitals, gates_,
                       at_work_,      std::move(request),
                       plan_.chip,    configs::chip_spec(plan_.chip).digest};
  setup.code_values = code_values(plan_, inputs_ ? &*inputs_ : nullptr, rank);
  if (cache::needs_one_key(plan_.cache_policy))
    setup.agree = [this](const cache::NamedParts& parts) {
      agree_on_key(courier_, plan_, parts, culprit_);
    };
  setup.notes_scalars = courier_.is_root();
  setup.notes_launches = plan_.command_socket.empty();
  setup.infeed_line = line;
  setup.hooks = flight_log_.get();
  setup.faults = faults_->of_chip();
  return setup;
}

void Session::run_programs() {
  commander_ = std::make_unique<Commander>(commander_setup());
  if (plan_.command_socket.empty()) {
    const configs::PlannedProgram* const other = configs::other_program_of(plan_, courier_.rank());
    if (other != nullptr)
      program_ = std::make_shared<const std::string>(
          other_programs_[static_cast<std::size_t>(other - plan_.other_programs.data())]);
    PlannedRun source(plan_, program_, other_programs_, setup_.run_dir, courier_, setup_.vitals);
    commander_->obey(source);
  } else {
    HostSource source(path_in(setup_.run_dir, plan_.command_socket), courier_.rank(),
                      setup_.vitals);
    commander_->obey(source);
  }
  check_frozen(surroundings_, environment_now());
  note_arrivals();
  // Its record stays behind; MPI is not told.
  if (faults_->strikes(FaultKind::leave_early)) ::_exit(0);
  courier_.barrier("the end of the run");
}

void Session::note_arrivals() {
  if (!flight_log_ || arrivals_noted_.exchange(true)) return;
  for (const configs::Arrivals& one : flight_log_->arrivals()) setup_.record.append(one);
}

}  // namespace understudy::worker
