// SPDX-License-Identifier: Apache-2.0
#include "launcher/page/page_frame.h"

#include <cmath>
#include <fmt/format.h>

#include "launcher/page/html.h"
#include "launcher/page/page_style.h"

namespace understudy::launcher {
namespace {

// "Start of each chip" becomes "start-of-each-chip".
// Titles are fixed texts of this room, so letters, digits and blanks are all that occurs.
std::string anchor_of(std::string_view title) {
  std::string anchor;
  for (const char c : title) {
    if (c >= 'A' && c <= 'Z') {
      anchor += static_cast<char>(c - 'A' + 'a');
    } else {
      anchor += c == ' ' ? '-' : c;
    }
  }
  return anchor;
}

}  // namespace

void PageFrame::section(std::string_view title, const std::string& html) {
  if (html.empty()) return;
  const std::string anchor = anchor_of(title), words = escaped(title);
  links_ += fmt::format("<a href=\"#{}\">{}</a>\n", anchor, words);
  sections_ += fmt::format(
      "<section id=\"{0}\" aria-labelledby=\"{0}-title\"><h2 id=\"{0}-title\">{1}</h2>\n{2}"
      "</section>\n",
      anchor, words, html);
}

std::string PageFrame::page(std::string_view title, const std::string& head) const {
  const std::string bar =
      links_.empty() ? "" : fmt::format("<nav aria-label=\"Sections\">\n{}</nav>\n", links_);
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<title>{}</title>\n<style>{}</style>\n</head>\n<body><main>\n{}{}{}</main></body>\n</"
      "html>\n",
      escaped(title), kPageStyle, head, bar, sections_);
}

std::string scrolling(const std::string& html) { return around("div", html, "wide"); }

// Steps of 1, 2 or 5 times a power of ten, the smallest that needs at most `most` ticks.
// *Requires*: longest > 0, because of the logarithm.
std::vector<double> ticks_of(double longest, int most) {
  double step = std::pow(10.0, std::floor(std::log10(longest / most)));
  for (const double factor : {1.0, 2.0, 5.0, 10.0})
    if (longest / (step * factor) <= most) {
      step *= factor;
      break;
    }
  std::vector<double> ticks;
  // A little room for rounding, so that a tick at the very end is not lost.
  for (int i = 0; i * step <= longest * (1 + 1e-9); ++i) ticks.push_back(i * step);
  return ticks;
}

}  // namespace understudy::launcher
