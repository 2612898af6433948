// SPDX-License-Identifier: Apache-2.0
#include "launcher/script/script_run.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>
#include <utility>

#include "configs/base/error.h"
#include "configs/launch/joined_slices.h"
#include "configs/receipt/launcher_facts.h"
#include "launcher/diagnose/attribution.h"
#include "launcher/options/settled_options.h"
#include "launcher/partition/service.h"
#include "launcher/pod/hosted_pod.h"
#include "launcher/process/console.h"
#include "launcher/process/environment.h"
#include "launcher/process/subprocess.h"
#include "launcher/run/plan_run.h"
#include "launcher/run/receipt/conclusion.h"
#include "launcher/run/receipt/provenance.h"
#include "launcher/run/receipt/receipt_file.h"
#include "launcher/script/framework.h"
#include "launcher/script/host_environment.h"
#include "launcher/script/host_jobs.h"

namespace understudy::launcher {
namespace {

// Relative to the folder of the binary, in the build tree and when installed.
constexpr const char* kPlugin = "/../lib/understudy/libunderstudy_pjrt.so";

// Options that only make sense for a program file.
// An option that a script run ignored silently would be taken for one that worked.
void refuse_options(const RunOptions& options) {
  const std::vector<std::pair<const char*, bool>> kOnly = {
      {"a program file", !options.program.empty()},
      {"--args and --arg", !options.args.empty() || !options.arg_words.empty()},
      {"--fill", !options.fill.empty()},
      {"--out", !options.out.empty()},
      {"--expect", !options.expect.empty()},
      {"--steps", options.steps != 0},
      {"--carry", !options.carry_words.empty()},
      {"--program", !options.program_words.empty()},
      {"--step-program", !options.step_words.empty()},
      {"--replicas", options.replicas != 0},
      {"--hostfile", !options.hostfile.empty()},
      {"--dry-run", options.dry_run},
      {"--metrics-report", options.metrics_report}};
  for (const auto& [name, given] : kOnly)
    if (given)
      throw Error(ErrorKind::usage, fmt::format("{} cannot be combined with a script", name));
}

std::string find_script(const RunOptions& options, const Environment& environment) {
  const std::string& word = options.script.front();
  const std::string path =
      word.find('/') != std::string::npos ? word : find_program(environment.search_path, word);
  if (path.empty() || access(path.c_str(), X_OK) != 0)
    throw Error(ErrorKind::usage, fmt::format("cannot execute {}", word))
        .note("the words after -- are a command, such as: python train.py");
  return path;
}

// With links resolved: the script may change its folder, and its framework loads this path later.
std::string plugin_of(const Environment& environment) {
  std::string path = environment.self + kPlugin;
  if (access(path.c_str(), R_OK) != 0)
    throw Error(ErrorKind::system, fmt::format("cannot read the PJRT plugin {}", path))
        .note("build the target understudy-pjrt, or install understudy");
  char* const whole = ::realpath(path.c_str(), nullptr);
  if (whole == nullptr) return path;
  path = whole;
  ::free(whole);
  return path;
}

configs::ScriptSeen script_seen(const RunOptions& options, const HostJobs& jobs) {
  configs::ScriptSeen script;
  script.command = options.script;
  script.hosts = jobs.seen();
  script.script_exit_code = jobs.script_exit_code();
  return script;
}

// The first failure counts: a script's, unless the pod had failed before.
void judge(const HostJobs& jobs, Finish& finish) {
  if (!jobs.failure() || finish.watched.interrupted || finish.watched.overdue) return;
  finish.outcome.failure = jobs.failure();
  // They belonged to the outcome that is replaced.
  finish.outcome.notes.clear();
  const auto kind = error_kind_of(*jobs.failure()->kind);
  finish.outcome.exit_code = exit_code_of(kind.value_or(ErrorKind::check));
}

class ScriptRun {
 public:
  ScriptRun(RunOptions options, const Environment& environment, const Console& console)
      : options_(std::move(options)), environment_(environment), console_(console) {}

  RunReport run() {
    refuse_options(options_);
    const configs::ResolvedProfile& profile = settle_profile(options_, environment_);
    const configs::Slice slice = choose();
    words_ = options_.script;
    words_.front() = find_script(options_, environment_);
    plugin_ = plugin_of(environment_);
    python_ = python_of(words_.front());
    if (!python_.empty() && python_.find('/') == std::string::npos)  // as `env` does
      python_ = find_program(environment_.search_path, python_);
    // By asking the interpreter in a process: nothing of Python is linked into the launcher.
    jaxlib_ = jaxlib_version(python_);
    if (const std::string note = note_on_jaxlib(jaxlib_); !note.empty()) console_.remark(note);
    HostJobsOptions job_options;
    job_options.words = words_;
    job_options.ranks = static_cast<std::int64_t>(slice.chips.size());
    job_options.slices = slice.slices;
    HostJobs jobs(std::move(job_options));
    HostedOptions hosted = hosted_options(profile, slice);
    hosted.before_start = [&](const Launch& launch, const RunFolder& folder) {
      start(jobs, launch, folder);
    };
    try {
      HostedEnd end = run_hosted(
          slice, hosted, environment_, console_,
          [&](PodHost& host, const std::stop_token& stop) { jobs.conduct(host, stop); },
          [&] { return jobs.gave_up(); });
      return conclude(jobs, std::move(end));
    } catch (const Error& error) {
      // A wrong command line is no run: it has no receipt.
      if (exit_code_of(error.kind()) == exit_code_of(ErrorKind::usage)) throw;
      return not_begun(error);
    }
  }

 private:
  configs::Slice choose() const {
    const configs::SliceRequest request = request_of(options_.slice);
    if (request.slice.empty() && request.topology.empty())
      throw Error(ErrorKind::usage, "a script needs a slice: --slice v6e-4");
    return configs::make_joined(request);
  }

  HostedOptions hosted_options(const configs::ResolvedProfile& profile,
                               const configs::Slice& slice) const {
    HostedOptions hosted;
    hosted.chips = static_cast<std::int64_t>(slice.chips.size());
    hosted.numerics = options_.numerics;
    hosted.collectives = options_.collectives;
    hosted.timeout_seconds = options_.timeout_seconds;
    hosted.start.worker = options_.worker;
    hosted.start.mpi_words = options_.mpi_words;
    hosted.start.profile = profile;
    hosted.start.deadline = options_.deadline;
    hosted.start.host_names = host_addresses(slice.hosts, ::getpid());
    hosted.amend = [this](configs::RunPlan& plan) {
      plan.host_processes = true;
      plan.launch_timeout_seconds = options_.launch_timeout_seconds;
      plan.reproducible = options_.reproducible;
      plan.faults = options_.fault_words;
      plan.program_path = fmt::format("{}", fmt::join(options_.script, " "));
      if (!options_.cache_dir.empty()) plan.cache_dir = options_.cache_dir;
    };
    return hosted;
  }

  // The script's own Python serves as well where it has the pinned jaxlib.
  PartitionerPlaces places_of_partitioner() const {
    PartitionerPlaces places = partitioner_places(environment_);
    if (!jaxlib_.empty() && jaxlib_ == pinned_jaxlib(places)) places.pythons.push_back(python_);
    return places;
  }

  // Called when the plan is settled and before any worker starts. The partitioner comes first, as a
  // script may compile at once.
  void start(HostJobs& jobs, const Launch& launch, const RunFolder& folder) {
    partitioner_.emplace(fmt::format("{}/{}", folder.path(), configs::kPartitionSocket),
                         places_of_partitioner(),
                         CacheChoice{cache_folder(options_, environment_.cache_home),
                                     options_.cache_policy, options_.cache_trust},
                         [this](const std::string& text) { console_.remark(text); });
    std::vector<std::vector<std::string>> environments;
    for (std::int64_t host = 0; host < launch.inputs.hosts(); ++host)
      environments.push_back(host_environment(environment_.variables, launch.inputs, launch.plan,
                                              {folder.path(), plugin_}, host));
    jobs.start(environments, folder);
  }

  // The file of the script, whose repository the receipt names: the first word that is one.
  std::string script_file() const {
    for (std::size_t i = 1; i < options_.script.size(); ++i)
      if (access(options_.script[i].c_str(), R_OK) == 0) return options_.script[i];
    return words_.front();
  }

  RunReport conclude(const HostJobs& jobs, HostedEnd end) const {
    const SignalQueue held;  // a signal must not interrupt writing the receipt
    // The evidence of the workers is more exact than the launcher's own error.
    if (end.failure && !end.finish.outcome.failure) end.finish.outcome = outcome_of(*end.failure);
    judge(jobs, end.finish);
    add_slice(end.finish.outcome, end.plan);
    RunReport report;
    report.exit_code = end.finish.outcome.exit_code;
    configs::LauncherFacts facts = facts_of(end.finish, report.exit_code);
    facts.faults = options_.fault_words;
    facts.launch = end.receipt_launch;
    facts.script = script_seen(options_, jobs);
    facts.provenance =
        provenance_of(options_, end.inputs, script_file(), std::nullopt, environment_);
    report.receipt = configs::assemble(end.plan, end.finish.watched.records, facts);
    report.receipt.created_utc = utc_now();
    report.outcome = std::move(end.finish.outcome);
    if (console_.verbosity > 0 && !end.finish.mpirun_output.empty())
      console_.remark("output of mpirun:\n" + end.finish.mpirun_output);
    store(report);
    return report;
  }

  // A run that could not start has a receipt too, so that its reason is kept.
  RunReport not_begun(const Error& error) const {
    const SignalQueue held;
    RunReport report =
        report_not_begun(options_, make_run_id_without_folder(),
                         fmt::format("{}", fmt::join(options_.script, " ")), outcome_of(error));
    store(report);
    return report;
  }

  void store(RunReport& report) const {
    if (options_.no_receipt) return;
    StoredReceipt stored = store_receipt(environment_, options_.receipt, report.receipt);
    report.exit_code = exit_code_with(stored, report.exit_code);
    report.receipt_path = std::move(stored.path);
    report.receipt_lost = std::move(stored.told);
  }

  RunOptions options_;
  const Environment& environment_;
  const Console& console_;
  std::vector<std::string> words_;
  std::string python_, jaxlib_;  // of the script; empty where its command is no Python
  std::string plugin_;
  std::optional<PartitionService> partitioner_;
};

}  // namespace

RunReport run_script(RunOptions options, const Environment& environment, const Console& console) {
  return ScriptRun(std::move(options), environment, console).run();
}

}  // namespace understudy::launcher
