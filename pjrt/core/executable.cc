// SPDX-License-Identifier: Apache-2.0
#include "pjrt/core/executable.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <utility>

#include "pjrt/core/element_types.h"

namespace understudy::pjrt {
namespace {

std::string types_text(const std::vector<CompiledParameter>& parameters) {
  std::vector<std::string> texts;
  for (const CompiledParameter& one : parameters) texts.push_back(text_of(one.type));
  return fmt::format("({})", fmt::join(texts, ", "));
}

// StableHLO text: @main with the types of one chip.
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
      "module @program attributes {{mhlo.num_partitions = {} : i32, mhlo.num_replicas = {} : i32}} "
      "{{\n  func.func public @main({}) -> {} {{\n    {}stablehlo.custom_call "
      "@understudy_program({}) {{has_side_effect = true}} : {} -> {}\n    return{}{}{}{}\n  "
      "}}\n}}\n",
      compiled.partitions, compiled.replicas, fmt::join(arguments, ", "), given,
      count == 0   ? std::string()
      : count == 1 ? std::string("%0 = ")
                   : fmt::format("%0:{} = ", count),
      fmt::join(names, ", "), types_text(compiled.arguments), count == 1 ? all : given,
      count == 0 ? "" : " ", fmt::join(results, ", "), count == 0 ? "" : " : ", all);
}

}  // namespace

Executable::Executable(CompiledRef compiled) : compiled_(std::move(compiled)) {
  for (const CompiledParameter& argument : compiled_->arguments) {
    argument_memories_.add(name_of(argument.memory));
    argument_shardings_.add(argument.sharding);
  }
  for (const CompiledParameter& result : compiled_->results) {
    result_memories_.add(name_of(result.memory));
    result_shardings_.add(result.sharding);
    result_types_.push_back(buffer_type_of(result.type.element));
    result_dims_.insert(result_dims_.end(), result.type.shape.begin(), result.type.shape.end());
    result_ndims_.push_back(result.type.shape.size());
  }
  chip_program_ = compiled_->processes() == 1 ? compiled_->code : opaque_program(*compiled_);
  cost_.add("flops", static_cast<float>(compiled_->cost.flops));
  cost_.add("bytes accessed", static_cast<float>(compiled_->cost.bytes_accessed));
  cost_.add("transcendentals", static_cast<float>(compiled_->cost.transcendentals));
}

}  // namespace understudy::pjrt
