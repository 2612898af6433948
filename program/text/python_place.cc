// SPDX-License-Identifier: Apache-2.0
#include "program/text/python_place.h"

#include <algorithm>
#include <cctype>
#include <unordered_set>

namespace understudy::program {
namespace {

// Frames between an operation and the user's code.
// Places in these files say nothing to the user, who did not write them.
constexpr std::string_view kInside[] = {"/jax/_src/", "/understudy/_", "/flax/core/"};
// Calls that are followed outwards from an operation without a place.
constexpr int kMostCalls = 64;

bool is_inside(std::string_view file) {
  return std::ranges::any_of(
      kInside, [&](std::string_view part) { return file.find(part) != std::string_view::npos; });
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back())) != 0)
    text.remove_suffix(1);
  return text;
}

std::size_t indent_of(std::string_view line) {
  return std::min(line.find_first_not_of(' '), line.size());
}

std::size_t digits_at(std::string_view text, std::size_t at) {
  std::size_t count = 0;
  while (at + count < text.size() &&
         std::isdigit(static_cast<unsigned char>(text[at + count])) != 0)
    ++count;
  return count;
}

// The end of the string literal that starts at `at`, behind its closing quote.
std::size_t end_of_string(std::string_view text, std::size_t at) {
  for (++at; at < text.size() && text[at] != '"'; ++at)
    // The character after a backslash is part of the literal, a quote included.
    if (text[at] == '\\') ++at;
  return std::min(at + 1, text.size());
}

// `#loc12` at this place, or empty.
std::string_view alias_in(std::string_view text, std::size_t at) {
  if (!text.substr(at).starts_with("#loc")) return {};
  return text.substr(at, 4 + digits_at(text, at + 4));
}

// What `loc(...)` at the end of a line contains, or empty.
std::string_view location_at_end(std::string_view line) {
  line = trimmed(line);
  // The last one of the line: earlier ones belong to block arguments.
  const std::size_t start = line.rfind("loc(");
  if (start == std::string_view::npos || !line.ends_with(')')) return {};
  return line.substr(start + 4, line.size() - start - 5);
}

}  // namespace

PythonPlaces::PythonPlaces(std::string_view text) {
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view line = text.substr(at, end - at);
    lines_.push_back(line);
    at = end + 1;
    const std::string_view alias = alias_in(line, 0);
    const std::string_view rest = line.substr(alias.size());
    if (!alias.empty() && rest.starts_with(" = loc(") && trimmed(rest).ends_with(')'))
      // The text between the parentheses of " = loc(...)".
      aliases_[alias] = trimmed(rest).substr(7, trimmed(rest).size() - 8);
  }
}

// An operation with a region ends in a later line, at the indentation of the first.
std::optional<std::string_view> PythonPlaces::alias_at(std::size_t line) const {
  if (line < 1 || line > lines_.size()) return std::nullopt;
  // Lines count from 1.
  const std::size_t indent = indent_of(lines_[line - 1]);
  for (std::size_t at = line - 1; at < lines_.size(); ++at) {
    const std::string_view content = lines_[at];
    // A closing brace at the indentation of the first line ends the operation.
    const bool closes = indent > 0 && indent_of(content) == indent && content.size() > indent &&
                        content[indent] == '}';
    if (at + 1 != line && !closes && indent > 0) {
      // The next operation at this depth, or the end of the block: there is no location. Labels of
      // blocks stand at the depth of their operation.
      const bool label = content.size() > indent && content[indent] == '^';
      if (indent_of(content) <= indent && !label && !trimmed(content).empty()) return std::nullopt;
      continue;
    }
    if (const std::string_view found = location_at_end(content); !found.empty()) return found;
  }
  return std::nullopt;
}

// The line of the first call of the function that holds this line.
std::optional<std::size_t> PythonPlaces::first_call(std::size_t line) const {
  if (line > lines_.size()) return std::nullopt;
  for (std::size_t at = line; at-- > 0;) {
    // The head of a function stands before its lines.
    const std::string_view content = lines_[at];
    const std::size_t head = content.find("func.func ");
    if (head == std::string_view::npos || head != indent_of(content)) continue;
    const std::size_t name = content.find('@', head);
    if (name == std::string_view::npos) return std::nullopt;
    const std::string call =
        "call " + std::string(content.substr(name, content.find('(', name) - name)) + "(";
    // Other calls may come from elsewhere; the first is as good a guess as any.
    for (std::size_t i = 0; i < lines_.size(); ++i)
      if (lines_[i].find(call) != std::string_view::npos) return i + 1;
    return std::nullopt;
  }
  return std::nullopt;
}

// The first place of the user's among "file":line:column and aliases, in the order of the text: for
// call sites the callee comes before the caller.
std::optional<std::string> PythonPlaces::file_of(std::string_view location) const {
  std::vector<std::string_view> pending = {location};
  // Aliases may refer to each other in a circle.
  std::unordered_set<std::string_view> seen;
  while (!pending.empty()) {
    const std::string_view text = pending.back();
    pending.pop_back();
    for (std::size_t at = 0; at < text.size(); ++at) {
      if (text[at] == '"') {
        const std::size_t end = end_of_string(text, at);
        const std::string_view file = text.substr(at + 1, end - at - 2);
        at = end - 1;
        if (end >= text.size() || text[end] != ':') continue;
        const std::size_t row = digits_at(text, end + 1);
        const std::size_t colon = end + 1 + row;
        // A string without :line:column is a name.
        if (row == 0 || colon >= text.size() || text[colon] != ':' || is_inside(file)) continue;
        return std::string(file) +
               std::string(text.substr(end, row + 2 + digits_at(text, colon + 1)));
      }
      const std::string_view alias = alias_in(text, at);
      if (alias.empty()) continue;
      // The rest of this text comes after what the alias stands for.
      pending.push_back(text.substr(at + alias.size()));
      const auto found = aliases_.find(alias);
      if (found != aliases_.end() && seen.insert(alias).second) pending.push_back(found->second);
      break;
    }
  }
  return std::nullopt;
}

std::optional<std::string> PythonPlaces::of_line(std::int64_t line) const {
  std::optional<std::size_t> at = static_cast<std::size_t>(line);
  // Generated helper functions have no place of the user's; their callers may.
  for (int calls = 0; at && calls < kMostCalls; ++calls) {
    if (const auto location = alias_at(*at))
      if (auto place = file_of(*location)) return place;
    at = first_call(*at);
  }
  return std::nullopt;
}

std::optional<std::string> PythonPlaces::name_of(std::string_view location) const {
  if (!location.starts_with('"')) {
    // A string stands for itself, anything else must be an alias.
    const auto found = aliases_.find(location);
    if (found == aliases_.end()) return std::nullopt;
    location = found->second;
  }
  if (!location.starts_with('"')) return std::nullopt;
  const std::size_t end = end_of_string(location, 0);
  // "file":1:2 is a place, not a name.
  if (end < location.size() && location[end] == ':') return std::nullopt;
  return std::string(location.substr(1, end - 2));
}

// The head of @main is one line: func.func public @main(%arg0: tensor<4xf32> {...} loc("x"), ...
std::vector<std::string> PythonPlaces::argument_names() const {
  std::vector<std::string> names;
  for (const std::string_view line : lines_) {
    const std::size_t head = line.find("func.func public @");
    // The head of another function, or a line of a body.
    if (head == std::string_view::npos) continue;
    for (std::size_t at = head; at < line.size(); ++at) {
      if (line[at] == '"') {
        at = end_of_string(line, at) - 1;  // a name in attributes
      } else if (line.substr(at).starts_with(") -> ")) {
        break;
      } else if (line.substr(at).starts_with("%arg")) {
        names.emplace_back();
      } else if (line.substr(at).starts_with("loc(") && !names.empty()) {
        const std::size_t start = at + 4;
        const std::size_t end = start < line.size() && line[start] == '"'
                                    ? end_of_string(line, start)
                                    : std::min(line.find(')', start), line.size());
        names.back() = name_of(line.substr(start, end - start)).value_or("");
        at = end;
      }
    }
    return names;
  }
  return names;
}

}  // namespace understudy::program
