// SPDX-License-Identifier: Apache-2.0
#include "launcher/metrics/judge.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "launcher/metrics/contributors.h"
#include "launcher/metrics/experiments.h"

namespace understudy::launcher {
namespace {

using program::analysis::ArgumentGroup;
using program::analysis::StaticReport;
using program::analysis::StaticResult;

struct Decision {
  std::string verdict, reason;
  std::vector<std::string> contributors = {};
};

class Judge {
 public:
  Judge(const program::Interface& interface, const StaticReport& analysis,
        const std::optional<Observations>& observed, const program::PythonPlaces& python)
      : interface_(interface), analysis_(analysis), observed_(observed), python_(python) {}

  configs::ResultVerdict result(std::size_t i) const {
    const StaticResult& flow = analysis_.results[i];
    const program::Parameter& result = interface_.results[i];
    const Experiments seen =
        experiments_of(i, result, interface_.processes(), analysis_, observed_);
    // A scalar per replica is most likely a metric that should be equal; a larger per-replica array
    // is most likely that replica's own data.
    const bool own_of_replica = result.sharding.per_replica && result.local.elements() != 1;
    configs::ResultVerdict one;
    one.index = static_cast<std::int64_t>(i);
    one.name = result.name;
    Decision decision = decide(flow, seen, own_of_replica);
    one.verdict = std::move(decision.verdict);
    one.reason = std::move(decision.reason);
    one.contributors = std::move(decision.contributors);
    // Axes are the advice "reduce over these"; a good result needs none.
    if (is_bad(one.verdict)) one.axes = flow.axes;
    for (const program::analysis::Step& step : flow.chain)
      one.chain.push_back({step.exchange, step.axes, step.partly, place_of(step.place)});
    one.evidence = evidence_of(flow, seen, one.verdict);
    one.place = place_of(one.verdict == "partially_reduced" && !flow.gate.op.empty() ? flow.gate
                         : flow.agrees && !flow.chain.empty() ? flow.chain.back().place
                                                              : flow.place);
    return one;
  }

  configs::MetricWarning warning(const program::analysis::Warning& warning,
                                 std::optional<std::int64_t> result) const {
    return {result, warning.pattern, warning.text, place_of(warning.place), {}, {}};
  }

 private:
  std::optional<configs::ReportPlace> place_of(const program::analysis::Place& place) const {
    if (place.op.empty()) return std::nullopt;
    const SourcePlace at = program::place_of(place.location);
    return configs::ReportPlace{place.op, at.path, at.line, at.column, python_.of_line(at.line)};
  }

  // The groups of which only some shards can influence the result. The data flow proves it, unless
  // an experiment contradicts; or the experiments show it, and no data select which data count.
  std::vector<std::string> contributors(const StaticResult& flow, const Experiments& seen) const {
    std::vector<std::string> all;
    for (std::size_t g = 0; g < analysis_.groups.size(); ++g) {
      std::vector<bool> counts = flow.reach[g];
      const GroupSeen* group = seen.ran && g < seen.groups.size() ? &seen.groups[g] : nullptr;
      for (std::size_t shard = 0; group != nullptr && shard < counts.size(); ++shard) {
        counts[shard] = counts[shard] || group->moved[shard];
        if (!flow.picks && group->hidden[shard]) counts[shard] = false;
      }
      const bool some = std::ranges::find(counts, true) != counts.end();
      // A group that influences nothing is no partial reduction: the result does not use it.
      if (some && std::ranges::find(counts, false) != counts.end())
        all.push_back(coordinates_of(analysis_.groups[g], counts, analysis_.axes));
    }
    return all;
  }

  // Proof first, then observation. The data flow alone can prove equality. Where it only sees an
  // exchange between chips (`only_exchanged`), it cannot know whether the exchange is a complete
  // reduction; then the experiments decide: every shard must affect every chip, and the order of
  // shards must not matter. A result that merely happened to be equal is `replicated_by_luck`.
  Decision decide(const StaticResult& flow, const Experiments& seen, bool own_of_replica) const {
    if (!flow.shared) return {"not_applicable", "each chip holds its own part"};
    if (flow.agrees && !flow.touched)
      return {"not_applicable", "it does not depend on data that differs between chips"};
    const bool by_order = flow.only_exchanged && seen.ran && seen.close && seen.stable;
    if ((flow.agrees && (!seen.ran || seen.close)) || by_order) {
      std::vector<std::string> some = contributors(flow, seen);
      if (!some.empty()) {
        std::string reason =
            fmt::format("it is equal on all chips, but only the data of {} can influence it",
                        fmt::join(some, "; of others "));
        return {"partially_reduced", std::move(reason), std::move(some)};
      }
    }
    if (flow.agrees && (!seen.ran || seen.close)) return {"globally_reduced", made_equal_by(flow)};
    if (own_of_replica && !(seen.ran && seen.equal))
      return {"not_applicable",
              "each replica has its own value, and the program does not require them to be equal"};
    const std::string axes = fmt::format("{}", fmt::join(flow.axes, ", "));
    if (!seen.ran)
      return {"undecided",
              fmt::format("it may differ along {}, and the program was not run", axes)};
    if (flow.only_exchanged && seen.close && seen.complete && seen.invariant)
      return {"globally_reduced", "the data of every chip affects it on every chip, in any order"};
    if (!seen.equal) return {"local", fmt::format("it was not reduced over {}", axes)};
    if (!seen.stable)
      return {"replicated_by_luck",
              fmt::format("it is equal only for this data: no operation reduces it over {}", axes)};
    if (flow.by_choice)
      return {"replicated_by_luck",
              fmt::format("it is equal because of the branch taken for this data; another branch "
                          "does not reduce it over {}",
                          axes)};
    return {
        "replicated_by_luck",
        fmt::format("it is equal for this data, but no operation makes it equal over {}", axes)};
  }

  static std::string made_equal_by(const StaticResult& flow) {
    if (flow.chain.empty()) return "every chip computes it from equal values";
    const program::analysis::Step& last = flow.chain.back();
    return fmt::format("{} over {} makes it equal on all chips", last.exchange,
                       fmt::join(last.axes, ", "));
  }

  const program::Interface& interface_;
  const StaticReport& analysis_;
  const std::optional<Observations>& observed_;
  const program::PythonPlaces& python_;
};

}  // namespace

bool is_bad(const std::string& verdict) {
  return verdict != "globally_reduced" && verdict != "not_applicable";
}

configs::MetricsReport judge(const program::Interface& interface, const StaticReport& analysis,
                             const std::optional<Observations>& observed,
                             const program::PythonPlaces& python, const std::string& failure) {
  configs::MetricsReport report;
  report.chips = interface.processes();
  const Judge judge(interface, analysis, observed, python);
  for (std::size_t i = 0; i < interface.results.size(); ++i) {
    report.results.push_back(judge.result(i));
    if (!failure.empty())
      report.results.back().evidence.push_back(
          {"dynamic", "ran the program", "it failed: " + failure, false});
    for (const auto& warning : analysis.results[i].warnings)
      report.warnings.push_back(judge.warning(warning, static_cast<std::int64_t>(i)));
  }
  for (const auto& warning : analysis.warnings)
    report.warnings.push_back(judge.warning(warning, std::nullopt));
  const bool any_bad =
      std::ranges::any_of(report.results, [](const auto& one) { return is_bad(one.verdict); });
  report.exit_code = any_bad || !failure.empty() ? 1 : 0;
  return report;
}

}  // namespace understudy::launcher
