// SPDX-License-Identifier: Apache-2.0
#include "configs/base/error.h"

#include <array>
#include <fmt/format.h>

namespace understudy {
namespace {

struct Row {
  ErrorKind kind;
  std::string_view name;
  int exit_code;
};

// The one table of kinds: docs/architecture.md and the callers of the command rely on the exit
// codes.
constexpr std::array<Row, 10> kRows = {{{ErrorKind::check, "check", 1},
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
  for (const Row& row : kRows) {
    if (row.kind == kind) return row;
  }
  // Unreachable; an unknown kind would be a bug of ours, hence `internal`.
  return kRows[8];
}

// The source line and the caret, whose columns count bytes from 1.
std::string caret_lines(const SourcePlace& place) {
  const std::uint32_t caret = place.caret != 0 ? place.caret : place.column;
  std::string pad;
  // Tabs are kept in the padding, so that the caret stays under its column at any tab width.
  for (std::uint32_t i = 1; i < caret && i <= place.text.size(); ++i) {
    pad += place.text[i - 1] == '\t' ? '\t' : ' ';
  }
  return fmt::format("\n{}\n{}^", place.text, pad);
}

}  // namespace

std::string text_of(const SourcePlace& place) {
  std::string out = place.path;
  if (place.line != 0) out += fmt::format(":{}", place.line);
  if (place.line != 0 && place.column != 0) out += fmt::format(":{}", place.column);
  if (place.byte) out += fmt::format(": byte {}", *place.byte);
  return out;
}

Error& Error::note(std::string text) {
  notes_.push_back(std::move(text));
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
  out += "error: " + message_;
  if (place_ && !place_->text.empty()) out += caret_lines(*place_);
  for (const std::string& note : notes_) out += "\nnote: " + note;
  return out;
}

std::string_view name_of(ErrorKind kind) { return row_of(kind).name; }

std::optional<ErrorKind> error_kind_of(std::string_view name) {
  for (const Row& row : kRows) {
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
