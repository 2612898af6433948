// SPDX-License-Identifier: Apache-2.0
// Pretty forms of operations with regions.
#include <fmt/format.h>

#include "program/ir/dense.h"
#include "program/ir/op_table.h"
#include "program/text/mhlo_names.h"
#include "program/text/parser.h"

namespace understudy::program {

// (%x init: %i), (%y init: %j) across dimensions = [0] .. reducer(..) or
// (%x init: %i) applies stablehlo.add across dimensions = [0] ..
void Parser::reduce_form(Operation& op) {
  std::vector<Value*> inits;
  std::vector<Location> init_locations;
  do {
    expect("(", "before an input and its initial value");
    operand(op);
    expect_word("init", "after the input");
    expect(":", "after init");
    operand(op);
    inits.push_back(op.operands.back());
    init_locations.push_back(op.operand_locations.back());
    // The initial value was read like any operand and is moved to its own list.
    op.operands.pop_back();
    op.operand_locations.pop_back();
    expect(")", "after the initial value");
  } while (accept(","));
  const std::size_t inputs = op.operands.size();
  // The text pairs each input with its initial value; the operation has all inputs, then all
  // initial values.
  op.operands.insert(op.operands.end(), inits.begin(), inits.end());
  op.operand_locations.insert(op.operand_locations.end(), init_locations.begin(),
                              init_locations.end());
  std::string_view applied;
  const Token before = token_;
  if (accept_word("applies")) applied = word("an operation such as stablehlo.add");
  expect_word("across", "before the dimensions");
  expect_word("dimensions", "after across");
  expect("=", "after dimensions");
  op.set("dimensions", integers());
  optional_dictionary_into(op);
  function_signature(op);
  // The location may stand before the body.
  skip_location();
  if (!applied.empty()) return applied_reducer(op, applied, before.offset);
  reducer(op, inputs);
}

// reducer(%acc0: T, %x0: T) (%acc1: T, %x1: T) { body }. Each pair is (accumulator i, element i);
// the region takes all accumulators first, then all elements.
void Parser::reducer(Operation& op, std::size_t inputs) {
  expect_word("reducer", "before the body");
  std::vector<Argument> accumulators;
  std::vector<Argument> elements;
  while (token_.is("(")) {
    const std::uint64_t offset = token_.offset;
    std::vector<Argument> pair = arguments();
    if (pair.size() != 2) fail_at(offset, "a reducer needs two arguments for each input");
    accumulators.push_back(std::move(pair[0]));
    elements.push_back(std::move(pair[1]));
  }
  if (accumulators.size() != inputs) {
    fail(fmt::format("{} pairs of arguments do not match {} inputs", accumulators.size(), inputs));
  }
  accumulators.insert(accumulators.end(), elements.begin(), elements.end());
  op.regions.push_back(region(accumulators));
}

// "applies stablehlo.add" abbreviates a region of that one operation, which is built here.
void Parser::applied_reducer(Operation& op, std::string_view written, std::uint64_t offset) {
  const std::string name = without_mhlo(std::string(written));
  const OpRow* row = find_op(name);
  if (row == nullptr) fail_at(offset, fmt::format("unknown operation '{}'", name));
  // The abbreviation has one accumulator and one element.
  if (op.operands.size() != 2) fail_at(offset, "'applies' reduces one input");
  const Type& input = op.operands[0]->type;
  const Type element = Type::scalar_of(input);
  auto body = std::make_unique<Region>();
  body->blocks.push_back(std::make_unique<Block>());
  Block& block = *body->blocks[0];
  auto applied = std::make_unique<Operation>();
  applied->name = name;
  applied->location = {source_.get(), offset};
  for (std::uint32_t i = 0; i < 2; ++i) {
    auto value = std::make_unique<Value>();
    value->type = element;
    value->block = &block;
    value->index = i;
    value->location = applied->location;
    applied->operands.push_back(value.get());
    applied->operand_locations.push_back(applied->location);
    block.arguments.push_back(std::move(value));
  }
  add_result(*applied, element);
  auto end = std::make_unique<Operation>();
  end->name = "stablehlo.return";
  end->location = applied->location;
  end->operands.push_back(applied->results[0].get());
  end->operand_locations.push_back(applied->location);
  block.operations.push_back(std::move(applied));
  block.operations.push_back(std::move(end));
  op.regions.push_back(std::move(body));
}

// (%it = %init, ..) : T, .. attributes {..} cond {..} do {..}
void Parser::while_form(Operation& op) {
  std::vector<Argument> carried;
  expect("(", "before the loop's values");
  if (!accept(")")) {
    do {
      if (token_.kind != TokenKind::value) unexpected("a loop value such as %iterArg");
      carried.push_back({token_.text, token_.offset, {}});
      advance();
      expect("=", "after the loop value");
      operand(op);
    } while (accept(","));
    expect(")", "after the loop's values");
  }
  // A loop without values has no colon either.
  if (!carried.empty()) signature(op, Signature::each);
  if (op.results.size() != carried.size()) {
    fail_at(op.location.offset,
            fmt::format("{} types do not match {} loop values", op.results.size(), carried.size()));
  }
  // Loop values have the types of their operands, which the text writes once, after the list.
  for (std::size_t i = 0; i < carried.size(); ++i) carried[i].type = op.operands[i]->type;
  if (accept_word("attributes")) dictionary_into(op);
  expect_word("cond", "before the condition");
  // Both regions take the loop's values under the same names; each region has its own scope.
  op.regions.push_back(region(carried));
  expect_word("do", "before the body");
  op.regions.push_back(region(carried));
}

// (%x) inits(%i) dimension=0 attributes {..} { ^bb0(..): body } : (..) -> (..)
void Parser::scan_form(Operation& op) {
  expect("(", "before the inputs");
  operands(op);
  expect(")", "after the inputs");
  const std::size_t inputs = op.operands.size();
  expect_word("inits", "after the inputs");
  expect("(", "before the initial values");
  operands(op);
  expect(")", "after the initial values");
  expect_word("dimension", "in chlo.scan");
  expect("=", "after dimension");
  op.set("dimension", formatted("int"));
  const std::size_t inits = op.operands.size() - inputs;
  if (accept_word("attributes")) dictionary_into(op);
  op.regions.push_back(region());
  function_signature(op);
  const auto sizes = [](std::size_t first, std::size_t second) {
    return array_of(ElementType::i32,
                    {static_cast<std::int64_t>(first), static_cast<std::int64_t>(second)});
  };
  // The difference below would wrap around.
  if (op.results.size() < inits)
    fail_at(op.location.offset, "chlo.scan needs a result for each initial value");
  // The sizes tell inputs from initial values in the flat list of operands (MLIR's
  // AttrSizedOperandSegments).
  op.set("operandSegmentSizes", sizes(inputs, inits));
  op.set("resultSegmentSizes", sizes(op.results.size() - inits, inits));
}

}  // namespace understudy::program
