// SPDX-License-Identifier: Apache-2.0
#include "configs/base/error.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

#include "configs/base/printable.h"

namespace understudy {
namespace {

struct Row {
  ErrorKind kind;
  std::string_view name;
  int exit_code;
};

// The one table of kinds: docs/architecture.md and the callers of the command rely on the exit
// codes.
constexpr std::array<Row, 10> kKinds = {{{ErrorKind::check, "check", 1},
                                         {ErrorKind::usage, "usage", 2},
                                         {ErrorKind::input, "input", 2},
                                         {ErrorKind::config, "config", 2},
                                         {ErrorKind::unsupported, "unsupported", 2},
                                         {ErrorKind::protocol, "protocol", 3},
                                         {ErrorKind::timeout, "timeout", 4},
                                         {ErrorKind::capacity, "capacity", 5},
                                         {ErrorKind::internal, "internal", 70},
                                         {ErrorKind::system, "system", 71}}};

const Row& row_of(ErrorKind kind) {
  for (const Row& row : kKinds) {
    if (row.kind == kind) return row;
  }
  // Unreachable; an unknown kind would be a bug of ours, hence `internal`.
  return kKinds[8];
}

// The source line and the caret, whose columns count bytes from 1.
std::string caret_lines(const SourcePlace& place) {
  const std::uint32_t caret = place.caret != 0 ? place.caret : place.column;
  const std::string_view text = place.text;
  // As long as the printed text before the caret, in which an escape has four characters. Tabs are
  // kept in the padding, so that the caret stays under its column at any tab width.
  std::string pad = printable(text.substr(0, caret > 0 ? caret - 1 : 0));
  for (char& c : pad) c = c == '\t' ? '\t' : ' ';
  return fmt::format("\n{}\n{}^", printable(text), pad);
}

// The length of the UTF-8 sequence of a printable character at `at`; 0 if there is none (RFC 3629;
// U+0080 to U+009F are control characters).
std::size_t character_length(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[at + i]); };
  const unsigned first = byte(0);
  if (first < 0x80) return first >= 0x20 && first != 0x7f ? 1 : 0;
  const std::size_t length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4 || length > text.size() - at) return 0;
  for (std::size_t i = 1; i < length; ++i)
    if ((byte(i) & 0xc0) != 0x80) return 0;
  // Overlong forms, surrogates, beyond U+10FFFF, and C1 controls.
  const unsigned second = byte(1);
  const bool bad = (first == 0xe0 && second < 0xa0) || (first == 0xed && second >= 0xa0) ||
                   (first == 0xf0 && second < 0x90) || (first == 0xf4 && second >= 0x90) ||
                   (first == 0xc2 && second < 0xa0);
  return bad ? 0 : length;
}

}  // namespace

std::string printable(std::string_view text) {
  const auto plain = [](char c) { return (c >= 0x20 && c < 0x7f) || c == '\n' || c == '\t'; };
  if (std::ranges::all_of(text, plain)) return std::string(text);
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = plain(text[at]) ? 1 : character_length(text, at);
    out += length > 0 ? text.substr(at, length)
                      : fmt::format("\\x{:02x}", static_cast<unsigned char>(text[at]));
    at += std::max<std::size_t>(length, 1);
  }
  return out;
}

std::string text_of(const SourcePlace& place) {
  std::string out = printable(place.path);
  if (place.line != 0) out += fmt::format(":{}", place.line);
  if (place.line != 0 && place.column != 0) out += fmt::format(":{}", place.column);
  if (place.byte) out += fmt::format(": byte {}", *place.byte);
  return out;
}

Error& Error::note(std::string text) {
  notes_.push_back(printable(std::move(text)));
  return *this;
}

Error& Error::diagnosed(std::string_view name) {
  diagnosis_ = name;
  return *this;
}

Error& Error::because_of(LostPeer peer) {
  lost_peer_ = peer;
  return *this;
}

std::string Error::text() const {
  std::string out;
  if (place_) out += text_of(*place_) + ": ";
  out += "error: " + printable(message_);
  if (place_ && !place_->text.empty()) out += caret_lines(*place_);
  for (const std::string& note : notes_) out += "\nnote: " + printable(note);
  return out;
}

std::string_view name_of(ErrorKind kind) { return row_of(kind).name; }

std::optional<ErrorKind> error_kind_of(std::string_view name) {
  for (const Row& row : kKinds) {
    if (row.name == name) return row.kind;
  }
  return std::nullopt;
}

int exit_code_of(ErrorKind kind) { return row_of(kind).exit_code; }

void assertion_failed(const char* condition, const char* file, int line) {
  throw Error(ErrorKind::internal,
              fmt::format("{}:{}: assertion failed: {}", file, line, condition));
}

}  // namespace understudy
