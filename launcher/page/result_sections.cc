// SPDX-License-Identifier: Apache-2.0
// The section of results: compared values of a run, verdicts of `metrics`.
#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "launcher/metrics/judge.h"
#include "launcher/page/html.h"
#include "launcher/page/receipt_page.h"

namespace understudy::launcher {
namespace {

using configs::Receipt;

std::string type_text(const configs::ResultReceipt& result) {
  return fmt::format("{}[{}]", result.element, fmt::join(result.shape, ","));
}

// Of a receipt of `metrics`, which compares no values.
std::string metrics_table(const Receipt& receipt) {
  HtmlTable table({"#result", "name", "verdict", "reason", "place"});
  for (const configs::ResultReceipt& result : receipt.results)
    table.row({std::to_string(result.index), result.name.value_or(""), result.metric.value_or(""),
               result.metric_reason.value_or(""), result.metric_place.value_or("")},
              result.metric && is_bad(*result.metric) ? "bad" : "");
  return table.html();
}

}  // namespace

std::string results_section(const Receipt& receipt) {
  // One receipt is either of a run or of `metrics`; the results tell which.
  const bool judged = std::ranges::any_of(
      receipt.results, [](const auto& result) { return result.metric.has_value(); });
  if (judged) return metrics_table(receipt);
  HtmlTable table({"#result", "name", "type", "verdict", "#largest difference", "digest"});
  for (const configs::ResultReceipt& result : receipt.results) {
    const auto& compared = result.comparison;
    std::string verdict;
    if (compared) verdict = compared->ok ? "as expected" : "differs";
    // The difference comes from bf16 passes of `--numerics tpu` and not from the program.
    if (result.comparison_ieee && result.comparison_ieee->ok)
      verdict = "differs; matches with --numerics ieee";
    table.row({std::to_string(result.index), result.name.value_or(""), type_text(result), verdict,
               compared ? fmt::format("{:.3g}", compared->max_abs_error) : "",
               result.digest.value_or("unknown")},
              compared && !compared->ok ? "bad" : "");
  }
  const std::string alarm =
      receipt.non_finite ? element("p", receipt.non_finite->message, "bad") : "";
  return table.empty() ? "" : alarm + table.html();
}

}  // namespace understudy::launcher
