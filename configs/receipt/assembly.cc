// SPDX-License-Identifier: Apache-2.0
// Builds one receipt from the records of all ranks. A sum over chips is present only if every chip
// reported its part.
#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <set>

#include "configs/base/cache_policy.h"
#include "configs/base/error.h"
#include "configs/base/version.h"
#include "configs/receipt/memory_check.h"
#include "configs/receipt/parts.h"

namespace understudy::configs {
namespace {

using Records = std::vector<std::optional<RecordContent>>;

template <class T>
void add_once(std::vector<T>& list, const T& value) {
  if (std::ranges::find(list, value) == list.end()) list.push_back(value);
}

// A sum over a host without all of its chips would look like a smaller number of compiles, so it is
// left out.
std::vector<HostSeen> hosts_seen(const std::vector<RankSeen>& chips) {
  std::map<std::int64_t, HostSeen> hosts;
  std::set<std::int64_t> silent;
  for (const RankSeen& chip : chips) {
    HostSeen& host = hosts[chip.host];
    host.host = chip.host;
    host.ranks.push_back(chip.rank);
    if (chip.started) {
      add_once(host.machines, chip.started->machine);
      add_once(host.contract_digests, chip.started->contract_digest);
    }
    if (chip.totals) host.compiles = host.compiles.value_or(0) + chip.totals->compiles;
    if (!chip.totals) silent.insert(chip.host);
  }
  std::vector<HostSeen> list;
  for (auto& [number, host] : hosts) {
    if (silent.contains(number)) host.compiles.reset();
    list.push_back(std::move(host));
  }
  return list;
}

// Steps that every chip finished. Times of several machines are as equal as their clocks.
// From the last start to the last end: a chip that starts earlier waits for the others in the first
// collective.
std::vector<StepSeen> steps_seen(const std::vector<StepsOfChip>& all) {
  struct Span {
    std::size_t chips = 0;
    std::int64_t last_start = 0, last_end = 0;
    std::vector<std::pair<std::int64_t, double>> scalars;
  };
  std::map<std::int64_t, Span> spans;
  for (const StepsOfChip& steps : all) {
    for (const Stepped& step : steps) {
      Span& span = spans[step.index];
      ++span.chips;
      span.last_start = std::max(span.last_start, step.start_ns);
      span.last_end = std::max(span.last_end, step.end_ns);
      // Any chip will do: scalars that differ between chips show in the digests of the results.
      if (!step.scalars.empty()) span.scalars = step.scalars;
    }
  }
  std::vector<StepSeen> list;
  for (const auto& [index, span] : spans) {
    if (span.chips != all.size()) continue;
    constexpr double kSecondsPerNanosecond = 1e-9;
    const auto nanoseconds = static_cast<double>(span.last_end - span.last_start);
    list.push_back({index, nanoseconds * kSecondsPerNanosecond, std::nullopt, span.scalars});
  }
  return list;
}

// Per-chip numbers are maxima: chips outside of a group do not take part in its collectives.
std::optional<std::vector<CollectiveSeen>> collectives_seen(const std::vector<RankSeen>& chips) {
  std::map<std::pair<std::string, std::string>, CollectiveSeen> kinds;
  for (const RankSeen& chip : chips) {
    if (!chip.totals) return std::nullopt;
    for (const CollectiveCount& count : *chip.collectives) {
      CollectiveSeen& seen = kinds[{count.kind, count.algorithm}];
      seen.kind = count.kind;
      seen.algorithm = count.algorithm;
      seen.count = std::max(seen.count, count.count);
      seen.calls = std::max(seen.calls, count.calls);
      seen.bytes = std::max(seen.bytes, count.bytes);
      seen.messages_sent_per_chip = std::max(seen.messages_sent_per_chip, count.messages_sent);
      seen.bytes_sent_per_chip = std::max(seen.bytes_sent_per_chip, count.bytes_sent);
      seen.messages_sent += count.messages_sent;
      seen.bytes_sent += count.bytes_sent;
    }
  }
  std::vector<CollectiveSeen> list;
  for (auto& [key, seen] : kinds) list.push_back(std::move(seen));
  return list;
}

std::optional<CompileSeen> compile_seen(const std::vector<RankSeen>& chips) {
  std::optional<CompileSeen> compile;
  for (const RankSeen& chip : chips) {
    if (!chip.compiled) continue;
    const Compiled& told = *chip.compiled;
    if (!compile) {
      compile.emplace();
      compile->cached = true;
    }
    compile->cached = compile->cached && told.cached;
    compile->wall_seconds = std::max(compile->wall_seconds, told.wall_seconds);
    compile->compile_seconds += told.compile_seconds;
    add_once(compile->keys, told.key);
    for (const std::string& warning : told.warnings) add_once(compile->warnings, warning);
  }
  return compile;
}

// What processes observed of the cache; the launcher adds what it knows (add_provenance()).
std::optional<CacheUse> cache_seen(const std::vector<RankSeen>& chips) {
  std::optional<CacheUse> use;
  std::vector<double> waits;
  for (const RankSeen& chip : chips) {
    if (!chip.compiled) continue;
    if (!use) use.emplace().policy = chip.compiled->policy;
    if (!chip.compiled->cache) continue;
    const CacheSeen& seen = *chip.compiled->cache;
    waits.insert(waits.end(), seen.lock_wait_seconds.begin(), seen.lock_wait_seconds.end());
    if (cache_policy_named(use->policy).takes_lock) use->lock = seen.lock;
  }
  if (!waits.empty()) use->lock_wait_seconds = quantiles_of(std::move(waits));
  return use;
}

void add_totals(Receipt& receipt) {
  std::int64_t compiles = 0, executes = 0;
  std::map<std::string, std::int64_t> counters;
  for (const RankSeen& chip : receipt.ranks) {
    if (!chip.totals) return;
    if (chip.totals->counters)
      for (const auto& [name, value] : *chip.totals->counters) counters[name] += value;
    compiles += chip.totals->compiles;
    executes += chip.totals->executes;
  }
  receipt.compiles = compiles;
  receipt.executes = executes;
  if (!counters.empty()) receipt.counters = std::move(counters);
}

void add_memory(Receipt& receipt) {
  HbmPeak& peak = receipt.hbm_peak_bytes;
  for (const RankSeen& chip : receipt.ranks) {
    if (!chip.memory) continue;
    // The fullest chip limits the program; a sum over chips would fit no chip's capacity.
    peak.predicted = std::max(peak.predicted.value_or(0), chip.memory->hbm_predicted);
    peak.observed = std::max(peak.observed.value_or(0), chip.memory->hbm_observed);
    peak.capacity = std::max(peak.capacity.value_or(0), chip.memory->hbm_capacity);
    if (chip.memory->host_predicted > receipt.host_peak_bytes.predicted.value_or(0))
      receipt.host_peak_bytes = {chip.memory->host_predicted, chip.memory->host_observed,
                                 chip.memory->host_capacity};
    if (peak.not_as_planned) continue;
    if (const auto complaint = memory_complaint(*chip.memory))
      peak.not_as_planned = fmt::format("rank {}: {}", chip.rank, *complaint);
  }
}

ReceiptVersions versions_seen(const std::vector<RankSeen>& chips) {
  ReceiptVersions versions;
  versions.revision = revision();
  for (const RankSeen& chip : chips) {
    if (!chip.started) continue;
    const Started& started = *chip.started;
    add_once(versions.workers, fmt::format("{} ({})", started.version, started.revision));
    add_once(versions.mpi, started.mpi);
  }
  return versions;
}

// One differing digest decides at once; agreement needs a digest from every chip.
std::optional<bool> contract_agreed(const RunPlan& plan, const std::vector<RankSeen>& chips) {
  bool all_told = true;
  for (const RankSeen& chip : chips) {
    const bool told = chip.started && !chip.started->contract_digest.empty();
    if (told && chip.started->contract_digest != plan.contract_digest) return false;
    all_told = all_told && told;
  }
  return all_told ? std::optional(true) : std::nullopt;
}

void add_facts(Receipt& receipt, const LauncherFacts& facts) {
  receipt.started_at = facts.started_at;
  receipt.wall_seconds = facts.wall_seconds;
  receipt.exit_code = facts.exit_code;
  receipt.verdict = facts.exit_code == 0 ? "passed" : "failed";
  if (facts.failure) receipt.failures = {*facts.failure};
  receipt.launch = facts.launch;
  receipt.faults = facts.faults;
  receipt.script = facts.script;
  for (const LauncherFacts::Result& fact : facts.results) {
    const auto result = std::ranges::find(receipt.results, fact.index, &ResultReceipt::index);
    UNDERSTUDY_ASSERT(result != receipt.results.end());
    result->dtype = fact.dtype;
    result->shape = fact.shape;
    result->comparison = fact.comparison;
    result->read_before_reduction = fact.read_before_reduction;
    result->name = fact.name;
    result->comparison_ieee = fact.comparison_ieee;
  }
}

void add_clock_skew(Receipt& receipt, const Records& records) {
  std::vector<double> skew_ms;
  for (const auto& record : records)
    if (record)
      for (const Observation& seen : record->observations)
        if (const auto* const clocks = std::get_if<ClocksSeen>(&seen)) skew_ms = clocks->skew_ms;
  for (std::size_t rank = 0; rank < std::min(skew_ms.size(), receipt.ranks.size()); ++rank)
    if (receipt.ranks[rank].started) receipt.ranks[rank].clock_skew_ms = skew_ms[rank];
}

// What the plan says by itself.
void add_plan(Receipt& receipt, const RunPlan& plan) {
  receipt.run_id = plan.run_id;
  receipt.contract_digest = plan.contract_digest;
  receipt.slice = plan.slice;
  receipt.chip = plan.chip;
  receipt.program = {plan.program_path, plan.program_digest, plan.numerics,
                     plan.collectives,  plan.replicas,       plan.partitions};
  receipt.program.reproducible = plan.reproducible;
  if (!plan.device_order.empty()) receipt.program.device_order = plan.device_order;
  if (plan.chips == 0) return;
  receipt.chip_count = plan.chips;
  receipt.host_count = static_cast<std::int64_t>(receipt.hosts.size());
}

}  // namespace

Receipt assemble(const RunPlan& plan, const Records& records, const LauncherFacts& facts) {
  UNDERSTUDY_ASSERT(records.size() == plan.host_of.size());
  Receipt receipt;
  std::vector<StepsOfChip> steps;
  receipt.ranks = chips_seen(plan, records, steps);
  receipt.hosts = hosts_seen(receipt.ranks);
  for (HostSeen& host : receipt.hosts) host.slice = slice_of_host(plan, HostId(host.host));
  add_plan(receipt, plan);
  receipt.contract_agreed = contract_agreed(plan, receipt.ranks);
  receipt.versions = versions_seen(receipt.ranks);
  receipt.partition = facts.partition;
  receipt.mesh = facts.mesh;
  receipt.compile = compile_seen(receipt.ranks);
  receipt.cache = cache_seen(receipt.ranks);
  receipt.steps = steps_seen(steps);
  receipt.collectives = collectives_seen(receipt.ranks);
  receipt.stragglers = stragglers_in(records, facts);
  for (RankSeen& chip : receipt.ranks) {
    const auto& record = records[static_cast<std::size_t>(chip.rank)];
    // The flight recorder is evidence for a failure; a passed run does not need it.
    if (facts.exit_code != 0 && record) chip.flight = record->flight;
  }
  for (std::size_t i = 0; i < plan.results.size(); ++i) {
    receipt.results.push_back(result_seen(plan, i, receipt.ranks));
  }
  add_totals(receipt);
  add_memory(receipt);
  add_facts(receipt, facts);
  add_clock_skew(receipt, records);
  const std::map<std::string, std::string> sections(plan.contract_sections.begin(),
                                                    plan.contract_sections.end());
  const auto digest = [&](const char* section) {
    const auto found = sections.find(section);
    return found == sections.end() ? std::string() : found->second;
  };
  add_provenance(receipt, facts.provenance, {digest("environment"), digest("program")});
  return receipt;
}

}  // namespace understudy::configs
