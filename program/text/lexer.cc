// SPDX-License-Identifier: Apache-2.0
#include "program/text/lexer.h"

#include <array>
#include <cctype>
#include <fmt/format.h>

#include "configs/base/characters.h"
#include "program/ir/ir.h"

namespace understudy::program {
namespace {

enum Class : std::uint8_t { kNone = 0, kDigit = 1, kLetter = 2, kBlank = 4, kMark = 8 };

// A table lookup per byte: letters start words; marks ($ . -) may follow in names.
constexpr std::array<std::uint8_t, 256> kClasses = [] {
  std::array<std::uint8_t, 256> table{};
  for (int c = '0'; c <= '9'; ++c) table[static_cast<std::size_t>(c)] = kDigit;
  for (int c = 'a'; c <= 'z'; ++c) table[static_cast<std::size_t>(c)] = kLetter;
  for (int c = 'A'; c <= 'Z'; ++c) table[static_cast<std::size_t>(c)] = kLetter;
  table['_'] = kLetter;
  for (const char c : {' ', '\t', '\r', '\n'}) table[static_cast<std::size_t>(c)] = kBlank;
  for (const char c : {'$', '.', '-'}) table[static_cast<std::size_t>(c)] = kMark;
  return table;
}();

std::uint8_t class_of(char c) { return kClasses[static_cast<unsigned char>(c)]; }
bool is_hex(char c) { return std::isxdigit(static_cast<unsigned char>(c)) != 0; }
// Names of dialects, types and attributes: what may follow a word's first letter. Names of values
// may also contain '-'.
bool in_suffix(char c) { return (class_of(c) & (kDigit | kLetter)) != 0 || c == '$' || c == '.'; }
bool in_name(char c) { return (class_of(c) & (kDigit | kLetter | kMark)) != 0; }

int hex_value(char c) {
  if (is_digit(c)) return c - '0';
  return std::tolower(static_cast<unsigned char>(c)) - 'a' + 10;
}

}  // namespace

void Lexer::skip_blanks() {
  while (at_ < text_.size()) {
    if (class_of(text_[at_]) == kBlank) {
      ++at_;
    } else if (text_[at_] == '/' && at(at_ + 1) == '/') {
      const std::uint64_t line_end = text_.find('\n', at_);
      at_ = line_end == std::string_view::npos ? text_.size() : line_end;
    } else {
      return;
    }
  }
}

Token Lexer::take(TokenKind kind, std::uint64_t end) {
  const Token token{kind, text_.substr(at_, end - at_), at_};
  at_ = end;
  return token;
}

std::uint64_t Lexer::suffix_end(std::uint64_t from) const {
  while (from < text_.size() && in_suffix(text_[from])) ++from;
  return from;
}

char Lexer::peek() {
  skip_blanks();
  return at(at_);
}

// Multi-megabyte hex strings are the bulk of a large file, and contain no escapes.
Token Lexer::blob() {
  const std::uint64_t close = text_.find('"', at_ + 1);
  if (close == std::string_view::npos) return string_token(TokenKind::text, at_);
  return take(TokenKind::text, close + 1);
}

Token Lexer::string_token(TokenKind kind, std::uint64_t quote) {
  // Long strings are blobs without escapes: three searches are quicker than one look at each byte.
  const std::uint64_t close = text_.find('"', quote + 1);
  const std::string_view inside = text_.substr(quote + 1, close - quote - 1);
  if (close != std::string_view::npos && inside.find('\\') == std::string_view::npos &&
      inside.find('\n') == std::string_view::npos) {
    return take(kind, close + 1);
  }
  for (std::uint64_t i = quote + 1; i < text_.size() && text_[i] != '\n'; ++i) {
    if (text_[i] == '\\') {
      ++i;
    } else if (text_[i] == '"') {
      return take(kind, i + 1);
    }
  }
  throw error_at({source_, at_}, ErrorKind::input, "this string is not closed on its line");
}

Token Lexer::number_token() {
  std::uint64_t end = at_;
  // "0x" without a digit is 0 followed by a word: dimension lists such as 0x4 are read elsewhere.
  // Dimension lists are read from bytes by Parser::dimension().
  if (text_[at_] == '0' && at(at_ + 1) == 'x' && is_hex(at(at_ + 2))) {
    end = at_ + 2;
    while (is_hex(at(end))) ++end;
    return take(TokenKind::integer, end);
  }
  while (is_digit(at(end))) ++end;
  if (at(end) != '.') return take(TokenKind::integer, end);
  ++end;
  while (is_digit(at(end))) ++end;
  // An exponent needs a point in MLIR: "1e5" is the number 1 and a word.
  if (at(end) == 'e' || at(end) == 'E') {
    const std::uint64_t digits = end + (at(end + 1) == '+' || at(end + 1) == '-' ? 2 : 1);
    if (is_digit(at(digits))) {
      end = digits;
      while (is_digit(at(end))) ++end;
    }
  }
  return take(TokenKind::floating, end);
}

// Longer marks first, as "->" also begins with "-".
Token Lexer::punctuation_token() {
  static constexpr std::array<std::string_view, 4> kLong = {"{-#", "#-}", "->", "::"};
  for (const std::string_view mark : kLong) {
    if (text_.compare(at_, mark.size(), mark) == 0) {
      return take(TokenKind::punctuation, at_ + mark.size());
    }
  }
  static constexpr std::string_view kShort = ":,=(){}[]<>?*+-^@#|/!&%;";
  if (kShort.find(text_[at_]) != std::string_view::npos) {
    return take(TokenKind::punctuation, at_ + 1);
  }
  const auto byte = static_cast<unsigned char>(text_[at_]);
  const std::string shown = std::isprint(byte) != 0 ? fmt::format("'{}'", text_[at_])
                                                    : fmt::format("byte 0x{:02X}", byte);
  throw error_at({source_, at_}, ErrorKind::input, shown + " is not expected here");
}

// The first one or two characters decide the kind. Sigils (% @ ^ # !) not followed by a name are
// punctuation.
Token Lexer::next() {
  skip_blanks();
  if (at_ >= text_.size()) {
    at_ = text_.size();
    return take(TokenKind::end, at_);
  }
  const char first = text_[at_];
  const char second = at(at_ + 1);
  if (class_of(first) == kLetter) return take(TokenKind::word, suffix_end(at_));
  if (is_digit(first)) return number_token();
  if (first == '"') return string_token(TokenKind::text, at_);
  if (first == '%' && in_name(second)) {
    std::uint64_t end = at_ + 1;
    while (in_name(at(end))) ++end;
    // "%0#1" is one token: the use of a result of a pack.
    if (at(end) == '#' && is_digit(at(end + 1))) {
      ++end;
      while (is_digit(at(end))) ++end;
    }
    return take(TokenKind::value, end);
  }
  // Symbols in quotes may contain any character, so they are lexed as strings.
  if (first == '@' && second == '"') return string_token(TokenKind::symbol, at_ + 1);
  if (first == '@' && in_name(second)) {
    std::uint64_t end = at_ + 1;
    while (in_name(at(end))) ++end;
    return take(TokenKind::symbol, end);
  }
  if (first == '^' && in_name(second)) return take(TokenKind::block, suffix_end(at_ + 1));
  if (first == '#' && in_suffix(second)) return take(TokenKind::hash, suffix_end(at_ + 1));
  if (first == '!' && class_of(second) == kLetter)
    return take(TokenKind::bang, suffix_end(at_ + 1));
  return punctuation_token();
}

// MLIR escapes: \" \\ \n \t, and two hexadecimal digits for any byte.
std::string unescaped(std::string_view quoted) {
  // A token of a symbol begins with '@': the quote is not always first.
  const std::size_t open = quoted.find('"');
  std::string out;
  out.reserve(quoted.size());
  for (std::size_t i = open + 1; i + 1 < quoted.size(); ++i) {
    if (quoted[i] != '\\') {
      out += quoted[i];
      continue;
    }
    const char next = quoted[++i];
    // MLIR writes bytes that are not printable as two hexadecimal digits without an 'x'.
    if (is_hex(next) && i + 2 < quoted.size() && is_hex(quoted[i + 1])) {
      out += static_cast<char>(hex_value(next) * 16 + hex_value(quoted[++i]));
    } else {
      out += next == 'n' ? '\n' : next == 't' ? '\t' : next;
    }
  }
  return out;
}

}  // namespace understudy::program
