// SPDX-License-Identifier: Apache-2.0
#include "launcher/metrics/judge.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <limits>

namespace understudy::launcher {
namespace {

using program::analysis::StaticResult;

// Two orders of one sum over n chips differ by about n units in the last place of the largest term;
// the terms are not known here, so some digits of cancellation are granted. docs/metrics.md.
double rounding_bound(program::ElementType element, std::int64_t chips) {
  if (!program::is_float(element) && !program::is_complex(element)) return 0;
  const double unit =
      element == program::ElementType::bf16  ? std::ldexp(1.0, -8)
      : element == program::ElementType::f16 ? std::ldexp(1.0, -11)
      : element == program::ElementType::f64 || element == program::ElementType::c128
          ? std::ldexp(1.0, -53)
          : std::ldexp(1.0, -24);
  // About 6 bits of cancellation.
  constexpr double kCancellation = 64;
  return static_cast<double>(chips) * kCancellation * unit;
}

std::optional<configs::ReportPlace> place_of(const program::analysis::Place& place) {
  if (place.op.empty()) return std::nullopt;
  const SourcePlace at = program::place_of(place.location);
  return configs::ReportPlace{place.op, at.path, at.line, at.column};
}

// Summary of the experiments for one result.
struct Experiments {
  bool ran = false;
  bool equal = true;      // all copies are equal bit for bit
  bool close = true;      // all copies agree within rounding
  bool complete = false;  // the shard of every chip affects the result on every chip
  bool partial = false;   // the shard of some chip affects only some chips
  bool stable = true;     // copies that agreed still agree after every change of data
  bool invariant = true;  // rotating shards changes it no more than rounding
  double spread = 0;
  double rotated = 0;
};

// Reduces all runs of all experiments to a few booleans for one result.
Experiments experiments_of(std::size_t index, const program::Parameter& result, std::int64_t chips,
                           const std::optional<Observations>& observed) {
  Experiments all;
  if (!observed) return all;
  all.ran = true;
  const double bound = rounding_bound(result.local.element, chips);
  all.spread = observed->spread[index];
  all.equal = all.spread == 0;
  all.close = all.spread <= bound;
  all.complete = !observed->influences.empty();
  // A complete reduction mixes the data of every chip into every copy: changing any single shard
  // must change the result on all chips.
  for (const Influence& influence : observed->influences) {
    const Influence::Seen& seen = influence.results[index];
    all.complete = all.complete && seen.moved == chips;
    all.partial = all.partial || (seen.moved > 0 && seen.moved < chips);
    all.stable = all.stable && seen.still_agrees;
  }
  for (const Rotation& rotation : observed->rotations)
    all.rotated = std::max(all.rotated, rotation.moved[index]);
  all.invariant = all.rotated <= bound;
  return all;
}

// One row per kind of evidence: what was done, what was seen, and whether it speaks for "globally
// reduced" (nullopt: neither).
std::vector<configs::VerdictEvidence> evidence_of(const StaticResult& flow, const Experiments& seen,
                                                  std::int64_t chips) {
  std::vector<configs::VerdictEvidence> all;
  all.push_back({"static", "followed the value through the program",
                 flow.agrees
                     ? (flow.touched ? "equal on all chips by construction"
                                     : "it does not depend on data that differs between chips")
                     : fmt::format("may differ along {}", fmt::join(flow.axes, ", ")),
                 flow.agrees});
  if (!seen.ran) return all;
  all.push_back({"dynamic", "compared the bits on every chip",
                 seen.equal ? "equal" : fmt::format("relative difference {:.2g}", seen.spread),
                 seen.close});
  all.push_back({"influence", fmt::format("changed the shard of each of {} chips in turn", chips),
                 seen.complete  ? "every change affects every chip"
                 : seen.partial ? "some changes affect only some chips"
                                : "some changes affect no chip",
                 seen.complete  ? std::optional(true)
                 : seen.partial ? std::optional(false)
                                : std::nullopt});
  all.push_back({"invariance", "moved each shard to the next chip along each axis",
                 seen.rotated == 0
                     ? "the value does not change"
                     : fmt::format("the value changes, relative difference {:.2g}", seen.rotated),
                 seen.invariant ? std::optional(true) : std::nullopt});
  return all;
}

struct Decision {
  std::string verdict, reason;
};

// Proof first, then observation. The data flow alone can prove equality. Where it only sees an
// exchange between chips (`only_exchanged`), it cannot know whether the exchange is a complete
// reduction; then the experiments decide: every shard must affect every chip, and the order of
// shards must not matter. A result that merely happened to be equal is `replicated_by_luck`.
Decision decide(const StaticResult& flow, const Experiments& seen, bool own_of_replica) {
  if (!flow.shared) return {"not_applicable", "each chip holds its own part"};
  if (flow.agrees && !flow.touched)
    return {"not_applicable", "it does not depend on data that differs between chips"};
  if (flow.agrees && (!seen.ran || seen.close))
    return {"globally_reduced", "it is equal on all chips by construction"};
  if (own_of_replica && !(seen.ran && seen.equal))
    return {"not_applicable",
            "each replica has its own value, and the program does not require them to be equal"};
  const std::string axes = fmt::format("{}", fmt::join(flow.axes, ", "));
  if (!seen.ran)
    return {"undecided", fmt::format("it may differ along {}, and the program was not run", axes)};
  if (flow.only_exchanged && seen.close && seen.complete && seen.invariant)
    return {"globally_reduced", "the data of every chip affects it on every chip, in any order"};
  if (!seen.equal) return {"local", fmt::format("it was not reduced over {}", axes)};
  if (!seen.stable)
    return {"replicated_by_luck",
            fmt::format("it is equal only for this data: no operation reduces it over {}", axes)};
  if (flow.by_choice)
    return {
        "replicated_by_luck",
        fmt::format("it is equal because of the branch taken for this data; another branch does "
                    "not reduce it over {}",
                    axes)};
  return {"replicated_by_luck",
          fmt::format("it is equal for this data, but no operation makes it equal over {}", axes)};
}

}  // namespace

configs::MetricsReport judge(const program::Interface& interface,
                             const program::analysis::StaticReport& analysis,
                             const std::optional<Observations>& observed,
                             const std::string& failure) {
  configs::MetricsReport report;
  report.chips = interface.processes();
  for (std::size_t i = 0; i < interface.results.size(); ++i) {
    const StaticResult& flow = analysis.results[i];
    const program::Parameter& result = interface.results[i];
    const Experiments seen = experiments_of(i, result, report.chips, observed);
    // A scalar per replica is most likely a metric that should be equal; a larger per-replica array
    // is most likely that replica's own data.
    const bool own_of_replica = result.sharding.per_replica && result.local.elements() != 1;
    configs::ResultVerdict one;
    one.index = static_cast<std::int64_t>(i);
    one.name = result.name;
    const Decision decision = decide(flow, seen, own_of_replica);
    one.verdict = decision.verdict;
    one.reason = decision.reason;
    const bool bad = one.verdict != "globally_reduced" && one.verdict != "not_applicable";
    if (bad) one.axes = flow.axes;
    one.evidence = evidence_of(flow, seen, report.chips);
    if (!failure.empty())
      one.evidence.push_back({"dynamic", "ran the program", "it failed: " + failure, false});
    one.place = place_of(flow.place);
    report.results.push_back(std::move(one));
    for (const auto& warning : flow.warnings)
      report.warnings.push_back(
          {static_cast<std::int64_t>(i), warning.pattern, warning.text, place_of(warning.place)});
  }
  for (const auto& warning : analysis.warnings)
    report.warnings.push_back(
        {std::nullopt, warning.pattern, warning.text, place_of(warning.place)});
  const bool any_bad = std::ranges::any_of(report.results, [](const auto& one) {
    return one.verdict == "local" || one.verdict == "replicated_by_luck" ||
           one.verdict == "undecided";
  });
  report.exit_code = any_bad || !failure.empty() ? 1 : 0;
  return report;
}

// All results in one line each; the evidence only for the first bad one, which usually explains the
// others.
std::string text_of(const configs::MetricsReport& report) {
  const auto text = [](const std::optional<configs::ReportPlace>& place) {
    return place ? fmt::format("{}:{}:{}: {}", place->path, place->line, place->column, place->op)
                 : std::string("the program");
  };
  std::string out;
  const configs::ResultVerdict* first_bad = nullptr;
  for (const configs::ResultVerdict& one : report.results) {
    out += fmt::format("result {}{}: {}: {}\n", one.index,
                       one.name.empty() ? "" : " (" + one.name + ")", one.verdict, one.reason);
    const bool bad = one.verdict != "globally_reduced" && one.verdict != "not_applicable";
    if (bad && first_bad == nullptr) first_bad = &one;
  }
  if (first_bad != nullptr) {
    out += fmt::format("\nresult {}: {}\n", first_bad->index, first_bad->reason);
    if (!first_bad->axes.empty())
      out += fmt::format("  missing reduction over {} after {}\n", fmt::join(first_bad->axes, ", "),
                         text(first_bad->place));
    for (const configs::VerdictEvidence& evidence : first_bad->evidence)
      out += fmt::format("  {}: {}: {}\n", evidence.kind, evidence.done, evidence.seen);
  }
  if (!report.warnings.empty()) out += "\n";
  for (const configs::MetricWarning& warning : report.warnings)
    out += fmt::format("warning: {}{}: {}\n  at {}\n",
                       warning.result ? fmt::format("result {}: ", *warning.result) : "",
                       warning.pattern, warning.text, text(warning.place));
  while (out.ends_with('\n')) out.pop_back();
  return out;
}

}  // namespace understudy::launcher
