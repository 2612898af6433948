// SPDX-License-Identifier: Apache-2.0
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>

#include "configs/base/diagnosis_id.h"
#include "configs/base/error.h"
#include "configs/base/words.h"
#include "configs/launch/ladder.h"
#include "configs/receipt/restore_proof.h"
#include "launcher/options/run_options.h"
#include "launcher/process/console.h"
#include "launcher/process/environment.h"
#include "launcher/rehearse/drill.h"
#include "launcher/rehearse/drill_damage.h"
#include "launcher/rehearse/judge_rung.h"
#include "launcher/rehearse/rung_run.h"

namespace understudy::launcher {
namespace {

namespace fs = std::filesystem;

// A temporary folder that is removed with the object.
class Folder {
 public:
  explicit Folder(const std::string& below) {
    path_ = below + "/understudy-drill-XXXXXX";
    if (::mkdtemp(path_.data()) == nullptr)
      throw Error(ErrorKind::system, fmt::format("cannot create a folder in {}", below));
  }
  ~Folder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

// {P} is the folder of the shipped programs, {W} the folder of this drill.
std::string filled(std::string_view word, const DrillWorld& world) {
  std::string text(word);
  const std::pair<const char*, const std::string&> marks[] = {{"{P}", world.programs},
                                                              {"{W}", world.folder}};
  for (const auto& [mark, value] : marks)
    for (std::size_t at = 0; (at = text.find(mark, at)) != std::string::npos; at += value.size())
      // 3: the length of a mark.
      text.replace(at, 3, value);
  return text;
}

// A drill must not touch the user's cache, so every drill gets its own cache folder.
std::vector<std::string> words_of(const Drill& drill, const DrillWorld& world) {
  std::vector<std::string> words;
  // Most rows name only their fault: ranks 0 and 1 are then on host 0, ranks 2 and 3 on host 1.
  if (drill.words.starts_with("--")) words = {"{P}/dense/4", "--hosts", "2"};
  for (std::string& word : nonempty_words(drill.words, ' ')) words.push_back(std::move(word));
  for (std::string& word : words) word = filled(word, world);
  if (std::ranges::find(words, "--cache-dir") == words.end())
    words.insert(words.end(), {"--cache-dir", world.cache()});
  return words;
}

// The findings of a rung, failures first.
struct Finding {
  std::string diagnosis, layer, message, advice;
  std::optional<std::int64_t> host;
};

std::vector<Finding> findings_of(const configs::RungSeen& seen) {
  std::vector<Finding> all;
  if (seen.status == "failed")
    all.push_back({seen.diagnosis.value_or(""), seen.layer_of_failure.value_or(""),
                   seen.why.value_or(""), seen.advice.value_or(""), seen.host});
  for (const configs::RungWarning& one : seen.warnings)
    all.push_back({one.diagnosis, one.layer, one.why, one.advice, one.host});
  return all;
}

// Parses with the real option table of `run`, so a drill is exactly what a user could type.
RunOptions options_of_words(std::vector<std::string> words) {
  RunOptions options;
  CLI::App app;
  declare_run(app, options);
  std::ranges::reverse(words);  // CLI11 takes the words in reverse order
  try {
    app.parse(words);
  } catch (const CLI::ParseError& error) {
    throw Error(ErrorKind::usage, error.what());
  }
  return options;
}

DrillSeen expectation_of(const Drill& drill) {
  const configs::Diagnosis* const expected = configs::find_diagnosis(name_of(drill.diagnosis));
  UNDERSTUDY_ASSERT(expected != nullptr);
  DrillSeen seen;
  seen.name = drill.name;
  seen.id = drill.id;
  seen.about = drill.about;
  seen.expected_diagnosis = name_of(drill.diagnosis);
  seen.expected_layer = name_of(expected->layer);
  seen.expected_host = drill.host;
  seen.bound_seconds = drill.bound_seconds;
  return seen;
}

// Runs the drill again with changed options and judges the restore proof.
// These drills succeed if the restore proof notices that the second run was not a restore.
DrillSeen told_of_restore(const Drill& drill, const DrillWorld& world, Words words,
                          const RungEvidence& cold, DrillSeen seen) {
  for (const std::string& word : nonempty_words(drill.again, ' '))
    words.push_back(filled(word, world));
  configs::Rung rung;
  rung.metrics = "off";
  const RungEvidence again =
      run_options(rung, options_of_words(words), world.environment, world.console);
  seen.seconds = again.seconds;
  if (again.runs.empty()) return seen;
  const configs::RestoreProof proof =
      configs::prove_restore(cold.runs.back().receipt, again.runs.back().receipt);
  seen.message = name_of(proof.verdict);
  if (proof.verdict == configs::RestoreVerdict::proven) return seen;
  if (!proof.reasons.empty()) seen.message += ": " + proof.reasons.front();
  const configs::Diagnosis* const known =
      configs::find_diagnosis(name_of(DiagnosisId::restore_not_proven));
  seen.diagnosis = known->name;
  seen.layer = name_of(known->layer);
  seen.advice = known->advice;
  // A diagnosis that comes too late does not count: the user would have given up by then.
  seen.detected = seen.diagnosis == seen.expected_diagnosis && seen.seconds <= drill.bound_seconds;
  return seen;
}

}  // namespace

void run_words(const DrillWorld& world, const std::vector<std::string>& words) {
  configs::Rung rung;
  rung.metrics = "off";
  static_cast<void>(run_options(rung, options_of_words(words), world.environment, world.console));
}

// Errors while preparing or planning are evidence, too: many drills are refused before anything
// starts.
DrillSeen play(const Drill& drill, const std::string& programs, const Environment& environment,
               const Console& console) {
  const Folder folder(environment.temporary);
  // Receipts of the drill's runs go into its temporary folder and not into the user's.
  Environment own = environment;
  own.state_home = folder.path() + "/state";
  const DrillWorld world{folder.path(), programs, own, console};
  const std::vector<std::string> words = words_of(drill, world);
  DrillSeen seen = expectation_of(drill);
  configs::Rung rung;
  rung.name = drill.name;
  rung.metrics = drill.with_metrics ? "full" : "off";
  RungEvidence evidence;
  try {
    if (drill.prepare != nullptr) drill.prepare(world, words);
    evidence = run_options(rung, options_of_words(words), own, console);
    if (!drill.again.empty() && !evidence.runs.empty())
      return told_of_restore(drill, world, words, evidence, std::move(seen));
  } catch (const Error& error) {
    // This machine cannot cause the failure, for example without the right to mount a disk.
    if (error.kind() == ErrorKind::unsupported) {
      seen.left_out = error.message();
      return seen;
    }
    evidence.refused = error;
  }
  seen.interrupted = evidence.interrupted;
  if (seen.interrupted != 0) return seen;
  return judge_drill(drill, judge_rung(rung, evidence));
}

DrillSeen judge_drill(const Drill& drill, const configs::RungSeen& rung) {
  DrillSeen seen = expectation_of(drill);
  seen.seconds = rung.seconds;
  const std::vector<Finding> findings = findings_of(rung);
  if (findings.empty()) {
    seen.message = "no failure was found";
    return seen;
  }
  // A rung may have several findings; the drill passes if the expected one is among them.
  const auto hit = std::ranges::find(findings, name_of(drill.diagnosis), &Finding::diagnosis);
  const Finding& told = hit == findings.end() ? findings.front() : *hit;
  seen.diagnosis = told.diagnosis;
  seen.layer = told.layer;
  seen.host = told.host;
  seen.message = told.message;
  seen.advice = told.advice;
  seen.detected = seen.diagnosis == seen.expected_diagnosis && seen.layer == seen.expected_layer &&
                  (!drill.host || seen.host == drill.host) && seen.seconds <= drill.bound_seconds;
  return seen;
}

}  // namespace understudy::launcher
