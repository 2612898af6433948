// SPDX-License-Identifier: Apache-2.0
#include "launcher/metrics/experiments.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace understudy::launcher {
namespace {

using program::analysis::StaticReport;
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

// A complete reduction mixes the data of every chip into every copy: for each chip, changing some
// shard that it holds must change the result on all chips.
// By chip and not by shard: with replicated arguments several chips share a shard, and one
// influence speaks for all of them.
bool is_complete(std::size_t index, std::int64_t chips, const StaticReport& analysis,
                 const Observations& observed) {
  std::vector<bool> shows(static_cast<std::size_t>(chips), false);
  for (const Influence& one : observed.influences) {
    const Influence::Seen& seen = one.results[index];
    if (std::max(seen.moved, seen.elsewhere) != chips) continue;
    const auto& shard_of = analysis.groups[one.group].shard_of;
    for (std::size_t chip = 0; chip < shows.size(); ++chip)
      if (shard_of[chip] == static_cast<std::int64_t>(one.shard)) shows[chip] = true;
  }
  return !observed.influences.empty() && std::ranges::find(shows, false) == shows.end();
}

// Of many shards without influence some are not examined in depth: they are hidden if all that were
// examined are.
void add_group(std::size_t index, std::size_t group, std::size_t shards,
               const Observations& observed, Experiments& all) {
  GroupSeen seen{std::vector<bool>(shards, false), std::vector<bool>(shards, false), false};
  std::vector<bool> examined(shards, false);
  bool any = false, proven = true, some = false;
  for (const Influence& one : observed.influences) {
    if (one.group != group) continue;
    const Influence::Seen& result = one.results[index];
    seen.moved[one.shard] = result.moved > 0;
    some = some || result.moved > 0 || result.elsewhere > 0;
    if (result.moved > 0 || !one.in_depth) continue;
    const bool hidden = result.could_show && result.elsewhere == 0;
    seen.hidden[one.shard] = hidden;
    examined[one.shard] = any = true;
    proven = proven && hidden;
    seen.by_poison = seen.by_poison || result.by_poison;
  }
  for (std::size_t shard = 0; shard < shards; ++shard) {
    all.none = all.none || (some && !seen.moved[shard]);
    if (!examined[shard]) seen.hidden[shard] = any && proven && !seen.moved[shard];
    seen.hidden[shard] = seen.hidden[shard] && some;
  }
  all.groups.push_back(std::move(seen));
}

std::string influence_text(const StaticResult& flow, const Experiments& seen,
                           const std::string& verdict) {
  if (verdict == "partially_reduced")
    return std::ranges::any_of(seen.groups, &GroupSeen::by_poison)
               ? "changing the other shards has no effect on any chip for finite values; only NaN "
                 "propagates, as it survives a product with zero"
               : "changing the other shards has no effect on any chip, even with larger values, "
                 "smaller values or NaN";
  if (seen.none && verdict == "globally_reduced")
    return flow.picks ? "some changes have no effect on any chip: data or masks select which "
                        "elements contribute; with other data these shards may contribute"
                      : "some changes have no effect with this data, as in a maximum; with equal "
                        "data on all chips, or with other data, they do";
  if (seen.complete) return "every change affects every chip";
  return seen.partial ? "some changes affect only some chips" : "some changes affect no chip";
}

configs::VerdictEvidence influence_of(const StaticResult& flow, const Experiments& seen,
                                      const std::string& verdict) {
  const bool counts = verdict == "globally_reduced" || verdict == "not_applicable";
  std::optional<bool> speaks;
  if (seen.complete) speaks = true;
  if ((seen.partial && !counts) || verdict == "partially_reduced") speaks = false;
  return {"influence",
          fmt::format("changed each of {} shards in turn, {} runs", seen.shards, seen.runs),
          influence_text(flow, seen, verdict), speaks};
}

std::string static_text(const StaticResult& flow) {
  if (!flow.agrees) return fmt::format("may differ along {}", fmt::join(flow.axes, ", "));
  return flow.touched ? "equal on all chips, whatever the data are"
                      : "it does not depend on data that differs between chips";
}

// A sum in another order rounds differently, which says nothing against the value.
std::string rotation_text(const Experiments& seen) {
  if (seen.rotated == 0) return "the value does not change";
  return fmt::format("the value changes {}, relative difference {:.2g}",
                     seen.invariant ? "by rounding only" : "with the order of the shards",
                     seen.rotated);
}

}  // namespace

// Reduces all runs of all experiments to a few booleans for one result.
Experiments experiments_of(std::size_t index, const program::Parameter& result, std::int64_t chips,
                           const StaticReport& analysis,
                           const std::optional<Observations>& observed) {
  Experiments all;
  if (!observed) return all;
  all.ran = true;
  const double bound = rounding_bound(result.local.element, chips);
  all.spread = observed->spread[index];
  all.equal = all.spread == 0;
  // Copies that differ by rounding were reduced in different orders; they are no evidence of a
  // missing reduction.
  all.close = all.spread <= bound;
  all.complete = is_complete(index, chips, analysis, *observed);
  all.shards = static_cast<std::int64_t>(observed->influences.size());
  all.runs = observed->runs;
  for (const Influence& influence : observed->influences) {
    const Influence::Seen& seen = influence.results[index];
    all.partial = all.partial || (seen.moved > 0 && seen.moved < chips);
    all.stable = all.stable && seen.still_agrees;
  }
  for (std::size_t g = 0; g < analysis.groups.size(); ++g)
    add_group(index, g, analysis.groups[g].shards, *observed, all);
  for (const Rotation& rotation : observed->rotations)
    all.rotated = std::max(all.rotated, rotation.moved[index]);
  all.invariant = all.rotated <= bound;
  return all;
}

std::vector<configs::VerdictEvidence> evidence_of(const StaticResult& flow, const Experiments& seen,
                                                  const std::string& verdict) {
  std::vector<configs::VerdictEvidence> all;
  std::string text = static_text(flow);
  // Said together with a good verdict, the caution of the analysis would read as a contradiction.
  if (!flow.agrees && verdict == "globally_reduced")
    text +=
        "; the analysis does not track which data a permutation routes where: the experiments "
        "decide";
  all.push_back({"static", "followed the value through the program", std::move(text), flow.agrees});
  if (!seen.ran) return all;
  all.push_back({"dynamic", "compared the bits on every chip",
                 seen.equal ? "equal" : fmt::format("relative difference {:.2g}", seen.spread),
                 seen.close});
  // Of a value that each chip has of its own, the other experiments say nothing.
  if (seen.shards == 0 || !flow.shared) return all;
  all.push_back(influence_of(flow, seen, verdict));
  all.push_back({"invariance", "moved each shard to the next chip along each axis",
                 rotation_text(seen), seen.invariant ? std::optional(true) : std::nullopt});
  return all;
}

}  // namespace understudy::launcher
