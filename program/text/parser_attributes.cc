// SPDX-License-Identifier: Apache-2.0
// Attributes of no dialect: numbers, text, symbols, arrays, dictionaries, types.
#include <bit>
#include <fmt/format.h>

#include "program/ir/literal.h"
#include "program/text/decimal.h"
#include "program/text/given_names.h"
#include "program/text/parser.h"

namespace understudy::program {
namespace {

Attribute boolean(bool value) {
  return {IntegerAttribute{value ? 1 : 0, Type::scalar(ElementType::pred)}};
}

Attribute raw(std::string dialect, std::string mnemonic, std::string text) {
  DialectAttribute out{std::move(dialect), std::move(mnemonic), {}};
  out.parameters.emplace_back("", Attribute{StringAttribute{std::move(text)}});
  return {std::make_shared<const DialectAttribute>(std::move(out))};
}

}  // namespace

// Grammar: '{' (name ('=' attribute)?),* '}'; a name without a value is a unit attribute.
std::vector<NamedAttribute> Parser::dictionary() {
  const Nest nest(*this);
  std::vector<NamedAttribute> entries;
  GivenNames given(entries);
  expect("{", "before the attributes");
  if (accept("}")) return entries;
  do {
    const std::uint64_t offset = token_.offset;
    std::string name = token_.kind == TokenKind::text ? quoted("an attribute name")
                                                      : std::string(word("an attribute name"));
    // The quadratic search is avoided by GivenNames: dictionaries of hostile files may have a
    // million entries.
    if (given.has(name)) fail_at(offset, fmt::format("duplicate attribute '{}'", name));
    Attribute value{UnitAttribute{}};
    if (accept("=")) value = attribute();
    entries.emplace_back(std::move(name), std::move(value));
  } while (accept(","));
  expect("}", "after the attributes");
  return entries;
}

Attribute Parser::array_attribute() {
  ArrayAttribute out;
  expect("[", "before an array");
  if (!accept("]")) {
    do out.elements.push_back(attribute());
    while (accept(","));
    expect("]", "after the array");
  }
  return {std::make_shared<const ArrayAttribute>(std::move(out))};
}

// The first token decides the kind. A word that is no attribute keyword must be a type.
Attribute Parser::attribute() {
  const Nest nest(*this);
  switch (token_.kind) {
    case TokenKind::integer:
    case TokenKind::floating:
      return number_attribute();
    case TokenKind::text: {
      Attribute text{StringAttribute{quoted("text")}};
      // Long text costs memory each time an alias repeats it, so 16 bytes count as one part.
      parts_ += text.get<StringAttribute>()->value.size() / 16;
      // A typed string, "text" : !type; the type is not kept.
      if (accept(":")) type();
      return text;
    }
    case TokenKind::symbol:
      return {SymbolAttribute{symbol()}};
    case TokenKind::hash:
      return hash_attribute();
    case TokenKind::word:
      return word_attribute();
    case TokenKind::bang:
      return {TypeAttribute{type()}};
    default:
      break;
  }
  if (token_.is("-")) return number_attribute();
  if (token_.is("[")) return array_attribute();
  if (token_.is("(")) return {TypeAttribute{type()}};
  if (token_.is("{")) {
    DictionaryAttribute entries{dictionary()};
    return {std::make_shared<const DictionaryAttribute>(std::move(entries))};
  }
  unexpected("an attribute");
}

// Keywords of the builtin dialect; any other word begins a type attribute.
Attribute Parser::word_attribute() {
  const std::string_view name = token_.text;
  if (accept_word("true")) return boolean(true);
  if (accept_word("false")) return boolean(false);
  if (accept_word("unit")) return {UnitAttribute{}};
  if (name == "dense") return dense();
  if (name == "dense_resource") return dense_resource();
  if (name == "array") return dense_array();
  if (name == "loc") {
    skip_location();
    return {UnitAttribute{}};
  }
  // Sparse literals would need their own reader, and no StableHLO operation takes them.
  if (name == "sparse") fail("sparse literals are not supported");
  if (name == "affine_map" || name == "affine_set" || name == "strided") {
    advance();
    expect("<", fmt::format("after {}", name));
    return raw("builtin", std::string(name), raw_until(">"));
  }
  return {TypeAttribute{type()}};
}

// The scalar type after "5 :", or `fallback` if no scalar type follows: the colon may belong to the
// operation's signature.
Type Parser::number_type(ElementType fallback) {
  // At least one token of lookahead is needed: in "op {a = 5} : ..." the colon ends the number.
  if (!token_.is(":")) return Type::scalar(fallback);
  const Token name = peek();
  if (name.kind != TokenKind::word) return Type::scalar(fallback);
  const auto element = element_type_of_mlir(name.text);
  const bool other = !element && is_integer_name(name.text);
  if (!element && !other && name.text != "index") return Type::scalar(fallback);
  advance();
  advance();
  // i24 and the like are integer types to MLIR, which the IR keeps as text.
  if (other) return Type::opaque(std::string(name.text));
  return element ? Type::scalar(*element) : Type{Type::Kind::index, {}, {}, {}};
}

// A floating number needs a float type; an integer with a float type must be hexadecimal and is the
// bits of the value (MLIR's form for NaN and infinities).
Attribute Parser::number_attribute() {
  const std::uint64_t offset = token_.offset;
  const Token sign = token_;
  const bool negative = sign.is("-");
  const Token number = negative ? peek() : token_;
  if (number.kind == TokenKind::floating) {
    if (negative) advance();
    advance();
    // As in literals, and as MLIR reads it: beyond the range of f64 it is infinity or zero.
    double value = read_decimal(number.text).value;
    const Type of = number_type(ElementType::f64);
    if (!of.is_tensor() || !is_float(of.tensor.element)) {
      fail_at(offset, fmt::format("{} is not a number of type {}", number.text, text_of(of)));
    }
    // Rounded to its type, so that printing and reading again gives equal attributes.
    value = rounded(of.tensor.element, negative ? -value : value);
    return {FloatAttribute{value, of}};
  }
  const std::int64_t value = integer("a number");
  const Type of = number_type(ElementType::i64);
  if (of.is_tensor() && is_float(of.tensor.element)) {
    const bool bits = number.text.size() > 1 && number.text[1] == 'x' && !negative;
    if (!bits) fail_at(offset, "a float needs a point, or hexadecimal bits");
    return {
        FloatAttribute{float_of_bits(of.tensor.element, static_cast<std::uint64_t>(value)), of}};
  }
  // An index has no width; its number is taken as it is.
  return {IntegerAttribute{of.is_tensor() ? fitted(value, negative, of, offset) : value, of}};
}

// A number in the range of its type, signed or unsigned: 255 : i8 is -1. 64-bit numbers are taken
// as they are.
std::int64_t Parser::fitted(std::int64_t value, bool negative, const Type& type,
                            std::uint64_t offset) const {
  const ElementType element = type.tensor.element;
  const auto magnitude = static_cast<std::uint64_t>(value);
  const auto bits = bits_of_integer(element, negative, negative ? 0 - magnitude : magnitude);
  if (!bits)
    fail_at(offset, fmt::format("{}{} does not fit {}", negative ? "-" : "",
                                negative ? 0 - magnitude : magnitude, mlir_name(element)));
  return static_cast<std::int64_t>(*bits);
}

// #alias, #dialect.name<...>, #dialect<name ...>
Attribute Parser::hash_attribute() {
  const Token name = token_;
  const std::string_view full = name.text.substr(1);
  advance();
  const auto alias = attribute_aliases_.find(full);
  // "#name<" with an alias of that name is an attribute of a dialect called name.
  if (alias != attribute_aliases_.end() && !token_.is("<")) {
    expand(alias->second.depth, alias->second.parts);
    return alias->second.value;
  }
  const std::size_t dot = full.find('.');
  if (dot != std::string_view::npos) {
    return dialect_attribute(std::string(full.substr(0, dot)), std::string(full.substr(dot + 1)));
  }
  if (!token_.is("<")) {
    // Location aliases are ignored, as locations are not kept.
    if (full.substr(0, 3) == "loc") return {UnitAttribute{}};
    fail_at(name.offset, fmt::format("undefined attribute alias '{}'", name.text));
  }
  // The word behind '<' is the mnemonic in the short form #dialect<mnemonic ...>.
  const Token inner = peek();
  if (full == "stablehlo" || full == "mhlo" || full == "chlo")
    return enum_attribute(std::string(full));
  const bool is_known = inner.is_word("sharding") || inner.is_word("sharding_per_value") ||
                        inner.is_word("manual_axes") || inner.is_word("mesh");
  if (full == "sdy" && is_known) {
    advance();
    advance();
    Attribute out = dialect_attribute("sdy", std::string(inner.text));
    expect(">", "after the attribute");
    return out;
  }
  advance();
  return raw(std::string(full), "", raw_until(">"));
}

}  // namespace understudy::program
