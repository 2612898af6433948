// SPDX-License-Identifier: Apache-2.0
// Cuts MLIR text into tokens, one pass over the bytes. Tokens are views of the source, which must
// outlive them. Copyable: a copy is a bookmark. Thread-compatible.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "program/ir/source.h"

namespace understudy::program {

enum class TokenKind : std::uint8_t {
  end,
  word,      // stablehlo.add, x, true
  value,     // %arg0, %0#1
  symbol,    // @main, @"any name"
  block,     // ^bb0
  hash,      // #loc3, #stablehlo.gather
  bang,      // !stablehlo.token
  integer,   // 12, 0xFF
  floating,  // 1.5e-3
  text,      // "..." with its quotes and escapes
  punctuation
};

struct Token {
  TokenKind kind = TokenKind::end;
  std::string_view text;
  std::uint64_t offset = 0;

  bool is(std::string_view punctuation) const {
    return kind == TokenKind::punctuation && text == punctuation;
  }
  bool is_word(std::string_view word) const { return kind == TokenKind::word && text == word; }
};

class Lexer {
 public:
  // Reads up to byte `end` of the source.
  Lexer(const Source& source, std::uint64_t end)
      : source_(&source), text_(source.text().substr(0, end)) {}

  // Throws Error{input} at a byte that starts no token and at an unclosed string.
  Token next();
  void seek(std::uint64_t offset) { at_ = offset; }
  // The first character of the next token, or 0 at the end.
  char peek();
  // The next token, a string without escapes (a blob), up to the next quote. Its bytes are not
  // checked here: the decoder of the digits finds any other character. *Requires* peek() == '"'.
  Token blob();
  std::string_view text() const { return text_; }

 private:
  void skip_blanks();
  Token take(TokenKind kind, std::uint64_t end);
  Token string_token(TokenKind kind, std::uint64_t quote);
  Token number_token();
  Token punctuation_token();
  std::uint64_t suffix_end(std::uint64_t from) const;
  char at(std::uint64_t offset) const { return offset < text_.size() ? text_[offset] : '\0'; }

  const Source* source_;
  std::string_view text_;
  std::uint64_t at_ = 0;
};

// The bytes that a string token or quoted symbol means: escapes \" \\ \n \t and \HH resolved.
std::string unescaped(std::string_view quoted);

}  // namespace understudy::program
