// SPDX-License-Identifier: Apache-2.0
#include "launcher/rehearse/judge_rung.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <string_view>

#include "configs/receipt/diagnosis.h"
#include "launcher/diagnose/attribution.h"
#include "launcher/rehearse/rung_checks.h"

namespace understudy::launcher {
namespace {

using configs::RankSeen;
using configs::Receipt;
using configs::ReceiptFailure;
using configs::Rung;

// nullopt: the check does not apply.
using Look = std::optional<Looked> (*)(const Rung&, const RungEvidence&);

struct RungRow {
  std::string_view name;
  Look look;
};
// Ordered by cause: a failure of an earlier check explains failures of later ones.
constexpr std::array<RungRow, 13> kRungRows = {{
    {"starts", starts},
    {"runs", runs},
    {"no host fallback", no_host_fallback},
    {"compiles once", compiles_once},
    {"executes every step", executes},
    {rung_check::kResultsMatch, results_match},
    {"replicas agree", replicas_agree},
    {rung_check::kMetricsAreGlobal, metrics_are_global},
    {"HBM as planned", uses_planned_hbm},
    {rung_check::kAlgorithmsAgree, algorithms_agree},
    {"cache entries intact", cache_entries_intact},
    {"no straggler", no_straggler},
    {"hosts are set up alike", hosts_are_set_up_alike},
}};

// Sums over the runs of all algorithms; memory is the value of the last run.
void add_figures(configs::RungSeen& seen, const RungEvidence& evidence) {
  for (const RunReport& run : evidence.runs) {
    const Receipt& receipt = run.receipt;
    seen.chips = receipt.chip_count.value_or(0);
    seen.steps += static_cast<std::int64_t>(receipt.steps.size());
    if (!run.receipt_path.empty()) seen.receipts.push_back(run.receipt_path);
    if (receipt.compiles) seen.compiles = seen.compiles.value_or(0) + *receipt.compiles;
    if (!receipt.counters) continue;
    seen.late_programs = seen.late_programs.value_or(0) + sum(receipt, &RankSeen::late_programs);
    std::int64_t fallbacks = 0;
    for (const auto& [name, value] : *receipt.counters)
      if (name.starts_with(kFallback)) fallbacks += value;
    seen.fallbacks = seen.fallbacks.value_or(0) + fallbacks;
    const auto loads = receipt.counters->find("CachedCompile");
    if (loads != receipt.counters->end()) seen.loads = seen.loads.value_or(0) + loads->second;
    // Not summed: runs of a rung follow each other and do not need the memory at the same time.
    seen.hbm_predicted = receipt.hbm_peak_bytes.predicted;
    seen.hbm_observed = receipt.hbm_peak_bytes.observed;
  }
}

// Attributes a timeout: to the rank that was lost first, else a missing rank, else the reporter.
void add_responsible_rank(configs::RungSeen& seen, const ReceiptFailure& failure,
                          const RungEvidence& evidence) {
  seen.host = failure.host;
  seen.rank = failure.rank;
  // A timeout is reported by a rank that waited, and that rank is rarely the cause.
  if (failure.kind != configs::FailureKind::timeout) return;  // a first-hand report
  std::optional<std::int64_t> responsible = failure.rank_first;
  if (!responsible && !failure.missing_ranks.empty()) responsible = failure.missing_ranks.front();
  if (!responsible || evidence.runs.empty()) return;
  for (const RankSeen& chip : evidence.runs.back().receipt.ranks) {
    if (chip.rank != *responsible) continue;
    seen.rank = chip.rank;
    seen.host = chip.host;
  }
}

// The diagnosis table supplies layer, advice and catalogue id.
void add_failure(configs::RungSeen& seen, ReceiptFailure failure, const RungEvidence& evidence) {
  attribute(failure);
  seen.status = "failed";
  seen.layer_of_failure = failure.layer;
  seen.diagnosis = failure.diagnosis;
  const configs::Diagnosis* const known =
      failure.diagnosis ? configs::find_diagnosis(*failure.diagnosis) : nullptr;
  if (known != nullptr && !known->id.empty()) seen.code = std::string(known->id);
  seen.why =
      failure.place ? fmt::format("{} ({})", failure.message, *failure.place) : failure.message;
  seen.advice = failure.advice;
  add_responsible_rank(seen, failure, evidence);
}

configs::RungWarning warning_of(ReceiptFailure failure) {
  attribute(failure);
  return {failure.diagnosis.value_or(""),
          failure.layer.value_or(""),
          failure.message,
          failure.advice.value_or(""),
          failure.host,
          failure.rank};
}

}  // namespace

// Stops at the first failure, because later checks would report its consequences.
configs::RungSeen judge_rung(const Rung& rung, const RungEvidence& evidence) {
  configs::RungSeen seen;
  seen.rung = rung.name;
  seen.added_feature = rung.adds;
  seen.status = "passed";
  seen.seconds = evidence.seconds;
  add_figures(seen, evidence);
  if (evidence.interrupted != 0) {
    seen.status = "failed";
    seen.why = "interrupted";
    return seen;
  }
  for (const RungRow& row : kRungRows) {
    const std::optional<Looked> looked = row.look(rung, evidence);
    if (!looked) continue;
    seen.checks.push_back({std::string(row.name), !looked->failure, looked->seen});
    if (!looked->failure) continue;
    // A warning does not stop the checks: a later failure is more important.
    if (looked->only_warns) {
      seen.warnings.push_back(warning_of(*looked->failure));
      continue;
    }
    add_failure(seen, *looked->failure, evidence);
    break;
  }
  return seen;
}

// `probes`: evidence kind -> whether it speaks for "globally reduced".
std::vector<configs::MetricSeen> metrics_of_rung(const Rung& rung, const RungEvidence& evidence) {
  std::vector<configs::MetricSeen> all;
  if (!evidence.metrics) return all;
  for (const configs::ResultVerdict& one : evidence.metrics->results) {
    if (one.verdict == "not_applicable") continue;
    configs::MetricSeen seen{rung.name, one.name, one.index, one.axes, {}, one.verdict};
    for (const configs::VerdictEvidence& piece : one.evidence)
      if (piece.speaks_for) seen.probes[piece.kind] = *piece.speaks_for;
    all.push_back(std::move(seen));
  }
  return all;
}

}  // namespace understudy::launcher
