// SPDX-License-Identifier: Apache-2.0
#include "launcher/page/receipt_page.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "configs/base/units.h"
#include "configs/claims.h"
#include "configs/restore_proof.h"
#include "launcher/cache/diagnosis.h"
#include "launcher/page/html.h"
#include "launcher/page/page_style.h"

namespace understudy::launcher {
namespace {

using configs::ChipSeen;
using configs::Receipt;

constexpr std::size_t kStepsShown = 50;
constexpr std::string_view kUnknown = "not known";

std::string count_text(const std::optional<std::int64_t>& count) {
  return count ? std::to_string(*count) : std::string(kUnknown);
}

std::string fact(std::string_view name, std::string_view value) {
  return value.empty() ? "" : around("div", element("b", name) + element("span", value));
}

std::string plural(std::int64_t count, const char* one) {
  return fmt::format("{} {}{}", count, one, count == 1 ? "" : "s");
}

std::string folded(std::string_view words, const HtmlTable& table) {
  return around("details", element("summary", words) + table.html());
}

std::string failure_html(const configs::ReceiptFailure& failure) {
  std::string html = element("div", failure.message, "message");
  std::string facts;
  if (failure.rank) facts += fact("first to fail", fmt::format("rank {}", *failure.rank));
  if (failure.host) facts += fact("host", std::to_string(*failure.host));
  facts += fact("kind", failure.kind) + fact("phase", failure.phase.value_or(""));
  facts += fact("operation", failure.op.value_or("")) + fact("place", failure.place.value_or(""));
  facts += fact("diagnosis", failure.diagnosis.value_or(""));
  facts += fact("layer", failure.layer.value_or(""));
  if (!failure.missing_ranks.empty())
    facts += fact("waited for ranks", fmt::format("{}", fmt::join(failure.missing_ranks, ", ")));
  html += around("div", facts, "facts");
  if (failure.advice) html += around("p", "What to do: " + escaped(*failure.advice));
  return html;
}

std::string head(const Receipt& receipt) {
  const bool passed = receipt.verdict == "passed";
  const std::string what =
      receipt.program.path.empty() ? std::string("cache stress") : receipt.program.path;
  std::string html =
      around("h1", element("span", receipt.verdict, "verdict") + " " + escaped(what));
  html += element("p",
                  fmt::format("{} · {} · {:.2f} s · exit code {}", receipt.run_id,
                              receipt.started_at, receipt.wall_seconds, receipt.exit_code),
                  "soft");
  if (receipt.failure) html += failure_html(*receipt.failure);
  std::string facts;
  if (receipt.chip_count > 0) {
    facts += fact("slice", receipt.slice);
    facts += fact("chips and hosts", fmt::format("{} on {}", plural(receipt.chip_count, "chip"),
                                                 plural(receipt.host_count, "host")));
    facts += fact("replicas x partitions",
                  fmt::format("{} x {}", receipt.program.replicas, receipt.program.partitions));
    facts += fact("numerics", receipt.program.numerics);
    facts += fact("collectives", receipt.program.collectives);
  }
  facts += fact("understudy", receipt.versions.understudy + " " + receipt.versions.revision);
  facts += fact("MPI", fmt::format("{}", fmt::join(receipt.versions.mpi, ", ")));
  facts += fact("faults injected", fmt::format("{}", fmt::join(receipt.faults, ", ")));
  return around("header", html + around("div", facts, "facts"), passed ? "" : "failed");
}

std::string claims_section(const Receipt& receipt, const Receipt* /*cold*/) {
  if (receipt.chips.empty()) return "";
  std::string facts;
  for (const configs::Claim& one : configs::claims_of(receipt)) {
    const char* const look = one.standing == configs::Standing::proven   ? "good"
                             : one.standing == configs::Standing::failed ? "bad"
                                                                         : "soft";
    facts += around("div", element("b", one.name) + element("strong", name_of(one.standing), look) +
                               "<br>" + element("span", one.why, "soft"));
  }
  return around("div", facts, "facts");
}

std::string contract_section(const Receipt& receipt, const Receipt* /*cold*/) {
  if (receipt.hosts.empty()) return "";
  std::string html;
  if (receipt.contract_agreed)
    html += *receipt.contract_agreed
                ? element("p", "Every worker computed the same launch contract.", "good")
                : element("p", "Workers computed different launch contracts.", "bad");
  html += around("p", "Digest " + element("code", receipt.contract_digest));
  HtmlTable table({"host", "ranks", "machine", "contract"});
  for (const configs::HostSeen& host : receipt.hosts) {
    const bool agrees = host.contract_digests.size() == 1 &&
                        host.contract_digests.front() == receipt.contract_digest;
    table.row({std::to_string(host.host), fmt::format("{}", fmt::join(host.ranks, ", ")),
               fmt::format("{}", fmt::join(host.machines, ", ")),
               host.contract_digests.empty() ? std::string(kUnknown)
               : agrees                      ? "agrees"
                        : fmt::format("{}", fmt::join(host.contract_digests, ", "))},
              agrees || host.contract_digests.empty() ? "" : "bad");
  }
  constexpr std::size_t kShown = 8;
  if (receipt.hosts.size() <= kShown) return html + table.html();
  return html + folded(plural(std::ssize(receipt.hosts), "host"), table);
}

std::string cache_section(const Receipt& receipt, const Receipt* /*cold*/) {
  if (!receipt.compile) return "";
  const configs::CompileSeen& seen = *receipt.compile;
  std::int64_t compiled = 0, loaded = 0;
  for (const ChipSeen& chip : receipt.chips)
    if (chip.compiled) ++(chip.compiled->cached ? loaded : compiled);
  std::string facts = fact("policy", seen.policy) + fact("compiled", plural(compiled, "chip")) +
                      fact("loaded from an entry", plural(loaded, "chip")) +
                      fact("slowest chip", seconds_text(seen.wall_seconds)) +
                      fact("in compilers, together", seconds_text(seen.compile_seconds));
  if (seen.lock_wait_seconds)
    facts += fact("lock wait, p50 and worst",
                  fmt::format("{}, {}", seconds_text(seen.lock_wait_seconds->p50),
                              seconds_text(seen.lock_wait_seconds->max)));
  std::string html = around("div", facts, "facts");
  html += element("h3", seen.keys.size() == 1 ? "Key" : fmt::format("{} keys", seen.keys.size()));
  for (const std::string& key : seen.keys) html += around("p", element("code", key));
  for (const std::string& warning : seen.warnings) html += element("p", warning, "warn");
  return html;
}

std::string restore_section(const Receipt& receipt, const Receipt* cold) {
  if (cold == nullptr) return "";
  const configs::RestoreProof proof = configs::prove_restore(*cold, receipt);
  const bool proven = proof.verdict == configs::RestoreVerdict::proven;
  std::string html = around("p", "Against the cold run " + element("code", cold->run_id) + ": " +
                                     element("b", name_of(proof.verdict), proven ? "good" : "bad"));
  for (const std::string& reason : proof.reasons) html += element("p", reason, "bad");
  HtmlTable table({"what", "cold", "restored", "holds"});
  constexpr std::size_t kShort = 12;
  for (const configs::RestoreRow& row : proof.rows)
    table.row({row.name, row.cold,
               row.cold == row.restored && row.cold.size() > kShort ? "the same" : row.restored,
               row.holds ? "yes" : "no"},
              row.holds ? "" : "bad");
  return html + table.html();
}

std::string steps_section(const Receipt& receipt, const Receipt* /*cold*/) {
  HtmlTable table({"#step", "#wall ms", "scalar results"});
  const std::size_t shown = std::min(kStepsShown, receipt.steps.size());
  for (std::size_t i = 0; i < shown; ++i) {
    const configs::StepSeen& step = receipt.steps[i];
    std::string scalars;
    for (const auto& [result, value] : step.scalars)
      scalars += fmt::format("{}result {} = {:.9g}", scalars.empty() ? "" : ", ", result, value);
    table.row(
        {std::to_string(step.index), fmt::format("{:.3f}", 1e3 * step.wall_seconds), scalars});
  }
  if (table.empty()) return "";
  const std::string more =
      shown < receipt.steps.size()
          ? element("p", fmt::format("and {} more", receipt.steps.size() - shown), "soft")
          : "";
  return table.html() + more;
}

std::string results_section(const Receipt& receipt, const Receipt* /*cold*/) {
  HtmlTable table({"#result", "type", "verdict", "digest", "#largest difference"});
  for (const configs::ResultReceipt& result : receipt.results) {
    const auto& compared = result.comparison;
    std::string verdict = result.metric.value_or("");
    if (compared) verdict = compared->ok ? "as expected" : "differs";
    table.row({std::to_string(result.index),
               fmt::format("{}[{}]", result.element, fmt::join(result.shape, ",")), verdict,
               result.digest.value_or(std::string(kUnknown)),
               compared ? fmt::format("{:.3g}", compared->max_abs_error) : ""},
              compared && !compared->ok ? "bad" : "");
  }
  return table.empty() ? "" : table.html();
}

std::string collectives_section(const Receipt& receipt, const Receipt* /*cold*/) {
  if (receipt.collectives.empty()) return "";
  HtmlTable table({"each chip", "algorithm", "#of the program", "#calls", "#operands", "#sent"});
  for (const configs::CollectiveSeen& seen : receipt.collectives)
    table.row({seen.kind, seen.algorithm, std::to_string(seen.count), std::to_string(seen.calls),
               bytes_text(seen.bytes), bytes_text(seen.bytes_sent_per_chip)});
  std::string html = table.html();
  if (!receipt.stragglers) return html;
  HtmlTable late({"late to", "place", "#times", "#longest spread"});
  for (const configs::ArrivalsSeen& site : receipt.stragglers->sites)
    late.row({site.kind, site.place.value_or(""), std::to_string(site.times),
              seconds_text(site.spread_max_seconds)});
  return late.empty() ? html : html + element("h3", "Arrivals") + late.html();
}

std::string memory_section(const Receipt& receipt, const Receipt* /*cold*/) {
  const configs::HbmPeak& peak = receipt.hbm_peak_bytes;
  if (!peak.observed && !peak.predicted) return "";
  const auto text = [](const std::optional<std::uint64_t>& bytes) {
    return bytes ? bytes_text(*bytes) : std::string(kUnknown);
  };
  return around("div",
                fact("planned peak of the fullest chip", text(peak.predicted)) +
                    fact("observed", text(peak.observed)) + fact("of", text(peak.capacity)),
                "facts");
}

std::string counters_section(const Receipt& receipt, const Receipt* /*cold*/) {
  if (!receipt.counters) return "";
  HtmlTable table({"counter, all chips together", "#value"});
  for (const auto& [name, value] : *receipt.counters) table.row({name, std::to_string(value)});
  const std::string together = fmt::format("compiles {}, executes {}", count_text(receipt.compiles),
                                           count_text(receipt.executes));
  return element("p", together) + table.html();
}

std::string stress_section(const Receipt& receipt, const Receipt* /*cold*/) {
  if (!receipt.cache_stress) return "";
  HtmlTable table({"policy", "#p50", "#worst", "#lock wait", "#duplicates", "#torn", "#lost",
                   "#stuck", "safe"});
  std::string words;
  for (const configs::PolicyStress& one : *receipt.cache_stress) {
    const std::string name = one.policy == "shared" ? one.policy + ":" + one.lock : one.policy;
    table.row({name, seconds_text(one.startup_seconds.p50), seconds_text(one.startup_seconds.max),
               fmt::format("{:.0f} %", 100 * one.lock_wait_fraction),
               std::to_string(one.duplicate_compiles), std::to_string(one.torn_reads),
               std::to_string(one.entries_lost), std::to_string(one.stuck_processes),
               one.safe ? "yes" : "no"},
              one.safe ? "" : "bad");
    words += around("p", element("b", name) + ": " + escaped(one.diagnosis));
  }
  return table.html() + words;
}

std::string chips_section(const Receipt& receipt, const Receipt* /*cold*/) {
  HtmlTable table({"#rank", "#host", "machine", "#pid", "phase", "cache", "#instructions"});
  for (const ChipSeen& chip : receipt.chips)
    table.row(
        {std::to_string(chip.rank), std::to_string(chip.host),
         chip.started ? chip.started->machine : "",
         chip.started ? std::to_string(chip.started->pid) : "", chip.phase.value_or("no record"),
         !chip.compiled          ? ""
         : chip.compiled->cached ? "loaded"
                                 : "compiled",
         chip.instructions ? std::to_string(*chip.instructions) : ""},
        receipt.failure && receipt.failure->rank == chip.rank ? "bad" : "");
  return table.empty() ? "" : folded(plural(std::ssize(receipt.chips), "chip"), table);
}

struct Section {
  std::string_view title;
  // Empty where the receipt tells nothing of it. The second is the cold run, or nullptr.
  std::string (*html)(const Receipt& receipt, const Receipt* cold);
};
// In the order of the page.
constexpr std::array<Section, 13> kSections = {{
    {"What is shown", claims_section},
    {"Launch contract", contract_section},
    {"Slice", [](const Receipt& receipt, const Receipt*) { return slice_picture(receipt); }},
    {"Restore proof", restore_section},
    {"Compile cache", cache_section},
    {"Cache policies under contention", stress_section},
    {"Start of each chip",
     [](const Receipt& receipt, const Receipt*) { return timeline_picture(receipt); }},
    {"Steps", steps_section},
    {"Results", results_section},
    {"Collectives", collectives_section},
    {"HBM", memory_section},
    {"Counters", counters_section},
    {"Chips", chips_section},
}};

}  // namespace

std::string receipt_page(const Receipt& receipt, const std::optional<Receipt>& cold) {
  std::string body = head(receipt);
  for (const Section& section : kSections) {
    const std::string html = section.html(receipt, cold ? &*cold : nullptr);
    if (!html.empty()) body += around("section", element("h2", section.title) + "\n" + html) + "\n";
  }
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<title>{} {}</title>\n<style>{}</style>\n</head>\n<body><main>\n{}</main></body>\n</html>\n",
      escaped(receipt.verdict), escaped(receipt.run_id), kPageStyle, body);
}

}  // namespace understudy::launcher
