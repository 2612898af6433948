// SPDX-License-Identifier: Apache-2.0
#include "launcher/pod/launch.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <ctime>
#include <filesystem>
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <set>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>

#include "configs/base/digest.h"
#include "configs/base/error.h"
#include "configs/base/file.h"
#include "configs/base/procfs.h"
#include "configs/base/units.h"
#include "configs/launch/contract.h"
#include "configs/launch/environment.h"
#include "configs/launch/fault.h"
#include "configs/launch/shell_variables.h"
#include "configs/launch/start_words.h"
#include "configs/receipt/diagnosis.h"
#include "launcher/diagnose/attribution.h"
#include "launcher/diagnose/mpirun_notice.h"
#include "launcher/diagnose/oom_watch.h"
#include "launcher/options/profile_options.h"
#include "launcher/pod/environments.h"
#include "launcher/pod/exit_order.h"
#include "launcher/pod/interfaces.h"
#include "launcher/pod/mpirun_command.h"
#include "launcher/pod/process_session.h"
#include "launcher/pod/processes.h"
#include "launcher/pod/watch.h"
#include "launcher/process/console.h"
#include "launcher/process/environment.h"
#include "launcher/process/subprocess.h"

namespace understudy::launcher {
namespace {

configs::LaunchInputs inputs_for(const configs::RunPlan& plan, const configs::Slice& slice,
                                 const configs::Profile& profile) {
  configs::LaunchInputs inputs = configs::inputs_of(slice, profile, plan.chips);
  inputs.cache_dir = plan.cache_dir;
  for (const std::string& text : plan.faults)
    // Faults at the start change the environments of hosts and ranks; later faults are only in the
    // plan.
    if (configs::parse_fault(text).stage == configs::FaultStage::start)
      inputs.faults.push_back(text);
  return inputs;
}

// Completes the plan with the contract digests. Every worker computes its own and must get the
// same.
// This is the launcher's half of the gate `contract_checked`. Returns what the hosts set, by rank.
std::vector<configs::Variables> make_contract(configs::RunPlan& plan,
                                              const configs::LaunchInputs& inputs,
                                              const configs::Variables& shell,
                                              const std::string& program_digest) {
  std::vector<configs::Variables> hosts;
  for (std::int64_t rank = 0; rank < plan.chips; ++rank) {
    hosts.push_back(configs::variables_of(configs::chip_environment(inputs, Rank(rank))));
    const configs::Variables all = configs::worker_environment(shell, hosts.back());
    const configs::ContractSection identity{
        "identity", configs::contract_environment(all, true, inputs.slices)};
    plan.identity_digests.push_back(digest_of(identity));
    // Only the identity section differs between ranks; the rest of the contract is equal and
    // computed once.
    if (rank > 0) continue;
    const configs::Contract contract = configs::contract_of({plan, inputs, program_digest, all});
    for (const configs::ContractSection& section : contract.sections)
      plan.contract_sections.emplace_back(section.name, digest_of(section));
    plan.contract_digest = digest_of(contract);
  }
  return hosts;
}

// The launch section of the receipt: profile, overrides, variables of the shell.
configs::ReceiptLaunch told_of(const configs::ResolvedProfile& profile,
                               const std::vector<configs::EnvironmentEntry>& entries,
                               const std::vector<configs::ShellVariable>& shell) {
  configs::ReceiptLaunch told;
  told.profile = profile.name;
  told.lineage = profile.lineage;
  told.groups = profile.values;
  told.env_sha256 = configs::common_digest(entries);
  for (const configs::ProfileOverride& one : profile.overrides)
    told.overrides.push_back({one.name, one.given, one.used, one.source, "set"});
  for (const configs::ShellVariable& one : shell)
    told.overrides.push_back({one.name, one.given, one.used,
                              one.source.empty() ? "shell" : one.source,
                              std::string(name_of(one.leak))});
  return told;
}

// The warnings of the contract checks for the receipt, with the advice of their diagnoses.
std::vector<configs::LaunchWarning> told_remarks(const LaunchCase& launch) {
  std::vector<configs::LaunchWarning> told;
  for (const Refusal& one : remarks_of(launch)) {
    const configs::Diagnosis* const known = configs::find_diagnosis(one.diagnosis);
    UNDERSTUDY_ASSERT(known != nullptr);
    told.push_back({std::string(one.diagnosis), std::string(name_of(known->layer)), one.host,
                    one.message, std::string(known->advice)});
  }
  return told;
}

// Restricts Open MPI to the networks it needs: the loopback interface on one machine, else the
// networks that reach the hosts. In a batch job only mpirun knows the machines, so nothing is
// restricted.
// Also records the shell's LD_PRELOAD and HWLOC_COMPONENTS, which are extended and not replaced.
void add_reach(MpirunFacts& facts, const Environment& environment) {
  facts.shell_preload = variable_of(environment, "LD_PRELOAD");
  facts.shell_hwloc = variable_of(environment, "HWLOC_COMPONENTS");
  facts.shell_has_hwloc_plugins = !variable_of(environment, "HWLOC_PLUGINS_PATH").empty();
  facts.listen_library = environment.self + "/../lib/understudy/libunderstudy-listen.so";
  if (access(facts.listen_library.c_str(), R_OK) != 0) facts.listen_library.clear();
  if (facts.in_batch_job && facts.hostfile.empty()) return;
  std::optional<HostRoutes> reach = HostRoutes{{"127.0.0.0/8"}, "127.0.0.1"};
  // An unreadable hostfile is reported by mpirun.
  if (!facts.hostfile.empty())
    reach = access(facts.hostfile.c_str(), R_OK) == 0
                ? routes_to(hosts_in(read_text_file(facts.hostfile)))
                : std::nullopt;
  if (!reach) return;
  facts.networks = std::move(reach->networks);
  facts.listen_address = std::move(reach->address);
}

std::string run_id(std::string_view unique) {
  return fmt::format("{:%Y%m%d-%H%M%S}-{}", fmt::gmtime(std::time(nullptr)), unique);
}

}  // namespace

MpirunFacts mpirun_facts(const StartOptions& options, std::int64_t ranks,
                         const Environment& environment, RunFolder& folder,
                         const std::string& worker) {
  MpirunFacts facts;
  facts.mpirun = find_program(environment.search_path, "mpirun");
  if (facts.mpirun.empty())
    throw Error(ErrorKind::system, "no mpirun in PATH")
        .note("run understudy doctor to see what to install");
  facts.worker = options.worker.empty() ? environment.self + "/" + worker : options.worker;
  if (options.hostfile.empty() && access(facts.worker.c_str(), X_OK) != 0)
    throw Error(ErrorKind::system, fmt::format("cannot execute the worker {}", facts.worker))
        .note("choose another worker with --worker PATH");
  facts.run_folder = folder.path();
  facts.worker_words = {folder.path()};
  facts.ranks = ranks;
  facts.as_root = geteuid() == 0;
  facts.in_batch_job = environment.in_slurm;
  facts.hostfile = options.hostfile;
  facts.mpi_words = options.mpi_words;
  add_reach(facts, environment);
  const auto wanted = static_cast<std::uint64_t>(ranks) * kSharedMemoryPerRank;
  // A folder created here does not exist on other machines.
  const bool remote = !facts.hostfile.empty() || facts.in_batch_job;
  facts.backing_directory = remote ? "/dev/shm" : folder.make_backing_folder(wanted);
  return facts;
}

// What the values of one chip's programs may take of the memory of its host, as the profile or the
// chip spec has it: without data loading, headroom and the premapped buffer. 0: unknown.
static std::uint64_t host_bytes_of_chip(const configs::Slice& slice,
                                        const configs::MemorySettings& mem) {
  const std::int64_t chips = slice.chips_per_host();
  std::uint64_t there = mem.host_bytes;
  for (const configs::HostMemory& one : slice.chip.host_memory)
    if (there == 0 && one.chips >= chips) there = one.bytes;
  const std::uint64_t fixed = mem.loader_bytes + mem.headroom_bytes;
  const std::uint64_t share =
      there > fixed ? (there - fixed) / static_cast<std::uint64_t>(chips) : 0;
  return share > mem.premapped_bytes ? share - mem.premapped_bytes : 0;
}

// Order: facts (may create the folder for shared memory), contract, environment leaks, command
// line, checks. The checks come last because they need the complete plan; their refusal is stored,
// not thrown, so that it gets a receipt.
Launch make_launch(configs::RunPlan plan, const configs::Slice& slice, const StartOptions& options,
                   std::string_view program, const std::vector<std::string>& others,
                   const Environment& environment, RunFolder& folder) {
  MpirunFacts facts = mpirun_facts(options, plan.chips, environment, folder);
  const bool remote = !facts.hostfile.empty() || facts.in_batch_job;
  Launch launch;
  const configs::ResolvedProfile profile =
      options.profile ? *options.profile : resolve_profile({}, environment);
  launch.inputs = inputs_for(plan, slice, profile.values);
  plan.premapped_bytes = profile.values.mem.premapped_bytes;
  plan.host_bytes = host_bytes_of_chip(slice, profile.values.mem);
  if (!options.host_names.empty()) {
    launch.inputs.host_names = options.host_names;
    launch.inputs.coordinator = options.host_names.front();
  }
  const configs::Variables shell = configs::variables_of(environment.variables);
  const std::vector<configs::Variables> hosts =
      make_contract(plan, launch.inputs, shell, configs::digest_of_programs(plan, program, others));
  // Rank 0 stands for all: variables that leak from the shell leak to every host.
  const auto entries = configs::chip_environment(launch.inputs, Rank(0));
  const auto leaks = configs::leaks_of(shell, entries);
  launch.receipt_launch = told_of(profile, entries, leaks);
  launch.remark = configs::leak_text(leaks);
  for (const auto& [name, value] : shell)
    // mpirun passes its whole environment to local workers; to other machines it passes only what
    // `-x` names.
    if (remote && configs::owner_of(name) == configs::VariableOwner::own)
      facts.forwarded.push_back(name);
  facts.launch_inputs = configs::to_json(launch.inputs);
  // A worker applies the faults of the start itself; other machines do not have the run folder.
  // --mpi-arg may make mpirun pass on other variables, and a program given by --worker may need
  // variables of the shell.
  const std::string starter = environment.self + "/understudy-worker-start";
  const bool may_use_starter = options.worker.empty() && options.mpi_words.empty() &&
                               !shell.contains("OMPI_MCA_mca_base_env_list");
  if (!remote && may_use_starter && launch.inputs.faults.empty() &&
      access(starter.c_str(), X_OK) == 0) {
    folder.write(configs::kEnvironmentsFile, environments_text(shell, hosts));
    facts.starter = starter;
  }
  launch.words = mpirun_command(facts);
  launch.variables = mpirun_variables(facts);
  launch.deadline = options.deadline;
  // The limits of other machines cannot be read before the start.
  const LaunchCase begun = launch_case(launch.inputs, plan, remote ? HostLimits{} : read_limits());
  launch.refusal = refusal_of(begun);
  if (!remote) launch.receipt_launch.remarks = told_remarks(begun);
  launch.plan = std::move(plan);
  return launch;
}

std::string make_run_id(const RunFolder& folder) {
  const std::string& path = folder.path();
  return run_id(path.substr(path.rfind('-') + 1));
}

// Two runs of one process within a second would get the same name, but without a folder no run
// starts, so nothing is kept under it.
std::string make_run_id_without_folder() { return run_id(std::to_string(::getpid())); }

std::string utc_now() {
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)));
}

}  // namespace understudy::launcher
