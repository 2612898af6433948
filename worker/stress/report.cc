// SPDX-License-Identifier: Apache-2.0
// Joins the observations of all ranks at rank 0. Numbers are sent as plain bytes.
#include <algorithm>
#include <cstring>
#include <numeric>
#include <span>

#include "cache/file_system.h"
#include "cache/housekeeping.h"
#include "configs/base/cache_policy.h"
#include "worker/stress/supervisor.h"

namespace understudy::worker {
namespace {

// More of them rarely say anything new, and a receipt stays readable.
constexpr std::size_t kMostWarnings = 5;

struct Numbers {
  Tally tally;
  std::int64_t killed = 0, stuck = 0, leftovers = 0, leftovers_after_prune = 0;
};

// Sender and receiver are the same binary on machines of one architecture, so bytes need no format.
template <class Value>
Bytes packed(std::span<const Value> values) {
  const auto bytes = std::as_bytes(values);
  return {bytes.begin(), bytes.end()};
}

template <class Value>
std::vector<Value> unpacked(const Bytes& bytes) {
  std::vector<Value> values(bytes.size() / sizeof(Value));
  std::memcpy(values.data(), bytes.data(), bytes.size());
  return values;
}

double sum_of(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0);
}

// Jain's fairness index: (sum x)^2 / (n sum x^2), 1 for equal shares.
// R. Jain, D. Chiu, W. Hawe: A Quantitative Measure of Fairness, DEC-TR-301, 1984.
double fairness_of(const std::vector<double>& values) {
  const double sum = sum_of(values);
  const double squares = std::inner_product(values.begin(), values.end(), values.begin(), 0.0);
  return squares > 0 ? sum * sum / (static_cast<double>(values.size()) * squares) : 1;
}

void add(configs::PolicyStress& stress, const Tally& tally, double all_startups,
         std::uint64_t entry_bytes) {
  stress.wrong_results += tally.wrong_results;
  stress.lock_timeouts += tally.counters.lock_timeouts;
  stress.wait_timeouts += tally.counters.wait_timeouts;
  stress.locks_broken += tally.counters.locks_broken;
  stress.write_failures += tally.counters.write_failures;
  stress.quarantined += tally.counters.quarantined;
  stress.removed += tally.counters.removed;
  stress.evicted += tally.counters.evicted;
  stress.retries += tally.retries;
  stress.bytes_written += static_cast<std::uint64_t>(tally.counters.writes) * entry_bytes;
  // Shares of the total start-up time of all contenders; without any there is nothing to divide.
  // Shares are added rank by rank, so each is divided by the total of all.
  if (all_startups <= 0) return;
  stress.lock_wait_fraction += tally.lock_seconds / all_startups;
  stress.wait_fraction += tally.wait_seconds / all_startups;
  stress.compile_fraction += tally.compile_seconds / all_startups;
  stress.read_fraction += tally.read_seconds / all_startups;
  stress.write_fraction += tally.write_seconds / all_startups;
}

}  // namespace

configs::PolicyStress Supervisor::report() {
  configs::PolicyStress stress;
  stress.policy = setup_.discipline.policy;
  // A policy without a lock is reported as such, whatever the option says.
  stress.lock = cache_policy_named(stress.policy).takes_lock ? setup_.discipline.lock : "none";
  stress.processes = setup_.plan.processes;
  stress.hosts = setup_.plan.hosts;
  stress.keys = setup_.plan.keys;
  stress.rounds = rounds_;
  stress.compiles = ledger_.compiles;
  stress.duplicate_compiles = ledger_.duplicates;
  stress.torn_reads = ledger_.torn;
  stress.damaged_reads = ledger_.damaged_reads;
  stress.entries_lost = ledger_.lost;
  stress.unique_bytes = ledger_.unique_bytes;
  gather_numbers(stress);
  gather_words(stress);
  // Slow is not unsafe: timeouts, duplicates and leftovers are reported, but do not count here.
  stress.safe = stress.torn_reads == 0 && stress.wrong_results == 0 &&
                stress.stuck_processes == 0 && stress.entries_lost == 0;
  return stress;
}

void Supervisor::gather_startups(configs::PolicyStress& stress, double& all) {
  const auto gathered = pod_.control_channel.gather(packed(std::span<const double>(startups_)),
                                                    "start-ups of a stress run");
  std::vector<double> first, later;
  // The first start is cold, all later ones find a warm cache: two distributions that must not be
  // mixed.
  for (const Bytes& bytes : gathered) {
    const auto rounds = unpacked<double>(bytes);
    first.push_back(rounds.front());
    later.insert(later.end(), rounds.begin() + 1, rounds.end());
  }
  all = sum_of(first) + sum_of(later);
  stress.startup_seconds = configs::quantiles_of(first);
  if (!later.empty()) stress.restart_seconds = configs::quantiles_of(later);
  stress.fairness = fairness_of(first);
  stress.by_process = std::move(first);
}

void Supervisor::gather_numbers(configs::PolicyStress& stress) {
  double all = 0;
  gather_startups(stress, all);
  // The tally is in shared memory, as contenders write it.
  Numbers mine{memory_.slot().tally, killed_, stuck_};
  // Leftovers are counted once per mount, before and after a prune: the second number shows what
  // housekeeping cannot remove.
  if (pod_.leads_mount) {
    mine.leftovers = cache::count_leftovers(setup_.directory);
    cache::prune(cache::machine_files(), setup_.directory, {});
    mine.leftovers_after_prune = cache::count_leftovers(setup_.directory);
  }
  const auto gathered = pod_.control_channel.gather(packed(std::span<const Numbers>(&mine, 1)),
                                                    "numbers of a stress run");
  double compile_seconds = 0;
  std::int64_t compiles = 0;
  for (const Bytes& bytes : gathered) {
    const Numbers one = unpacked<Numbers>(bytes).front();
    add(stress, one.tally, all, setup_.plan.entry_bytes);
    stress.killed += one.killed;
    stress.stuck_processes += one.stuck;
    stress.leftover_files += one.leftovers;
    stress.leftovers_after_prune += one.leftovers_after_prune;
    compile_seconds += one.tally.compile_seconds;
    compiles += one.tally.counters.compiles;
  }
  // Without any compilation there is no mean.
  if (compiles > 0) stress.mean_compile_seconds = compile_seconds / static_cast<double>(compiles);
}

void Supervisor::gather_words(configs::PolicyStress& stress) {
  const Slot& slot = memory_.slot();
  // As many waits as were recorded; the array has room for more.
  const auto waits = pod_.control_channel.gather(
      packed(std::span<const float>(slot.lock_waits.data(), slot.waits.load())),
      "lock waits of a stress run");
  std::vector<double> all;
  for (const Bytes& bytes : waits)
    for (const float wait : unpacked<float>(bytes)) all.push_back(static_cast<double>(wait));
  stress.lock_wait_seconds = configs::quantiles_of(std::move(all));
  // A rank's own trouble is worth more than a contender's warning.
  const std::string mine = trouble_.empty() ? std::string(slot.warning.data()) : trouble_;
  for (const Bytes& bytes :
       pod_.control_channel.gather(bytes_of(mine), "warnings of a stress run")) {
    std::string warning = text_of(bytes);
    if (!warning.empty() && stress.warnings.size() < kMostWarnings &&
        // The same warning usually comes from many ranks.
        std::ranges::find(stress.warnings, warning) == stress.warnings.end())
      stress.warnings.push_back(std::move(warning));
  }
}

}  // namespace understudy::worker
