// SPDX-License-Identifier: Apache-2.0
// Operations in generic form, regions, and the names of values.
#include <algorithm>
#include <charconv>
#include <fmt/format.h>

#include "program/ir/canonicalise.h"
#include "program/ir/op_table.h"
#include "program/text/given_names.h"
#include "program/text/mhlo_names.h"
#include "program/text/parser.h"

namespace understudy::program {
namespace {

// A pack of more results is a typing error; the limit also keeps index arithmetic within 32 bits.
constexpr std::uint32_t kMostResults = 1u << 20;

std::uint32_t number_of(std::string_view digits) {
  std::uint32_t number = 0;
  const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  // A number beyond 32 bits becomes the limit, which the callers refuse.
  return read.ec == std::errc{} ? number : kMostResults;
}

}  // namespace

// Grammar: (%name (':' count)?),* '='. A pack "%0:2" names several results at once.
std::vector<Parser::ResultName> Parser::result_names() {
  std::vector<ResultName> names;
  if (token_.kind != TokenKind::value) return names;
  do {
    if (token_.kind != TokenKind::value) unexpected("a result such as %0");
    ResultName name{token_.text, 1, token_.offset};
    if (name.name.find('#') != std::string_view::npos) unexpected("a result without '#'");
    advance();
    if (accept(":")) {
      if (token_.kind != TokenKind::integer) unexpected("the number of results");
      name.count = number_of(token_.text);
      if (name.count == 0 || name.count >= kMostResults)
        fail("this number of results is too large");
      advance();
    }
    names.push_back(name);
  } while (accept(","));
  expect("=", "after the results");
  return names;
}

// A name must differ from all names that are visible here; the note names the first definition.
void Parser::bind(std::string_view name, const Binding& binding) {
  if (!values_.bind(name, binding)) {
    Error error = error_at({source_.get(), binding.offset}, ErrorKind::input,
                           fmt::format("value '{}' is defined twice", name));
    const SourcePlace first = source_->place(values_.find(name)->offset);
    error.note(
        fmt::format("the first definition is at {}:{}:{}", first.path, first.line, first.column));
    throw error;
  }
}

// Results get the place of their name, so a message about a result points at it.
void Parser::bind_results(Operation& op, const std::vector<ResultName>& names) {
  std::size_t named = 0;
  for (const ResultName& name : names) named += name.count;
  if (!names.empty() && named != op.results.size()) {
    // Names may be left out altogether; then the results are simply unused.
    fail_at(names[0].offset,
            fmt::format("{} has {} results, but {} are named", op.name, op.results.size(), named));
  }
  std::uint32_t first = 0;
  for (const ResultName& name : names) {
    for (std::uint32_t i = 0; i < name.count; ++i) {
      op.results[first + i]->location = {source_.get(), name.offset};
    }
    bind(name.name, {nullptr, &op, first, name.count, name.offset});
    first += name.count;
  }
}

// "%0#1" is result 1 of a pack; "%0" alone is its first result.
Value* Parser::use(std::string_view token, std::uint64_t offset) {
  const std::size_t hash = token.find('#');
  const std::string_view name = token.substr(0, hash);
  const Binding* const found = values_.find(name);
  if (found == nullptr) fail_at(offset, fmt::format("value '{}' is not defined", name));
  const Binding& binding = *found;
  const std::uint32_t index =
      // Without '#' the first result is meant, as in MLIR.
      hash == std::string_view::npos ? 0 : number_of(token.substr(hash + 1));
  if (index >= binding.count) {
    fail_at(offset,
            fmt::format("'{}' has {} results, so there is no '{}'", name, binding.count, token));
  }
  if (binding.argument != nullptr) return binding.argument;
  return binding.op->results[binding.first + index].get();
}

void Parser::operand(Operation& op) {
  if (token_.kind != TokenKind::value) unexpected("an operand such as %0");
  op.operands.push_back(use(token_.text, token_.offset));
  // Kept apart from the operand: the value's own place is its definition, messages about a use need
  // the use.
  op.operand_locations.push_back(here());
  advance();
}

// Operands separated by commas; a comma that no operand follows is left for the caller.
void Parser::operands(Operation& op) {
  if (token_.kind != TokenKind::value) return;
  operand(op);
  // Many forms continue with a comma and a keyword.
  // The lookahead leaves ", precision = ..." to the form.
  while (token_.is(",") && peek().kind == TokenKind::value) {
    advance();
    operand(op);
  }
}

void Parser::add_result(Operation& op, Type type) {
  auto value = std::make_unique<Value>();
  value->type = std::move(type);
  value->owner = &op;
  value->index = static_cast<std::uint32_t>(op.results.size());
  value->location = op.location;
  op.results.push_back(std::move(value));
}

void Parser::dictionary_into(Operation& op) {
  // Attributes may come as properties and as a dictionary; a name in both is an error.
  GivenNames given(op.attributes);
  for (auto& [name, value] : dictionary()) {
    if (given.has(name)) fail(fmt::format("{}: duplicate attribute '{}'", op.name, name));
    op.attributes.emplace_back(std::move(name), std::move(value));
  }
}

void Parser::optional_dictionary_into(Operation& op) {
  if (token_.is("{")) dictionary_into(op);
}

std::vector<Parser::Argument> Parser::arguments() {
  std::vector<Argument> out;
  expect("(", "before the arguments");
  if (accept(")")) return out;
  do {
    if (token_.kind != TokenKind::value) unexpected("an argument such as %arg0");
    Argument argument{token_.text, token_.offset, {}};
    advance();
    expect(":", "after the argument");
    argument.type = type();
    skip_location();
    out.push_back(std::move(argument));
  } while (accept(","));
  expect(")", "after the arguments");
  return out;
}

void Parser::add_arguments(Block& block, const std::vector<Argument>& arguments) {
  for (const Argument& argument : arguments) {
    auto value = std::make_unique<Value>();
    value->type = argument.type;
    value->block = &block;
    value->index = static_cast<std::uint32_t>(block.arguments.size());
    value->location = {source_.get(), argument.offset};
    bind(argument.name, {value.get(), nullptr, 0, 1, argument.offset});
    block.arguments.push_back(std::move(value));
  }
}

// Operations up to the closing brace, which is skipped.
void Parser::block_body(Block& block) {
  while (!token_.is("}")) {
    if (token_.kind == TokenKind::end) unexpected("an operation or '}'");
    if (token_.kind == TokenKind::block)
      fail("a second block: control flow graphs are not supported");
    operation(block);
  }
  advance();
}

// A region that sees no value from outside; its names are its own.
std::unique_ptr<Region> Parser::isolated_region(const std::vector<Argument>& arguments) {
  // Exchanged, not copied: the outer names are out of sight until the region ends.
  ValueNames outer = std::exchange(values_, {});
  std::unique_ptr<Region> out = region(arguments);
  values_ = std::move(outer);
  return out;
}

// "{ ^bb0(%a: T): ops }"; the label is optional where there are no arguments. `arguments` are those
// that a pretty form names before the brace.
std::unique_ptr<Region> Parser::region(const std::vector<Argument>& outside) {
  const Nest nest(*this);
  auto out = std::make_unique<Region>();
  out->blocks.push_back(std::make_unique<Block>());
  const std::size_t outer = values_.mark();
  expect("{", "before a region");
  add_arguments(*out->blocks[0], outside);
  if (token_.kind == TokenKind::block) {
    advance();
    if (token_.is("(")) add_arguments(*out->blocks[0], arguments());
    expect(":", "after the block label");
  }
  block_body(*out->blocks[0]);
  // Names of a region end with it, so siblings may reuse them.
  values_.forget(outer);
  return out;
}

// "name"(%a, %b) <{properties}> ({regions}) {attributes} : (types) -> types
std::unique_ptr<Operation> Parser::generic_operation() {
  auto op = std::make_unique<Operation>();
  op->location = here();
  op->name = without_mhlo(quoted("an operation name"));
  expect("(", "before the operands");
  if (!token_.is(")")) {
    do operand(*op);
    while (accept(","));
  }
  expect(")", "after the operands");
  if (token_.is("[")) fail("successors: control flow graphs are not supported");
  // Properties <{...}> hold inherent attributes since 2023, the dictionary discardable ones; the IR
  // does not distinguish them.
  if (accept("<")) {
    dictionary_into(*op);
    expect(">", "after the properties");
  }
  if (accept("(")) {
    // These bodies see no values from outside, so their value names are independent.
    const bool isolated =
        op->name == "sdy.manual_computation" || op->name == "sdy.named_computation";
    do op->regions.push_back(isolated ? isolated_region({}) : region());
    while (accept(","));
    expect(")", "after the regions");
  }
  optional_dictionary_into(*op);
  function_signature(*op);
  return op;
}

void Parser::operation(Block& block) {
  const Nest nest(*this);
  const std::vector<ResultName> names = result_names();
  std::unique_ptr<Operation> op =
      token_.kind == TokenKind::text ? generic_operation() : pretty_operation();
  canonicalise(*op);
  bind_results(*op, names);
  skip_location();
  block.operations.push_back(std::move(op));
}

}  // namespace understudy::program
