// SPDX-License-Identifier: Apache-2.0
// Page sections about the provenance of a run: gates, environment, pins.
#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "configs/base/units.h"
#include "launcher/page/html.h"
#include "launcher/page/receipt_page.h"

namespace understudy::launcher {
namespace {

using configs::Receipt;

// One gate over all chips.
struct GateRow {
  std::string name, detail;
  std::int64_t passed = 0;
  double first = 0, last = 0;
  std::string failed;  // why the first failing rank did not pass
};

// Gates in the order in which the first chip passed them.
std::vector<GateRow> gate_rows(const Receipt& receipt) {
  std::vector<GateRow> rows;
  for (const configs::RankSeen& chip : receipt.ranks)
    for (const configs::GateSeen& gate : chip.gates) {
      auto row = std::ranges::find(rows, gate.gate, &GateRow::name);
      if (row == rows.end()) row = rows.insert(row, {gate.gate, gate.detail, 0, 0, 0, ""});
      if (gate.failed && row->failed.empty())
        row->failed =
            fmt::format("rank {}, after {:.3f} s: {}", chip.rank, gate.seconds, *gate.failed);
      // Times are of chips that passed: the failing chip's time is in its message.
      if (gate.failed) continue;
      row->first = row->passed == 0 ? gate.seconds : std::min(row->first, gate.seconds);
      ++row->passed;
      row->last = std::max(row->last, gate.seconds);
    }
  return rows;
}

std::string answer_html(std::string_view what, const configs::GateAnswer& answer) {
  // Three states: a receipt without the observation shows neither success nor failure.
  const char* const look = !answer.holds ? "soft" : *answer.holds ? "good" : "bad";
  const char* const word = !answer.holds ? "not shown" : *answer.holds ? "yes" : "no";
  return around("div", element("b", what) + element("strong", word, look) + "<br>" +
                           element("span", answer.evidence, "soft"));
}

}  // namespace

std::string gates_section(const Receipt& receipt) {
  HtmlTable table({"gate", "#chips", "#first ms", "#last ms", "details"});
  for (const GateRow& row : gate_rows(receipt))
    table.row({row.name, std::to_string(row.passed), fmt::format("{:.1f}", 1e3 * row.first),
               row.passed > 0 ? fmt::format("{:.1f}", 1e3 * row.last) : "",
               row.failed.empty() ? row.detail : row.failed},
              row.failed.empty() ? "" : "bad");
  if (table.empty()) return "";
  std::string facts;
  if (receipt.gates)
    facts = around("div",
                   answer_html("environment before the runtime", receipt.gates->env_before_import) +
                       answer_html("SPMD before any tensor", receipt.gates->spmd_before_tensors),
                   "facts two");
  return facts + table.html();
}

// All values of the profile are collapsed; overrides are shown, because they are what a reader
// looks for.
std::string environment_section(const Receipt& receipt) {
  if (!receipt.launch) return "";
  const configs::ReceiptLaunch& launch = *receipt.launch;
  std::string html;
  if (launch.env_equal_across_ranks)
    html += *launch.env_equal_across_ranks
                ? element("p", "Every chip has the environment of the launch.", "good")
                : element("p", "Chips have different environments.", "bad");
  html += around("p", "SHA-256 " + element("code", launch.env_sha256));
  std::string facts = fact("profile", launch.profile) +
                      fact("extends", fmt::format("{}", fmt::join(launch.lineage, ", ")));
  if (receipt.mem)
    facts += fact("premapped pool", bytes_text(receipt.mem->premapped_bytes)) +
             fact("data loading", bytes_text(receipt.mem->loader_resident_bytes)) +
             fact("headroom", bytes_text(receipt.mem->os_headroom_bytes));
  html += around("div", facts, "facts");
  for (const configs::LaunchWarning& one :
       launch.remarks.value_or(std::vector<configs::LaunchWarning>()))
    html += element("p", fmt::format("{}. {}", one.message, one.advice), "warn");
  HtmlTable overrides({"value", "given", "used", "source", "how"});
  for (const configs::LaunchOverride& one : launch.overrides)
    overrides.row({one.name, one.given.value_or("not set"), one.used.value_or("not set"),
                   one.source, one.how});
  if (!overrides.empty()) html += element("h3", "Overrides") + overrides.html();
  HtmlTable values({"key", "value"});
  for (const auto& [key, value] : configs::settings_of(launch.groups))
    if (!value.empty()) values.row({key, value});
  return html + around("details", element("summary", "all values of the profile") + values.html());
}

// What `rehearse --from` compares when it repeats this run on another machine.
std::string pins_section(const Receipt& receipt) {
  if (!receipt.pins) return "";
  std::string facts;
  if (receipt.env_restore)
    facts += fact("environment restored by", receipt.env_restore->method) +
             fact("SHA-256 of its steps", receipt.env_restore->steps_sha256);
  if (receipt.pins->setup_script) facts += fact("setup script", *receipt.pins->setup_script);
  if (receipt.code_state) {
    const configs::CodeState& code = *receipt.code_state;
    facts += fact("commit of the program", code.commit.value_or("no repository"));
    if (code.dirty) facts += fact("uncommitted changes", *code.dirty ? "yes" : "none");
    if (code.tree_sha256_per_rank_equal)
      facts += fact("equal on every chip", *code.tree_sha256_per_rank_equal ? "yes" : "NO");
  }
  if (receipt.runtime_note) facts += fact("settings from", receipt.runtime_note->source);
  if (receipt.hardware) {
    const configs::Hardware& one = *receipt.hardware;
    facts += fact("hardware",
                  fmt::format("{} {}, {} hosts, {} processes of {} chips", one.chip, one.topology,
                              one.hosts, one.processes, one.chips_per_process));
  }
  std::string html = around("div", facts, "facts");
  HtmlTable packages({"package", "version"});
  for (const configs::PackagePin& pin : receipt.pins->packages)
    packages.row({pin.name, pin.version});
  html += around("details",
                 element("summary", fmt::format("{} packages", receipt.pins->packages.size())) +
                     packages.html());
  std::vector<std::string> keep, recheck;
  if (receipt.durability)
    for (const auto& [what, how] : *receipt.durability)
      (how == "keep" ? keep : recheck).push_back(what);
  if (!keep.empty())
    html += element("p",
                    fmt::format("Stable until the code changes: {}. Recheck before relying on: {}.",
                                fmt::join(keep, ", "), fmt::join(recheck, ", ")),
                    "soft");
  return html;
}

}  // namespace understudy::launcher
