// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <fmt/format.h>

#include "launcher/process/console.h"
#include "launcher/rehearse/drill.h"

namespace understudy::launcher {
namespace {

std::string first_line(const std::string& text, std::size_t most) {
  std::string line = text.substr(0, text.find('\n'));
  if (line.size() > most) line = line.substr(0, most - 2) + "..";
  return line;
}

std::string host_text(const std::optional<std::int64_t>& host) {
  return host ? fmt::format("{}", *host) : "-";
}

}  // namespace

// Skipped drills are listed apart and do not affect the verdict.
configs::DrillReport report_of(const std::vector<DrillSeen>& all, double seconds) {
  configs::DrillReport report;
  report.wall_seconds = seconds;
  for (const DrillSeen& seen : all) {
    if (!seen.left_out.empty()) {
      report.left_out.push_back({seen.name, seen.left_out});
      continue;
    }
    report.detected += seen.detected ? 1 : 0;
    report.faults.push_back({seen.name, seen.id, seen.about, seen.detected, seen.layer,
                             seen.expected_layer, seen.diagnosis, seen.expected_diagnosis,
                             seen.host, seen.expected_host, seen.seconds, seen.bound_seconds,
                             seen.message, seen.advice});
  }
  report.verdict =
      report.detected == static_cast<std::int64_t>(report.faults.size()) ? "passed" : "failed";
  return report;
}

// One line of fixed columns; a missed drill gets a second line with the expectation.
std::string drill_line(const DrillSeen& seen, const Console& console) {
  // With the columns before it about 160 characters, a wide terminal; the JSON has the whole
  // message.
  constexpr std::size_t kMessage = 90;
  if (!seen.left_out.empty())
    return fmt::format("{} {:<26} {:<4} {}", console.tinted(Tint::yellow, "absent"), seen.name,
                       seen.id, first_line(seen.left_out, kMessage));
  std::string line = fmt::format(
      "{} {:<26} {:<4} {:<14} {:>4} {:6.1f} s  {}",
      seen.detected ? console.tinted(Tint::green, "found ") : console.tinted(Tint::red, "MISSED"),
      seen.name, seen.id, seen.layer.empty() ? "-" : seen.layer, host_text(seen.host), seen.seconds,
      first_line(seen.message, kMessage));
  if (!seen.detected)
    line += fmt::format("\n       expected {} on {}{} within {:.0f} s, got {}",
                        seen.expected_diagnosis, seen.expected_layer,
                        seen.expected_host ? fmt::format(", host {}", *seen.expected_host) : "",
                        seen.bound_seconds, seen.diagnosis.empty() ? "nothing" : seen.diagnosis);
  return line;
}

std::string drill_head() {
  return fmt::format("       {:<26} {:<4} {:<14} {:>4} {:>8}  {}", "fault", "id", "layer", "host",
                     "seconds", "message");
}

}  // namespace understudy::launcher
