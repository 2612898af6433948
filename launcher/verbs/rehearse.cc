// SPDX-License-Identifier: Apache-2.0
#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <string>
#include <vector>

#include "configs/base/deadline.h"
#include "configs/base/error.h"
#include "configs/base/file.h"
#include "configs/base/suggest.h"
#include "configs/launch/ladder.h"
#include "configs/report/command_documents.h"
#include "configs/report/drill_report.h"
#include "launcher/options/ranges.h"
#include "launcher/options/settled_options.h"
#include "launcher/pod/guardian.h"
#include "launcher/process/console.h"
#include "launcher/process/environment.h"
#include "launcher/process/subprocess.h"
#include "launcher/rehearse/calibrate.h"
#include "launcher/rehearse/display.h"
#include "launcher/rehearse/drill.h"
#include "launcher/rehearse/pins.h"
#include "launcher/rehearse/rehearsal.h"
#include "launcher/rehearse/rung_run.h"
#include "launcher/run/probe_outputs.h"
#include "launcher/verbs.h"

namespace understudy::launcher {
namespace {

// Words separated by commas, in indented lines of at most 100 columns.
std::string in_lines(const std::vector<std::string>& words) {
  constexpr std::size_t kColumns = 100;
  std::string text, line;
  for (const std::string& word : words) {
    if (line.empty() || line.size() + word.size() + 2 > kColumns) {
      text += line + "\n";
      line = " ";
    }
    line += " " + word + (&word == &words.back() ? "" : ",");
  }
  return text + line;
}

class Rehearse final : public Command {
 public:
  void declare(CLI::App& app) override {
    app_ = &app;
    declare_rehearsal(app, options_.run);
    app.add_option("--ladder", options_.ladder,
                   "use this ladder (understudy/ladder/1) instead of the default")
        ->type_name("FILE");
    app.add_option("--from", from_, "repeat the run of a receipt, and prove that it was restored")
        ->type_name("RECEIPT");
    app.add_option("--candidate", settings_,
                   "settings to try, such as collectives=ring,numerics=ieee; settings that worked "
                   "before are tried first, settings that failed last; repeatable")
        ->type_name("SETTINGS")
        ->allow_extra_args(false);
    app.add_option("--catalogue", catalogue_,
                   "JSON file that records launches and the settings that worked")
        ->type_name("FILE");
    app.add_option("--retries", options_.retries,
                   "how often to restart a rung that failed at start-up (1)")
        ->type_name("N")
        ->check(at_least(0));
    drill_ =
        app.add_option("--drill", names_,
                       "inject failures one by one, all or the named ones, and check that each is "
                       "diagnosed (docs/faults.md)")
            ->type_name("[NAME...]")
            ->expected(0, -1);
    app.add_flag("--preflight", options_.preflight,
                 "before the first start, ask the TPU compiler, if it is installed "
                 "(docs/preflight.md)");
    declare_choice(app, options_.compiler, false);
    app.add_flag("--json", options_.json,
                 "print JSON (understudy/rehearsal/1, drill/1, of --dry-run rungs/1)");
    app.add_flag("--dry-run", dry_run_, "print the rungs with their programs, and exit");
  }

  int run(const Console& console, const Environment& environment) override {
    if (drill_->count() > 0) refuse_what_drills_ignore();
    refuse_without_preflight();
    // After the checks of options: a dry run must refuse what the real one would refuse.
    if (dry_run_) return show(console, environment);
    if (!options_.run.no_receipt) probe_file("--receipt", options_.run.receipt);
    const SignalQueue signals;  // a signal that arrives between two runs ends the next run
    if (drill_->count() > 0) return drill(console, environment);
    // Before settle_profile(): the receipt may name the profile.
    if (!from_.empty()) take_from();
    settle_profile(options_.run, environment);
    // A restore must use exactly the settings of its receipt, so the launch catalogue is not
    // consulted.
    RehearsalEnd end = options_.from
                           ? rehearse(options_, environment, console)
                           : rehearse_calibrated(options_, settings_, catalogue_path(environment),
                                                 environment, console);
    // The receipt is written before anything is printed: a closed pipe must not cost the evidence.
    const std::string lost = leave_receipt(end, options_.run, environment);
    settle_exit_code(static_cast<int>(end.document.exit_code));
    if (options_.json)
      console.document(to_json(end.document));
    else if (!console.quiet() || end.document.exit_code != 0)
      console.document(
          rehearsal_text(end.document, console.err_terminal, look_of_result(console), console));
    if (!lost.empty()) console.failure(lost);
    if (end.document.receipt) {
      const std::string line = "receipt: " + *end.document.receipt;
      // After a failure the path of the receipt is printed even with -q.
      end.document.exit_code == 0 ? console.remark(line) : console.failure(line);
    }
    return static_cast<int>(end.document.exit_code);
  }

 private:
  std::string catalogue_path(const Environment& environment) const {
    return catalogue_.empty() ? environment.state_home + "/understudy/catalogue.json" : catalogue_;
  }

  // Takes the options of the receipt; options on this command line override them.
  void take_from() {
    options_.from = configs::read_receipt(read_text_file(from_), from_);
    std::vector<std::string> given;
    for (const char* name :
         {"profile", "slice", "chip", "topology", "hosts", "chips-per-host", "steps"})
      if (app_->count(std::string("--") + name) > 0) given.emplace_back(name);
    options_.run = restored_options(origin_of(*options_.from), options_.run, given);
  }

  // A drill defines its own runs, so every other option would be ignored silently.
  void refuse_what_drills_ignore() const {
    const std::vector<std::string> known = {"--drill", "--json", "--verbose", "--quiet"};
    for (const CLI::Option* option : app_->get_options())
      if (option->count() > 0 && std::ranges::find(known, option->get_name()) == known.end())
        throw Error(
            ErrorKind::usage,
            fmt::format("--drill cannot be combined with {}: a drill defines its own launches",
                        option->get_name()));
  }

  // Options of the compiler would be ignored silently.
  void refuse_without_preflight() const {
    if (options_.preflight) return;
    for (const char* name :
         {"--libtpu", "--compile-timeout", "--compile-memory", "--compiler-option"})
      if (app_->count(name) > 0)
        throw Error(ErrorKind::usage, fmt::format("{} needs --preflight", name));
  }

  // Runs all drills of the table, or the named ones.
  // Drills run one after another; each starts pods of its own and must not share the machine with
  // another, because their checks depend on timeouts.
  int drill(const Console& console, const Environment& environment) const {
    std::vector<Drill> chosen = drills();
    std::vector<std::string> names;
    for (const Drill& one : chosen) names.emplace_back(one.name);
    std::vector<std::string> asked = names_;
    std::erase(asked, "");  // CLI11 gives one empty value for an option without values
    for (const std::string& name : asked)
      if (std::ranges::find(names, name) == names.end())
        throw Error(ErrorKind::usage,
                    fmt::format("unknown drill \"{}\"{}", name, did_you_mean(name, names)))
            .note("drills:" + in_lines(names));
    if (!asked.empty())
      std::erase_if(chosen, [&](const Drill& one) {
        return std::ranges::find(asked, one.name) == asked.end();
      });
    const std::string programs =
        std::filesystem::path(ladder_path("", environment)).parent_path() / "programs";
    const Clock::time_point begin = Clock::now();
    std::vector<DrillSeen> all;
    if (!options_.json && !console.quiet()) console.result(drill_head());
    for (const Drill& one : chosen) {
      all.push_back(play(one, programs, environment, console));
      // No report: drills that did not run would count as not detected.
      if (all.back().interrupted != 0) return all.back().interrupted;
      if (!options_.json &&
          (!console.quiet() || !(all.back().detected || !all.back().left_out.empty())))
        console.result(drill_line(all.back(), console));
      if (console.reader_left()) return 0;  // finish_output() sets the exit code
    }
    const configs::DrillReport report = report_of(all, seconds_since(begin));
    if (options_.json)
      console.document(to_json(report));
    else if (!console.quiet() || report.verdict != "passed")
      console.result(fmt::format("{}: {} of {} faults found in {:.1f} s", report.verdict,
                                 report.detected, report.faults.size(), report.wall_seconds));
    return report.verdict == "passed" ? 0 : exit_code_of(ErrorKind::check);
  }

  // Resolves the program of every rung for this slice without running anything.
  int show(const Console& console, const Environment& environment) const {
    const configs::Slice slice = slice_of(options_.run);
    const auto chips = static_cast<std::int64_t>(slice.chips.size());
    const configs::Ladder ladder = climbable(ladder_path(options_.ladder, environment), chips);
    configs::RungList list;
    for (const configs::Rung& rung : ladder.rungs)
      list.rungs.push_back({rung.name, options_of_rung(rung, options_.run, chips).program});
    if (options_.json) {
      console.document(to_json(list));
      return 0;
    }
    for (const configs::PlannedRung& rung : list.rungs)
      console.result(fmt::format("{}: {}", rung.name, rung.program));
    return 0;
  }

  RehearseOptions options_;
  CLI::App* app_ = nullptr;
  CLI::Option* drill_ = nullptr;
  std::string from_, catalogue_;
  std::vector<std::string> settings_;
  std::vector<std::string> names_;  // of drills; empty: all
  bool dry_run_ = false;
};

}  // namespace

std::unique_ptr<Command> make_rehearse() { return std::make_unique<Rehearse>(); }

}  // namespace understudy::launcher
