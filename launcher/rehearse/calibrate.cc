// SPDX-License-Identifier: Apache-2.0
#include "launcher/rehearse/calibrate.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fmt/format.h>
#include <string_view>

#include "configs/base/diagnosis_id.h"
#include "configs/base/digest.h"
#include "configs/base/error.h"
#include "configs/base/file.h"
#include "configs/base/suggest.h"
#include "configs/base/version.h"
#include "configs/launch/joined_slices.h"
#include "configs/receipt/diagnosis.h"
#include "launcher/options/settled_options.h"
#include "launcher/pod/launch.h"
#include "launcher/process/console.h"
#include "launcher/rehearse/rung_run.h"
#include "launcher/run/plan_run.h"
#include "program/compile.h"

namespace understudy::launcher {
namespace {

namespace fs = std::filesystem;
using configs::Candidate;
using configs::Catalogue;
using configs::RungSeen;

// At most one rung fails: those after it are not run.
const RungSeen* failed_rung(const RehearsalEnd& end) {
  const auto& rungs = end.document.ladder.rungs;
  const auto found = std::ranges::find(rungs, "failed", &RungSeen::status);
  return found == rungs.end() ? nullptr : &*found;
}

std::string outcome_of(const RungSeen* failed) {
  struct Row {
    std::string_view diagnosis;
    const char* outcome;
  };
  // The outcome words of the catalogue; every other diagnosis is "other".
  constexpr std::array<Row, 6> kRows = {{{name_of(DiagnosisId::hbm_exhausted), "runtime_oom"},
                                         {name_of(DiagnosisId::vmem_exhausted), "compile_oom"},
                                         {name_of(DiagnosisId::rank_stuck), "timeout"},
                                         {name_of(DiagnosisId::rank_stopped), "timeout"},
                                         {name_of(DiagnosisId::rank_died), "timeout"},
                                         {name_of(DiagnosisId::rank_lost_at_start), "timeout"}}};
  if (failed == nullptr) return "ok";
  const auto* const row = std::ranges::find(kRows, failed->diagnosis.value_or(""), &Row::diagnosis);
  return row == kRows.end() ? "other" : row->outcome;
}

// The predicted HBM peak of the ladder: the maximum over its rungs.
std::optional<std::uint64_t> predicted_of(const RehearsalEnd& end) {
  std::optional<std::uint64_t> most;
  for (const RungSeen& seen : end.document.ladder.rungs)
    if (seen.hbm_predicted) most = std::max(most.value_or(0), *seen.hbm_predicted);
  return most;
}

// Per chip, for the correction factor of later predictions.
std::vector<std::uint64_t> observed_of(const RehearsalEnd& end) {
  std::vector<std::uint64_t> observed;
  for (const configs::RankSeen& chip : end.receipt.ranks)
    if (chip.memory) observed.push_back(chip.memory->hbm_observed);
  return observed;
}

// The planned HBM bytes of the program of the last rung, which is the largest.
// Compiles the program, which needs no pod.
std::uint64_t planned_hbm(const RunOptions& options, const configs::Ladder& ladder,
                          const configs::Slice& slice) {
  const auto chips = static_cast<std::int64_t>(slice.chips.size());
  const LoadedProgram program = load_program(options_of_rung(ladder.rungs.back(), options, chips));
  return program::compile(*program.module, program.options).hbm_bytes();
}

// nullopt: the catalogue cannot be read. It is left unchanged, and the rehearsal goes on without
// it.
std::optional<Catalogue> read(const std::string& path, const Console& console) {
  std::error_code code;
  if (!fs::exists(path, code)) return Catalogue{};
  try {
    return configs::read_catalogue(read_text_file(path), path);
  } catch (const Error& error) {
    console.failure("understudy: warning: launches are not recorded: " + error.text());
    return std::nullopt;
  }
}

void write(const std::string& path, const Catalogue& catalogue, const Console& console) {
  std::error_code code;
  fs::create_directories(fs::path(path).parent_path(), code);
  try {
    if (code)
      throw Error(ErrorKind::system, fmt::format("cannot write {}: {}", path, code.message()));
    write_file_atomically(path, std::string_view(configs::to_json(catalogue)));
  } catch (const Error& error) {
    console.failure("understudy: warning: cannot record the launch: " + error.text());
  }
}

}  // namespace

// The same option names as on the command line, without dashes.
RunOptions with_setting(RunOptions options, const std::string& setting) {
  std::vector<std::string> names;
  const auto keys = settled_options();
  for (const SettledOption& key : keys) names.emplace_back(key.name);
  for (std::size_t at = 0; at < setting.size();) {
    const std::size_t end = std::min(setting.find(',', at), setting.size());
    const std::string part = setting.substr(at, end - at);
    const std::size_t equals = std::min(part.find('='), part.size());
    const std::string name = part.substr(0, equals);
    const auto key = std::ranges::find(keys, name, &SettledOption::name);
    if (key == keys.end() || equals == part.size())
      throw Error(ErrorKind::usage,
                  fmt::format("--candidate {}: unknown setting \"{}\"{}; known: {}", setting, part,
                              did_you_mean(name, names), join_words(names)));
    options.*key->value = part.substr(equals + 1);
    at = end + 1;
  }
  return options;
}

// Two launches are comparable if code, hardware, argument shapes, grid and settings are equal.
configs::LaunchSignature signature_of(const RunOptions& options, const configs::Ladder& ladder,
                                      const configs::Slice& slice) {
  const auto chips = static_cast<std::int64_t>(slice.chips.size());
  const LoadedProgram program = load_program(options_of_rung(ladder.rungs.back(), options, chips));
  configs::LaunchSignature signature;
  // A rebuilt understudy may plan memory differently, so its launches are not compared with older
  // ones.
  signature.code_state = fmt::format("{} {} {}", version(), revision(), program.digest);
  signature.hardware =
      fmt::format("{} {}", slice.chip.name, configs::joined_name(slice.slices, slice.name));
  std::string shapes;
  for (const program::Parameter& argument : program.interface.arguments)
    shapes += text_of(argument.global) + " ";
  signature.model_shape = digest_of(std::string_view(shapes));
  signature.parallelism = fmt::format("{} x {} on {} hosts", program.interface.replicas,
                                      program.interface.partitions, slice.hosts);
  for (const SettledOption& key : settled_options())
    signature.feature_toggles[std::string(key.name)] = options.*key.value;
  signature.feature_toggles["reproducible"] = options.reproducible ? "true" : "false";
  return signature;
}

configs::LaunchEnd end_of(const RehearsalEnd& end) {
  const RungSeen* const failed = failed_rung(end);
  return {end.receipt.started_at, outcome_of(failed),
          failed == nullptr ? "" : fmt::format("{}: {}", failed->rung, failed->why.value_or(""))};
}

// Another setting may help against a lack of memory or a failure of the machine. A broken invariant
// is our own defect, which the next setting must not hide.
bool may_fall_back(const RehearsalEnd& end) {
  const RungSeen* const failed = failed_rung(end);
  return failed != nullptr && failed->diagnosis != name_of(DiagnosisId::broken_invariant) &&
         (failed->layer_of_failure == name_of(configs::Layer::host_runtime) ||
          failed->layer_of_failure == name_of(configs::Layer::memory));
}

// A failure of another layer (graph, program) ends the loop: another setting would fail in the same
// way and only cost time.
RehearsalEnd try_in_order(Catalogue& catalogue, const std::vector<Candidate>& candidates,
                          const std::function<RehearsalEnd(const Candidate&)>& play) {
  std::vector<configs::AttemptSeen> attempts;
  for (std::size_t i = 0;; ++i) {
    // There is at least one candidate: the options as given.
    const Candidate& candidate = candidates.at(i);
    configs::AttemptSeen attempt;
    attempt.setting = candidate.name;
    attempt.launch_class = name_of(class_of(catalogue, candidate.signature));
    if (candidate.predicted_hbm > 0)
      attempt.predicted_hbm = corrected(catalogue, candidate.signature, candidate.predicted_hbm);
    RehearsalEnd end = play(candidate);
    const configs::LaunchEnd told = end_of(end);
    if (end.document.exit_code > kSignalled)
      return end;  // an interruption says nothing about the setting
    add(catalogue, candidate.signature, predicted_of(end), observed_of(end), told);
    attempt.outcome = told.outcome;
    attempt.why = told.why;
    attempts.push_back(std::move(attempt));
    if (may_fall_back(end) && i + 1 < candidates.size()) continue;
    end.document.ladder.attempts = attempts;
    end.receipt.ladder->attempts = attempts;
    return end;
  }
}

RehearsalEnd rehearse_calibrated(const RehearseOptions& options,
                                 const std::vector<std::string>& settings,
                                 const std::string& catalogue_path, const Environment& environment,
                                 const Console& console) {
  const configs::Slice slice = slice_of(options.run);
  const configs::Ladder ladder = climbable(ladder_path(options.ladder, environment),
                                           static_cast<std::int64_t>(slice.chips.size()));
  const std::optional<Catalogue> noted = read(catalogue_path, console);
  Catalogue catalogue = noted.value_or(Catalogue{});
  std::vector<Candidate> candidates;
  for (const std::string& setting : settings.empty() ? std::vector<std::string>{""} : settings) {
    const RunOptions own = with_setting(options.run, setting);
    Candidate candidate{setting, signature_of(own, ladder, slice), 0};
    // Compiling the last program only pays off if there is an order to decide.
    if (settings.size() > 1) candidate.predicted_hbm = planned_hbm(own, ladder, slice);
    candidates.push_back(std::move(candidate));
  }
  RehearsalEnd end = try_in_order(catalogue, ordered(catalogue, std::move(candidates)),
                                  [&](const Candidate& candidate) {
                                    RehearseOptions own = options;
                                    own.run = with_setting(options.run, candidate.name);
                                    // With several candidates the catalogue decided the order, so
                                    // the receipt names it as the source.
                                    if (settings.size() > 1)
                                      own.run.settings_from = "validation_log";
                                    return rehearse(own, environment, console);
                                  });
  // An unreadable catalogue is never overwritten.
  // Unchanged files are not written again, so that a read-only home costs no warning.
  if (noted && to_json(catalogue) != to_json(*noted)) write(catalogue_path, catalogue, console);
  return end;
}

}  // namespace understudy::launcher
