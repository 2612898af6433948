// SPDX-License-Identifier: Apache-2.0
#include "program/text/parser.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>

namespace understudy::program {
namespace {

// Longer tokens (blobs, strings) are cut in messages.
constexpr std::size_t kShownToken = 40;

}  // namespace

Parser::Parser(std::shared_ptr<const Source> source, std::uint64_t begin, std::uint64_t end)
    : source_(std::move(source)), lexer_(*source_, end) {
  lexer_.seek(begin);
  advance();
}

// Counts a part, too: see parser_aliases.cc.
Parser::Nest::Nest(Parser& parser) : parser_(parser) {
  // Recursion follows nesting, so the limit bounds the stack: 256 levels need far less than 8 MiB.
  if (parser.depth_ == kDeepest) {
    parser.fail(fmt::format("nested more than {} levels deep", kDeepest));
  }
  ++parser.depth_;
  ++parser.parts_;
  parser.deepest_ = std::max(parser.deepest_, parser.depth_);
}

void Parser::fail_at(std::uint64_t offset, std::string message) const {
  throw error_at({source_.get(), offset}, ErrorKind::input, std::move(message));
}

void Parser::unexpected(std::string_view wanted) const {
  if (token_.kind == TokenKind::end) {
    fail(fmt::format("expected {}, but the file ends here", wanted));
  }
  const bool cut = token_.text.size() > kShownToken;
  fail(fmt::format("expected {}, got '{}{}'", wanted, token_.text.substr(0, kShownToken),
                   cut ? "..." : ""));
}

bool Parser::accept(std::string_view punctuation) {
  if (!token_.is(punctuation)) return false;
  advance();
  return true;
}

bool Parser::accept_word(std::string_view word) {
  if (!token_.is_word(word)) return false;
  advance();
  return true;
}

void Parser::expect(std::string_view punctuation, std::string_view where) {
  if (!accept(punctuation)) unexpected(fmt::format("'{}' {}", punctuation, where));
}

void Parser::expect_word(std::string_view word, std::string_view where) {
  if (!accept_word(word)) unexpected(fmt::format("'{}' {}", word, where));
}

std::string_view Parser::word(std::string_view what) {
  if (token_.kind != TokenKind::word) unexpected(what);
  const std::string_view text = token_.text;
  advance();
  return text;
}

// @name, @"any name", and nested symbols joined by "::".
std::string Parser::symbol() {
  std::string name;
  do {
    if (token_.kind != TokenKind::symbol) unexpected("a symbol such as @main");
    if (!name.empty()) name += "::";
    name += token_.text.size() > 1 && token_.text[1] == '"' ? unescaped(token_.text)
                                                            : std::string(token_.text.substr(1));
    advance();
  } while (accept("::"));
  return name;
}

std::string Parser::quoted(std::string_view what) {
  if (token_.kind != TokenKind::text) unexpected(what);
  std::string out = unescaped(token_.text);
  advance();
  return out;
}

// Any 64-bit value, signed or unsigned, decimal or hexadecimal; the caller checks its type's range.
std::int64_t Parser::integer(std::string_view what) {
  const std::uint64_t offset = token_.offset;
  const bool negative = accept("-");
  if (token_.kind != TokenKind::integer) unexpected(what);
  const bool hex = token_.text.size() > 1 && token_.text[1] == 'x';
  const std::string_view digits = hex ? token_.text.substr(2) : token_.text;
  std::uint64_t magnitude = 0;
  const auto read =
      std::from_chars(digits.data(), digits.data() + digits.size(), magnitude, hex ? 16 : 10);
  // 2^63 is allowed with a minus only: the most negative number.
  const bool fits = read.ec == std::errc{} && (!negative || magnitude <= std::uint64_t{1} << 63);
  if (!fits) fail_at(offset, fmt::format("{} does not fit 64 bits", token_.text));
  advance();
  // Negation in unsigned arithmetic, which is defined for 2^63 too.
  return static_cast<std::int64_t>(negative ? std::uint64_t{0} - magnitude : magnitude);
}

// A lexer is a cheap copy, so one token of lookahead needs no buffer.
Token Parser::peek() const { return Lexer(lexer_).next(); }

// Skips to the matching closing mark, through nested brackets and strings, and returns its offset.
// Attributes of unknown dialects are skipped this way: they must not be rejected.
std::uint64_t Parser::skip_balanced(std::string_view close) {
  const Nest nest(*this);
  while (!token_.is(close)) {
    if (token_.kind == TokenKind::end) unexpected(fmt::format("'{}'", close));
    if (accept("(")) {
      skip_balanced(")");
    } else if (accept("[")) {
      skip_balanced("]");
    } else if (accept("{")) {
      skip_balanced("}");
    } else if (accept("<")) {
      skip_balanced(">");
    } else {
      // A closing mark of another kind: brackets do not match.
      if (token_.is(")") || token_.is("]") || token_.is("}") || token_.is(">")) {
        unexpected(fmt::format("'{}'", close));
      }
      advance();
    }
  }
  const std::uint64_t offset = token_.offset;
  advance();
  return offset;
}

// The text up to a closing mark, which is skipped; inner blanks stay as they are.
std::string Parser::raw_until(std::string_view close) {
  const std::uint64_t begin = token_.offset;
  return std::string(lexer_.text().substr(begin, skip_balanced(close) - begin));
}

// Locations after an operation carry no meaning for execution; positions in the text serve
// messages.
void Parser::skip_location() {
  if (!token_.is_word("loc") || !peek().is("(")) return;
  advance();
  advance();
  skip_balanced(")");
}

}  // namespace understudy::program
