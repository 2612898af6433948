// SPDX-License-Identifier: Apache-2.0
// Page sections of a rehearsal: ladder, restored canary, metric verdicts, drill.
#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "configs/base/units.h"
#include "launcher/page/html.h"
#include "launcher/page/receipt_page.h"

namespace understudy::launcher {
namespace {

using configs::Receipt;
using configs::RungSeen;

std::string number_text(const std::optional<std::int64_t>& number) {
  return number ? std::to_string(*number) : "";
}
std::string bytes_of(const std::optional<std::uint64_t>& bytes) {
  return bytes ? bytes_text(*bytes) : "";
}

// One rung with a bar: its length is the time relative to the slowest rung.
std::string rung_html(const RungSeen& rung, double longest) {
  const bool passed = rung.status == "passed", failed = rung.status == "failed";
  const double share = longest > 0 ? 100 * rung.seconds / longest : 0;
  std::string html = around("div",
                            element("b", rung.rung) + element("span", rung.status,
                                                              passed   ? "good"
                                                              : failed ? "bad"
                                                                       : "soft"),
                            "rung-head");
  html += element("div", rung.added_feature, "soft");
  if (rung.status != "not-run")
    html +=
        fmt::format("<div class=\"rung-bar\"><i class=\"{}\" style=\"width: {:.1f}%\"></i>{}</div>",
                    failed ? "fill-bad" : "fill-good", std::max(share, 1.0),
                    // A bar of at least 1 % stays visible beside a rung that took a hundred times
                    // as long.
                    element("span", fmt::format("{:.1f} s", rung.seconds)));
  if (rung.why) html += element("div", *rung.why, "message");
  if (rung.advice) html += around("p", "What to do: " + escaped(*rung.advice));
  for (const configs::RungWarning& one : rung.warnings)
    html += element("p", fmt::format("{} ({}): {}", one.diagnosis, one.layer, one.why), "warn");
  for (const std::string& retry : rung.retries) html += element("p", "restarted: " + retry, "warn");
  HtmlTable checks({"check", "holds", "observed"});
  for (const configs::RungCheck& one : rung.checks)
    checks.row({one.name, one.holds ? "yes" : "no", one.seen}, one.holds ? "" : "bad");
  if (!checks.empty())
    html += around("details", element("summary", fmt::format("{} checks", rung.checks.size())) +
                                  checks.html());
  return around("div", html, failed ? "rung failed" : "rung");
}

std::string counters_of_rungs(const std::vector<RungSeen>& rungs) {
  HtmlTable table({"rung", "#chips", "#steps", "#compiled", "#loaded", "#late programs",
                   "#on the host", "#HBM planned", "#HBM observed"});
  for (const RungSeen& rung : rungs)
    if (rung.status != "not-run")
      table.row(
          {rung.rung, std::to_string(rung.chips), std::to_string(rung.steps),
           number_text(rung.compiles), number_text(rung.loads), number_text(rung.late_programs),
           number_text(rung.fallbacks), bytes_of(rung.hbm_predicted), bytes_of(rung.hbm_observed)},
          rung.status == "failed" ? "bad" : "");
  return table.empty() ? "" : element("h3", "Counters") + table.html();
}

}  // namespace

std::string ladder_section(const Receipt& receipt) {
  if (!receipt.ladder) return "";
  const configs::LadderSeen& ladder = *receipt.ladder;
  double longest = 0;
  for (const RungSeen& rung : ladder.rungs) longest = std::max(longest, rung.seconds);
  std::string html = element("p", fmt::format("Ladder {}.", ladder.name), "soft");
  if (ladder.next_failing)
    html += around("p", "Frontier: " + element("b", *ladder.next_failing, "bad") +
                            " is the first rung that fails (first that passes: " +
                            element("b", ladder.first_passing.value_or("none")) +
                            "). The failure does not invalidate the earlier rungs.");
  std::string rungs;
  for (const RungSeen& rung : ladder.rungs) rungs += rung_html(rung, longest);
  html += around("div", rungs, "rungs") + counters_of_rungs(ladder.rungs);
  HtmlTable attempts({"setting", "class", "outcome", "#HBM predicted", "reason"});
  // A single attempt is the ladder itself, which is shown already.
  const bool one_of_several = ladder.attempts.size() > 1;
  for (const configs::AttemptSeen& one : ladder.attempts)
    if (one_of_several)
      attempts.row({one.setting.empty() ? "as given" : one.setting, one.launch_class, one.outcome,
                    bytes_of(one.predicted_hbm), one.why});
  return attempts.empty() ? html : html + element("h3", "Attempts") + attempts.html();
}

std::string canary_section(const Receipt& receipt) {
  if (!receipt.restore) return "";
  const configs::RestoreSeen& seen = *receipt.restore;
  std::string html =
      around("p", "The first rung again, in new processes: " +
                      element("b", seen.verdict, seen.verdict == "proven" ? "good" : "bad"));
  for (const std::string& reason : seen.reasons) html += element("p", reason, "bad");
  std::map<std::string, std::pair<std::string, std::string>> rows;
  for (const auto& [name, value] : seen.cold) rows[name].first = std::to_string(value);
  for (const auto& [name, value] : seen.restored) rows[name].second = std::to_string(value);
  HtmlTable counters({"counter, sum over chips", "#cold", "#restored"});
  for (const auto& [name, values] : rows)
    // Most counters of a healthy run are 0 on both sides and would hide the few that tell
    // something.
    if (values.first != "0" || values.second != "0")
      counters.row({name, values.first, values.second});
  html += counters.html();
  HtmlTable pins({"pin", "then", "now", "same"});
  for (const configs::PinSeen& one : seen.compared)
    pins.row({one.name, one.then, one.now,
              one.same   ? "yes"
              : one.must ? "no"
                         : "recheck"},
             one.must && !one.same ? "bad" : "");
  return pins.empty() ? html : html + element("h3", "Comparison with the receipt") + pins.html();
}

// Collapsed by default: a ladder with many results gives a long table.
std::string verdicts_section(const Receipt& receipt) {
  if (!receipt.metrics_declared || receipt.metrics_declared->empty()) return "";
  HtmlTable table({"rung", "#result", "name", "axes", "verdict", "evidence"});
  for (const configs::MetricSeen& one : *receipt.metrics_declared) {
    std::vector<std::string> probes;
    for (const auto& [name, speaks] : one.probes)
      probes.push_back(speaks ? name : name + " (against)");
    const bool global = one.verdict == "globally_reduced";
    table.row({one.rung, std::to_string(one.index), one.name,
               fmt::format("{}", fmt::join(one.axes, ", ")), one.verdict,
               fmt::format("{}", fmt::join(probes, ", "))},
              global ? "" : "bad");
  }
  return around("details", element("summary", fmt::format("{} results declared equal on all chips",
                                                          receipt.metrics_declared->size())) +
                               table.html());
}

std::string drill_section(const configs::DrillReport& drill) {
  HtmlTable table({"fault", "id", "found", "layer", "#host", "#seconds", "message"});
  for (const configs::DrillFault& one : drill.faults)
    table.row({one.name, one.id, one.detected ? "yes" : "no", one.layer, number_text(one.host),
               fmt::format("{:.1f}", one.seconds), one.message},
              one.detected ? "" : "bad");
  const std::string head = fmt::format(
      "{} of {} faults were diagnosed with the expected layer and host in "
      "{:.0f} s.",
      drill.detected, drill.faults.size(), drill.wall_seconds);
  return element("p", head, drill.verdict == "passed" ? "good" : "bad") + table.html();
}

}  // namespace understudy::launcher
