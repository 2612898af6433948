// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cctype>
#include <fmt/format.h>

#include "program/verify/rules.h"

namespace understudy::program::rules {
namespace {

std::vector<Type> types_of(const std::vector<Value*>& values) {
  std::vector<Type> out;
  for (const Value* value : values) out.push_back(value->type);
  return out;
}
std::vector<Type> types_of(const std::vector<std::unique_ptr<Value>>& values) {
  std::vector<Type> out;
  for (const auto& value : values) out.push_back(value->type);
  return out;
}
Type pred() { return Type::of(TensorType{ElementType::pred, {}}); }

// Operand and result types must equal those of the function `name`, exactly: calls are inlined.
// Exactly, not with fit(): the body was compiled for these types.
void matches_function(const Check& check, const std::string& name) {
  const Function* callee = check.module().find_function(name);
  if (callee == nullptr) {
    const auto& declared = check.module().declarations;
    const bool known = std::any_of(declared.begin(), declared.end(),
                                   [&](const auto& each) { return each->name == name; });
    check.fail(fmt::format("{} '@{}'{}", known ? "function" : "there is no function", name,
                           known ? " has no body" : ""));
  }
  const std::vector<Type> wanted = types_of(callee->block().arguments);
  check.require(
      wanted.size() == check.operands(),
      fmt::format("has {} operands, but '@{}' takes {}", check.operands(), name, wanted.size()));
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    const Type& given = check.op().operands[i]->type;
    if (given == wanted[i]) continue;
    check.fail_operand(i, fmt::format("is {}, but argument {} of '@{}' is {}", text_of(given), i,
                                      name, text_of(wanted[i])));
  }
  check.require(types_of(check.op().results) == callee->result_types,
                fmt::format("its result types differ from those of '@{}'", name));
}

}  // namespace

void while_loop(const Check& check) {
  const std::vector<Type> carried = types_of(check.op().operands);
  // Both counts are covered: an index that only one side has is a mismatch.
  for (std::size_t i = 0; i < std::max(check.results(), carried.size()); ++i)
    check.require(
        i < check.results() && i < carried.size() && fit(check.op().results[i]->type, carried[i]),
        "its results must have the types of its operands");
  // Region 0 is the condition, region 1 the body.
  check.expect_region(0, carried, {pred()});
  check.expect_region(1, carried, carried);
}

// if takes a pred, case an i32; every branch takes no arguments and returns the result types.
void case_of(const Check& check) {
  const bool is_if = check.op().name == "stablehlo.if";
  const TensorType index{is_if ? ElementType::pred : ElementType::i32, {}};
  if (!fit(check.operand(0), index)) {
    check.fail_operand(
        0, fmt::format("is {}, but must be {}", text_of(check.operand(0)), text_of(index)));
  }
  const std::vector<Type> results = types_of(check.op().results);
  for (std::size_t i = 0; i < check.op().regions.size(); ++i) check.expect_region(i, {}, results);
}

void call(const Check& check) {
  const auto* callee = check.needed("callee").get<SymbolAttribute>();
  check.require(callee != nullptr, "'callee' must be a symbol");
  matches_function(check, callee->name);
}

namespace {

// Whether a name looks like an operation, "chlo.top_k": parts separated by points, starting with a
// letter.
// Constraint C1 of composite: is_namespaced_op_name(name).
bool is_op_name(std::string_view name) {
  const auto letter = [](char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; };
  const auto fits = [](std::string_view part, bool with_dollar) {
    return !part.empty() && std::ranges::all_of(part, [&](char c) {
      return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' ||
             (with_dollar && c == '$');
    });
  };
  std::size_t dot = name.find('.');
  if (dot == std::string_view::npos || !letter(name[0]) || !fits(name.substr(0, dot), false))
    return false;
  while (dot != std::string_view::npos) {
    name.remove_prefix(dot + 1);
    dot = name.find('.');
    if (!fits(name.substr(0, dot), true)) return false;
  }
  return true;
}

}  // namespace

void composite(const Check& check) {
  const std::string& name = check.needed("name").get<StringAttribute>()->value;
  check.require(is_op_name(name),
                fmt::format("'name' is \"{}\", but must be like \"chlo.top_k\"", name));
  const auto* body = check.needed("decomposition").get<SymbolAttribute>();
  check.require(body != nullptr, "'decomposition' must be a symbol");
  matches_function(check, body->name);
}

}  // namespace understudy::program::rules
