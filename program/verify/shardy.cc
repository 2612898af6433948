// SPDX-License-Identifier: Apache-2.0
// Shardy's operations.
#include <algorithm>
#include <fmt/format.h>

#include "program/verify/dimensions.h"
#include "program/verify/rules.h"

namespace understudy::program::rules {
namespace {

// The mesh of a sharding by its symbol; inline meshes have one too.
const Mesh& mesh_of(const Check& check, const DialectAttribute& sharding) {
  const auto* symbol = sharding.parameters.at(0).second.get<SymbolAttribute>();
  const Mesh* mesh = check.module().find_mesh(symbol->name);
  check.require(mesh != nullptr, fmt::format("unknown mesh '@{}'", symbol->name));
  return *mesh;
}

struct Axis {
  std::string name;
  std::int64_t size = 1;
};

// An axis of a mesh, or a sub-axis "x":(pre)size: the factor of `size` after the first `pre`
// devices of the axis.
Axis axis_of(const Check& check, const Mesh& mesh, const Attribute& attribute) {
  const DialectAttribute* part = attribute.dialect();
  const auto* name =
      (part == nullptr ? attribute : part->parameters[0].second).get<StringAttribute>();
  const auto found =
      std::ranges::find_if(mesh.axes, [&](const auto& each) { return each.first == name->value; });
  if (found == mesh.axes.end())
    check.fail(fmt::format("mesh '@{}' has no axis \"{}\"", mesh.name, name->value));
  if (part == nullptr) return {name->value, found->second};
  const std::int64_t before = check.number(*part, "pre");
  const std::int64_t size = check.number(*part, "size");
  const bool fits = before >= 1 && size > 1 && before <= found->second && size <= found->second &&
                    found->second % checked_multiply(before, size) == 0;
  if (!fits)
    check.fail(fmt::format("axis \"{}\" of size {} has no sub-axis ({}){}", name->value,
                           found->second, before, size));
  return {name->value, size};
}

// The number of shards of one dimension: the product of its manual axes. Free axes stay global
// inside the body.
std::int64_t pieces(const Check& check, const ArrayAttribute& dimension, const Mesh& mesh,
                    const std::vector<std::string>& manual) {
  std::int64_t product = 1;
  for (const Attribute& each : dimension.elements) {
    if (each.get<EnumAttribute>() != nullptr) continue;
    const Axis axis = axis_of(check, mesh, each);
    if (std::ranges::find(manual, axis.name) != manual.end())
      product = checked_multiply(product, axis.size);
  }
  return product;
}

// The local type of `whole` under sharding i of a list.
Type local_type(const Check& check, std::string_view list, std::size_t i, const Type& whole,
                const std::vector<std::string>& manual) {
  const ArrayAttribute* shardings = check.needed(list).array();
  const DialectAttribute* sharding = shardings->elements[i].dialect();
  const Mesh& mesh = mesh_of(check, *sharding);
  if (!whole.is_tensor()) return whole;
  const auto& dimensions = sharding->parameters.at(1).second.array()->elements;
  check.require(dimensions.size() == whole.tensor.shape.size(),
                fmt::format("sharding {} of {} has {} dimensions, but its value is {}", i, list,
                            dimensions.size(), text_of(whole)));
  TensorType out = whole.tensor;
  for (std::size_t d = 0; d < dimensions.size(); ++d) {
    const std::int64_t count = pieces(check, *dimensions[d].array(), mesh, manual);
    if (out.shape[d] == kDynamic) continue;
    check.require(
        out.shape[d] % count == 0,
        fmt::format("{} shards do not divide dimension {} of {}", count, d, text_of(whole)));
    out.shape[d] /= count;
  }
  return Type::of(std::move(out));
}

void expect_shardings(const Check& check, std::string_view list, std::size_t count) {
  const std::size_t given = check.needed(list).array()->elements.size();
  if (given != count) check.fail(fmt::format("'{}' must hold {} shardings", list, count));
}

// A dimension of the sharding for each of the tensor.
void expect_fits(const Check& check, const Attribute& attribute, const Type& type) {
  const DialectAttribute& sharding = *attribute.dialect();
  const Mesh& mesh = mesh_of(check, sharding);
  const auto& dimensions = sharding.parameters[1].second.array()->elements;
  for (const Attribute& dimension : dimensions) pieces(check, *dimension.array(), mesh, {});
  const std::size_t count = dimensions.size();
  const std::size_t ndims = type.is_tensor() ? type.tensor.shape.size() : 0;
  if (count != ndims)
    check.fail(
        fmt::format("the sharding has {} dimensions, but its value is {}", count, text_of(type)));
}

}  // namespace

void sharded(const Check& check) {
  const Attribute* sharding = check.op().find("sharding");
  if (sharding != nullptr) expect_fits(check, *sharding, check.op().operands[0]->type);
}

// Values inside a named computation are global, as outside.
void named_computation(const Check& check) {
  std::vector<Type> arguments, returned;
  for (const Value* operand : check.op().operands) arguments.push_back(operand->type);
  for (const auto& result : check.op().results) returned.push_back(result->type);
  for (const auto& [name, types] :
       {std::pair{"in_shardings", &arguments}, {"out_shardings", &returned}}) {
    if (check.op().find(name) == nullptr) continue;
    expect_shardings(check, name, types->size());
    const auto& shardings = check.needed(name).array()->elements;
    for (std::size_t i = 0; i < types->size(); ++i) expect_fits(check, shardings[i], (*types)[i]);
  }
  check.expect_region(0, arguments, returned);
}

// The region sees local types: global dimensions divided by the sizes of the manual axes that shard
// them.
void manual_computation(const Check& check) {
  std::vector<std::string> manual;
  for (const Attribute& axis : check.needed("manual_axes").array()->elements)
    manual.push_back(axis.get<StringAttribute>()->value);
  expect_shardings(check, "in_shardings", check.operands());
  expect_shardings(check, "out_shardings", check.results());
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
