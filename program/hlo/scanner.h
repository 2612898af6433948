// SPDX-License-Identifier: Apache-2.0
// A cursor over HLO text: blanks, comments (// and /* */), names, numbers, quoted text, and values
// kept as raw text. Private to the text reader. All throw Error{input} at the character. The source
// must outlive it. Thread-compatible.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

#include "program/ir/source.h"

namespace understudy::program::hlo {

class Scanner {
 public:
  // Bytes [begin, end) of the source.
  Scanner(const Source& source, std::uint64_t begin, std::uint64_t end)
      : source_(&source), at_(begin), end_(end) {}

  std::uint64_t at();  // the first byte that is no blank and no comment
  bool done() { return at() == end_; }
  // The next character, or '\0' at the end.
  char peek() { return at() < end_ ? all()[at_] : '\0'; }
  bool accept(std::string_view mark);
  bool adjacent(char mark) const { return at_ < end_ && source_->text()[at_] == mark; }
  void expect(std::string_view mark, std::string_view where);
  bool accept_word(std::string_view word);  // followed by no name character
  // Letters, digits and _ . - $ / :
  std::string_view name(std::string_view what);
  std::string_view percent_name(std::string_view what);  // without the '%' it may have
  bool at_name();
  std::int64_t integer(std::string_view what);
  bool at_integer();
  std::string quoted(std::string_view what);
  void skip(std::size_t bytes) { at_ = std::min<std::uint64_t>(at() + bytes, end_); }
  // Text up to a comma, a closing bracket or the end of the line, with brackets and quotes
  // balanced; blanks at its ends are left out.
  Scanner raw();
  void skip_to(std::string_view close);  // to the closing bracket of what is open here
  std::string_view text();               // what is left, without blanks at its ends
  // The line that at() is on, up to its end; moves behind it.
  std::string_view line();

  [[noreturn]] void fail(const std::string& message) { fail_at(at(), message); }
  [[noreturn]] void fail_at(std::uint64_t offset, const std::string& message) const;
  [[noreturn]] void unexpected(std::string_view wanted);
  const Source& source() const { return *source_; }

 private:
  std::string_view all() const { return source_->text(); }
  void skip_string(std::uint64_t& at) const;
  bool goes_on(std::uint64_t comma) const;

  const Source* source_;
  std::uint64_t at_, end_;
};

}  // namespace understudy::program::hlo
