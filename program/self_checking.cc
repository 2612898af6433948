// SPDX-License-Identifier: Apache-2.0
#include "program/self_checking.h"

#include <algorithm>
#include <functional>
#include <memory>
#include <set>

#include "program/passes/module/attributes.h"
#include "program/passes/module/grid.h"
#include "program/read.h"

namespace understudy::program {
namespace {

constexpr std::string_view kCheck = "check.";

bool is_check(const Operation& op) {
  return op.name.starts_with(kCheck) ||
         (op.name == "stablehlo.custom_call" &&
          passes::string_of(op, "call_target_name", "").starts_with(kCheck));
}

void visit(const Region& region, const std::function<void(const Operation&)>& see) {
  for (const auto& block : region.blocks)
    for (const auto& op : block->operations) {
      see(*op);
      for (const auto& nested : op->regions) visit(*nested, see);
    }
}

// Collects the names of functions that an attribute refers to, at any depth.
void add_symbols(const Attribute& attribute, std::set<std::string>& names) {
  if (const auto* symbol = attribute.get<SymbolAttribute>()) names.insert(symbol->name);
  if (const ArrayAttribute* array = attribute.array())
    for (const Attribute& element : array->elements) add_symbols(element, names);
}

std::vector<std::string> entries_of(const Module& module) {
  std::set<std::string> named;
  std::set<std::string> checking;
  for (const auto& function : module.functions)
    visit(function->body, [&](const Operation& op) {
      for (const auto& [key, value] : op.attributes) add_symbols(value, named);
      if (is_check(op)) checking.insert(function->name);
    });
  std::vector<std::string> entries;
  for (const auto& function : module.functions) {
    const bool runs = !function->body.blocks.empty() && function->block().arguments.empty();
    // An entry is a function without arguments that nobody refers to, and that contains a
    // check; @main also counts if only its callees do.
    const bool is_main = function->name == "main" && !checking.empty();
    if (runs && !named.contains(function->name) && (is_main || checking.contains(function->name)))
      entries.push_back(function->name);
  }
  return entries;
}

}  // namespace

std::vector<std::string> split_modules(std::string_view text) {
  // mlir-opt's -split-input-file separates modules by this line.
  constexpr std::string_view kSplit = "// -----";
  std::vector<std::string> modules;
  std::size_t lines = 0;
  std::size_t begin = 0;
  const auto add = [&](std::size_t end) {
    const std::string_view part = text.substr(begin, end - begin);
    if (part.find_first_not_of(" \t\r\n") == std::string_view::npos) return;
    // Empty lines in front keep line numbers of errors those of the file.
    modules.push_back(std::string(lines, '\n').append(part));
  };
  for (std::size_t line = 0; line < text.size();) {
    // A last line without a newline ends at the end of the text.
    const std::size_t end = std::min(text.find('\n', line), text.size() - 1) + 1;
    if (text.substr(line, kSplit.size()) == kSplit) {
      add(line);
      lines += static_cast<std::size_t>(std::ranges::count(text.substr(begin, end - begin), '\n'));
      begin = end;
    }
    line = end;
  }
  add(text.size());
  return modules;
}

// One program per entry function of each part. Parts keep the line numbers of the whole file, as
// split_modules() pads them with empty lines.
std::vector<SelfCheckingProgram> self_checking_programs(const Source& source) {
  std::vector<SelfCheckingProgram> programs;
  for (std::string& text : split_modules(source.text())) {
    const std::unique_ptr<Module> module =
        parse(std::make_shared<const Source>(source.path(), text));
    // Verified once per part; its entries share the module.
    verify(*module);
    for (std::string& entry : entries_of(*module)) {
      CompileOptions options;
      options.entry = entry;
      const Interface interface = interface_of(*module, options);
      programs.push_back({text, std::move(entry), interface.replicas, interface.partitions});
    }
  }
  if (programs.empty())
    throw Error(ErrorKind::unsupported, SourcePlace{source.path(), 0, 0, "", 0},
                "no function without arguments contains a check");
  return programs;
}

}  // namespace understudy::program
