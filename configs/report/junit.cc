// SPDX-License-Identifier: Apache-2.0
#include "configs/report/junit.h"

#include <algorithm>
#include <fmt/format.h>

#include "configs/base/printable.h"

namespace understudy::configs {
namespace {

// XML 1.0 has no form for control characters, so they are made printable before.
std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : printable(text)) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\n':
        out += "&#10;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

struct Case {
  std::string name;
  const char* outcome = "";  // "failure", "error", "skipped"; empty: passed
  std::string reason;        // its first line is the message
  std::string output;
};

std::string text_of(const Case& one, const std::string& suite) {
  std::string text =
      fmt::format("    <testcase name=\"{}\" classname=\"{}\"", escaped(one.name), escaped(suite));
  if (*one.outcome == '\0' && one.output.empty()) return text + "/>\n";
  text += ">\n";
  const std::string message = one.reason.substr(0, one.reason.find('\n'));
  if (*one.outcome != '\0')
    text += fmt::format("      <{0} message=\"{1}\">{2}</{0}>\n", one.outcome, escaped(message),
                        escaped(one.reason));
  if (!one.output.empty())
    text += fmt::format("      <system-out>{}</system-out>\n", escaped(one.output));
  return text + "    </testcase>\n";
}

std::string document(const std::string& suite, const std::vector<Case>& cases, double seconds) {
  const auto count = [&](std::string_view outcome) {
    return std::ranges::count(cases, outcome, &Case::outcome);
  };
  const std::string counts =
      fmt::format("tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\" time=\"{:.3f}\"",
                  cases.size(), count("failure"), count("error"), count("skipped"), seconds);
  std::string text = fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites {}>\n  <testsuite name=\"{}\" {}>\n",
      counts, escaped(suite), counts);
  for (const Case& one : cases) text += text_of(one, suite);
  return text + "  </testsuite>\n</testsuites>\n";
}

const char* outcome_of(Verdict verdict) {
  if (verdict == Verdict::failed) return "failure";
  return verdict == Verdict::unsupported ? "skipped" : "";
}

const char* outcome_of(const std::string& verdict) {
  if (verdict == "globally_reduced") return "";
  if (verdict == "not_applicable") return "skipped";
  return verdict == "undecided" ? "error" : "failure";
}

std::string warnings_of(const MetricsReport& report, std::int64_t index) {
  std::string text;
  for (const MetricWarning& warning : report.warnings)
    if (warning.result.value_or(0) == index)
      text +=
          fmt::format("{}warning: {}: {}", text.empty() ? "" : "\n", warning.pattern, warning.text);
  return text;
}

}  // namespace

std::string to_junit(const CheckReport& report) {
  std::vector<Case> cases;
  for (const CheckedFile& file : report.files)
    cases.push_back({file.path, outcome_of(file.verdict), file.reason, ""});
  return document("understudy check", cases, report.wall_seconds);
}

std::string to_junit(const MetricsReport& report) {
  std::vector<Case> cases;
  for (const ResultVerdict& result : report.results) {
    const std::string name =
        result.name.empty() ? fmt::format("result {}", result.index) : result.name;
    std::string reason = fmt::format("{}: {}", result.verdict, result.reason);
    if (result.place)
      reason += fmt::format("\n{}:{}:{}: {}", result.place->path, result.place->line,
                            result.place->column, result.place->op);
    cases.push_back({fmt::format("{}: {}", report.program, name), outcome_of(result.verdict),
                     std::move(reason), warnings_of(report, result.index)});
  }
  return document("understudy metrics", cases, report.wall_seconds);
}

}  // namespace understudy::configs
