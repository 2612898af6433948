// SPDX-License-Identifier: Apache-2.0
// Prints modules in MLIR's generic form, canonically: no locations, values numbered per function.
// The text is the basis of digests, so it may not depend on the form of the input.
#include <fmt/format.h>
#include <unordered_map>

#include "program/read.h"
#include "program/text/print_attribute.h"

namespace understudy::program {
namespace {

class Printer {
 public:
  std::string module(const Module& module);

 private:
  void function(const Function& function);
  void mesh(const Mesh& mesh);
  void operation(const Operation& op, int depth);
  void region(const Region& region, int depth);
  void signature(const Operation& op);
  void name_arguments(const Block& block);
  void attributes(const std::vector<NamedAttribute>& entries, std::string_view before);
  void types(const std::vector<Type>& types, const std::vector<std::vector<NamedAttribute>>& extra);
  void indent(int depth) { out_.append(static_cast<std::size_t>(2 * depth), ' '); }

  std::string out_;
  std::unordered_map<const Value*, std::string> names_;
  std::size_t next_value_ = 0;
  std::size_t next_argument_ = 0;
};

void Printer::attributes(const std::vector<NamedAttribute>& entries, std::string_view before) {
  if (entries.empty()) return;
  out_ += before;
  out_ += text_of(entries);
}

void Printer::mesh(const Mesh& mesh) {
  // Inline meshes are printed where they are used.
  // Their names are made up by the reader, so they are not part of the text.
  if (mesh.name.rfind(kInlineMesh, 0) == 0) return;
  out_ += fmt::format("  sdy.mesh {} = <{}>", symbol_text(mesh.name), axes_text(mesh));
  attributes(mesh.attributes, " ");
  out_ += "\n";
}

void Printer::name_arguments(const Block& block) {
  for (const auto& argument : block.arguments) {
    names_[argument.get()] = fmt::format("%arg{}", next_argument_++);
  }
}

// A single result type needs no parentheses, unless it is a function type.
void Printer::signature(const Operation& op) {
  out_ += " : (";
  for (std::size_t i = 0; i < op.operands.size(); ++i) {
    out_ += (i == 0 ? "" : ", ") + text_of(op.operands[i]->type);
  }
  out_ += ") -> ";
  const bool one = op.results.size() == 1 && op.results[0]->type.kind != Type::Kind::function;
  out_ += one ? "" : "(";
  for (std::size_t i = 0; i < op.results.size(); ++i) {
    out_ += (i == 0 ? "" : ", ") + text_of(op.results[i]->type);
  }
  out_ += one ? "" : ")";
}

// Block labels are printed only with arguments; there is one block per region.
void Printer::region(const Region& region, int depth) {
  const Block& block = *region.blocks[0];
  name_arguments(block);
  out_ += "{\n";
  if (!block.arguments.empty()) {
    indent(depth);
    out_ += "^bb0(";
    for (std::size_t i = 0; i < block.arguments.size(); ++i) {
      const Value* argument = block.arguments[i].get();
      out_ +=
          fmt::format("{}{}: {}", i == 0 ? "" : ", ", names_[argument], text_of(argument->type));
    }
    out_ += "):\n";
  }
  for (const auto& op : block.operations) operation(*op, depth + 1);
  indent(depth);
  out_ += "}";
}

// Results are numbered before regions are printed, in order of definition: equal modules get equal
// names.
void Printer::operation(const Operation& op, int depth) {
  indent(depth);
  if (!op.results.empty()) {
    const std::string name = fmt::format("%{}", next_value_++);
    const bool one = op.results.size() == 1;
    out_ += one ? name + " = " : fmt::format("{}:{} = ", name, op.results.size());
    for (std::size_t i = 0; i < op.results.size(); ++i) {
      names_[op.results[i].get()] = one ? name : fmt::format("{}#{}", name, i);
    }
  }
  out_ += quoted_text(op.name) + "(";
  for (std::size_t i = 0; i < op.operands.size(); ++i) {
    out_ += (i == 0 ? "" : ", ") + names_[op.operands[i]];
  }
  out_ += ")";
  if (!op.regions.empty()) {
    out_ += " (";
    for (std::size_t i = 0; i < op.regions.size(); ++i) {
      out_ += i == 0 ? "" : ", ";
      region(*op.regions[i], depth);
    }
    out_ += ")";
  }
  attributes(op.attributes, " ");
  signature(op);
  out_ += "\n";
}

void Printer::types(const std::vector<Type>& types,
                    const std::vector<std::vector<NamedAttribute>>& extra) {
  for (std::size_t i = 0; i < types.size(); ++i) {
    out_ += (i == 0 ? "" : ", ") + text_of(types[i]);
    if (i < extra.size()) attributes(extra[i], " ");
  }
}

// Value and argument numbers restart in each function, so a change in one does not alter the text
// of others.
void Printer::function(const Function& function) {
  next_value_ = 0;
  next_argument_ = 0;
  const Block& block = function.block();
  name_arguments(block);
  out_ += fmt::format("  func.func {}{}(",
                      function.is_public    ? "public "
                      : function.is_private ? "private "
                      : function.is_nested  ? "nested "
                                            : "",
                      symbol_text(function.name));
  for (std::size_t i = 0; i < block.arguments.size(); ++i) {
    const Value* argument = block.arguments[i].get();
    out_ += i == 0 ? "" : ", ";
    // A declaration has no values, so its arguments have no names.
    if (!block.operations.empty()) out_ += names_[argument] + ": ";
    out_ += text_of(argument->type);
    if (i < function.argument_attributes.size()) {
      attributes(function.argument_attributes[i], " ");
    }
  }
  out_ += ") -> (";
  types(function.result_types, function.result_attributes);
  out_ += ")";
  attributes(function.attributes, " attributes ");
  // No body: a declaration.
  if (block.operations.empty()) {
    out_ += "\n";
    return;
  }
  out_ += " {\n";
  for (const auto& op : block.operations) operation(*op, 2);
  out_ += "  }\n";
}

std::string Printer::module(const Module& module) {
  out_ = "module";
  if (!module.name.empty()) out_ += " " + symbol_text(module.name);
  attributes(module.attributes, " attributes ");
  out_ += " {\n";
  for (const Mesh& each : module.meshes) mesh(each);
  for (const auto& each : module.functions) function(*each);
  for (const auto& each : module.declarations) function(*each);
  return out_ + "}\n";
}

}  // namespace

std::string print(const Module& module) { return Printer().module(module); }

}  // namespace understudy::program
