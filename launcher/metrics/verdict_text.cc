// SPDX-License-Identifier: Apache-2.0
// The report of `understudy metrics` for people.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "launcher/metrics/judge.h"
#include "launcher/process/fold.h"

namespace understudy::launcher {
namespace {

// The place in Python first, as that is what the user wrote.
std::string text_of(const std::optional<configs::ReportPlace>& place) {
  if (!place) return "the program";
  const std::string in_program = fmt::format("{}:{}:{}", place->path, place->line, place->column);
  return place->python ? fmt::format("{}: {} ({})", *place->python, place->op, in_program)
                       : fmt::format("{}: {}", in_program, place->op);
}

std::string label_of(std::int64_t index, const std::string& name) {
  return fmt::format("result {}{}", index, name.empty() ? "" : " (" + name + ")");
}

// "over data", "over some of data", or, where the groups follow no axes, "within part of a group".
std::string scope_text(const configs::ReportExchange& link) {
  if (link.axes.empty()) return link.partly ? "within part of a group" : "within a group";
  return fmt::format("over {}{}", link.partly ? "some of " : "", fmt::join(link.axes, ", "));
}

std::string chain_text(const configs::ResultVerdict& one) {
  std::string out;
  for (const configs::ReportExchange& link : one.chain)
    out +=
        fmt::format("  {} {}\n    at {}\n", link.exchange, scope_text(link), text_of(link.place));
  return out;
}

std::string result_text(const configs::ResultVerdict& one) {
  std::string out =
      fmt::format("{}: {}: {}\n", label_of(one.index, one.name), one.verdict, one.reason);
  if (one.verdict == "partially_reduced") {
    out += fmt::format("  data of other chips is excluded at {}\n", text_of(one.place));
  } else if (!one.axes.empty()) {
    out += fmt::format("  missing reduction over {} after {}\n", fmt::join(one.axes, ", "),
                       text_of(one.place));
  } else if (one.chain.empty() && one.place) {
    out += fmt::format("  at {}\n", text_of(one.place));
  }
  out += chain_text(one);
  for (const configs::VerdictEvidence& evidence : one.evidence)
    out += fmt::format("  {}: {}: {}\n", evidence.kind, evidence.done, evidence.seen);
  return out;
}

}  // namespace

std::string text_of(const configs::MetricsReport& report) {
  std::string out;
  for (const configs::ResultVerdict& one : report.results) out += result_text(one);
  if (!report.warnings.empty()) out += "\n";
  for (const configs::MetricWarning& warning : report.warnings) {
    std::string name;
    for (const configs::ResultVerdict& one : report.results)
      if (warning.result && one.index == *warning.result)
        name = label_of(one.index, one.name) + ": ";
    out += fmt::format("warning: {}{}: {}\n  at {}\n", name, warning.pattern, warning.text,
                       text_of(warning.place));
  }
  while (out.ends_with('\n')) out.pop_back();
  // Folded here, because the report is a document: it is not folded again for a terminal.
  return folded(out);
}

}  // namespace understudy::launcher
