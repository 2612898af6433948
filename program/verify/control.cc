// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
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

// The op's operands and results are those of function `name`.
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
      fmt::format("{} operands for '@{}', which takes {}", check.operands(), name, wanted.size()));
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    const Type& given = check.op().operands[i]->type;
    if (given == wanted[i]) continue;
    check.fail_operand(i, fmt::format("is {}, but argument {} of '@{}' is {}", text_of(given), i,
                                      name, text_of(wanted[i])));
  }
  check.require(types_of(check.op().results) == callee->result_types,
                fmt::format("its result types are not those of '@{}'", name));
}

// Axes of one dimension of a sharding that are manual, as the product of their sizes.
std::int64_t pieces(const Check& check, const ArrayAttribute& dimension, const Mesh& mesh,
                    const std::vector<std::string>& manual) {
  std::int64_t product = 1;
  for (const Attribute& axis : dimension.elements) {
    if (axis.get<EnumAttribute>() != nullptr) continue;
    const DialectAttribute* part = axis.dialect();
    const auto* name = (part == nullptr ? axis : part->parameters[0].second).get<StringAttribute>();
    const auto found = std::find_if(mesh.axes.begin(), mesh.axes.end(),
                                    [&](const auto& each) { return each.first == name->value; });
    check.require(found != mesh.axes.end(),
                  fmt::format("mesh '@{}' has no axis \"{}\"", mesh.name, name->value));
    if (std::find(manual.begin(), manual.end(), name->value) == manual.end()) continue;
    const std::int64_t size =
        part == nullptr ? found->second : part->find("size")->get<IntegerAttribute>()->value;
    product = checked_multiply(product, size);
  }
  return product;
}

// What one chip holds of `whole` under sharding i of a list.
Type local_type(const Check& check, std::string_view list, std::size_t i, const Type& whole,
                const std::vector<std::string>& manual) {
  const ArrayAttribute* shardings = check.needed(list).array();
  const DialectAttribute* sharding = shardings->elements[i].dialect();
  const auto* symbol = sharding->parameters.at(0).second.get<SymbolAttribute>();
  const Mesh* mesh = check.module().find_mesh(symbol->name);
  check.require(mesh != nullptr, fmt::format("there is no mesh '@{}'", symbol->name));
  if (!whole.is_tensor()) return whole;
  const auto& dimensions = sharding->parameters.at(1).second.array()->elements;
  check.require(dimensions.size() == whole.tensor.shape.size(),
                fmt::format("sharding {} of {} has {} dimensions for {}", i, list,
                            dimensions.size(), text_of(whole)));
  TensorType out = whole.tensor;
  for (std::size_t d = 0; d < dimensions.size(); ++d) {
    const std::int64_t count = pieces(check, *dimensions[d].array(), *mesh, manual);
    if (out.shape[d] == kDynamic) continue;
    check.require(
        out.shape[d] % count == 0,
        fmt::format("{} pieces do not divide dimension {} of {}", count, d, text_of(whole)));
    out.shape[d] /= count;
  }
  return Type::of(std::move(out));
}

void check_list(const Check& check, std::string_view list, std::size_t count) {
  const ArrayAttribute* shardings = check.needed(list).array();
  bool fits = shardings != nullptr && shardings->elements.size() == count;
  for (std::size_t i = 0; fits && i < count; ++i) {
    const DialectAttribute* sharding = shardings->elements[i].dialect();
    fits =
        sharding != nullptr && sharding->mnemonic == "sharding" && sharding->parameters.size() >= 2;
  }
  check.require(fits, fmt::format("'{}' must hold {} shardings", list, count));
}

}  // namespace

void while_loop(const Check& check) {
  const std::vector<Type> carried = types_of(check.op().operands);
  check.require(types_of(check.op().results) == carried,
                "its results must have the types of its operands");
  check.expect_region(0, carried, {pred()});
  check.expect_region(1, carried, carried);
}

void case_of(const Check& check) {
  const bool is_if = check.op().name == "stablehlo.if";
  const TensorType index{is_if ? ElementType::pred : ElementType::i32, {}};
  if (check.operand(0) != index) {
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

void composite(const Check& check) {
  const auto* body = check.needed("decomposition").get<SymbolAttribute>();
  check.require(body != nullptr, "'decomposition' must be a symbol");
  matches_function(check, body->name);
}

void custom_call(const Check& check) {
  check.require(check.needed("call_target_name").get<StringAttribute>() != nullptr,
                "'call_target_name' must be text");
}

void manual_computation(const Check& check) {
  const ArrayAttribute* axes = check.needed("manual_axes").array();
  check.require(axes != nullptr, "'manual_axes' must be a list");
  std::vector<std::string> manual;
  for (const Attribute& axis : axes->elements) {
    const auto* name = axis.get<StringAttribute>();
    check.require(name != nullptr, "'manual_axes' must be a list of names");
    manual.push_back(name->value);
  }
  check_list(check, "in_shardings", check.operands());
  check_list(check, "out_shardings", check.results());
  std::vector<Type> inside;
  for (std::size_t i = 0; i < check.operands(); ++i) {
    inside.push_back(local_type(check, "in_shardings", i, check.op().operands[i]->type, manual));
  }
  std::vector<Type> returned;
  for (std::size_t i = 0; i < check.results(); ++i) {
    returned.push_back(local_type(check, "out_shardings", i, check.op().results[i]->type, manual));
  }
  check.expect_region(0, inside, returned);
}

}  // namespace understudy::program::rules
