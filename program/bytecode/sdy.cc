// SPDX-License-Identifier: Apache-2.0
// Shardy's attributes, in the shapes that program/ir/ops.def documents.
#include <algorithm>
#include <array>
#include <fmt/format.h>

#include "program/bytecode/decode.h"
#include "program/text/print_attribute.h"

namespace understudy::program::bytecode {
namespace {

// varint count, count x varint attribute.
Attribute read_list(Cursor& in, Tables& tables) {
  return array_of(attributes_in(in, tables, "an element of a list"));
}

// Attributes get the same structure as the text reader gives them (program/ir/ops.def), so that
// later passes see one form.
Attribute read_mesh_axis(Cursor& in, Tables& tables) {
  const std::uint64_t at = in.offset();
  std::string name = tables.string(in, "the name of an axis");
  const std::int64_t size = in.svarint("the size of an axis");
  // A size of 0 would make divisions by it undefined later.
  if (size <= 0) in.fail_at(at, fmt::format("axis \"{}\" has size {}", name, size));
  return dialect_of("sdy", "mesh_axis",
                    {{"", text_attribute(std::move(name))}, {"size", number_of(size)}});
}

// List of mesh axes, then list of svarint device ids (empty: iota).
Attribute read_mesh(Cursor& in, Tables& tables) {
  Attribute axes = read_list(in, tables);
  const std::vector<std::int64_t> ids = numbers_in(in, "a device id");
  return dialect_of("sdy", "mesh", {{"axes", std::move(axes)}, {"device_ids", numbers_of(ids)}});
}

// svarint pre-size, svarint size.
Attribute read_sub_axis(Cursor& in, Tables& /*tables*/) {
  const std::int64_t before = in.svarint("the size before a sub-axis");
  const std::int64_t size = in.svarint("the size of a sub-axis");
  return dialect_of("sdy", "sub_axis", {{"pre", number_of(before)}, {"size", number_of(size)}});
}

// varint string index, optional varint sub-axis. An axis without a sub-axis is its name alone.
Attribute read_axis(Cursor& in, Tables& tables) {
  Attribute name = text_attribute(tables.string(in, "the name of an axis"));
  const Attribute* part = tables.optional_attribute(in, "a sub-axis");
  if (part == nullptr) return name;
  const DialectAttribute* sub_axis = part->dialect();
  if (sub_axis == nullptr || sub_axis->mnemonic != "sub_axis") in.fail("expected a sub-axis");
  std::vector<NamedAttribute> parameters;
  parameters.emplace_back("", std::move(name));
  for (const NamedAttribute& parameter : sub_axis->parameters) parameters.push_back(parameter);
  return dialect_of("sdy", "axis", std::move(parameters));
}

bool is_axis(const Attribute& attribute) {
  const DialectAttribute* found = attribute.dialect();
  return attribute.get<StringAttribute>() != nullptr ||
         (found != nullptr && found->dialect == "sdy" && found->mnemonic == "axis");
}

// What read_dimension() makes.
bool is_dimension(const Attribute& attribute) {
  const ArrayAttribute* array = attribute.array();
  return array != nullptr &&
         std::all_of(array->elements.begin(), array->elements.end(), [](const Attribute& each) {
           return is_axis(each) || each.get<EnumAttribute>() != nullptr;
         });
}

std::vector<Attribute> axes_in(Cursor& in, Tables& tables) {
  std::vector<Attribute> axes = attributes_in(in, tables, "an axis");
  for (const Attribute& axis : axes) {
    if (!is_axis(axis)) in.fail("expected an axis");
  }
  return axes;
}

Attribute read_axes(Cursor& in, Tables& tables) { return array_of(axes_in(in, tables)); }

// {"x", "y", ?}p1
Attribute read_dimension(Cursor& in, Tables& tables) {
  std::vector<Attribute> elements = axes_in(in, tables);
  const bool closed = in.byte("the closed flag of a dimension") != 0;
  // An open dimension has "?" last, as in text.
  if (!closed) elements.push_back({EnumAttribute{"?"}});
  // Bit 0: a priority follows in the upper bits.
  const std::uint64_t priority = in.varint("a priority");
  const bool has_priority = (priority & 1) != 0;
  if (has_priority) elements.push_back({EnumAttribute{fmt::format("p{}", priority >> 1)}});
  return array_of(std::move(elements));
}

// The symbol of a sharding's mesh. A mesh given in place is added to the module under a name made
// of its text, so equal inline meshes are one mesh.
Attribute mesh_name(Cursor& in, Tables& tables) {
  const Attribute& mesh = tables.attribute(in, "the mesh of a sharding");
  tables.budget().charge(mesh, in);
  if (mesh.get<SymbolAttribute>() != nullptr) return mesh;
  std::optional<Mesh> made = sdy_mesh_of(mesh);
  if (!made) in.fail("a sharding needs a mesh");
  // The name contains brackets, so it cannot clash with a symbol.
  made->name = fmt::format("{}{}>", kInlineMesh, axes_text(*made));
  const std::string name = made->name;
  tables.inline_meshes().emplace(name, std::move(*made));
  return {SymbolAttribute{name}};
}

// varint mesh, list of dimension shardings, list of replicated axes, and since code 15 a list of
// unreduced axes.
Attribute sharding_in(Cursor& in, Tables& tables, bool with_unreduced) {
  Attribute mesh = mesh_name(in, tables);
  std::vector<Attribute> dimensions = attributes_in(in, tables, "a dimension of a sharding");
  for (const Attribute& dimension : dimensions) {
    if (!is_dimension(dimension)) in.fail("expected the sharding of a dimension");
  }
  std::vector<NamedAttribute> parameters;
  parameters.emplace_back("", std::move(mesh));
  parameters.emplace_back("", array_of(std::move(dimensions)));
  for (const char* key : {"replicated", "unreduced"}) {
    if (key == std::string_view("unreduced") && !with_unreduced) break;
    std::vector<Attribute> axes = axes_in(in, tables);
    // An empty list is left out, as in text.
    if (!axes.empty()) parameters.emplace_back(key, array_of(std::move(axes)));
  }
  return dialect_of("sdy", "sharding", std::move(parameters));
}

// Code 6 is a sharding before unreduced axes existed, code 15 the form with them.
Attribute read_sharding(Cursor& in, Tables& tables) { return sharding_in(in, tables, false); }
Attribute read_unreduced(Cursor& in, Tables& tables) { return sharding_in(in, tables, true); }

Attribute read_shardings(Cursor& in, Tables& tables) {
  std::vector<Attribute> shardings = attributes_in(in, tables, "a sharding");
  for (const Attribute& each : shardings) {
    const DialectAttribute* found = each.dialect();
    if (found == nullptr || found->mnemonic != "sharding") in.fail("expected a sharding");
  }
  return array_of(std::move(shardings));
}

constexpr std::array<AttributeCode, 17> kAttributes = {{
    {"manual axes", read_axes},
    {"mesh axis", read_mesh_axis},
    {"mesh", read_mesh},
    {"sub-axis", read_sub_axis},
    {"axis", read_axis},
    {"dimension sharding", read_dimension},
    {"sharding", read_sharding},
    {"sharding per value", read_shardings},
    {"dimension mapping", sdy_dimension_mapping},
    {"tensor mapping", sdy_tensor_mapping},
    {"sharding rule", sdy_sharding_rule},
    {"axis list", nullptr},
    {"list of axis lists", nullptr},
    {"all-to-all parameter", nullptr},
    {"all-to-all parameters", nullptr},
    {"sharding", read_unreduced},
    {"sharding per value", read_shardings},
}};

}  // namespace

// The Mesh of an attribute that read_mesh() made; nothing for any other attribute.
std::optional<Mesh> sdy_mesh_of(const Attribute& attribute) {
  const auto is = [](const DialectAttribute* found, std::string_view mnemonic) {
    return found != nullptr && found->dialect == "sdy" && found->mnemonic == mnemonic;
  };
  const DialectAttribute* mesh = attribute.dialect();
  if (!is(mesh, "mesh")) return std::nullopt;
  Mesh out;
  for (const Attribute& each : mesh->find("axes")->array()->elements) {
    const DialectAttribute* axis = each.dialect();
    if (!is(axis, "mesh_axis")) return std::nullopt;
    out.axes.emplace_back(axis->parameters[0].second.get<StringAttribute>()->value,
                          axis->parameters[1].second.get<IntegerAttribute>()->value);
  }
  out.device_ids = integers_of(*mesh->find("device_ids"));
  return out;
}

Attribute sdy_attribute(Cursor& in, Tables& tables) {
  return decode_attribute(kAttributes, "sdy", in, tables);
}

}  // namespace understudy::program::bytecode
