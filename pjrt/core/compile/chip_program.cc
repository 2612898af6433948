// SPDX-License-Identifier: Apache-2.0
#include "pjrt/core/compile/chip_program.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <memory>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "pjrt/core/compile/op_sharding.h"
#include "program/ir/dense.h"
#include "program/ir/source.h"
#include "program/read.h"

namespace understudy::pjrt {
namespace {

using Attributes = std::vector<program::NamedAttribute>;
using Replacements = std::unordered_map<const program::Value*, program::Value*>;

constexpr std::string_view kDialect = "sdy.";

std::string types_text(const std::vector<CompiledParameter>& parameters) {
  std::vector<std::string> texts;
  for (const CompiledParameter& one : parameters) texts.push_back(text_of(one.type));
  return fmt::format("({})", fmt::join(texts, ", "));
}

// Frameworks that do not know the Shardings extension (JAX before 0.9) read the shardings of
// parameters and results from attributes of this module.
constexpr const char* kOutput = "mhlo.spmd_output_sharding";
constexpr const char* kParameters = "mhlo.spmd_parameters_shardings";

std::vector<std::string> shardings_of(const std::vector<CompiledParameter>& parameters) {
  std::vector<std::string> texts;
  for (const CompiledParameter& one : parameters) texts.push_back(op_sharding_text(one.sharding));
  return texts;
}

// One result alone, or a tuple.
std::string output_sharding(const Compiled& compiled) {
  const std::vector<std::string> all = shardings_of(compiled.results);
  return all.size() == 1 ? all.front() : fmt::format("{{{}}}", fmt::join(all, ", "));
}

// The same facts as sharding_text(), for a module that is printed by the program printer.
Attributes sharding_attributes(const Compiled& compiled) {
  const auto text = [](std::string value) {
    return program::Attribute{program::StringAttribute{std::move(value)}};
  };
  Attributes attributes;
  if (compiled.partitions == 1 || compiled.results.empty()) return attributes;
  auto parameters = std::make_shared<program::ArrayAttribute>();
  for (std::string& one : shardings_of(compiled.arguments))
    parameters->elements.push_back(text(std::move(one)));
  attributes.emplace_back(kOutput, text(output_sharding(compiled)));
  attributes.emplace_back(
      kParameters,
      program::Attribute{std::shared_ptr<const program::ArrayAttribute>(std::move(parameters))});
  return attributes;
}

std::string sharding_text(const Compiled& compiled) {
  if (compiled.partitions == 1 || compiled.results.empty()) return "";
  const std::vector<std::string> parameters = shardings_of(compiled.arguments);
  return fmt::format(", {} = \"{}\", {} = [{}{}{}]", kOutput, output_sharding(compiled),
                     kParameters, parameters.empty() ? "" : "\"", fmt::join(parameters, "\", \""),
                     parameters.empty() ? "" : "\"");
}

// jaxlib reads layouts from this module where it does not ask the extension Layouts: those of
// parameters in plugins before API 0.93, those of results in JAX 0.7. Absent, all are
// row-major.
constexpr const char* kParameterLayouts = "mhlo.xla_entry_computation_parameter_layouts";
constexpr const char* kResultLayouts = "mhlo.xla_entry_computation_result_layout";

using Orders = std::vector<std::vector<std::int64_t>>;

// Empty: all are row-major.
Orders orders_of(const std::vector<CompiledParameter>& parameters) {
  Orders orders;
  if (std::ranges::none_of(parameters, [](const auto& one) { return one.layout != nullptr; }))
    return orders;
  for (const CompiledParameter& one : parameters) {
    const ArrayLayout layout =
        one.layout ? *one.layout : ArrayLayout::row_major(one.type.shape.size());
    orders.emplace_back(layout.minor_to_major().begin(), layout.minor_to_major().end());
  }
  return orders;
}

void add_layouts(const char* name, const Orders& orders, Attributes& attributes) {
  if (orders.empty()) return;
  auto all = std::make_shared<program::ArrayAttribute>();
  for (const std::vector<std::int64_t>& order : orders) {
    program::Attribute one = program::dense_of(
        {program::ElementType::i64, {static_cast<std::int64_t>(order.size())}}, order);
    std::get<program::DenseAttribute>(one.data).is_index = true;
    all->elements.push_back(std::move(one));
  }
  attributes.emplace_back(
      name, program::Attribute{std::shared_ptr<const program::ArrayAttribute>(std::move(all))});
}

Attributes layout_attributes(const Compiled& compiled) {
  Attributes attributes;
  add_layouts(kParameterLayouts, orders_of(compiled.arguments), attributes);
  add_layouts(kResultLayouts, orders_of(compiled.results), attributes);
  return attributes;
}

std::string layout_text(const char* name, const Orders& orders) {
  if (orders.empty()) return "";
  std::vector<std::string> texts;
  for (const std::vector<std::int64_t>& order : orders)
    texts.push_back(order.empty() ? "dense<> : tensor<0xindex>"
                                  : fmt::format("dense<[{}]> : tensor<{}xindex>",
                                                fmt::join(order, ", "), order.size()));
  return fmt::format(", {} = [{}]", name, fmt::join(texts, ", "));
}

std::string layout_text(const Compiled& compiled) {
  return layout_text(kParameterLayouts, orders_of(compiled.arguments)) +
         layout_text(kResultLayouts, orders_of(compiled.results));
}

// StableHLO text: @main with the types of one chip.
// What `compiled.as_text()` shows where no text of the chip's program exists; it is never executed.
std::string opaque_program(const Compiled& compiled) {
  std::vector<std::string> arguments, names, results;
  for (std::size_t i = 0; i < compiled.arguments.size(); ++i) {
    names.push_back(fmt::format("%arg{}", i));
    arguments.push_back(fmt::format("%arg{}: {}", i, text_of(compiled.arguments[i].type)));
  }
  const std::size_t count = compiled.results.size();
  for (std::size_t i = 0; i < count; ++i)
    results.push_back(count == 1 ? "%0" : fmt::format("%0#{}", i));
  const std::string given = types_text(compiled.results);
  const std::string all = given.substr(1, given.size() - 2);
  return fmt::format(
      "module @program attributes {{mhlo.num_partitions = {} : i32, mhlo.num_replicas = {} : "
      "i32{}{}}} "
      "{{\n  func.func public @main({}) -> {} {{\n    {}stablehlo.custom_call "
      "@understudy_program({}) {{has_side_effect = true}} : {} -> {}\n    return{}{}{}{}\n  "
      "}}\n}}\n",
      compiled.partitions, compiled.replicas, sharding_text(compiled), layout_text(compiled),
      fmt::join(arguments, ", "), given,
      count == 0   ? std::string()
      : count == 1 ? std::string("%0 = ")
                   : fmt::format("%0:{} = ", count),
      fmt::join(names, ", "), types_text(compiled.arguments), count == 1 ? all : given,
      count == 0 ? "" : " ", fmt::join(results, ", "), count == 0 ? "" : " : ", all);
}

// Attributes that describe the whole array, of which a chip has a shard.
bool describes_whole(std::string_view name) {
  return name.starts_with(kDialect) || name.starts_with("understudy.") || name == "mhlo.sharding" ||
         name == "mhlo.frontend_attributes" || name == "mhlo.spmd_parameters_shardings" ||
         name == "mhlo.spmd_output_sharding";
}

void strip(Attributes& attributes) {
  std::erase_if(attributes, [](const auto& one) { return describes_whole(one.first); });
}

// Constraints do nothing on one chip: their users get the operand.
void strip(program::Block& block, Replacements& replaced) {
  for (const auto& op : block.operations) {
    for (program::Value*& operand : op->operands)
      if (const auto found = replaced.find(operand); found != replaced.end())
        operand = found->second;
    strip(op->attributes);
    if (op->name == "sdy.sharding_constraint")
      replaced[op->results.front().get()] = op->operands.front();
    for (const auto& region : op->regions)
      for (const auto& inner : region->blocks) strip(*inner, replaced);
  }
  std::erase_if(block.operations,
                [](const auto& op) { return op->name == "sdy.sharding_constraint"; });
}

// False: operations of Shardy are left, such as manual computations over one device.
bool strip(program::Module& module) {
  strip(module.attributes);
  module.meshes.clear();
  for (const auto& function : module.functions) {
    Replacements replaced;
    for (const auto& block : function->body.blocks) strip(*block, replaced);
    for (Attributes& one : function->argument_attributes) strip(one);
    for (Attributes& one : function->result_attributes) strip(one);
  }
  return std::ranges::none_of(program::operations_in_order(module),
                              [](const auto* op) { return op->name.starts_with(kDialect); });
}

}  // namespace

// The cheapest source first: the text as given, then the same without shardings, then the call.
std::string chip_program_of(const Compiled& compiled) {
  const bool own = compiled.partitioned.empty();
  const std::string& code = own ? compiled.code : compiled.partitioned;
  if (own && compiled.processes() > 1) return opaque_program(compiled);
  Attributes layouts = layout_attributes(compiled);
  // The name of a dialect stands in text and in artifacts that use it.
  if (own && layouts.empty() && code.find("sdy") == std::string::npos) return code;
  const auto module = program::read_verified(std::make_shared<program::Source>("<program>", code));
  if (!strip(*module)) return opaque_program(compiled);
  for (program::NamedAttribute& one : sharding_attributes(compiled))
    module->attributes.push_back(std::move(one));
  for (program::NamedAttribute& one : layouts) module->attributes.push_back(std::move(one));
  return program::print(*module);
}

}  // namespace understudy::pjrt
