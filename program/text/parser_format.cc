// SPDX-License-Identifier: Apache-2.0
// Pretty forms described by a format in ops.def: a small language that covers most operations, so
// that a new operation needs no parser code. Items are separated by blanks: %* operands, {}
// attributes, name=attribute:kind, a :mode for the types, or literal punctuation.
#include <algorithm>
#include <array>
#include <fmt/format.h>

#include "program/ir/dense.h"
#include "program/ir/literal.h"
#include "program/ir/op_table.h"
#include "program/text/parser.h"

namespace understudy::program {
namespace {

Attribute list_of(std::vector<Attribute> elements) {
  return {std::make_shared<const ArrayAttribute>(ArrayAttribute{std::move(elements)})};
}

struct ModeName {
  std::string_view name;
  Parser::Signature mode;
};
constexpr std::array<ModeName, 6> kModes = {{{":same", Parser::Signature::same},
                                             {":result", Parser::Signature::result},
                                             {":operands", Parser::Signature::operands},
                                             {":each", Parser::Signature::each},
                                             {":select", Parser::Signature::select},
                                             {":complex", Parser::Signature::complex}}};

}  // namespace

// [1, 0] as array<i64: 1, 0>
Attribute Parser::integers() {
  std::vector<std::int64_t> values;
  expect("[", "before the list");
  if (!accept("]")) {
    do values.push_back(integer("an integer"));
    while (accept(","));
    expect("]", "after the list");
  }
  return array_of(ElementType::i64, values);
}

// [DEFAULT, HIGHEST]
Attribute Parser::words() {
  std::vector<Attribute> out;
  expect("[", "before the list");
  if (!accept("]")) {
    do out.push_back({EnumAttribute{std::string(word("a word"))}});
    while (accept(","));
    expect("]", "after the list");
  }
  return list_of(std::move(out));
}

// The value of an attribute item, by its kind; other kinds take any attribute.
Attribute Parser::formatted(std::string_view kind) {
  if (kind == "ints") return integers();
  if (kind == "words") return words();
  if (kind == "word") return {EnumAttribute{std::string(word("a word"))}};
  if (kind == "string") return {StringAttribute{quoted("text")}};
  if (kind == "int") {
    const Type i64 = Type::of(TensorType{ElementType::i64, {}});
    return {IntegerAttribute{integer("an integer"), i64}};
  }
  if (kind == "flag" && !token_.is_word("true") && !token_.is_word("false")) {
    unexpected("true or false");
  }
  return attribute();
}

// Reads one attribute item "[?][,][key]=name:kind": optional, after a comma, with a keyword, into
// attribute `name`.
void Parser::format_attribute(Operation& op, std::string_view item) {
  const bool optional = item.front() == '?';
  if (optional) item.remove_prefix(1);
  const bool comma = item.front() == ',';
  if (comma) item.remove_prefix(1);
  const std::size_t equals = item.find('=');
  const std::size_t colon = item.rfind(':');
  const std::string_view key = item.substr(0, equals);
  const std::string_view name = item.substr(equals + 1, colon - equals - 1);
  const std::string_view kind = item.substr(colon + 1);
  // An optional item is recognised by its keyword, behind its comma; nothing is consumed if it is
  // absent.
  // One token behind the comma decides: that is all the lookahead this language needs.
  const Token first = comma ? peek() : token_;
  const bool here_it_is = (!comma || token_.is(",")) &&
                          (key.empty() ? first.kind == TokenKind::word : first.is_word(key));
  if (!here_it_is && optional) return;
  if (comma) expect(",", fmt::format("before the attributes of {}", op.name));
  if (!key.empty()) {
    expect_word(key, fmt::format("in {}", op.name));
    expect("=", fmt::format("after {}", key));
  }
  // Only reduce_precision fills two attributes from one word.
  if (kind == "format") return reduce_precision_form(op);
  op.set(name, formatted(kind));
}

// Interprets the format from left to right. Formats are constants of the program, so an unknown
// item is a bug.
void Parser::format(Operation& op, std::string_view text) {
  while (!text.empty()) {
    const std::size_t blank = std::min(text.find(' '), text.size());
    // Blanks separate items, so none of them can contain one.
    const std::string_view item = text.substr(0, blank);
    text.remove_prefix(std::min(blank + 1, text.size()));
    if (item == "%*") {
      operands(op);
    } else if (item == "{}") {
      optional_dictionary_into(op);
    } else if (item.find('=') != std::string_view::npos) {
      format_attribute(op, item);
    } else if (item.front() == ':') {
      const auto* mode = std::find_if(kModes.begin(), kModes.end(),
                                      [&](const ModeName& row) { return row.name == item; });
      UNDERSTUDY_ASSERT(mode != kModes.end());
      signature(op, mode->mode);
    } else {
      expect(item, fmt::format("in {}", op.name));
    }
  }
}

}  // namespace understudy::program
