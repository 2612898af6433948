// SPDX-License-Identifier: Apache-2.0
#include "launcher/page/html.h"

#include <fmt/format.h>
#include <utility>

namespace understudy::launcher {

// Everything in a receipt may come from users' files (paths, program texts), so all text is
// escaped.
std::string escaped(std::string_view text) {
  std::string html;
  for (const char letter : text) {
    switch (letter) {
      case '&':
        html += "&amp;";
        break;
      case '<':
        html += "&lt;";
        break;
      case '>':
        html += "&gt;";
        break;
      // For attribute values, which this room always puts into double quotes.
      case '"':
        html += "&quot;";
        break;
      default:
        html += letter;
    }
  }
  return html;
}

std::string around(std::string_view tag, std::string_view html, std::string_view css_class) {
  const std::string attribute =
      css_class.empty() ? "" : fmt::format(" class=\"{}\"", escaped(css_class));
  return fmt::format("<{}{}>{}</{}>", tag, attribute, html, tag);
}

std::string element(std::string_view tag, std::string_view text, std::string_view css_class) {
  return around(tag, escaped(text), css_class);
}

std::string fact(std::string_view name, std::string_view value) {
  return value.empty() ? "" : around("div", element("b", name) + element("span", value));
}

std::string plural(std::int64_t count, const char* one) {
  return fmt::format("{} {}{}", count, one, count == 1 ? "" : "s");
}

// A column title that starts with '#' has numbers, which are aligned to the right.
HtmlTable::HtmlTable(std::vector<std::string> columns) : columns_(std::move(columns)) {}

void HtmlTable::row(const std::vector<std::string>& cells, std::string_view css_class) {
  std::string html;
  for (std::size_t i = 0; i < cells.size(); ++i)
    html += element("td", cells[i], columns_[i].starts_with('#') ? "number" : "");
  rows_ += around("tr", html, css_class) + "\n";
}

std::string HtmlTable::html() const {
  std::string head;
  for (const std::string& column : columns_) {
    const bool number = column.starts_with('#');
    head += element("th", number ? column.substr(1) : column, number ? "number" : "");
  }
  return fmt::format(
      "<div class=\"wide\"><table>\n<thead>{}</thead>\n<tbody>\n{}</tbody></table></div>\n",
      around("tr", head), rows_);
}

}  // namespace understudy::launcher
