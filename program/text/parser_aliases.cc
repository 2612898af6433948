// SPDX-License-Identifier: Apache-2.0
// Aliases: !name = type and #name = attribute, and what they may stand for.
#include <algorithm>
#include <fmt/format.h>
#include <utility>

#include "program/text/parser.h"

namespace understudy::program {

// Accounts for the use of an alias. Aliases may contain aliases, so a short file could stand for an
// exponentially large attribute ("billion laughs"): both the nesting depth and the number of parts
// are bounded.
void Parser::expand(int depth, std::uint64_t parts) {
  // About four million attributes: more than any exported program has, and seconds of work at most.
  constexpr std::uint64_t kMostParts = 1 << 22;
  if (depth_ + depth > kDeepest) fail(fmt::format("nested more than {} levels deep", kDeepest));
  deepest_ = std::max(deepest_, depth_ + depth);
  parts_ += parts;
  expanded_ += parts;
  // The text's own size is added: what a file writes out in full is always allowed.
  if (expanded_ > kMostParts + lexer_.text().size())
    fail(fmt::format("the aliases of this file expand to more than {} parts", kMostParts));
}

// Reads the definition of an alias and measures it: the depth and number of parts that each use
// adds.
template <class T>
Parser::Alias<T> Parser::alias_of(T (Parser::*parse)()) {
  // Measures the definition with the same counters that count the file, and restores the depth.
  const int deepest = std::exchange(deepest_, depth_);
  const std::uint64_t parts = parts_;
  Alias<T> out{(this->*parse)(), 0, 0};
  out.depth = deepest_ - depth_ - 1;  // where it is used is a level already
  out.parts = parts_ - parts;
  deepest_ = std::max(deepest, deepest_);
  return out;
}

// '#name = attribute' or '!name = type'. A later definition replaces an earlier one. Location
// aliases are skipped.
void Parser::alias_definition() {
  const Token name = token_;
  advance();
  expect("=", "after the alias");
  const std::string_view key = name.text.substr(1);
  if (name.kind == TokenKind::bang) {
    // Keys are views into the source, which outlives the parser.
    type_aliases_.insert_or_assign(key, alias_of(&Parser::type));
  } else if (token_.is_word("loc")) {
    skip_location();
  } else {
    attribute_aliases_.insert_or_assign(key, alias_of(&Parser::attribute));
  }
}

}  // namespace understudy::program
