// SPDX-License-Identifier: Apache-2.0
// Checks of a rung that only warn.
#include <algorithm>
#include <fmt/format.h>
#include <vector>

#include "configs/base/diagnosis_id.h"
#include "launcher/rehearse/rung_checks.h"

namespace understudy::launcher {

using configs::RankSeen;
using configs::Rung;

namespace {

// The first chip that has one of these counters, and the counter's name.
// Names a chip, so that the warning can name its host.
std::optional<std::pair<const RankSeen*, std::string>> counted(
    const RungEvidence& evidence, const std::vector<std::string_view>& names) {
  for (const RunReport& run : evidence.runs)
    for (const RankSeen& chip : run.receipt.ranks) {
      if (!chip.totals || !chip.totals->counters) continue;
      for (const std::string_view name : names) {
        const auto found = chip.totals->counters->find(std::string(name));
        if (found != chip.totals->counters->end() && found->second > 0)
          return std::pair(&chip, found->first);
      }
    }
  return std::nullopt;
}

}  // namespace

// A cache problem costs only a compile, but at every start, so it is a warning and no failure.
std::optional<Looked> cache_entries_intact(const Rung&, const RungEvidence& evidence) {
  struct CacheRow {
    std::string_view diagnosis;
    std::vector<std::string_view> counters;
  };
  // Counters of the cache and the diagnosis that each stands for.
  static const std::vector<CacheRow> kTable = {
      {name_of(DiagnosisId::cache_entry_damaged),
       {"CacheEntryQuarantined", "PersistentCacheDeserializeFailure"}},
      {name_of(DiagnosisId::cache_not_writable), {"CacheWriteFailure"}},
      {name_of(DiagnosisId::cache_lock_stuck), {"CacheLockBroken", "CacheLockTimeout"}},
      {name_of(DiagnosisId::cache_leader_lost), {"CacheWaitTimeout"}},
  };
  if (evidence.runs.empty()) return std::nullopt;
  std::string words;
  for (const RunReport& run : evidence.runs)
    if (run.receipt.compile && !run.receipt.compile->warnings.empty())
      words = run.receipt.compile->warnings.front();
  for (const CacheRow& row : kTable) {
    const auto found = counted(evidence, row.counters);
    if (!found) continue;
    Looked looked = fail(row.diagnosis, words.empty() ? found->second : words);
    looked.failure->rank = found->first->rank;
    looked.failure->host = found->first->host;
    looked.only_warns = true;
    return looked;
  }
  if (words.empty()) return Looked{"no cache problems"};
  Looked looked = fail(name_of(DiagnosisId::cache_not_writable), words);
  looked.only_warns = true;
  for (const RunReport& run : evidence.runs)
    for (const RankSeen& chip : run.receipt.ranks)
      if (!looked.failure->rank && chip.compiled && !chip.compiled->warnings.empty()) {
        looked.failure->rank = chip.rank;
        looked.failure->host = chip.host;
      }
  return looked;
}

// A limit that all hosts share belongs to the machine and is only in the receipt. A single host
// that differs from the others would slow down all of them, so it is a warning of the rung.
std::optional<Looked> hosts_are_set_up_alike(const Rung&, const RungEvidence& evidence) {
  for (const RunReport& run : evidence.runs) {
    if (!run.receipt.launch || !run.receipt.launch->remarks) continue;
    for (const configs::LaunchWarning& one : *run.receipt.launch->remarks) {
      if (!one.host) continue;
      Looked looked = fail(one.diagnosis, one.message);
      looked.failure->host = one.host;
      looked.only_warns = true;
      return looked;
    }
  }
  return evidence.runs.empty() ? std::nullopt
                               : std::optional(Looked{"all hosts have the same limits"});
}

// A straggler is last in nearly all collectives and by a large margin. The noise of a busy machine
// is spread over all ranks.
// All three conditions must hold, so that a single slow collective or a generally noisy machine is
// no warning.
std::optional<Looked> no_straggler(const Rung&, const RungEvidence& evidence) {
  constexpr double kLeast = 0.02;  // seconds behind, mean
  constexpr double kShare = 0.75;  // fraction of all collectives
  constexpr double kFactor = 5;    // times the delay of the next rank
  constexpr std::int64_t kTimes = 4;
  for (const RunReport& run : evidence.runs) {
    if (!run.receipt.stragglers || run.receipt.stragglers->ranks.empty()) continue;
    const std::vector<configs::LateRank>& ranks = run.receipt.stragglers->ranks;
    std::int64_t times = 0;
    for (const configs::LateRank& one : ranks) times += one.times;
    const configs::LateRank& worst = ranks.front();
    const double mean =
        worst.behind_seconds / static_cast<double>(std::max<std::int64_t>(worst.times, 1));
    const double next = ranks.size() > 1 ? ranks[1].behind_seconds : 0;
    const bool often = worst.times >= kTimes &&
                       static_cast<double>(worst.times) >= kShare * static_cast<double>(times);
    if (!often || mean < kLeast || worst.behind_seconds < kFactor * next) continue;
    constexpr double kMilliseconds = 1e3;
    Looked looked = fail(name_of(DiagnosisId::straggler),
                         fmt::format("rank {} entered {} of {} collectives last, {:.0f} ms behind "
                                     "on average",
                                     worst.rank, worst.times, times, mean * kMilliseconds));
    looked.failure->rank = worst.rank;
    for (const RankSeen& chip : run.receipt.ranks)
      if (chip.rank == worst.rank) looked.failure->host = chip.host;
    looked.only_warns = true;
    return looked;
  }
  return evidence.runs.empty() ? std::nullopt : std::optional(Looked{"no straggler"});
}

}  // namespace understudy::launcher
