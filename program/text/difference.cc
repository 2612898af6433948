// SPDX-License-Identifier: Apache-2.0
// first_difference(): two modules side by side.
#include <fmt/format.h>
#include <unordered_map>

#include "program/read.h"
#include "program/text/print_attribute.h"

namespace understudy::program {
namespace {

using Attributes = std::vector<NamedAttribute>;

class Comparison {
 public:
  std::string modules(const Module& a, const Module& b);

 private:
  std::string functions(const Function& a, const Function& b);
  std::string blocks(const Block& a, const Block& b);
  std::string operations(const Operation& a, const Operation& b);
  std::string attributes(const std::string& where, const Attributes& a, const Attributes& b);
  std::string differ(const std::string& where, const std::string& a, const std::string& b) {
    return a == b ? "" : fmt::format("{}: {} and {}", where, a, b);
  }

  // The value of `b` that corresponds to each value of `a` seen so far: operands are compared by
  // position of definition, not by name.
  std::unordered_map<const Value*, const Value*> partner_;
};

std::string Comparison::attributes(const std::string& where, const Attributes& a,
                                   const Attributes& b) {
  if (a == b) return "";
  const std::string text = differ(where + " attributes", text_of(a), text_of(b));
  // Equal texts for unequal attributes: the difference is in a part that text leaves out, such as
  // the identity of a blob.
  return text.empty() ? where + " attributes differ" : text;
}

// Operands are compared through partner_, so renamed values are equal.
std::string Comparison::operations(const Operation& a, const Operation& b) {
  std::string found = differ("operation", a.name, b.name);
  if (found.empty()) found = attributes(a.name, a.attributes, b.attributes);
  const auto counts = [](const Operation& op) {
    return fmt::format("{} operands, {} results, {} regions", op.operands.size(), op.results.size(),
                       op.regions.size());
  };
  if (found.empty()) found = differ(a.name, counts(a), counts(b));
  for (std::size_t i = 0; found.empty() && i < a.operands.size(); ++i) {
    // An operand without a partner (nullptr) differs too: it would come from outside of both
    // modules.
    if (partner_[a.operands[i]] != b.operands[i]) {
      found = fmt::format("{}: operand {} differs", a.name, i);
    }
  }
  for (std::size_t i = 0; found.empty() && i < a.results.size(); ++i) {
    found = differ(a.name, text_of(a.results[i]->type), text_of(b.results[i]->type));
    // Entered even where types differ: the loop ends then anyway.
    partner_[a.results[i].get()] = b.results[i].get();
  }
  for (std::size_t i = 0; found.empty() && i < a.regions.size(); ++i) {
    found = blocks(*a.regions[i]->blocks[0], *b.regions[i]->blocks[0]);
  }
  return found;
}

std::string Comparison::blocks(const Block& a, const Block& b) {
  const auto counts = [](const Block& block) {
    return fmt::format("{} arguments, {} operations", block.arguments.size(),
                       block.operations.size());
  };
  std::string found = differ("block", counts(a), counts(b));
  for (std::size_t i = 0; found.empty() && i < a.arguments.size(); ++i) {
    found = differ("argument", text_of(a.arguments[i]->type), text_of(b.arguments[i]->type));
    partner_[a.arguments[i].get()] = b.arguments[i].get();
  }
  for (std::size_t i = 0; found.empty() && i < a.operations.size(); ++i) {
    found = operations(*a.operations[i], *b.operations[i]);
  }
  return found;
}

std::string Comparison::functions(const Function& a, const Function& b) {
  const auto head = [](const Function& function) {
    // Visibility is part of the head, since it decides which functions a compiler keeps.
    std::string text = fmt::format("@{} public={} private={} nested={}", function.name,
                                   function.is_public, function.is_private, function.is_nested);
    for (const Type& type : function.result_types) text.append(" ").append(text_of(type));
    return text;
  };
  std::string found = differ("function", head(a), head(b));
  if (found.empty()) found = attributes("@" + a.name, a.attributes, b.attributes);
  const bool same_lists =
      a.argument_attributes == b.argument_attributes && a.result_attributes == b.result_attributes;
  if (found.empty() && !same_lists)
    found = fmt::format("@{}: argument or result attributes", a.name);
  return found.empty() ? blocks(a.block(), b.block()) : found;
}

// Compares level by level and stops at the first difference, which is what a user wants to see:
// later ones usually follow from it.
std::string Comparison::modules(const Module& a, const Module& b) {
  const auto meshes = [](const Module& module) {
    std::string text;
    for (const Mesh& mesh : module.meshes) {
      text += fmt::format("@{}:", mesh.name);
      for (const auto& [axis, size] : mesh.axes) text += fmt::format(" {}={}", axis, size);
      text += fmt::format(" [{}] {};", fmt::join(mesh.device_ids, ","), text_of(mesh.attributes));
    }
    return text;
  };
  std::string found = differ("module", a.name, b.name);
  if (found.empty()) found = attributes("module", a.attributes, b.attributes);
  if (found.empty()) found = differ("meshes", meshes(a), meshes(b));
  if (found.empty()) {
    found = differ("functions",
                   fmt::format("{} and {} declared", a.functions.size(), a.declarations.size()),
                   fmt::format("{} and {} declared", b.functions.size(), b.declarations.size()));
  }
  for (std::size_t i = 0; found.empty() && i < a.functions.size(); ++i) {
    found = functions(*a.functions[i], *b.functions[i]);
  }
  for (std::size_t i = 0; found.empty() && i < a.declarations.size(); ++i) {
    found = functions(*a.declarations[i], *b.declarations[i]);
  }
  return found;
}

}  // namespace

std::string first_difference(const Module& a, const Module& b) {
  return Comparison().modules(a, b);
}

}  // namespace understudy::program
