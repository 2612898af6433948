// SPDX-License-Identifier: Apache-2.0
#include "launcher/rehearse/rung_checks.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <map>
#include <set>

#include "configs/base/diagnosis_id.h"
#include "configs/base/units.h"

namespace understudy::launcher {

using configs::RankSeen;
using configs::Receipt;
using configs::ReceiptFailure;
using configs::Rung;

namespace {

ReceiptFailure failure_of(std::string_view diagnosis, std::string message) {
  ReceiptFailure failure;
  failure.kind = configs::FailureKind::check;
  failure.diagnosis = diagnosis;
  failure.message = std::move(message);
  return failure;
}

bool is_comparison(const ReceiptFailure& failure) { return failure.phase == "comparison"; }

}  // namespace

Looked fail(std::string_view diagnosis, const std::string& message) {
  return {message, failure_of(diagnosis, message)};
}

std::int64_t sum(const Receipt& receipt, std::optional<std::int64_t> RankSeen::*member) {
  std::int64_t all = 0;
  for (const RankSeen& chip : receipt.ranks) all += (chip.*member).value_or(0);
  return all;
}

// Errors of planning: the run was refused before a worker started.
std::optional<Looked> starts(const Rung&, const RungEvidence& evidence) {
  if (!evidence.refused) return Looked{"started"};
  const Error& error = *evidence.refused;
  ReceiptFailure failure;
  failure.kind = configs::failure_kind_of(error.kind());
  if (!error.diagnosis().empty()) failure.diagnosis = error.diagnosis();
  failure.message = error.place() ? error.text() : error.message();
  return Looked{failure.message, failure};
}

// A failed comparison is reported by results_match(), which shows the values.
std::optional<Looked> runs(const Rung&, const RungEvidence& evidence) {
  if (evidence.runs.empty()) return std::nullopt;
  std::size_t steps = 0;
  for (const RunReport& run : evidence.runs) {
    const std::optional<ReceiptFailure>& failure = run.outcome.failure;
    if (failure && !is_comparison(*failure)) return Looked{failure->message, failure};
    if (!failure && run.exit_code != 0)
      return fail(name_of(DiagnosisId::broken_invariant),
                  fmt::format("exit code {} without an error message", run.exit_code));
    steps += run.receipt.steps.size();
  }
  return Looked{fmt::format("{} step{} on {} chips", steps, steps == 1 ? "" : "s",
                            evidence.runs.front().receipt.chip_count.value_or(0))};
}

// A pod that ends with exit code 0 but has executed nothing must not pass.
std::optional<Looked> executes(const Rung&, const RungEvidence& evidence) {
  if (evidence.runs.empty()) return std::nullopt;
  std::int64_t launches = 0;
  for (const RunReport& run : evidence.runs) {
    const Receipt& receipt = run.receipt;
    const auto steps = static_cast<std::int64_t>(receipt.steps.size());
    // Each chip executes the program once per step.
    const std::int64_t wanted = steps * receipt.chip_count.value_or(0);
    if (steps == 0 || receipt.executes.value_or(0) != wanted)
      return fail(name_of(DiagnosisId::nothing_executed),
                  fmt::format("{} launches on {} chips, but {} steps finished on all chips",
                              receipt.executes.value_or(0), receipt.chip_count.value_or(0), steps));
    launches += *receipt.executes;
  }
  return Looked{fmt::format("{} launches", launches)};
}

std::optional<Looked> compiles_once(const Rung&, const RungEvidence& evidence) {
  if (evidence.runs.empty()) return std::nullopt;
  for (const RunReport& run : evidence.runs) {
    const Receipt& receipt = run.receipt;
    const std::int64_t late = sum(receipt, &RankSeen::late_programs);
    const std::int64_t compiled = sum(receipt, &RankSeen::late_compiles);
    // A program that appears after the first step costs a compile in a training loop, usually in
    // every step.
    if (late == 0) continue;
    Looked looked = fail(
        name_of(DiagnosisId::recompiles),
        fmt::format("after the first step, chips requested {} more programs and compiled {} of "
                    "them (CompileTime is not flat)",
                    late, compiled));
    if (!run.difference.empty()) looked.failure->message += ": " + run.difference;
    return looked;
  }
  return Looked{"CompileTime is flat after the first step"};
}

// Operations that fell back to the host. The chip with the most fallbacks is named.
std::optional<Looked> no_host_fallback(const Rung&, const RungEvidence& evidence) {
  if (evidence.runs.empty()) return std::nullopt;
  std::map<std::string, std::int64_t> counts;
  const RankSeen* worst = nullptr;
  std::int64_t most = 0;
  for (const RunReport& run : evidence.runs) {
    for (const RankSeen& chip : run.receipt.ranks) {
      if (!chip.totals || !chip.totals->counters) continue;
      std::int64_t own = 0;
      for (const auto& [name, value] : *chip.totals->counters) {
        if (!name.starts_with(kFallback) || value == 0) continue;
        counts[name] += value;
        own += value;
      }
      if (own > most) {
        most = own;
        worst = &chip;
      }
    }
  }
  if (counts.empty()) return Looked{"no operation ran on the host"};
  std::vector<std::string> words;
  for (const auto& [name, value] : counts) words.push_back(fmt::format("{} {} times", name, value));
  Looked looked = fail(name_of(DiagnosisId::host_fallback),
                       fmt::format("operations ran on the host: {}", fmt::join(words, ", ")));
  looked.failure->rank = worst->rank;
  looked.failure->host = worst->host;
  return looked;
}

// Reports the result with the most mismatching elements.
std::optional<Looked> results_match(const Rung&, const RungEvidence& evidence) {
  const Comparison* worst = nullptr;
  std::size_t compared = 0;
  for (const RunReport& run : evidence.runs) {
    for (const Comparison& one : run.comparisons) {
      ++compared;
      if (!one.ok() && (worst == nullptr || one.mismatches > worst->mismatches)) worst = &one;
    }
  }
  if (compared == 0) return std::nullopt;
  if (worst == nullptr)
    return Looked{fmt::format("{} results match the expected values", compared)};
  return fail(
      name_of(DiagnosisId::results_differ),
      fmt::format("result {} differs from the expected values in {} elements, most at {}: got "
                  "{}, expected {}",
                  worst->index, worst->mismatches, worst->place, worst->got, worst->want));
}

// Observed by the workers: digests of the copies of a result on all chips.
std::optional<Looked> replicas_agree(const Rung&, const RungEvidence& evidence) {
  if (evidence.runs.empty()) return std::nullopt;
  for (const RunReport& run : evidence.runs)
    for (const configs::ResultReceipt& result : run.receipt.results)
      if (result.distinct_values.value_or(1) > 1)
        return fail(name_of(DiagnosisId::replicated_values_differ),
                    fmt::format("result {} is declared replicated, but chips hold {} different "
                                "values",
                                result.index, *result.distinct_values));
  return Looked{"all chips agree on replicated results"};
}

std::optional<Looked> metrics_are_global(const Rung&, const RungEvidence& evidence) {
  if (!evidence.metrics) return std::nullopt;
  std::size_t global = 0;
  for (const configs::ResultVerdict& one : evidence.metrics->results) {
    if (one.verdict == "globally_reduced") ++global;
    if (one.verdict == "globally_reduced" || one.verdict == "not_applicable") continue;
    const std::string name = one.name.empty() ? "" : fmt::format(" ({})", one.name);
    Looked looked =
        fail(name_of(DiagnosisId::metric_not_global),
             fmt::format("result {}{}: {}: {}", one.index, name, one.verdict, one.reason));
    if (one.place)
      looked.failure->place =
          fmt::format("{}:{}:{}", one.place->path, one.place->line, one.place->column);
    return looked;
  }
  if (evidence.metrics->exit_code != 0)
    return fail(name_of(DiagnosisId::metric_not_global), "the metric experiments failed");
  return Looked{fmt::format("{} results are globally reduced", global)};
}

// Allocated memory counts too: a leaked buffer may never be written.
static std::uint64_t used(const RankSeen& chip) {
  return std::max(chip.memory->hbm_observed, chip.memory->hbm_allocated.value_or(0));
}

// The chip that used more HBM than all others, if those used equal amounts; else nullptr.
static const RankSeen* odd_chip(const Receipt& receipt) {
  const RankSeen* most = nullptr;
  std::set<std::uint64_t> others;
  for (const RankSeen& chip : receipt.ranks) {
    if (!chip.memory) return nullptr;
    const bool more = most == nullptr || used(chip) > used(*most);
    if (most != nullptr) others.insert(used(more ? *most : chip));
    if (more) most = &chip;
  }
  const bool alone = others.size() == 1 && *others.begin() < used(*most);
  return alone ? most : nullptr;
}

// The exact comparison is configs::memory_complaint(). The tolerance is for receipts without
// counted pages: of host processes, which keep other buffers too.
std::optional<Looked> uses_planned_hbm(const Rung&, const RungEvidence& evidence) {
  // A quarter of the larger amount covers the other buffers of small programs; kSlack covers page
  // rounding of programs of a few KiB.
  constexpr double kShare = 0.25;
  constexpr double kSlack = 64 * 1024;  // bytes
  if (evidence.runs.empty()) return std::nullopt;
  for (const RunReport& run : evidence.runs) {
    const configs::HbmPeak& peak = run.receipt.hbm_peak_bytes;
    if (!peak.predicted || !peak.observed) return std::nullopt;
    const auto predicted = static_cast<double>(*peak.predicted);
    const auto observed = static_cast<double>(*peak.observed);
    const double bound = kShare * std::max(predicted, observed) + kSlack;
    const std::string text = fmt::format("HBM {} observed, {} predicted",
                                         bytes_text(*peak.observed), bytes_text(*peak.predicted));
    if (peak.not_as_planned || std::abs(observed - predicted) > bound) {
      Looked looked =
          fail(name_of(DiagnosisId::hbm_not_as_planned),
               peak.not_as_planned ? fmt::format("{}; {}", text, *peak.not_as_planned) : text);
      if (const RankSeen* const odd = odd_chip(run.receipt)) {
        looked.failure->rank = odd->rank;
        looked.failure->host = odd->host;
      }
      return looked;
    }
    if (&run == &evidence.runs.back()) return Looked{text};
  }
  return std::nullopt;
}

std::optional<Looked> algorithms_agree(const Rung&, const RungEvidence& evidence) {
  if (evidence.runs.size() < 2) return std::nullopt;
  const std::vector<configs::ResultReceipt>& first = evidence.runs.front().receipt.results;
  for (std::size_t i = 1; i < evidence.runs.size(); ++i) {
    const std::vector<configs::ResultReceipt>& other = evidence.runs[i].receipt.results;
    for (std::size_t r = 0; r < std::min(first.size(), other.size()); ++r)
      // Digests are compared, so a single different bit counts.
      if (first[r].digest != other[r].digest)
        return fail(name_of(DiagnosisId::algorithms_disagree),
                    fmt::format("result {} differs between {} and {}", r, evidence.algorithms[i],
                                evidence.algorithms[0]));
  }
  std::vector<std::string> words;
  for (std::size_t i = 0; i < evidence.runs.size(); ++i) {
    double wall = 0;
    for (const configs::StepSeen& step : evidence.runs[i].receipt.steps) wall += step.wall_seconds;
    std::uint64_t sent = 0;
    if (const auto& seen = evidence.runs[i].receipt.collectives)
      for (const configs::CollectiveSeen& one : *seen) sent += one.messages_sent;
    constexpr double kMilliseconds = 1e3;
    words.push_back(fmt::format("{} {:.1f} ms, {} messages", evidence.algorithms[i],
                                wall * kMilliseconds, sent));
  }
  return Looked{fmt::format("equal bit for bit: {}", fmt::join(words, "; "))};
}

}  // namespace understudy::launcher
