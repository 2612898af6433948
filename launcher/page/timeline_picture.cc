// SPDX-License-Identifier: Apache-2.0
// The start of each chip as one line, on its own clock from its own start: the gates, then the wait
// for its executable. Steps are not drawn, because receipts have only their durations.
#include <algorithm>
#include <fmt/format.h>

#include "launcher/cache/diagnosis.h"
#include "launcher/page/html.h"
#include "launcher/page/page_frame.h"
#include "launcher/page/receipt_page.h"

namespace understudy::launcher {
namespace {

using configs::GateSeen;
using configs::RankSeen;
using configs::Receipt;

constexpr double kLeft = 110, kWidth = 820, kRight = 60, kRow = 20, kBar = 13, kTop = 26;
// One row is 20 pixels high: 64 rows fill two screens.
constexpr std::size_t kMostRows = 64;
constexpr int kTicks = 6;

double end_of(const RankSeen& chip) {
  double end = 0;
  for (const GateSeen& gate : chip.gates) end = std::max(end, gate.seconds);
  return end;
}

std::string bar(double from, double to, double y, double scale, const std::string& css_class,
                const std::string& title) {
  return fmt::format(
      "<rect class=\"{}\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{}\" rx=\"2\">"
      "<title>{}</title></rect>\n",
      css_class, kLeft + from * scale, y, std::max(1.0, (to - from) * scale - 1), kBar,
      escaped(title));
}

std::string row(const RankSeen& chip, bool failed_first, double y, double scale) {
  std::string text = fmt::format(
      "<text x=\"{:.0f}\" y=\"{:.1f}\" text-anchor=\"end\"{}>rank {}, host {}</text>\n", kLeft - 8,
      y + kBar - 2, failed_first ? " style=\"fill: var(--bad)\"" : "", chip.rank, chip.host);
  double from = 0;
  for (const GateSeen& gate : chip.gates) {
    const bool program = gate.gate == configs::name_of(configs::Phase::programs_allowed);
    const bool cached = chip.compiled && chip.compiled->cached;
    const std::string look = !program ? "bar-gate" : cached ? "bar-load" : "bar-compile";
    text += bar(from, gate.seconds, y, scale, look,
                fmt::format("{}: {} after {}", gate.gate, gate.detail, seconds_text(gate.seconds)));
    // Each gate begins where the one before ended, because a worker passes them one after another.
    from = std::max(from, gate.seconds);
  }
  return text;
}

std::string axis(double longest, double scale, double bottom) {
  std::string text;
  for (const double at : ticks_of(longest, kTicks)) {
    const double x = kLeft + at * scale;
    text += fmt::format(
        "<line class=\"axis\" x1=\"{:.1f}\" x2=\"{:.1f}\" y1=\"{:.0f}\" y2=\"{:.0f}\"/>"
        "<text class=\"soft\" x=\"{:.1f}\" y=\"14\" text-anchor=\"middle\">{}</text>\n",
        x, x, kTop - 6, bottom, x, at == 0 ? "0 s" : seconds_text(at));
  }
  return text;
}

std::string key(const char* css_class, const char* words) {
  return fmt::format(
      "<span><svg width=\"12\" height=\"12\"><rect class=\"{}\" width=\"12\" height=\"12\" "
      "rx=\"2\"/></svg>{}</span>",
      css_class, words);
}

}  // namespace

// At most kMostRows chips: beyond that the lines show nothing more.
std::string timeline_picture(const Receipt& receipt) {
  double longest = 0;
  for (const RankSeen& chip : receipt.ranks) longest = std::max(longest, end_of(chip));
  if (longest <= 0) return "";
  const std::size_t shown = std::min(kMostRows, receipt.ranks.size());
  const double scale = kWidth / longest, bottom = kTop + kRow * static_cast<double>(shown);
  std::string text = fmt::format(
      "<svg class=\"chart\" width=\"{0:.0f}\" viewBox=\"0 0 {0:.0f} {1:.0f}\" role=\"img\" "
      "aria-label=\"start of "
      "each chip\">\n",
      kLeft + kWidth + kRight, bottom + 8);
  text += axis(longest, scale, bottom);
  for (std::size_t i = 0; i < shown; ++i)
    text += row(receipt.ranks[i],
                receipt.failure() != nullptr && receipt.failure()->rank == receipt.ranks[i].rank,
                kTop + kRow * static_cast<double>(i), scale);
  text = element("p", "Time since the start of each worker, on its own clock.", "soft") +
         scrolling(text + "</svg>\n");
  text += around("div",
                 key("bar-gate", "gates") + key("bar-compile", "program, compiled here") +
                     key("bar-load", "program, from the cache"),
                 "keys");
  if (shown < receipt.ranks.size())
    text +=
        element("p", fmt::format("The first {} of {} chips.", shown, receipt.ranks.size()), "soft");
  return text;
}

}  // namespace understudy::launcher
