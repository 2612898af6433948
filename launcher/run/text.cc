// SPDX-License-Identifier: Apache-2.0
#include "launcher/run/text.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "configs/base/units.h"
#include "launcher/process/console.h"
#include "launcher/run/parameter_names.h"

namespace understudy::launcher {
namespace {

using configs::Receipt;

// One screen; the receipt has all steps.
constexpr std::size_t kStepsShown = 20;
constexpr double kMilliseconds = 1e3;

std::string plural(std::int64_t count, const char* one) {
  return fmt::format("{} {}{}", count, one, count == 1 ? "" : "s");
}

std::string label_of_result(const Receipt& receipt, std::int64_t index) {
  for (const configs::ResultReceipt& one : receipt.results)
    if (one.index == index) return label_of("result", index, one.name.value_or(""));
  return label_of("result", index, "");
}

// Scalar results are printed per step: usually the loss.
std::string steps_text(const Receipt& receipt) {
  if (receipt.steps.empty()) return "";
  std::string text = fmt::format("{}, wall time:\n",
                                 plural(static_cast<std::int64_t>(receipt.steps.size()), "step"));
  const std::size_t shown = std::min(receipt.steps.size(), kStepsShown);
  for (std::size_t i = 0; i < shown; ++i) {
    const configs::StepSeen& step = receipt.steps[i];
    text += fmt::format("  step {:<4} {:>10.3f} ms", step.index, step.wall_seconds * kMilliseconds);
    for (const auto& [result, value] : step.scalars)
      text += fmt::format("   {} = {:.9g}", label_of_result(receipt, result), value);
    text += '\n';
  }
  if (receipt.steps.size() > shown)
    text += fmt::format("  ... and {} more\n", receipt.steps.size() - shown);
  return text;
}

std::string cache_text(const Receipt& receipt) {
  if (!receipt.compile) return "";
  std::int64_t compiled = 0;
  std::int64_t loaded = 0;
  for (const configs::RankSeen& chip : receipt.ranks)
    if (chip.compiled) ++(chip.compiled->cached ? loaded : compiled);
  std::string text = fmt::format("cache ({}): {} compiled, {} loaded, {:.3f} s\n",
                                 receipt.cache ? receipt.cache->policy : "unknown",
                                 plural(compiled, "chip"), loaded, receipt.compile->wall_seconds);
  if (receipt.compile->keys.size() > 1)
    text +=
        fmt::format("  warning: chips used {} different cache keys, so they cannot share entries\n",
                    receipt.compile->keys.size());
  for (const std::string& warning : receipt.compile->warnings)
    text += fmt::format("  warning: {}\n", warning);
  return text;
}

std::string collectives_text(const Receipt& receipt) {
  if (receipt.steps.empty()) return "";
  // A pod that was killed never counted its collectives: unknown is not the same as none.
  if (!receipt.collectives) return "collectives: unknown, the run ended before they were counted\n";
  if (receipt.collectives->empty()) return "collectives: none\n";
  std::string text = "collectives, per chip:";
  for (const configs::CollectiveSeen& seen : *receipt.collectives)
    text += fmt::format("{} {} x {} ({}, {})", &seen == receipt.collectives->data() ? "" : ";",
                        seen.count, seen.kind, seen.algorithm, bytes_text(seen.bytes));
  return text + "\n";
}

std::string memory_text(const Receipt& receipt) {
  const configs::HbmPeak& peak = receipt.hbm_peak_bytes;
  if (!peak.observed) return "";
  const configs::HostPeak& host = receipt.host_peak_bytes;
  std::string text;
  if (host.predicted)
    text = fmt::format("host memory of a chip: {} of {} (planned {})\n",
                       bytes_text(host.observed.value_or(0)), bytes_text(host.capacity.value_or(0)),
                       bytes_text(*host.predicted));
  return text +
         fmt::format("HBM peak: {}{}{}\n{}", bytes_text(*peak.observed),
                     peak.capacity ? " of " + bytes_text(*peak.capacity) : "",
                     peak.predicted ? " (planned " + bytes_text(*peak.predicted) + ")" : "",
                     peak.not_as_planned ? "  not as planned: " + *peak.not_as_planned + "\n" : "");
}

// What the repetition under IEEE arithmetic showed, if there was one.
std::string ieee_text(const Receipt& receipt) {
  std::vector<std::string> match, differ;
  for (const configs::ResultReceipt& one : receipt.results)
    if (one.comparison && !one.comparison->ok && one.comparison_ieee)
      (one.comparison_ieee->ok ? match : differ).push_back(label_of_result(receipt, one.index));
  std::string text;
  if (!match.empty())
    text += fmt::format(
        "{}: matches with --numerics ieee: only the rounding of products to bf16 "
        "makes the difference (docs/numerics.md)\n",
        fmt::join(match, ", "));
  if (!differ.empty())
    text += fmt::format("{}: differs with --numerics ieee too\n", fmt::join(differ, ", "));
  return text;
}

// With a comparison its table replaces the digests.
std::string results_text(const Receipt& receipt, const std::vector<Comparison>& comparisons,
                         const Console& console) {
  if (comparisons.empty()) {
    std::string text;
    for (const configs::ResultReceipt& result : receipt.results)
      if (result.digest)
        text +=
            fmt::format("{}: digest {}\n", label_of_result(receipt, result.index), *result.digest);
    return text;
  }
  const bool ok = std::all_of(comparisons.begin(), comparisons.end(),
                              [](const Comparison& one) { return one.ok(); });
  return fmt::format("{}\n{}\n{}", comparison_table(comparisons),
                     ok ? console.tinted(Tint::green, "all results match the expected results")
                        : console.tinted(Tint::red, "results differ from the expected results"),
                     ieee_text(receipt));
}

}  // namespace

std::string run_text(const Receipt& receipt, const std::vector<Comparison>& comparisons,
                     const Console& console) {
  std::string text =
      fmt::format("{} on {}: {}, {}, numerics {}, collectives {}\n", receipt.program.path,
                  receipt.slice, plural(receipt.chip_count.value_or(0), "chip"),
                  plural(receipt.host_count.value_or(0), "host"), receipt.program.numerics,
                  receipt.program.collectives);
  for (const std::string& fault : receipt.faults)
    text += fmt::format("fault injected: {}\n", fault);
  text += cache_text(receipt);
  text += steps_text(receipt);
  text += collectives_text(receipt);
  text += memory_text(receipt);
  text += results_text(receipt, comparisons, console);
  while (text.ends_with('\n')) text.pop_back();
  return text;
}

}  // namespace understudy::launcher
