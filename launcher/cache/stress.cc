// SPDX-License-Identifier: Apache-2.0
#include "launcher/cache/stress.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <numeric>

#include "cache/housekeeping.h"
#include "cache/self_test.h"
#include "configs/base/error.h"
#include "configs/base/suggest.h"
#include "launcher/cache/contender.h"
#include "launcher/cache/diagnosis.h"
#include "launcher/cache/supervisor.h"

namespace understudy::launcher {
namespace {

constexpr std::size_t kMostWarnings = 5;

double sum_of(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0);
}

// Jain's index.
double fairness_of(const std::vector<double>& values) {
  const double sum = sum_of(values);
  const double squares = std::inner_product(values.begin(), values.end(), values.begin(), 0.0);
  return squares > 0 ? sum * sum / (static_cast<double>(values.size()) * squares) : 1;
}

std::vector<double> waits_of(std::span<Slot> slots) {
  std::vector<double> waits;
  for (const Slot& slot : slots)
    for (std::uint32_t i = 0; i < slot.waits.load(); ++i)
      waits.push_back(static_cast<double>(slot.lock_waits[i]));
  return waits;
}

void add_counts(configs::PolicyStress& stress, std::span<Slot> slots) {
  for (const Slot& slot : slots) {
    const Tally& tally = slot.tally;
    stress.torn_reads += tally.torn_reads;
    stress.damaged_reads += tally.damaged_reads;
    stress.wrong_results += tally.wrong_results;
    stress.lock_timeouts += tally.lock_timeouts;
    stress.wait_timeouts += tally.wait_timeouts;
    stress.locks_broken += tally.locks_broken;
    stress.write_failures += tally.write_failures;
    stress.quarantined += tally.quarantined;
    stress.removed += tally.removed;
    stress.evicted += tally.evicted;
    stress.retries += tally.retries;
    const std::string warning(slot.warning.data());
    if (!warning.empty() && stress.warnings.size() < kMostWarnings &&
        std::ranges::find(stress.warnings, warning) == stress.warnings.end())
      stress.warnings.push_back(warning);
  }
}

void add_fractions(configs::PolicyStress& stress, std::span<Slot> slots, double all_startups) {
  if (all_startups <= 0) return;
  for (const Slot& slot : slots) {
    stress.lock_wait_fraction += slot.tally.lock_seconds / all_startups;
    stress.wait_fraction += slot.tally.wait_seconds / all_startups;
    stress.compile_fraction += slot.tally.compile_seconds / all_startups;
    stress.read_fraction += slot.tally.read_seconds / all_startups;
    stress.write_fraction += slot.tally.write_seconds / all_startups;
  }
}

// What a compile really took: on a machine with much to do a sleep lasts longer.
Seconds mean_compile(const StressSetup& setup, std::span<Slot> slots, std::int64_t compiles) {
  double all = 0;
  for (const Slot& slot : slots) all += slot.tally.compile_seconds;
  return compiles > 0 ? std::max(setup.compile, Seconds(all / static_cast<double>(compiles)))
                      : setup.compile;
}

}  // namespace

Discipline parse_discipline(const std::string& word) {
  const std::vector<std::string> known = cache::discipline_names();
  if (std::ranges::find(known, word) == known.end())
    throw Error(ErrorKind::usage,
                fmt::format("unknown cache policy {}{}", word, did_you_mean(word, known)))
        .note("known: " + join_words(known));
  const std::size_t colon = word.find(':');
  if (colon == std::string::npos) return {word, word == "shared" ? "" : "none"};
  return {word.substr(0, colon), word.substr(colon + 1)};
}

configs::PolicyStress run_stress(const StressSetup& setup, const Discipline& wanted) {
  Discipline discipline = wanted;
  if (discipline.lock.empty())
    discipline.lock = name_of(cache::lock_for(cache::test_exclusion(setup.directory)));
  Supervisor supervisor(setup, discipline);
  supervisor.run();
  configs::PolicyStress stress;
  stress.policy = discipline.policy;
  stress.lock = discipline.policy == "shared" ? discipline.lock : "none";
  stress.processes = setup.processes;
  stress.hosts = setup.hosts;
  stress.keys = setup.keys;
  supervisor.tell(stress);
  std::vector<double> first = supervisor.startups().front();
  stress.startup_seconds = configs::quantiles_of(first);
  std::vector<double> later;
  double all = sum_of(first);
  for (std::size_t round = 1; round < supervisor.startups().size(); ++round) {
    const std::vector<double>& one = supervisor.startups()[round];
    later.insert(later.end(), one.begin(), one.end());
    all += sum_of(one);
  }
  if (!later.empty()) stress.restart_seconds = configs::quantiles_of(later);
  stress.fairness = fairness_of(first);
  stress.by_process = std::move(first);
  stress.lock_wait_seconds = configs::quantiles_of(waits_of(supervisor.slots()));
  add_counts(stress, supervisor.slots());
  add_fractions(stress, supervisor.slots(), all);
  stress.leftover_files = cache::count_leftovers(cache::machine_files(), setup.directory);
  cache::prune(cache::machine_files(), setup.directory, {});
  stress.leftovers_after_prune = cache::count_leftovers(cache::machine_files(), setup.directory);
  stress.safe = stress.torn_reads == 0 && stress.wrong_results == 0 &&
                stress.stuck_processes == 0 && stress.entries_lost == 0;
  StressSetup measured = setup;
  measured.compile = mean_compile(setup, supervisor.slots(), stress.compiles);
  stress.predicted_seconds = predict_safe(measured, setup.directory + "/alone");
  stress.diagnosis = diagnosis_of(stress);
  return stress;
}

}  // namespace understudy::launcher
