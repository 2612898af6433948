// SPDX-License-Identifier: Apache-2.0
// The result of `understudy metrics` for a program. Values.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace understudy::configs {

struct ReportPlace {
  std::string op;    // "stablehlo.reduce"
  std::string path;  // of the program
  std::int64_t line = 0, column = 0;
  // "file:line:column" of the Python that the operation comes from, if the program says it.
  std::optional<std::string> python;
};

// An exchange between chips that a result went through.
struct ReportExchange {
  std::string exchange;           // "all_reduce sum"
  std::vector<std::string> axes;  // of the mesh
  bool partly = false;            // over some of the chips along the axes only
  std::optional<ReportPlace> place;
};

// One kind of evidence: "static", "dynamic", "influence", "invariance".
struct VerdictEvidence {
  std::string kind;
  std::string done;                // what was done
  std::string seen;                // what was seen
  std::optional<bool> speaks_for;  // for "global"; nullopt: inconclusive
};

struct ResultVerdict {
  std::int64_t index = 0;
  std::string name;
  // globally_reduced, partially_reduced, local, replicated_by_luck, not_applicable, undecided
  std::string verdict;
  std::string reason;  // in words
  std::vector<std::string> axes;
  // partially_reduced: mesh coordinates whose data count, "data=0", one entry per arguments that
  // are sharded alike.
  std::vector<std::string> contributors;
  std::vector<ReportExchange> chain;  // from the data to the result; the last few
  std::vector<VerdictEvidence> evidence;
  std::optional<ReportPlace> place;
};

struct MetricWarning {
  std::optional<std::int64_t> result;  // nullopt: of the program
  std::string pattern, text;
  std::optional<ReportPlace> place;
  // Of a mean of means, where it was measured: how far it is from the global mean with these data.
  std::optional<double> error, relative_error;
};

struct MetricsReport {
  std::string program, slice, numerics;
  std::int64_t chips = 1;
  std::vector<ResultVerdict> results;
  std::vector<MetricWarning> warnings;
  double analysis_seconds = 0;  // of the static part
  double wall_seconds = 0;
  std::int64_t exit_code = 0;
};

// "understudy/metrics/1"
std::string to_json(const MetricsReport& report);

}  // namespace understudy::configs
