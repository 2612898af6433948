// SPDX-License-Identifier: Apache-2.0
#include "launcher/page/receipt_page.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "configs/base/units.h"
#include "configs/receipt/claims.h"
#include "configs/receipt/restore_proof.h"
#include "launcher/cache/diagnosis.h"
#include "launcher/page/html.h"
#include "launcher/page/page_frame.h"
#include "launcher/run/parameter_names.h"

namespace understudy::launcher {
namespace {

using configs::RankSeen;
using configs::Receipt;

// Enough to see how a loss develops; a receipt may have thousands of steps.
constexpr std::size_t kStepsShown = 50;
constexpr std::string_view kUnknown = "unknown";

std::string count_text(const std::optional<std::int64_t>& count) {
  return count ? std::to_string(*count) : std::string(kUnknown);
}

// A table behind a click, for long pages.
std::string folded(std::string_view words, const HtmlTable& table) {
  return around("details", element("summary", words) + table.html());
}

std::string failure_html(const configs::ReceiptFailure& failure) {
  std::string html = element("div", failure.message, "message");
  std::string facts;
  if (failure.rank) facts += fact("rank", std::to_string(*failure.rank));
  if (failure.rank_first && failure.rank_first != failure.rank)
    facts += fact("first to fail", fmt::format("rank {}", *failure.rank_first));
  if (failure.host) facts += fact("host", std::to_string(*failure.host));
  facts += fact("kind", failure.kind ? std::string(name_of(*failure.kind)) : "") +
           fact("phase", failure.phase.value_or(""));
  facts += fact("operation", failure.op.value_or("")) + fact("place", failure.place.value_or("")) +
           fact("Python", failure.python.value_or(""));
  facts += fact("diagnosis", failure.diagnosis.value_or(""));
  facts += fact("layer", failure.layer.value_or(""));
  if (!failure.missing_ranks.empty())
    facts += fact("missing ranks", fmt::format("{}", fmt::join(failure.missing_ranks, ", ")));
  html += around("div", facts, "facts");
  if (failure.advice) html += around("p", "What to do: " + escaped(*failure.advice));
  return html;
}

// The run, its verdict, the failure if any, and the facts that identify the run.
// The kind of receipt is seen from its contents: a ladder, a program, or neither.
std::string head(const Receipt& receipt) {
  const bool passed = receipt.verdict == "passed";
  const std::string what = receipt.ladder                 ? "rehearsal of " + receipt.slice
                           : receipt.program.path.empty() ? std::string("cache stress")
                                                          : receipt.program.path;
  std::string html =
      around("h1", element("span", receipt.verdict, "verdict") + " " + escaped(what));
  html += element("p",
                  fmt::format("{} · {} · {:.2f} s · exit code {}", receipt.run_id,
                              receipt.started_at, receipt.wall_seconds, receipt.exit_code),
                  "soft");
  if (receipt.failure() != nullptr) html += failure_html(*receipt.failure());
  std::string facts;
  if (receipt.chip_count.value_or(0) > 0) {
    facts += fact("slice", receipt.slice);
    facts += fact("chips and hosts",
                  fmt::format("{} on {}", plural(receipt.chip_count.value_or(0), "chip"),
                              plural(receipt.host_count.value_or(0), "host")));
    facts += fact("replicas x partitions",
                  fmt::format("{} x {}", receipt.program.replicas, receipt.program.partitions));
    facts += fact("numerics", receipt.program.numerics);
    facts += fact("collectives", receipt.program.collectives);
  }
  facts += fact("understudy", receipt.tool_version.value_or(""));
  facts += fact("MPI", fmt::format("{}", fmt::join(receipt.versions.mpi, ", ")));
  facts += fact("faults injected", fmt::format("{}", fmt::join(receipt.faults, ", ")));
  return around("header", html + around("div", facts, "facts"), passed ? "" : "failed");
}

std::string claim_html(std::string_view name, std::string_view standing, std::string_view why) {
  const char* const look = standing == "proven" ? "good" : standing == "failed" ? "bad" : "soft";
  return around("div", element("b", name) + element("strong", standing, look) +
                           (why.empty() ? "" : "<br>" + element("span", why, "soft")));
}

// A rehearsal stores its claims, which rest on several runs; those of a single run are computed.
std::string claims_section(const Receipt& receipt, const Receipt* /*cold*/) {
  std::string facts;
  if (receipt.ladder && receipt.claims) {
    const configs::Claims& all = *receipt.claims;
    facts = claim_html("installation", all.installation, "") +
            claim_html("runtime", all.runtime, "") + claim_html("compile", all.compile, "") +
            claim_html("model", all.model, "");
    if (all.tpu_compiler)
      facts += claim_html("tpu_compiler", *all.tpu_compiler,
                          receipt.preflight ? receipt.preflight->why : "");
    return around("div", facts, "facts");
  }
  if (receipt.ranks.empty()) return "";
  for (const configs::Claim& one : configs::claims_of(receipt))
    facts += claim_html(one.name, name_of(one.standing), one.why);
  return around("div", facts, "facts");
}

// One row per host; collapsed for pods with many hosts.
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
  // About as many rows as fit on a screen with the sections around it.
  constexpr std::size_t kShown = 8;
  if (receipt.hosts.size() <= kShown) return html + table.html();
  return html + folded(plural(std::ssize(receipt.hosts), "host"), table);
}

// Only with `receipt html --cold`: needs the receipt of the cold run.
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
               // Two equal digests side by side say no more than the word.
               row.cold == row.restored && row.cold.size() > kShort ? "same" : row.restored,
               row.holds ? "yes" : "no"},
              row.holds ? "" : "bad");
  return html + table.html();
}

std::string name_of(const Receipt& receipt, std::int64_t index) {
  for (const configs::ResultReceipt& one : receipt.results)
    if (one.index == index) return one.name.value_or("");
  return "";
}

std::string steps_section(const Receipt& receipt, const Receipt* /*cold*/) {
  HtmlTable table({"#step", "#wall ms", "scalar results"});
  const std::size_t shown = std::min(kStepsShown, receipt.steps.size());
  for (std::size_t i = 0; i < shown; ++i) {
    const configs::StepSeen& step = receipt.steps[i];
    std::string scalars;
    for (const auto& [result, value] : step.scalars)
      scalars += fmt::format("{}{} = {:.9g}", scalars.empty() ? "" : ", ",
                             label_of("result", result, name_of(receipt, result)), value);
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

std::string collectives_section(const Receipt& receipt, const Receipt* /*cold*/) {
  if (!receipt.collectives)
    return receipt.verdict == "passed" || !receipt.failure()
               ? ""  // `metrics` runs parts of the program several times and counts nothing
               : element("p", "Unknown: the run ended before the collectives were counted.");
  if (receipt.collectives->empty()) return "";
  HtmlTable table({"per chip", "algorithm", "#in program", "#calls", "#operands", "#sent"});
  for (const configs::CollectiveSeen& seen : *receipt.collectives)
    table.row({seen.kind, seen.algorithm, std::to_string(seen.count), std::to_string(seen.calls),
               bytes_text(seen.bytes), bytes_text(seen.bytes_sent_per_chip)});
  std::string html = table.html();
  if (!receipt.stragglers) return html;
  HtmlTable late({"collective", "place", "#times", "#longest spread"});
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
                fact("planned peak (fullest chip)", text(peak.predicted)) +
                    fact("observed", text(peak.observed)) + fact("capacity", text(peak.capacity)) +
                    (receipt.host_peak_bytes.predicted
                         ? fact("host memory, planned", text(receipt.host_peak_bytes.predicted)) +
                               fact("host memory, observed", text(receipt.host_peak_bytes.observed))
                         : "") +
                    (peak.not_as_planned ? fact("not as planned", *peak.not_as_planned) : ""),
                "facts");
}

std::string counters_section(const Receipt& receipt, const Receipt* /*cold*/) {
  if (!receipt.counters) return "";
  HtmlTable table({"counter, sum over chips", "#value"});
  for (const auto& [name, value] : *receipt.counters) table.row({name, std::to_string(value)});
  const std::string together = fmt::format("compiles {}, executes {}", count_text(receipt.compiles),
                                           count_text(receipt.executes));
  return element("p", together) + table.html();
}

std::string chips_section(const Receipt& receipt, const Receipt* /*cold*/) {
  HtmlTable table({"#rank", "#host", "machine", "#pid", "phase", "cache", "#instructions"});
  for (const RankSeen& chip : receipt.ranks)
    table.row({std::to_string(chip.rank), std::to_string(chip.host),
               chip.started ? chip.started->machine : "",
               chip.started ? std::to_string(chip.started->pid) : "",
               chip.last_stage.value_or("no record"),
               !chip.compiled          ? ""
               : chip.compiled->cached ? "loaded"
                                       : "compiled",
               chip.instructions ? std::to_string(*chip.instructions) : ""},
              receipt.failure() != nullptr && receipt.failure()->rank == chip.rank ? "bad" : "");
  return table.empty() ? "" : folded(plural(std::ssize(receipt.ranks), "chip"), table);
}

// Adapts sections that do not need the cold run.
template <std::string (*kSection)(const Receipt&)>
std::string of_one(const Receipt& receipt, const Receipt* /*cold*/) {
  return kSection(receipt);
}

struct Section {
  std::string_view title;
  // Empty if the receipt has no data for it. `cold`: receipt of the cold run, or nullptr.
  std::string (*html)(const Receipt& receipt, const Receipt* cold);
};
// In page order. A section is one row: title and function.
constexpr std::array<Section, 20> kSections = {{
    {"Claims", claims_section},
    {"Ladder", of_one<ladder_section>},
    {"TPU compiler", of_one<preflight_section>},
    {"Restored canary", of_one<canary_section>},
    {"Metrics", of_one<verdicts_section>},
    {"Results", of_one<results_section>},
    {"Steps", steps_section},
    {"Collectives", collectives_section},
    {"HBM", memory_section},
    {"Slice", of_one<slice_picture>},
    {"Start of each chip", of_one<timeline_picture>},
    {"Restore proof", restore_section},
    {"Compile cache", of_one<cache_section>},
    {"Cache policies under contention", of_one<stress_section>},
    {"Launch contract", contract_section},
    {"Gates", of_one<gates_section>},
    {"Environment", of_one<environment_section>},
    {"Pins", of_one<pins_section>},
    {"Counters", counters_section},
    {"Chips", chips_section},
}};

}  // namespace

std::string receipt_page(const Receipt& receipt, const std::optional<Receipt>& cold,
                         const std::optional<configs::DrillReport>& drill) {
  PageFrame frame;
  for (const Section& section : kSections)
    frame.section(section.title, section.html(receipt, cold ? &*cold : nullptr));
  if (drill) frame.section("Drill", drill_section(*drill));
  return frame.page(receipt.verdict + " " + receipt.run_id, head(receipt));
}

}  // namespace understudy::launcher
