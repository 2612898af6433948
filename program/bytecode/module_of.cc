// SPDX-License-Identifier: Apache-2.0
// Converts the generic form that IrReader returns (every operation with attributes and regions)
// into functions, meshes and module attributes.
#include <fmt/format.h>

#include "program/bytecode/bytecode.h"
#include "program/bytecode/decode.h"
#include "program/bytecode/ir_reader.h"

namespace understudy::program::bytecode {
namespace {

[[noreturn]] void refuse(const Operation& op, std::string_view what) {
  throw error_at(op.location, ErrorKind::input, fmt::format("{}: {}", op.name, what));
}

// Removes the attribute: what the module holds in members is not kept twice.
std::string take_text(Operation& op, std::string_view name) {
  // Absent and empty are the same here.
  const Attribute* found = op.find(name);
  if (found == nullptr) return "";
  const auto* text = found->get<StringAttribute>();
  if (text == nullptr) refuse(op, fmt::format("'{}' must be a string", name));
  std::string out = text->value;
  op.erase(name);
  return out;
}

// One dictionary for each argument or result, or none at all.
std::vector<std::vector<NamedAttribute>> take_lists(Operation& op, std::string_view name,
                                                    std::size_t count) {
  std::vector<std::vector<NamedAttribute>> out(count);
  const Attribute* found = op.find(name);
  if (found == nullptr) return out;
  const ArrayAttribute* array = found->array();
  const bool fits =
      // All or none: an empty list stands for dictionaries without entries.
      array != nullptr && (array->elements.empty() || array->elements.size() == count);
  if (!fits) refuse(op, fmt::format("'{}' must hold {} dictionaries", name, count));
  for (std::size_t i = 0; i < array->elements.size(); ++i) {
    const DictionaryAttribute* entries = array->elements[i].dictionary();
    if (entries == nullptr) refuse(op, fmt::format("'{}' must hold dictionaries", name));
    out[i] = entries->entries;
  }
  op.erase(name);
  return out;
}

// The entry block repeats the argument types of the function type; both must agree.
void check_arguments(const Operation& op, const std::vector<Type>& types) {
  const auto& arguments = op.block().arguments;
  if (arguments.size() != types.size()) {
    refuse(op, fmt::format("the body has {} arguments, but the function type has {}",
                           arguments.size(), types.size()));
  }
  for (std::size_t i = 0; i < types.size(); ++i) {
    // Artifacts are written by a program, so a difference means that the file is damaged.
    if (arguments[i]->type != types[i]) {
      refuse(op, fmt::format("argument {} has type {}, but the function takes {}", i,
                             text_of(arguments[i]->type), text_of(types[i])));
    }
  }
}

// The block of a function that is only declared: its arguments, and no operation.
std::unique_ptr<Block> declared(const Operation& op, const std::vector<Type>& types) {
  auto out = std::make_unique<Block>();
  for (const Type& type : types) {
    auto value = std::make_unique<Value>();
    value->type = type;
    value->block = out.get();
    value->index = static_cast<std::uint32_t>(out->arguments.size());
    value->location = op.location;
    out->arguments.push_back(std::move(value));
  }
  return out;
}

// Attributes that the Function represents by its own members are removed from the list.
std::unique_ptr<Function> function_of(Operation& op) {
  const Attribute* type = op.find("function_type");
  const auto* signature = type == nullptr ? nullptr : type->get<TypeAttribute>();
  if (signature == nullptr || signature->type.kind != Type::Kind::function ||
      op.regions.size() != 1) {
    refuse(op, "needs a function type and one region");
  }
  auto out = std::make_unique<Function>();
  out->location = op.location;
  out->name = take_text(op, "sym_name");
  if (out->name.empty()) refuse(op, "needs a name");
  const std::string visibility = take_text(op, "sym_visibility");
  out->is_public = visibility == "public";
  out->is_private = visibility == "private";
  out->is_nested = visibility == "nested";
  // Copied: the operation's attributes move into the function below.
  const std::vector<Type> arguments = signature->type.elements.at(0).elements;
  out->result_types = signature->type.elements.at(1).elements;
  // A declaration has no block in bytecode.
  if (op.regions[0]->blocks.empty()) {
    op.regions[0]->blocks.push_back(declared(op, arguments));
  } else if (op.block().operations.empty()) {
    refuse(op, fmt::format("the body of function '@{}' is empty", out->name));
  }
  check_arguments(op, arguments);
  out->argument_attributes = take_lists(op, "arg_attrs", arguments.size());
  out->result_attributes = take_lists(op, "res_attrs", out->result_types.size());
  op.erase("function_type");
  out->attributes = std::move(op.attributes);
  out->body = std::move(*op.regions[0]);
  return out;
}

Mesh mesh_of(Operation& op) {
  const Attribute* written = op.find("mesh");
  // sdy_mesh_of() gives nothing for an attribute that is no mesh.
  std::optional<Mesh> out = written == nullptr ? std::nullopt : sdy_mesh_of(*written);
  if (!out) refuse(op, "needs a mesh");
  out->location = op.location;
  out->name = take_text(op, "sym_name");
  op.erase("mesh");
  out->attributes = std::move(op.attributes);
  return std::move(*out);
}

}  // namespace

// The module's items are functions and meshes only: IrReader::place_check() has refused others.
std::unique_ptr<Module> module_of(Operation& op) {
  auto out = std::make_unique<Module>();
  out->name = take_text(op, "sym_name");
  // A module's visibility means nothing here.
  op.erase("sym_visibility");
  out->attributes = std::move(op.attributes);
  if (op.regions.size() != 1) refuse(op, "needs one region");
  for (const auto& item : op.block().operations) {
    if (item->name == "sdy.mesh") {
      Mesh mesh = mesh_of(*item);
      if (out->find_mesh(mesh.name) != nullptr) {
        refuse(*item, fmt::format("mesh '@{}' is defined twice", mesh.name));
      }
      out->meshes.push_back(std::move(mesh));
      continue;
    }
    auto function = function_of(*item);
    if (!out->add(function)) {
      refuse(*item, fmt::format("function '@{}' is defined twice", function->name));
    }
  }
  return out;
}

bool is_bytecode(std::string_view bytes) { return bytes.substr(0, kMagic.size()) == kMagic; }

// The order matters: tables need the container, operations the tables. Inline meshes are found
// while attributes are decoded, so they are added last.
std::unique_ptr<Module> read(const Source& source) {
  const Container container(source.path(), source.text());
  Budget budget(source.text().size());
  Places places(source.path());
  Tables tables(container, budget, places);
  IrReader reader(container, tables, budget, places);
  const std::unique_ptr<Operation> op = reader.module();
  std::unique_ptr<Module> out = module_of(*op);
  for (auto& [name, mesh] : tables.inline_meshes()) out->meshes.push_back(std::move(mesh));
  out->sources = places.take();
  return out;
}

}  // namespace understudy::program::bytecode
