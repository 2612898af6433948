// SPDX-License-Identifier: Apache-2.0
// The frame of a page: a bar of links to its sections, then the sections, each with a label that
// assistive software and links can use. A value.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace understudy::launcher {

class PageFrame {
 public:
  // `title` is escaped, `html` is not. Nothing is added for empty `html`. Titles are unique.
  void section(std::string_view title, const std::string& html);
  // The whole document. `head`: HTML above the bar.
  std::string page(std::string_view title, const std::string& head) const;

 private:
  std::string links_, sections_;
};

// HTML that scrolls sideways where the screen is narrower than it is readable.
std::string scrolling(const std::string& html);

// Ticks of an axis from 0 to `longest`: multiples of 1, 2 or 5 times a power of ten, at most
// `most` besides 0. *Requires*: longest > 0.
std::vector<double> ticks_of(double longest, int most);

}  // namespace understudy::launcher
