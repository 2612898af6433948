// SPDX-License-Identifier: Apache-2.0
#include "pjrt/core/compile/executable.h"

#include <utility>

#include "pjrt/core/compile/chip_program.h"
#include "pjrt/core/element_types.h"

namespace understudy::pjrt {
Executable::Executable(CompiledRef compiled) : compiled_(std::move(compiled)) {
  for (const CompiledParameter& argument : compiled_->arguments) {
    argument_memories_.add(name_of(argument.memory));
    argument_shardings_.add(argument.sharding);
    argument_layouts_.push_back(layout_of(argument));
  }
  for (const CompiledParameter& result : compiled_->results) {
    result_memories_.add(name_of(result.memory));
    result_shardings_.add(result.sharding);
    result_layouts_.push_back(layout_of(result));
    result_types_.push_back(buffer_type_of(result.type.element));
    result_dims_.insert(result_dims_.end(), result.type.shape.begin(), result.type.shape.end());
    result_ndims_.push_back(result.type.shape.size());
  }
  // The names of XLA's cost analysis, which `compiled.cost_analysis()` of JAX passes on.
  cost_.add("flops", static_cast<float>(compiled_->cost.flops));
  cost_.add("bytes accessed", static_cast<float>(compiled_->cost.bytes_accessed));
  cost_.add("transcendentals", static_cast<float>(compiled_->cost.transcendentals));
}

const ArrayLayout* Executable::layout_of(const CompiledParameter& parameter) {
  if (parameter.layout != nullptr) return parameter.layout.get();
  const std::size_t ndims = parameter.type.shape.size();
  return &row_major_.try_emplace(ndims, ArrayLayout::row_major(ndims)).first->second;
}

// Made on demand: few callers ask, and reading and printing a large program takes long.
const std::string& Executable::chip_program() const {
  std::call_once(asked_, [&] { chip_program_ = chip_program_of(*compiled_); });
  return chip_program_;
}

}  // namespace understudy::pjrt
