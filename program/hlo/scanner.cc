// SPDX-License-Identifier: Apache-2.0
#include "program/hlo/scanner.h"

#include <charconv>
#include <fmt/format.h>

#include "configs/base/error.h"
#include "program/ir/ir.h"

namespace understudy::program::hlo {
namespace {

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f'; }
// HLO names may hold dots, dashes, slashes and colons ("fusion.3", "jit(f)/add" appears quoted
// only).
bool is_name_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '.' || c == '-' || c == '$' || c == '/' || c == ':';
}

// What a backslash in a string stands for.
char unescaped(char c) {
  if (c == 'n') return '\n';
  if (c == 't') return '\t';
  if (c == 'r') return '\r';
  return c;
}

}  // namespace

void Scanner::fail_at(std::uint64_t offset, const std::string& message) const {
  throw error_at({source_, offset}, ErrorKind::input, message);
}

std::uint64_t Scanner::at() {
  // Blanks and both kinds of comments are skipped before each token; XLA writes /*index=5*/ between
  // long tuples' parts.
  const std::string_view text = all();
  while (at_ < end_) {
    if (is_blank(text[at_])) {
      ++at_;
    } else if (text.substr(at_, 2) == "/*") {
      const std::size_t close = text.find("*/", at_ + 2);
      // A comment that is not closed runs to the end of this scanner's range, not of the file.
      at_ = close == std::string_view::npos || close + 2 > end_ ? end_ : close + 2;
    } else if (text.substr(at_, 2) == "//") {
      const std::size_t close = text.find('\n', at_);
      at_ = close == std::string_view::npos || close > end_ ? end_ : close;
    } else {
      break;
    }
  }
  return at_;
}

bool Scanner::accept(std::string_view mark) {
  at();
  if (end_ - at_ < mark.size() || all().substr(at_, mark.size()) != mark) return false;
  at_ += mark.size();
  return true;
}

void Scanner::unexpected(std::string_view wanted) {
  if (done()) fail(fmt::format("expected {}, found the end", wanted));
  fail(fmt::format("expected {}, found '{}'", wanted, all()[at_]));
}

void Scanner::expect(std::string_view mark, std::string_view where) {
  if (!accept(mark)) unexpected(fmt::format("'{}' {}", mark, where));
}

bool Scanner::accept_word(std::string_view word) {
  // accept() alone would match a prefix: "ENTRY" of "ENTRY_1".
  const std::uint64_t before = at();
  if (!accept(word)) return false;
  if (at_ < end_ && is_name_character(all()[at_])) {
    at_ = before;
    return false;
  }
  return true;
}

bool Scanner::at_name() { return at() < end_ && is_name_character(all()[at_]); }

// A comment after a name begins with a slash, which names may contain.
std::string_view Scanner::name(std::string_view what) {
  const std::uint64_t begin = at();
  while (at_ < end_ && is_name_character(all()[at_]) && all().substr(at_, 2) != "/*") ++at_;
  if (at_ == begin) unexpected(what);
  return all().substr(begin, at_ - begin);
}

std::string_view Scanner::percent_name(std::string_view what) {
  accept("%");
  return name(what);
}

bool Scanner::at_integer() {
  at();
  // A minus must be followed by a digit: "->" begins with one too.
  const std::uint64_t digit = at_ < end_ && all()[at_] == '-' ? at_ + 1 : at_;
  return digit < end_ && all()[digit] >= '0' && all()[digit] <= '9';
}

std::int64_t Scanner::integer(std::string_view what) {
  if (!at_integer()) unexpected(what);
  std::int64_t value = 0;
  const auto read = std::from_chars(all().data() + at_, all().data() + end_, value);
  if (read.ec != std::errc{}) fail(fmt::format("{} does not fit 64 bits", what));
  at_ = static_cast<std::uint64_t>(read.ptr - all().data());
  return value;
}

// A backslash hides the character behind it.
void Scanner::skip_string(std::uint64_t& at) const {
  const std::uint64_t begin = at;
  for (++at; at < end_ && all()[at] != '"'; ++at)
    if (all()[at] == '\\') ++at;
  if (at >= end_) fail_at(begin, "the string is not closed");
  ++at;
}

std::string Scanner::quoted(std::string_view what) {
  if (peek() != '"') unexpected(what);
  const std::uint64_t begin = at_;
  skip_string(at_);
  std::string out;
  // skip_string() has checked the end, so an escape never reads past the closing quote.
  for (std::uint64_t i = begin + 1; i + 1 < at_; ++i) {
    const bool escaped = all()[i] == '\\';
    if (escaped) ++i;
    out += escaped ? unescaped(all()[i]) : all()[i];
  }
  return out;
}

// The devices of a mesh stand behind a comma, without a bracket around both.
bool Scanner::goes_on(std::uint64_t comma) const {
  return all().substr(comma, end_ - comma).starts_with(", device_ids=(");
}

// Of a closing bracket only the depth counts, as "->" and "<=" contain angles.
Scanner Scanner::raw() {
  const std::uint64_t begin = at();
  // The value is not parsed, only delimited: unknown attributes stay comparable as text.
  int depth = 0;
  while (at_ < end_) {
    // Strings are skipped whole; brackets inside of them do not count.
    const char c = all()[at_];
    if (c == '"') {
      skip_string(at_);
      continue;
    }
    const bool opens = c == '(' || c == '[' || c == '{';
    const bool closes = c == ')' || c == ']' || c == '}';
    if (depth == 0 && (closes || (c == ',' && !goes_on(at_)) || c == '\n')) break;
    depth += opens ? 1 : closes ? -1 : 0;
    ++at_;
  }
  if (depth != 0) fail_at(begin, "the brackets of this value do not match");
  std::uint64_t last = at_;
  while (last > begin && is_blank(all()[last - 1])) --last;
  return {*source_, begin, last};
}

// Values between the commas are skipped one by one, as raw() stops at each.
void Scanner::skip_to(std::string_view close) {
  for (raw(); !done() && all().substr(at_, close.size()) != close; raw())
    if (!accept(",")) return;
}

std::string_view Scanner::text() {
  const std::uint64_t begin = at();
  std::uint64_t last = end_;
  while (last > begin && is_blank(all()[last - 1])) --last;
  return all().substr(begin, last - begin);
}

std::string_view Scanner::line() {
  const std::uint64_t begin = at();
  while (at_ < end_ && all()[at_] != '\n') ++at_;
  return all().substr(begin, at_ - begin);
}

}  // namespace understudy::program::hlo
