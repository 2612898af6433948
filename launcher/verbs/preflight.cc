// SPDX-License-Identifier: Apache-2.0
#include "launcher/preflight/preflight.h"

#include <CLI/CLI.hpp>
#include <filesystem>
#include <fmt/format.h>
#include <map>
#include <string>
#include <vector>

#include "configs/base/error.h"
#include "configs/base/file.h"
#include "configs/launch/joined_slices.h"
#include "configs/launch/ladder.h"
#include "launcher/options/ranges.h"
#include "launcher/options/run_options.h"
#include "launcher/options/settled_options.h"
#include "launcher/process/console.h"
#include "launcher/process/environment.h"
#include "launcher/process/subprocess.h"
#include "launcher/rehearse/preflight_rung.h"
#include "launcher/rehearse/rehearsal.h"
#include "launcher/rehearse/rung_run.h"
#include "launcher/run/plan_run.h"
#include "launcher/verbs.h"

namespace understudy::launcher {
namespace {

namespace fs = std::filesystem;

class PreflightVerb final : public Command {
 public:
  void declare(CLI::App& app) override {
    app.add_option("PROGRAM", words_,
                   "StableHLO or HLO files, folders with manifest.json, or a ladder file (.json); "
                   "none: the shipped ladder")
        ->type_name("");
    declare_slice(app, options_.run.slice);
    declare_profile(app, options_.run.profile);
    app.add_option("--replicas", options_.run.replicas,
                   "number of replicas, if the program does not say it")
        ->type_name("N")
        // Nine digits leave room in an int64 for every product that is made of it.
        ->check(between(1, 999'999'999));
    app.add_option("--cache-dir", options_.run.cache_dir,
                   "folder of the compile cache (~/.cache/understudy)")
        ->type_name("DIR");
    declare_choice(app, options_.compiler, true);
    app.add_option("--observed", observed_,
                   "receipt of a run or a rehearsal: adds the memory that it observed; repeatable")
        ->type_name("RECEIPT")
        ->allow_extra_args(false);
    app.add_flag("--json", json_, "print JSON (understudy/preflight/1)");
  }

  int run(const Console& console, const Environment& environment) override {
    SignalQueue signals;  // Ctrl-C keeps what is finished
    // Joined slices: only the compiler can describe them.
    options_.slices = configs::take_joined(options_.run.slice.request.slice);
    settle_profile(options_.run, environment);
    const configs::Slice slice = slice_of(options_.run);
    take_programs(slice, environment);
    for (const std::string& path : observed_)
      // Read before the compiler starts, so that a damaged receipt is reported at once.
      options_.observed.push_back(configs::read_receipt(read_text_file(path), path));
    const configs::Preflight document = preflight(options_, slice, environment, console, signals);
    std::string text = json_ ? to_json(document) : preflight_text(document, console);
    while (text.ends_with('\n')) text.pop_back();
    console.result(text);
    return static_cast<int>(document.exit_code);
  }

 private:
  // A file that is not there is said before anything is compiled.
  void take_programs(const configs::Slice& slice, const Environment& environment) {
    const auto chips = static_cast<std::int64_t>(slice.chips.size());
    // A single .json file is a ladder: a program with a manifest is named by its folder.
    const bool is_ladder = words_.size() == 1 && words_.front().ends_with(".json");
    if (words_.empty() || is_ladder) {
      const std::string path = ladder_path(words_.empty() ? "" : words_.front(), environment);
      options_.programs = programs_of_ladder(climbable(path, chips), options_.run, chips);
      return;
    }
    for (const std::string& word : words_) {
      static_cast<void>(read_file_start(program_path(word), 1));
      RunOptions one = options_.run;
      one.program = word;
      options_.programs.emplace_back(name_of(word), std::move(one));
    }
    tell_apart(options_.programs);
  }

  // Files of the same name get the name of their folder, or a number: a name is a file of --dump
  // and a row of `receipt diff`.
  static void tell_apart(std::vector<std::pair<std::string, RunOptions>>& programs) {
    std::map<std::string, int> count;
    for (const auto& [name, run] : programs) ++count[name];
    std::map<std::string, int> used;
    for (auto& [name, run] : programs) {
      if (count[name] > 1) {
        const std::string folder =
            fs::path(run.program).lexically_normal().parent_path().filename();
        if (!folder.empty()) name = folder + "/" + name;
      }
      if (const int earlier = used[name]++; earlier > 0) name += fmt::format("-{}", earlier + 1);
    }
  }

  static std::string name_of(std::string word) {
    while (word.size() > 1 && word.ends_with('/')) word.pop_back();
    std::error_code code;
    const fs::path path(word);
    return fs::is_directory(path, code) ? path.filename().string() : path.stem().string();
  }

  PreflightOptions options_;
  std::vector<std::string> words_, observed_;
  bool json_ = false;
};

}  // namespace

std::unique_ptr<Command> make_preflight() { return std::make_unique<PreflightVerb>(); }

}  // namespace understudy::launcher
