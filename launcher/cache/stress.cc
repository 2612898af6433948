// SPDX-License-Identifier: Apache-2.0
#include "launcher/cache/stress.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>

#include "cache/compile_cache.h"
#include "cache/self_test.h"
#include "configs/base/cache_policy.h"
#include "configs/base/error.h"
#include "configs/base/file.h"
#include "configs/base/suggest.h"
#include "launcher/cache/diagnosis.h"
#include "launcher/diagnose/mpirun_notice.h"
#include "launcher/process/subprocess.h"

namespace understudy::launcher {
namespace {

// Bounds the delay of an interruption; the ranks measure their own times, so polling does not
// affect results.
constexpr Seconds kPollInterval{0.02};

// Runs the ranks to their end. Returns the output of mpirun and the ranks.
// Polls, so that a signal or the deadline can end the experiment.
std::string run_ranks(const StressStart& start, const RunFolder& folder,
                      const std::function<void()>& while_running) {
  Subprocess mpirun(start.words, start.variables);
  folder.end_with_launcher(mpirun.identity());
  try {
    while (!mpirun.wait(Deadline::after(kPollInterval))) while_running();
  } catch (...) {
    // On SIGTERM mpirun ends its ranks first; the contender processes end with their ranks.
    mpirun.signal(SIGTERM);
    (void)mpirun.wait(Deadline::after(Seconds(5)));
    throw;
  }
  return mpirun.output();
}

Error failure(const std::string& output) {
  Error error(ErrorKind::system, "the stress run ended without a result");
  for (std::size_t at = 0; at < output.size();) {
    const std::size_t end = std::min(output.find('\n', at), output.size());
    if (end > at) error.note(output.substr(at, end - at));
    at = end + 1;
  }
  return error;
}

}  // namespace

configs::StressDiscipline parse_discipline(const std::string& word) {
  const std::vector<std::string> known = cache::discipline_names();
  if (std::ranges::find(known, word) == known.end())
    throw Error(ErrorKind::usage,
                fmt::format("unknown cache policy {}{}", word, did_you_mean(word, known)))
        .note("known: " + join_words(known));
  const std::size_t colon = word.find(':');
  if (colon == std::string::npos) return {word, cache_policy_named(word).takes_lock ? "" : "none"};
  return {word.substr(0, colon), word.substr(colon + 1)};
}

// An empty lock means "the best one that works on this mount", as a run chooses it.
void complete(configs::StressDiscipline& discipline, const std::string& directory) {
  if (discipline.lock.empty())
    discipline.lock = name_of(cache::lock_for(cache::test_exclusion(directory)));
}

// The whole plan is passed as one JSON argument, so that ranks on other machines need no shared
// file.
StressStart stress_start(configs::StressPlan& plan, const StartOptions& start,
                         const Environment& environment, RunFolder& folder) {
  plan.result = folder.path() + "/result.json";
  MpirunFacts facts =
      mpirun_facts(start, plan.processes, environment, folder, "understudy-cache-stress");
  facts.worker_words = {to_json(plan)};
  return {mpirun_command(facts), mpirun_variables(facts)};
}

std::vector<configs::PolicyStress> run_stress(const configs::StressPlan& plan,
                                              const StressStart& start, const RunFolder& folder,
                                              const std::function<void()>& while_running) {
  std::string output = run_ranks(start, folder, while_running);
  // If MPI_Init failed, the experiment has not begun, so one retry is safe.
  if (!std::filesystem::exists(plan.result) && mpi_did_not_start(output))
    output = run_ranks(start, folder, while_running);
  if (!std::filesystem::exists(plan.result)) throw failure(output);
  std::vector<configs::PolicyStress> policies =
      configs::read_cache_stress(read_text_file(plan.result), plan.result).policies;
  for (configs::PolicyStress& stress : policies) stress.diagnosis = diagnosis_of(stress);
  return policies;
}

}  // namespace understudy::launcher
