// SPDX-License-Identifier: Apache-2.0
#include "worker/session.h"

#include <algorithm>
#include <fmt/format.h>
#include <unistd.h>
#include <utility>
#include <vector>

#include "configs/base/cache_policy.h"
#include "configs/base/error.h"
#include "configs/base/file.h"
#include "configs/base/procfs.h"
#include "configs/base/version.h"
#include "configs/launch/chip_spec.h"
#include "configs/launch/fault.h"
#include "configs/launch/shell_variables.h"
#include "worker/gates/key_agreement.h"
#include "worker/pjrt_source.h"
#include "worker/planned_run.h"
#include "worker/pod/peers.h"
#include "worker/pod/sync_point.h"
#include "worker/pod_host_source.h"

namespace understudy::worker {
namespace {

using configs::FaultKind;
using configs::Phase;

// The environment without Open MPI's own variables, which differ between ranks and runs.
std::vector<std::string> own_part(std::vector<std::string> environment) {
  std::erase_if(environment, [](const std::string& entry) {
    return configs::owner_of(entry.substr(0, entry.find('='))) == configs::VariableOwner::mpi;
  });
  std::ranges::sort(environment);
  return environment;
}

// True for the rank that compiles for others: the lowest rank of its host, or of the whole pod,
// among those that run the same program.
bool leads(const configs::RunPlan& plan, Rank rank, bool whole_pod) {
  const HostId host = plan.host_of[index_of(rank)];
  const configs::PlannedProgram* const program = configs::other_program_of(plan, rank);
  for (Rank lower(0); lower < rank; ++lower.value) {
    const bool near = whole_pod || plan.host_of[index_of(lower)] == host;
    if (near && configs::other_program_of(plan, lower) == program) return false;
  }
  return true;
}

cache::CacheRequest cache_request(const configs::RunPlan& plan, Rank rank) {
  cache::CacheRequest request;
  request.directory = plan.cache_dir;
  request.policy = plan.cache_policy;
  request.host = plan.host_of[index_of(rank)];
  request.rank = rank;
  request.lock = plan.cache_lock;
  request.max_bytes = plan.cache_max_bytes;
  request.trust = plan.cache_trust;
  request.host_leader = leads(plan, rank, false);
  request.pod_leader = leads(plan, rank, true);
  request.wait_limit = Seconds(plan.timeout_seconds);
  return request;
}

}  // namespace

Session::Session(SessionSetup setup)
    : setup_(std::move(setup)),
      control_channel_(setup_.transport),
      gates_(setup_.record, setup_.start),
      process_environment_(read_process_environment()) {
  if (!setup_.environment.empty()) process_environment_.environment = own_part(setup_.environment);
}

Session::~Session() = default;

void Session::run() {
  receive_plan();
  pass_gates();
  try {
    run_programs();
  } catch (const Error& error) {
    // The last gate has no entry in pass_gates(): it is passed by the first load of a program, so
    // its failure is recorded here.
    const Phase gate = Phase::programs_allowed;
    if (gates_.reached() < gate) gates_.fail(name_of(gate), error.message());
    // The failure ends the whole pod, so nobody goes on waiting for an entry.
    if (commander_) commander_->remove_cache_markers();
    throw;
  }
  commander_->remove_cache_markers();
}

void Session::receive_plan() {
  const std::string path = setup_.run_dir + "/plan.json";
  std::string text = control_channel_.is_root() ? read_text_file(path) : "";
  // Every rank parses the same bytes; relative paths in it are resolved by rank 0 alone.
  plan_ = configs::read_run_plan(control_channel_.broadcast_text(std::move(text), "the run plan"),
                                 path);
  if (plan_.chips != control_channel_.size()) {
    throw Error(ErrorKind::protocol, fmt::format("the plan needs {} chips, but {} workers started",
                                                 plan_.chips, control_channel_.size()));
  }
  // Only rank 0 reads files of the run folder; other machines may not see it.
  const bool reads = control_channel_.is_root() && !plan_.program_file.empty();
  std::string program =
      reads ? read_text_file(path_in(setup_.run_dir, plan_.program_file), kMostProgramBytes) : "";
  program_ = std::make_shared<const std::string>(
      control_channel_.broadcast_text(std::move(program), "the program"));
  for (const configs::PlannedProgram& other : plan_.other_programs) {
    std::string source =
        control_channel_.is_root()
            ? read_text_file(path_in(setup_.run_dir, other.file), kMostProgramBytes)
            : "";
    other_programs_.push_back(
        control_channel_.broadcast_text(std::move(source), "another program"));
  }
  const Rank rank = control_channel_.rank();
  faults_.emplace(plan_.faults, rank, plan_.host_of[index_of(rank)]);
  // After the broadcast, so that this rank alone has the damaged program.
  if (faults_->strikes(FaultKind::program_byte)) program_ = faults_->damaged(*program_);
}

collectives::Fabric Session::fabric() {
  std::copy_n(plan_.slice_shape.begin(), layout_.shape.size(), layout_.shape.begin());
  std::copy_n(plan_.slice_wraps.begin(), layout_.wraps.size(), layout_.wraps.begin());
  // The emulated topology: algorithms route along it, whatever machines the ranks are on.
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
  const Rank rank = control_channel_.rank();
  // The counter of infeeds is kept in the segment of the launch's first chip; null across machines.
  const auto line = [this](Rank first) -> std::atomic<std::uint64_t>* {
    const Segment* const segment = memory_->of(first);
    return segment == nullptr ? nullptr : &segment->header().infeed;
  };
  CommanderSetup setup{*chip_,
                       setup_.transport,
                       fabric(),
                       setup_.record,
                       setup_.worker_status,
                       gates_,
                       at_work_,
                       cache_request(plan_, rank),
                       plan_.chip,
                       configs::chip_spec(plan_.chip).digest};
  setup.code_values = code_values(plan_, inputs_ ? &*inputs_ : nullptr, rank);
  if (cache_policy_named(plan_.cache_policy).waits_for_leader())
    setup.agree = [this](const cache::NamedParts& parts) {
      agree_on_key(control_channel_, plan_, parts, culprit_);
    };
  setup.notes_scalars = control_channel_.is_root();
  setup.notes_launches = plan_.command_socket.empty();
  setup.looks_for_non_finite = plan_.looks_for_non_finite;
  setup.device_order = plan_.device_order;
  setup.infeed_line = line;
  setup.host_bytes = plan_.host_bytes;
  setup.premapped_bytes = plan_.premapped_bytes;
  setup.poison = plan_.poison;
  setup.populated = [this] {
    const Segment& own = memory_->own();
    return populated_in(own.descriptor(),
                        static_cast<std::uint64_t>(own.hbm().data() - own.all().data()),
                        own.hbm().size());
  };
  setup.algorithm = plan_.collectives;
  setup.hooks = flight_recorder_.get();
  setup.faults = faults_->of_chip();
  return setup;
}

void Session::run_programs() {
  commander_ = std::make_unique<Commander>(commander_setup());
  if (plan_.command_socket.empty()) {
    const configs::PlannedProgram* const other =
        configs::other_program_of(plan_, control_channel_.rank());
    if (other != nullptr)
      program_ = std::make_shared<const std::string>(
          other_programs_[static_cast<std::size_t>(other - plan_.other_programs.data())]);
    PlannedRun source(plan_, program_, other_programs_, setup_.run_dir, control_channel_,
                      setup_.worker_status);
    commander_->obey(source);
  } else if (plan_.host_processes) {
    serve_host_process();
  } else {
    PodHostSource source(path_in(setup_.run_dir, plan_.command_socket), control_channel_.rank(),
                         setup_.worker_status);
    commander_->obey(source);
  }
  // Again at the end: code of the run must not have changed it either.
  check_frozen(process_environment_, environment_now());
  note_arrivals();
  // The fault "leave-early": the process ends without MPI_Finalize and without a failure record.
  if (faults_->strikes(FaultKind::leave_early)) ::_exit(0);
  // No worker frees its memory while a peer may still read it.
  control_channel_.barrier("the end of the run");
}

// The host process maps this chip's memory and uses all of HBM that nothing else has taken.
void Session::serve_host_process() {
  const Rank rank = control_channel_.rank();
  const ProcessIdentity self = this_process_identity();
  const Segment& own = memory_->own();
  configs::ChipGreeting greeting;
  greeting.rank = rank.value;
  greeting.pid = self.pid;
  greeting.pid_start = self.start;
  greeting.revision = revision();
  greeting.hbm_offset = static_cast<std::uint64_t>(own.hbm().data() - own.all().data());
  greeting.hbm_bytes = own.hbm().size();
  greeting.usable_from = chip_->hbm.used();
  greeting.usable_bytes = chip_->hbm.capacity() - chip_->hbm.used();
  greeting.device_kind = configs::chip_spec(plan_.chip).device_kind;
  PodWatch watch(*memory_, plan_.host_of);
  // On this machine the run folder is the launcher's, or the one that this worker made.
  const std::string folder = setup_.record_dir.empty() ? setup_.run_dir : setup_.record_dir;
  PjrtSource source({path_in(setup_.run_dir, plan_.command_socket),
                     path_in(folder, configs::chip_socket_of(rank)), std::move(greeting),
                     own.descriptor(), own.hbm(), setup_.worker_status, watch,
                     control_channel_.size(), Seconds(plan_.launch_timeout_seconds)});
  commander_->use_host(&source);
  commander_->obey(source);
  commander_->use_host(nullptr);
}

void Session::note_arrivals() {
  // Both threads may come here: the executor at the end, the main thread when it leaves early.
  if (!flight_recorder_ || arrivals_noted_.exchange(true)) return;
  for (const configs::Arrivals& one : flight_recorder_->arrivals()) setup_.record.append(one);
}

}  // namespace understudy::worker
