// SPDX-License-Identifier: Apache-2.0
#include "launcher/process/fold.h"

#include <algorithm>
#include <sys/ioctl.h>
#include <unistd.h>
#include <vector>

namespace understudy::launcher {
namespace {

// A terminal that is narrower has no room for a hanging indent.
constexpr std::size_t kFewestColumns = 40;

// Characters of UTF-8 text: bytes that do not continue one.
std::size_t width_of(std::string_view text) {
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char c) { return (c & 0xC0) != 0x80; }));
}

std::size_t indent_of(std::string_view line) {
  return std::min(line.find_first_not_of(' '), line.size());
}

bool is_caret(std::string_view line) {
  return line.ends_with('^') && indent_of(line) + 1 == line.size();
}

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  for (std::size_t end = text.find('\n'); end != text.npos; end = text.find('\n')) {
    lines.push_back(text.substr(0, end));
    text.remove_prefix(end + 1);
  }
  lines.push_back(text);
  return lines;
}

// Quoted source, whose caret stands at column `caret`.
std::string cut(std::string_view line, std::size_t caret, std::size_t columns) {
  constexpr std::string_view kRest = "...";
  if (width_of(line) <= columns || width_of(line) != line.size() || caret + kRest.size() >= columns)
    return std::string(line);
  return std::string(line.substr(0, columns - kRest.size())) + std::string(kRest);
}

void fold_line(std::string_view line, std::size_t columns, std::size_t hang, std::string& out) {
  const std::string indent(indent_of(line) + hang, ' ');
  bool first = true;
  while (width_of(line) > columns - (first ? 0 : indent.size())) {
    const std::size_t room = columns - (first ? 0 : indent.size());
    // The last space that leaves a beginning short enough, else the first space at all.
    const std::size_t begin = first ? indent_of(line) : 0;
    std::size_t at = line.find(' ', begin);
    for (std::size_t next = at; next != line.npos && width_of(line.substr(0, next)) <= room;
         next = line.find(' ', next + 1))
      at = next;
    if (at == line.npos) break;
    out += first ? "" : indent;
    out += line.substr(0, at);
    out += '\n';
    line.remove_prefix(at);
    line.remove_prefix(indent_of(line));
    first = false;
  }
  out += first ? "" : indent;
  out += line;
}

}  // namespace

std::string folded(std::string_view text, std::size_t columns, std::size_t hang) {
  const std::vector<std::string_view> lines = lines_of(text);
  std::string out;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (i != 0) out += '\n';
    if (i + 1 < lines.size() && is_caret(lines[i + 1])) {
      out += cut(lines[i], lines[i + 1].size(), columns);
    } else if (indent_of(lines[i]) + hang >= columns / 2 || lines[i].starts_with("receipt: ")) {
      out += lines[i];
    } else {
      fold_line(lines[i], columns, hang, out);
    }
  }
  return out;
}

std::size_t columns_of(std::FILE* stream) noexcept {
  const int descriptor = ::fileno(stream);
  if (descriptor < 0 || ::isatty(descriptor) != 1) return 0;
  winsize window{};
  if (::ioctl(descriptor, TIOCGWINSZ, &window) != 0 || window.ws_col < kFewestColumns)
    return kLineColumns;
  return std::min<std::size_t>(window.ws_col, kLineColumns);
}

}  // namespace understudy::launcher
