// SPDX-License-Identifier: Apache-2.0
// Replica groups given by the axes of a mesh (VHLO 1.16 and later), kept as text as the text reader
// keeps them; passes/mesh_groups.cc expands them.
#include <fmt/format.h>

#include "program/bytecode/decode.h"
#include "program/text/print_attribute.h"

namespace understudy::program::bytecode {
namespace {

// The text between the angles of an attribute of this mnemonic.
const std::string& inside(const Attribute& attribute, std::string_view mnemonic, const Cursor& in) {
  const DialectAttribute* found = attribute.dialect();
  if (found == nullptr || found->dialect != "stablehlo" || found->mnemonic != mnemonic) {
    in.fail(fmt::format("expected an attribute of kind {}", mnemonic));
  }
  return text_in(found->parameters.at(0).second, in, mnemonic);
}

// The parts of an array, each as `prefix<inside>`.
std::string joined(const Attribute& array, std::string_view prefix, std::string_view mnemonic,
                   Cursor& in, Tables& tables) {
  if (array.array() == nullptr) in.fail(fmt::format("expected an array of {}", mnemonic));
  std::string out;
  for (const Attribute& element : array.array()->elements) {
    tables.budget().charge(element, in);
    out += fmt::format("{}{}<{}>", out.empty() ? "" : ", ", prefix, inside(element, mnemonic, in));
  }
  return out;
}

}  // namespace

// svarint pre-size, svarint size.
Attribute vhlo_sub_axis(Cursor& in, Tables& /*tables*/) {
  const std::int64_t before = in.svarint("the size before a sub-axis");
  const std::int64_t size = in.svarint("the size of a sub-axis");
  return raw_of("stablehlo", "sub_axis_info", fmt::format("({}){}", before, size));
}

// varint name attribute, varint flag, and if it is set a varint sub-axis attribute.
Attribute vhlo_axis_reference(Cursor& in, Tables& tables) {
  const Attribute& name = tables.attribute(in, "the name of an axis");
  tables.budget().charge(name, in);
  std::string text = fmt::format("name = {}", quoted_text(text_in(name, in, "an axis")));
  if (in.varint("the sub-axis flag") != 0) {
    const Attribute& part = tables.attribute(in, "a sub-axis");
    text += fmt::format(", sub_axis_info = {}", inside(part, "sub_axis_info", in));
  }
  return raw_of("stablehlo", "axis_ref", std::move(text));
}

// varint name attribute, svarint size.
Attribute vhlo_mesh_axis(Cursor& in, Tables& tables) {
  const Attribute& name = tables.attribute(in, "the name of an axis");
  tables.budget().charge(name, in);
  const std::int64_t size = in.svarint("the size of an axis");
  return raw_of(
      "stablehlo", "mesh_axis",
      fmt::format("name = {}, size = {}", quoted_text(text_in(name, in, "an axis")), size));
}

// varint axes array, optional varint device ids.
Attribute vhlo_mesh(Cursor& in, Tables& tables) {
  const Attribute& axes = tables.attribute(in, "the axes of a mesh");
  std::string text = fmt::format("axes=[{}]", joined(axes, "", "mesh_axis", in, tables));
  if (const Attribute* ids = tables.optional_attribute(in, "the device ids of a mesh")) {
    tables.budget().charge(*ids, in);
    text += fmt::format(", device_ids = {}", text_of(*ids, ""));
  }
  return raw_of("stablehlo", "mesh", std::move(text));
}

// varint mesh (a symbol name or an inline mesh), varint array of axis references.
Attribute vhlo_mesh_groups(Cursor& in, Tables& tables) {
  const Attribute& mesh = tables.attribute(in, "a mesh");
  tables.budget().charge(mesh, in);
  const auto* name = mesh.get<StringAttribute>();
  const std::string mesh_text = name != nullptr
                                    ? symbol_text(name->value)
                                    : fmt::format("#stablehlo.mesh<{}>", inside(mesh, "mesh", in));
  const Attribute& axes = tables.attribute(in, "the axes of replica groups");
  return raw_of("stablehlo", "replica_group_mesh_axes",
                fmt::format("mesh = {}, axes = [{}]", mesh_text,
                            joined(axes, "#stablehlo.axis_ref", "axis_ref", in, tables)));
}

}  // namespace understudy::program::bytecode
