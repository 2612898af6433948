// SPDX-License-Identifier: Apache-2.0
// Pretty forms of single operations that no format describes. Each begins after the name.
#include <array>
#include <charconv>
#include <fmt/format.h>

#include "program/ir/dense.h"
#include "program/ir/op_table.h"
#include "program/text/mhlo_names.h"
#include "program/text/parser.h"

namespace understudy::program {
namespace {

Attribute int32(std::int64_t value) {
  return {IntegerAttribute{value, Type::scalar(ElementType::i32)}};
}

Attribute numbers_of(const Attribute& dense) {
  ArrayAttribute out;
  for (const std::int64_t value : integers_of(dense)) {
    out.elements.push_back({IntegerAttribute{value, Type::scalar(ElementType::i64)}});
  }
  return {std::make_shared<const ArrayAttribute>(std::move(out))};
}

// MLIR omits "func." inside function bodies.
std::string full_name(std::string_view name) {
  if (name == "call" || name == "return") return "func." + std::string(name);
  return std::string(name);
}

}  // namespace

// Over 40 lines: the table is inside, as its functions are private. Operations with a form of their
// own. The list is short, so a linear search is fine; most
// operations use a format.
Parser::Form Parser::form_of(std::string_view name) {
  struct Row {
    std::string_view name;
    Form form;
  };
  static constexpr std::array<Row, 33> kForms = {{
      {"stablehlo.constant", &Parser::constant_form},
      {"chlo.constant", &Parser::constant_form},
      {"stablehlo.slice", &Parser::slice_form},
      {"stablehlo.dot_general", &Parser::dot_general_form},
      {"stablehlo.convolution", &Parser::convolution_form},
      {"stablehlo.custom_call", &Parser::custom_call_form},
      {"stablehlo.composite", &Parser::composite_form},
      {"func.call", &Parser::call_form},
      {"stablehlo.get_tuple_element", &Parser::tuple_element_form},
      {"stablehlo.optimization_barrier", &Parser::barrier_form},
      {"stablehlo.return", &Parser::return_form},
      {"func.return", &Parser::return_form},
      {"sdy.return", &Parser::return_form},
      {"check.expect_eq_const", &Parser::check_const_form},
      {"check.expect_almost_eq_const", &Parser::check_const_form},
      {"stablehlo.reduce", &Parser::reduce_form},
      {"stablehlo.while", &Parser::while_form},
      {"sdy.manual_computation", &Parser::manual_computation_form},
      {"sdy.sharding_constraint", &Parser::sharding_constraint_form},
      {"sdy.reshard", &Parser::sharding_constraint_form},
      {"sdy.constant", &Parser::constant_form},
      {"sdy.named_computation", &Parser::named_computation_form},
      {"sdy.data_flow_edge", &Parser::data_flow_edge_form},
      {"sdy.all_gather", &Parser::resharding_form},
      {"sdy.all_reduce", &Parser::resharding_form},
      {"sdy.all_slice", &Parser::resharding_form},
      {"sdy.all_to_all", &Parser::resharding_form},
      {"sdy.collective_permute", &Parser::resharding_form},
      {"sdy.reduce_scatter", &Parser::resharding_form},
      {"sdy.replicated_to_unreduced", &Parser::resharding_form},
      {"sdy.sharded_to_unreduced", &Parser::resharding_form},
      {"sdy.propagation_barrier", &Parser::propagation_barrier_form},
      {"chlo.scan", &Parser::scan_form},
  }};
  for (const Row& row : kForms) {
    if (row.name == name) return row.form;
  }
  return nullptr;
}

// A form of its own first, then the format of ops.def. Operations without either must be written in
// generic form.
std::unique_ptr<Operation> Parser::pretty_operation() {
  auto op = std::make_unique<Operation>();
  op->location = here();
  op->name = without_mhlo(full_name(word("an operation")));
  if (const Form form = form_of(op->name)) {
    (this->*form)(*op);
    return op;
  }
  const OpRow* row = find_op(op->name);
  // The nearest known name is offered, since most unknown operations are misspelt.
  if (row == nullptr) {
    Error error =
        error_at(op->location, ErrorKind::input, fmt::format("unknown operation '{}'", op->name));
    const std::string_view similar = similar_op(op->name);
    if (!similar.empty()) error.note(fmt::format("did you mean '{}'?", similar));
    throw error;
  }
  if (row->format.empty()) {
    fail_at(op->location.offset,
            fmt::format("{} has no short form: write \"{}\"(...)", op->name, op->name));
  }
  format(*op, row->format);
  return op;
}

// Grammar: attributes? dense<...> : type. The type of the literal is the result type.
void Parser::constant_form(Operation& op) {
  optional_dictionary_into(op);
  const std::uint64_t offset = token_.offset;
  Attribute value = attribute();
  const auto* dense = value.get<DenseAttribute>();
  // The type of the literal must agree with its elements, so it is not written twice.
  if (dense == nullptr) fail_at(offset, "a constant needs dense<...> : tensor<...>");
  add_result(op, Type::of(dense->type));
  op.set("value", std::move(value));
}

// %x [0:4, 1:7:2]
void Parser::slice_form(Operation& op) {
  operand(op);
  std::array<std::vector<std::int64_t>, 3> ranges;
  expect("[", "before the ranges");
  while (!accept("]")) {
    ranges[0].push_back(integer("the start of a range"));
    expect(":", "in a range");
    ranges[1].push_back(integer("the limit of a range"));
    ranges[2].push_back(accept(":") ? integer("the stride of a range") : 1);
    if (!token_.is("]")) expect(",", "between the ranges");
  }
  constexpr std::array<std::string_view, 3> kNames = {"start_indices", "limit_indices", "strides"};
  for (std::size_t i = 0; i < kNames.size(); ++i) {
    op.set(kNames[i], array_of(ElementType::i64, ranges[i]));
  }
  optional_dictionary_into(op);
  signature(op, Signature::same);
}

// %a, %b, batching_dims = [0] x [0], contracting_dims = [1] x [0], precision = [..], algorithm =
// <..>
void Parser::dot_general_form(Operation& op) {
  operands(op);
  // Absent lists are empty in the attribute: the printer leaves them out.
  const Attribute none{std::make_shared<const ArrayAttribute>()};
  DialectAttribute dims{"stablehlo", "dot", {}};
  dims.parameters = {{"lhs_batching_dimensions", none},
                     {"rhs_batching_dimensions", none},
                     {"lhs_contracting_dimensions", none},
                     {"rhs_contracting_dimensions", none}};
  while (accept(",")) {
    const std::uint64_t offset = token_.offset;
    const std::string_view key = word("a part of dot_general");
    expect("=", fmt::format("after {}", key));
    if (key == "batching_dims" || key == "contracting_dims") {
      const std::size_t at = key == "batching_dims" ? 0 : 2;
      dims.parameters[at].second = numbers_of(integers());
      expect_word("x", fmt::format("between the lists of {}", key));
      dims.parameters[at + 1].second = numbers_of(integers());
    } else if (key == "precision") {
      op.set("precision_config", words());
    } else if (key == "algorithm") {
      op.set("algorithm",
             token_.is("<") ? struct_attribute("stablehlo", "dot_algorithm") : attribute());
    } else {
      fail_at(offset, fmt::format("unknown part of dot_general '{}'", key));
    }
  }
  op.set("dot_dimension_numbers", {std::make_shared<const DialectAttribute>(std::move(dims))});
  optional_dictionary_into(op);
  signature(op, Signature::same);
}

// Grammar: @target '(' operands ')' attributes? ':' function type.
void Parser::custom_call_form(Operation& op) {
  op.set("call_target_name", {StringAttribute{symbol()}});
  expect("(", "before the operands");
  operands(op);
  expect(")", "after the operands");
  optional_dictionary_into(op);
  function_signature(op);
}

// Grammar: "name" operands ('(' region,* ')')? attributes? ':' function type.
void Parser::composite_form(Operation& op) {
  op.set("name", {StringAttribute{quoted("the name of the composite")}});
  operands(op);
  if (accept("(")) {
    do op.regions.push_back(region());
    while (accept(","));
    expect(")", "after the regions");
  }
  optional_dictionary_into(op);
  function_signature(op);
}

// Grammar: @callee '(' operands ')' attributes? ':' function type.
void Parser::call_form(Operation& op) {
  op.set("callee", {SymbolAttribute{symbol()}});
  expect("(", "before the operands");
  operands(op);
  expect(")", "after the operands");
  optional_dictionary_into(op);
  function_signature(op);
}

// Grammar: operand '[' index ']' attributes? ':' function type.
void Parser::tuple_element_form(Operation& op) {
  operand(op);
  expect("[", "before the index");
  op.set("index", int32(integer("the index")));
  expect("]", "after the index");
  optional_dictionary_into(op);
  function_signature(op);
}

// Reads "e5m10" of "format = e5m10".
void Parser::reduce_precision_form(Operation& op) {
  const std::uint64_t offset = token_.offset;
  const std::string_view text = word("a format such as e5m10");
  const std::size_t m = text.find('m');
  std::array<std::int64_t, 2> bits{-1, -1};
  if (text.front() == 'e' && m != std::string_view::npos) {
    std::from_chars(text.data() + 1, text.data() + m, bits[0]);
    std::from_chars(text.data() + m + 1, text.data() + text.size(), bits[1]);
  }
  // 64 bits bound all formats; the verifier checks what the type allows.
  if (bits[0] < 1 || bits[1] < 0 || bits[0] > 64 || bits[1] > 64) {
    fail_at(offset, fmt::format("'{}' is not a format such as e5m10", text));
  }
  op.set("exponent_bits", int32(bits[0]));
  op.set("mantissa_bits", int32(bits[1]));
}

// Grammar: attributes? ( '(' ')' | operands ':' types ).
void Parser::barrier_form(Operation& op) {
  optional_dictionary_into(op);
  // "()" is written where a barrier has no operands, in place of their list.
  if (accept("(")) return expect(")", "after no operands");
  operands(op);
  signature(op, Signature::each);
}

// func.return has its attributes before its operands, the other returns after them. Both places are
// accepted.
void Parser::return_form(Operation& op) {
  optional_dictionary_into(op);
  operands(op);
  optional_dictionary_into(op);
  if (!op.operands.empty()) signature(op, Signature::operands);
}

// %x, dense<..> : T
void Parser::check_const_form(Operation& op) {
  operands(op);
  expect(",", "before the expected value");
  Attribute value = attribute();
  if (accept(",")) {
    expect_word("tolerance", "after the expected value");
    expect("=", "after tolerance");
    op.set("tolerance", attribute());
  }
  op.set("value", std::move(value));
  optional_dictionary_into(op);
}

}  // namespace understudy::program
