// SPDX-License-Identifier: Apache-2.0
// Pieces of HTML, escaped where they hold what others wrote. Pure functions.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace understudy::launcher {

// For text and for attributes in double quotes.
std::string escaped(std::string_view text);

// "<td class="number">3</td>": `text` is escaped. Without a class where it is empty.
std::string element(std::string_view tag, std::string_view text, std::string_view css_class = "");
// The same around what is HTML already.
std::string around(std::string_view tag, std::string_view html, std::string_view css_class = "");

// A name and its value, for a grid of them; nothing where there is no value.
std::string fact(std::string_view name, std::string_view value);
// "3 chips", "1 chip"
std::string plural(std::int64_t count, const char* one);

// A table that scrolls by itself where it is wide. Cells are text; columns named with a leading
// '#' hold numbers.
class HtmlTable {
 public:
  explicit HtmlTable(std::vector<std::string> columns);
  // `css_class` is of the row: "bad".
  void row(const std::vector<std::string>& cells, std::string_view css_class = "");
  bool empty() const { return rows_.empty(); }
  std::string html() const;

 private:
  std::vector<std::string> columns_;
  std::string rows_;
};

}  // namespace understudy::launcher
