// SPDX-License-Identifier: Apache-2.0
// Types, and the signatures after the colon of an operation.
#include <charconv>
#include <fmt/format.h>

#include "configs/base/characters.h"
#include "program/text/parser.h"

namespace understudy::program {
namespace {

bool is_scalar_word(std::string_view word) {
  return word == "tf32" || word == "complex" || is_integer_name(word) ||
         element_type_of_mlir(word).has_value();
}

// "f32", "complex<f64>" from text such as "complex< f64 >".
std::string without_blanks(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c != ' ' && c != '\n' && c != '\t' && c != '\r') out += c;
  }
  return out;
}

}  // namespace

Type Parser::opaque_from(std::uint64_t begin) {
  std::uint64_t end = token_.offset;
  while (end > begin && (lexer_.text()[end - 1] == ' ' || lexer_.text()[end - 1] == '\n')) --end;
  // Opaque text counts against the budget of aliases like strings do.
  parts_ += (end - begin) / 16;
  return Type::opaque(std::string(lexer_.text().substr(begin, end - begin)));
}

// Dialect types ("!") other than the modelled ones become opaque text: they may occur in code that
// never runs. An alias is looked up before anything else that has its spelling.
Type Parser::type() {
  const Nest nest(*this);
  const std::uint64_t begin = token_.offset;
  if (token_.is("(")) return function_type();
  if (token_.kind == TokenKind::bang) {
    const std::string_view name = token_.text.substr(1);
    advance();
    if (name == "stablehlo.token" || name == "mhlo.token") return Type::token();
    if (name == "stablehlo.future" && accept("<"))
      return {Type::Kind::future, {}, type_list(">"), {}};
    const auto alias = type_aliases_.find(name);
    if (alias != type_aliases_.end()) {
      expand(alias->second.depth, alias->second.parts);
      return alias->second.value;
    }
    if (name.find('.') == std::string_view::npos && !token_.is("<")) {
      fail_at(begin, fmt::format("undefined type alias '!{}'", name));
    }
    if (name == "quant.uniform" && token_.is("<")) return uniform(begin);
    if (accept("<")) skip_balanced(">");
    return opaque_from(begin);
  }
  // The dialects' types are done; what follows is of the builtin dialect.
  if (token_.kind != TokenKind::word) unexpected("a type");
  const std::string_view name = token_.text;
  if (name == "tensor") return tensor(false);
  // Any other word is a typing error, not an opaque type.
  if (name != "tuple" && name != "index" && name != "none" && name != "memref" &&
      name != "vector" && !is_scalar_word(name)) {
    unexpected("a type");
  }
  advance();
  if (name == "index") return {Type::Kind::index, {}, {}, {}};
  if (name == "none") return {Type::Kind::none, {}, {}, {}};
  if (name == "tuple") {
    expect("<", "after tuple");
    return Type::tuple(type_list(">"));
  }
  if (accept("<")) skip_balanced(">");
  return opaque_from(begin);
}

// Reads "?x" or "12x" at a byte offset; nothing if the element type begins there. Works on bytes,
// not tokens: the lexer would read "4x8xf32" as a number and a word, or "0x8" as hexadecimal.
std::optional<std::int64_t> Parser::dimension(std::uint64_t& at) {
  const std::string_view text = lexer_.text();
  // Blanks may surround the 'x' in MLIR.
  const auto blank = [&] { return at < text.size() && (text[at] == ' ' || text[at] == '\n'); };
  while (blank()) ++at;
  const std::uint64_t begin = at;
  if (at < text.size() && (text[at] == '?' || text[at] == '*')) {
    ++at;
  } else {
    while (at < text.size() && is_digit(text[at])) ++at;
  }
  if (at == begin) return std::nullopt;
  std::int64_t size = kDynamic;
  if (is_digit(text[begin])) {
    const auto read = std::from_chars(text.data() + begin, text.data() + at, size);
    if (read.ec != std::errc{}) fail_at(begin, "this dimension does not fit 63 bits");
  }
  // The 'x' belongs to the dimension; behind the last one the element type begins.
  while (blank()) ++at;
  if (at >= text.size() || text[at] != 'x') fail_at(at, "expected 'x' after a dimension");
  ++at;
  return size;
}

// One bound, or ?, for each dimension.
void Parser::expect_bounds(const DialectAttribute& bounds, std::size_t ndims,
                           std::uint64_t offset) const {
  if (bounds.parameters.empty()) {
    fail_at(offset, fmt::format("#{}.{} needs '<' and a bound, or ?, for each dimension",
                                bounds.dialect, bounds.mnemonic));
  }
  const auto* text = bounds.parameters[0].second.get<StringAttribute>();
  // Bounds are text here; a comma separates two of them.
  const auto commas = std::count(text->value.begin(), text->value.end(), ',');
  if (static_cast<std::size_t>(commas) + 1 == ndims) return;
  fail_at(offset, fmt::format("<{}> bounds {} dimensions, but there are {}", text->value,
                              commas + 1, ndims));
}

// An element type or, in a quantized tensor, a type of its own. Returns false where the IR does not
// model it.
bool Parser::element_of(TensorType& out, std::shared_ptr<const Quantization>& quantization,
                        bool index_as_i64) {
  const std::uint64_t begin = token_.offset;
  if (token_.kind == TokenKind::bang || token_.is_word("tensor") || token_.is_word("vector")) {
    quantization = type().quantization;
    return quantization != nullptr;
  }
  const bool is_complex = token_.is_word("complex");
  std::string name(word("an element type"));
  if (is_complex) {
    expect("<", "after complex");
    name = "complex<" + without_blanks(raw_until(">")) + ">";
  }
  const auto element = element_type_of_mlir(name);
  if (!element && name != "index") fail_at(begin, fmt::format("unknown element type '{}'", name));
  if (!element && !index_as_i64) return false;
  out.element = element.value_or(ElementType::i64);
  return true;
}

// tensor<...> or vector<...>. Element types and encodings that the IR does not model make the type
// opaque: its text is kept, and it is refused only if the program has to run it.
Type Parser::tensor(bool index_as_i64) {
  const std::uint64_t begin = token_.offset;
  advance();
  if (!token_.is("<")) unexpected("'<' after tensor");
  std::uint64_t at = token_.offset + 1;
  TensorType out;
  while (const auto size = dimension(at)) out.shape.push_back(*size);
  // "tensor<*xf32>" has no number of dimensions.
  const bool unranked = lexer_.text().substr(token_.offset + 1, 1) == "*";
  lexer_.seek(at);
  advance();
  std::shared_ptr<const Quantization> quantization;
  bool opaque = !element_of(out, quantization, index_as_i64) || unranked;
  bool bounded = false;
  while (accept(",")) {
    const Attribute encoding = attribute();
    const DialectAttribute* named = encoding.dialect();
    const bool bounds = named != nullptr && named->mnemonic == "bounds";
    if (bounds) expect_bounds(*named, out.shape.size(), begin);
    bounded = bounded || bounds;
    opaque = opaque || !bounds;
  }
  expect(">", "after the element type");
  if (opaque) return opaque_from(begin);
  if (quantization != nullptr) {
    out.element = quantization->storage;
    const std::string fault = fault_of(*quantization, out.shape);
    if (!fault.empty()) fail_at(begin, "quantized type: " + fault);
  }
  Type type = Type::of(std::move(out));
  type.quantization = std::move(quantization);
  // The bounds print again, but do not change the type that is computed with.
  if (bounded) type.text = opaque_from(begin).text;
  return type;
}

// Literals of index are read as i64; `is_index` records it for the printer.
TensorType Parser::dense_type(bool& is_index) {
  if (!token_.is_word("tensor") && !token_.is_word("vector")) unexpected("a tensor type");
  const std::uint64_t offset = token_.offset;
  const Type out = tensor(true);
  const std::string_view text = lexer_.text().substr(offset, token_.offset - offset);
  is_index = text.find("index") != std::string_view::npos;
  if (!out.is_tensor() || out.is_quantized())
    fail_at(offset, "literals of " + text_of(out) + " are not supported");
  if (!out.tensor.is_static()) fail_at(offset, "a literal needs static dimensions");
  return out.tensor;
}

std::vector<Type> Parser::type_list(std::string_view close) {
  std::vector<Type> types;
  if (accept(close)) return types;
  do {
    types.push_back(type());
    skip_location();
  } while (accept(","));
  expect(close, "after the types");
  return types;
}

std::vector<Type> Parser::results_of_signature() {
  if (accept("(")) return type_list(")");
  std::vector<Type> one;
  one.push_back(type());
  return one;
}

// Grammar: '(' types ')' '->' ( type | '(' types ')' ). Represented as two tuples: inputs and
// results.
Type Parser::function_type() {
  expect("(", "before the argument types");
  Type inputs = Type::tuple(type_list(")"));
  expect("->", "after the argument types");
  Type results = Type::tuple(results_of_signature());
  std::vector<Type> parts;
  parts.push_back(std::move(inputs));
  parts.push_back(std::move(results));
  return {Type::Kind::function, {}, std::move(parts), {}};
}

// A written operand type must repeat the type of the value: MLIR has no implicit conversions.
void Parser::check_operand_type(const Operation& op, std::size_t index, const Type& written) const {
  const Type& real = op.operands[index]->type;
  if (real == written) return;
  throw error_at(op.operand_locations[index], ErrorKind::input,
                 fmt::format("{}: operand {} has type {}, but is declared as {}", op.name, index,
                             text_of(real), text_of(written)));
}

void Parser::check_operand_types(const Operation& op, const std::vector<Type>& types) const {
  if (types.size() != op.operands.size()) {
    throw error_at(op.location, ErrorKind::input,
                   fmt::format("{}: {} operand types do not match {} operands", op.name,
                               types.size(), op.operands.size()));
  }
  for (std::size_t i = 0; i < types.size(); ++i) check_operand_type(op, i, types[i]);
}

void Parser::function_signature(Operation& op) {
  expect(":", fmt::format("before the types of {}", op.name));
  if (!token_.is("(")) unexpected("a function type such as (tensor<2xf32>) -> tensor<2xf32>");
  const Type written = function_type();
  check_operand_types(op, written.elements[0].elements);
  for (const Type& result : written.elements[1].elements) add_result(op, result);
}

// The types after the colon. A full function type or "operands -> results" is always accepted;
// otherwise the mode says which types the short form writes and which ones follow from them.
void Parser::signature(Operation& op, Signature mode) {
  expect(":", fmt::format("before the types of {}", op.name));
  if (token_.is("(")) {
    const Type written = function_type();
    check_operand_types(op, written.elements[0].elements);
    for (const Type& result : written.elements[1].elements) add_result(op, result);
    return;
  }
  std::vector<Type> types;
  do types.push_back(type());
  while (accept(","));
  if (accept("->")) {
    check_operand_types(op, types);
    for (Type& result : results_of_signature()) add_result(op, std::move(result));
    return;
  }
  const std::size_t count = op.operands.size();
  // select's short form names the predicate's type and the type of both values.
  if (mode == Signature::select && types.size() == 2 && count == 3) {
    check_operand_types(op, {types[0], types[1], types[1]});
    add_result(op, types[1]);
    return;
  }
  // These forms write the result types only: operands have their types already.
  if (mode == Signature::result || mode == Signature::complex) {
    for (Type& result : types) add_result(op, std::move(result));
    return;
  }
  const Type first = types[0];
  if (mode == Signature::each || (mode == Signature::operands && types.size() != 1)) {
    check_operand_types(op, types);
  } else if (types.size() == 1) {
    for (std::size_t i = 0; i < count; ++i) check_operand_type(op, i, first);
  } else {
    fail(fmt::format("{} needs one type or a function type here", op.name));
  }
  if (mode == Signature::same || mode == Signature::select) add_result(op, first);
  if (mode == Signature::each) {
    for (Type& result : types) add_result(op, std::move(result));
  }
}

}  // namespace understudy::program
