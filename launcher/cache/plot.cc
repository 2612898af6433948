// SPDX-License-Identifier: Apache-2.0
#include "launcher/cache/plot.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

#include "configs/base/cache_policy.h"
#include "launcher/cache/diagnosis.h"

namespace understudy::launcher {
namespace {

using configs::PolicyStress;

constexpr double kPlotLeft = 190, kPlotWidth = 560, kPlotRight = 90, kPlotRow = 38, kPlotBar = 22,
                 kPlotTop = 56, kPlotBottom = 30;

struct StartPart {
  std::string_view name, colour;
  double (*share)(const PolicyStress&);
};
// What went wrong comes first, so that it starts at the left edge and can be compared between bars.
constexpr std::array<StartPart, 6> kStartParts = {{
    {"lock wait", "#c0392b", [](const PolicyStress& s) { return s.lock_wait_fraction; }},
    {"wait for the compiler", "#e5b567", [](const PolicyStress& s) { return s.wait_fraction; }},
    {"compile", "#3b6ea5", [](const PolicyStress& s) { return s.compile_fraction; }},
    {"read", "#5aa469", [](const PolicyStress& s) { return s.read_fraction; }},
    {"write", "#8e6bb0", [](const PolicyStress& s) { return s.write_fraction; }},
    {"other", "#b8b8b8",
     [](const PolicyStress& s) {
       // Rounding of the five fractions may exceed 1 by a little; a negative width is no valid SVG.
       return std::max(0.0, 1 - s.lock_wait_fraction - s.wait_fraction - s.compile_fraction -
                                s.read_fraction - s.write_fraction);
     }},
}};

std::string text_at(double x, double y, std::string_view text, std::string_view more = "") {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\"{}>{}</text>\n", x, y, more, text);
}

std::string box(double x, double y, double width, double height, std::string_view colour) {
  return fmt::format(
      "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" fill=\"{}\"/>\n", x, y,
      width, height, colour);
}

// SVG has no text layout, so the width of a name is estimated from its length.
std::string legend() {
  std::string text;
  double x = kPlotLeft;
  for (const StartPart& part : kStartParts) {
    text += box(x, 30, 10, 10, part.colour);
    text += text_at(x + 14, 39, part.name);
    constexpr double kLetter = 6.3;
    x += 30 + kLetter * static_cast<double>(part.name.size());
  }
  return text;
}

// The length is the slowest process; the segments are fractions of the time of all processes. The
// dark mark is the median start-up.
std::string bar(const PolicyStress& stress, double y, double longest) {
  const std::string name = discipline_name(stress.policy, stress.lock);
  std::string text = text_at(kPlotLeft - 8, y + kPlotBar / 2 + 4, name, " text-anchor=\"end\"");
  const double length = kPlotWidth * stress.startup_seconds.max / longest;
  double x = kPlotLeft;
  for (const StartPart& part : kStartParts) {
    const double width = length * part.share(stress);
    text += box(x, y, width, kPlotBar, part.colour);
    x += width;
  }
  const double middle = kPlotLeft + kPlotWidth * stress.startup_seconds.p50 / longest;
  text += box(middle - 1, y - 3, 2, kPlotBar + 6, "#222222");
  std::string label = seconds_text(stress.startup_seconds.max);
  if (!stress.safe) label += " unsafe";
  return text + text_at(kPlotLeft + length + 6, y + kPlotBar / 2 + 4, label);
}

}  // namespace

std::string stress_svg(const configs::CacheStress& stress) {
  double longest = 0;
  for (const PolicyStress& one : stress.policies)
    longest = std::max(longest, one.startup_seconds.max);
  // Avoids a division by zero for a run that ended at once.
  if (longest <= 0) longest = 1;
  const double height =
      kPlotTop + kPlotRow * static_cast<double>(stress.policies.size()) + kPlotBottom;
  std::string text = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" height=\"{1:.0f}\" "
      "viewBox=\"0 0 {0:.0f} {1:.0f}\" font-family=\"sans-serif\" font-size=\"12\">\n",
      kPlotLeft + kPlotWidth + kPlotRight, height);
  text += box(0, 0, kPlotLeft + kPlotWidth + kPlotRight, height, "white");
  if (!stress.policies.empty()) {
    const PolicyStress& first = stress.policies.front();
    text += text_at(
        12, 18,
        fmt::format("Start-up of {} processes with {} programs of {} each. Bar: slowest process, "
                    "split by where all processes spent their time. Mark: median.",
                    first.processes, first.keys, seconds_text(stress.compile_seconds)));
  }
  text += legend();
  double y = kPlotTop;
  for (const PolicyStress& one : stress.policies) {
    text += bar(one, y, longest);
    y += kPlotRow;
  }
  return text + "</svg>\n";
}

}  // namespace understudy::launcher
