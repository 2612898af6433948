// SPDX-License-Identifier: Apache-2.0
// Shardy: meshes, shardings, and the short forms of its operations.
#include <algorithm>
#include <array>
#include <fmt/format.h>

#include "program/text/dialect_attribute.h"
#include "program/text/parser.h"
#include "program/text/print_attribute.h"

namespace understudy::program {
namespace {

// An attribute that no pass reads, kept as text.
Attribute raw(std::string mnemonic, std::string text) {
  DialectAttribute out{"sdy", std::move(mnemonic), {}};
  out.parameters.emplace_back("", Attribute{StringAttribute{std::move(text)}});
  return attribute_of(std::move(out));
}

}  // namespace

// @mesh = <["x"=2, "y"=4], device_ids=[..]> {attributes}
void Parser::mesh(Module& module) {
  advance();
  Mesh out;
  out.location = here();
  out.name = symbol();
  expect("=", "after the mesh name");
  mesh_axes(out);
  if (token_.is("{")) out.attributes = dictionary();
  skip_location();
  add_mesh(module, std::move(out));
}

void Parser::add_mesh(Module& module, Mesh mesh) {
  if (module.find_mesh(mesh.name) != nullptr) {
    throw error_at(mesh.location, ErrorKind::input,
                   fmt::format("mesh '@{}' is defined twice", mesh.name));
  }
  module.meshes.push_back(std::move(mesh));
}

// "sdy.mesh"() <{mesh = #sdy.mesh<..>, sym_name = "mesh"}>
void Parser::mesh_of(Module& module, Operation& op) {
  const Attribute* name = op.find("sym_name");
  const auto* symbol = name == nullptr ? nullptr : name->get<StringAttribute>();
  const Attribute* axes = op.find("mesh");
  const DialectAttribute* written = axes == nullptr ? nullptr : axes->dialect();
  const bool complete = symbol != nullptr && written != nullptr && written->dialect == "sdy" &&
                        written->mnemonic == "mesh" && written->parameters.size() == 1;
  if (!complete) {
    throw error_at(op.location, ErrorKind::input, "sdy.mesh needs sym_name and mesh");
  }
  // at() cannot fail: mesh_attribute() made the entry when it read this text.
  Mesh out = written_meshes_.at(written->parameters[0].second.get<StringAttribute>()->value);
  out.name = symbol->value;
  out.location = op.location;
  op.erase("sym_name");
  op.erase("mesh");
  out.attributes = std::move(op.attributes);
  add_mesh(module, std::move(out));
}

// <["x"=2]>, behind #sdy.mesh
Attribute Parser::mesh_attribute() {
  Mesh mesh;
  mesh_axes(mesh);
  std::string text = axes_text(mesh);
  // By text: two equal meshes are one.
  written_meshes_.emplace(text, std::move(mesh));
  return raw("mesh", std::move(text));
}

// mesh<["x"=2]> inside a sharding: a mesh of the module whose name is this text.
std::string Parser::inline_mesh() {
  Mesh mesh;
  mesh.location = here();
  mesh_axes(mesh);
  // The name cannot clash with a written one, as it contains brackets.
  mesh.name = fmt::format("{}{}>", kInlineMesh, axes_text(mesh));
  const std::string name = mesh.name;
  inline_meshes_.emplace(name, std::move(mesh));
  return name;
}

// Grammar: '<' '[' ("name" '=' size),* ']' (',' device_ids '=' '[' id,* ']')? '>'. Without
// device_ids the devices are 0, 1, ... in row-major order.
void Parser::mesh_axes(Mesh& mesh) {
  expect("<", "before the mesh axes");
  expect("[", "before the mesh axes");
  if (!accept("]")) {
    do {
      std::string axis = quoted("an axis name such as \"data\"");
      expect("=", "after the axis name");
      const std::uint64_t offset = token_.offset;
      const std::int64_t size = integer("the axis size");
      // Size 0 would make every division by the axis undefined.
      if (size <= 0) fail_at(offset, fmt::format("axis \"{}\" has size {}", axis, size));
      mesh.axes.emplace_back(std::move(axis), size);
    } while (accept(","));
    expect("]", "after the mesh axes");
  }
  if (accept(",")) {
    expect_word("device_ids", "after the mesh axes");
    expect("=", "after device_ids");
    expect("[", "before the device ids");
    while (!accept("]")) {
      mesh.device_ids.push_back(integer("a device id"));
      if (!token_.is("]")) expect(",", "between device ids");
    }
  }
  expect(">", "after the mesh");
}

// "x" or "x":(pre)size
Attribute Parser::axis() {
  Attribute name{StringAttribute{quoted("an axis such as \"data\"")}};
  if (!accept(":")) return name;
  DialectAttribute out{"sdy", "axis", {}};
  out.parameters.emplace_back("", std::move(name));
  expect("(", "before the sub-axis");
  out.parameters.emplace_back("pre", i64_attribute(integer("the size before the sub-axis")));
  expect(")", "in the sub-axis");
  out.parameters.emplace_back("size", i64_attribute(integer("the size of the sub-axis")));
  return attribute_of(std::move(out));
}

// {"x", "y", ?}
Attribute Parser::axes() {
  std::vector<Attribute> out;
  expect("{", "before the axes");
  if (!accept("}")) {
    do {
      if (accept("?")) {
        out.push_back({EnumAttribute{"?"}});
      } else {
        out.push_back(axis());
      }
    } while (accept(","));
    expect("}", "after the axes");
  }
  return attribute_of(std::move(out));
}

// <@mesh, [{"x"}, {?}p1], replicated={"y"}>
Attribute Parser::sharding() {
  const Nest nest(*this);
  DialectAttribute out{"sdy", "sharding", {}};
  expect("<", "before the sharding");
  std::string mesh = accept_word("mesh") ? inline_mesh() : symbol();
  out.parameters.emplace_back("", Attribute{SymbolAttribute{std::move(mesh)}});
  expect(",", "after the mesh");
  expect("[", "before the dimensions");
  std::vector<Attribute> dimensions;
  while (!accept("]")) {
    Attribute dimension = axes();
    // A priority such as p1 stands behind the braces of its dimension.
    if (token_.kind == TokenKind::word) {
      std::vector<Attribute> elements = dimension.array()->elements;
      elements.push_back({EnumAttribute{std::string(word("a priority"))}});
      dimension = attribute_of(std::move(elements));
    }
    dimensions.push_back(std::move(dimension));
    if (!token_.is("]")) expect(",", "between the dimensions");
  }
  out.parameters.emplace_back("", attribute_of(std::move(dimensions)));
  while (accept(",")) {
    std::string key(word("replicated or unreduced"));
    expect("=", fmt::format("after {}", key));
    out.parameters.emplace_back(std::move(key), axes());
  }
  expect(">", "after the sharding");
  return attribute_of(std::move(out));
}

// [<@mesh, [..]>, ...]
Attribute Parser::sharding_list() {
  std::vector<Attribute> out;
  expect("[", "before the shardings");
  if (!accept("]")) {
    do out.push_back(sharding());
    while (accept(","));
    expect("]", "after the shardings");
  }
  return attribute_of(std::move(out));
}

// (%a) in_shardings=[..] out_shardings=[..] manual_axes={..} (%b: T) { body } : (..) -> ..
void Parser::computation(Operation& op, bool is_manual) {
  expect("(", "before the operands");
  operands(op);
  expect(")", "after the operands");
  for (const std::string_view key : {"in_shardings", "out_shardings"}) {
    expect_word(key, fmt::format("in {}", op.name));
    expect("=", fmt::format("after {}", key));
    op.set(key, sharding_list());
  }
  if (is_manual) {
    expect_word("manual_axes", "in sdy.manual_computation");
    expect("=", "after manual_axes");
    op.set("manual_axes", axes());
  }
  const std::vector<Argument> inside = arguments();
  op.regions.push_back(isolated_region(inside));
  optional_dictionary_into(op);
  function_signature(op);
}

// <"name">(%a) .. as above, without manual axes
void Parser::named_computation_form(Operation& op) {
  expect("<", "before the name");
  op.set("name", {StringAttribute{quoted("the name of the computation")}});
  expect(">", "after the name");
  computation(op, false);
}

void Parser::manual_computation_form(Operation& op) { computation(op, true); }

// %x <@mesh, [..]> : T
void Parser::sharding_constraint_form(Operation& op) {
  operand(op);
  op.set("sharding", sharding());
  optional_dictionary_into(op);
  signature(op, Signature::same);
}

// %x allowed_direction=NONE : T
void Parser::propagation_barrier_form(Operation& op) {
  operand(op);
  expect_word("allowed_direction", "in sdy.propagation_barrier");
  expect("=", "after allowed_direction");
  static constexpr std::array<std::string_view, 4> kDirections = {"NONE", "FORWARD", "BACKWARD",
                                                                  "BOTH"};
  std::int64_t direction = 0;
  // Stored as an i32 in the order of kDirections.
  while (direction < 4 && !token_.is_word(kDirections[static_cast<std::size_t>(direction)])) {
    ++direction;
  }
  if (direction == 4) unexpected("NONE, FORWARD, BACKWARD or BOTH");
  advance();
  op.set("allowed_direction",
         {IntegerAttribute{direction, Type::of(TensorType{ElementType::i32, {}})}});
  optional_dictionary_into(op);
  signature(op, Signature::same);
}

// %x sharding=<@mesh, [..]> : T
void Parser::data_flow_edge_form(Operation& op) {
  operand(op);
  if (accept_word("sharding")) {
    expect("=", "after sharding");
    op.set("sharding", sharding());
  }
  optional_dictionary_into(op);
  signature(op, Signature::same);
}

// [{"x"}, {}] %x out_sharding=<@mesh, [..]> : T: what a partitioner inserts to move shards about.
void Parser::resharding_form(Operation& op) {
  struct Row {
    std::string_view name, attribute, mnemonic, open, close;
  };
  static constexpr std::array<Row, 8> kRows = {{
      {"sdy.all_gather", "gathering_axes", "list_of_axis_ref_lists", "[", "]"},
      {"sdy.all_reduce", "reduction_axes", "axis_ref_list", "{", "}"},
      {"sdy.all_slice", "slicing_axes", "list_of_axis_ref_lists", "[", "]"},
      {"sdy.all_to_all", "params", "all_to_all_param_list", "[", "]"},
      {"sdy.reduce_scatter", "reduce_scatter_axes", "list_of_axis_ref_lists", "[", "]"},
      {"sdy.replicated_to_unreduced", "axes", "axis_ref_list", "{", "}"},
      {"sdy.sharded_to_unreduced", "axes", "list_of_axis_ref_lists", "[", "]"},
      {"sdy.collective_permute", "", "", "", ""},
  }};
  const auto* row = std::find_if(kRows.begin(), kRows.end(),
                                 [&](const Row& each) { return each.name == op.name; });
  UNDERSTUDY_ASSERT(row != kRows.end());
  if (!row->open.empty()) {
    expect(row->open, fmt::format("after {}", op.name));
    // The axes are kept as text: no pass reads them, as these operations only occur in
    // partitioned output.
    std::string inside = raw_until(row->close);
    op.set(row->attribute,
           raw("", fmt::format("{}{}{}{}", row->mnemonic, row->open, inside, row->close)));
  }
  operand(op);
  expect_word("out_sharding", fmt::format("in {}", op.name));
  expect("=", "after out_sharding");
  op.set("out_sharding", sharding());
  optional_dictionary_into(op);
  signature(op, Signature::same);
}

}  // namespace understudy::program
