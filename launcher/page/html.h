// SPDX-License-Identifier: Apache-2.0
// HTML elements. Text is escaped. Pure functions.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace understudy::launcher {

// Escapes text for element content and for attributes in double quotes.
std::string escaped(std::string_view text);

// "<td class="number">3</td>". Escapes `text`; omits an empty class.
std::string element(std::string_view tag, std::string_view text, std::string_view css_class = "");
// The same around HTML, which is not escaped.
std::string around(std::string_view tag, std::string_view html, std::string_view css_class = "");

// A name and its value for a grid of facts; empty if there is no value.
std::string fact(std::string_view name, std::string_view value);
// "3 chips", "1 chip"
std::string plural(std::int64_t count, const char* one);

// A table; wide ones scroll. Cells are text. A column name that begins with '#' marks numbers,
// which are aligned right.
class HtmlTable {
 public:
  explicit HtmlTable(std::vector<std::string> columns);
  // `css_class`: class of the row, for example "bad".
  void row(const std::vector<std::string>& cells, std::string_view css_class = "");
  bool empty() const { return rows_.empty(); }
  std::string html() const;

 private:
  std::vector<std::string> columns_;
  std::string rows_;
};

}  // namespace understudy::launcher
