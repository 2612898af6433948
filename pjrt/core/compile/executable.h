// SPDX-License-Identifier: Apache-2.0
// PJRT_Executable: what frameworks ask about a compiled program, in the forms of the C API.
// Immutable after it is made, but for what is made on demand.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "pjrt/core/compile/compiled.h"
#include "pjrt/core/named_values.h"

namespace understudy::pjrt {

// A list of texts as two arrays.
struct TextList {
  std::vector<const char*> texts;
  std::vector<std::size_t> sizes;
  void add(const std::string& text) {  // which outlives this
    texts.push_back(text.data());
    sizes.push_back(text.size());
  }
};

class Executable {
 public:
  // Copies what the C API needs as arrays, so that each question is a plain read.
  explicit Executable(CompiledRef compiled);

  const Compiled& compiled() const { return *compiled_; }
  const CompiledRef& shared() const { return compiled_; }
  const TextList& result_memories() const { return result_memories_; }
  const TextList& argument_memories() const { return argument_memories_; }
  const TextList& result_shardings() const { return result_shardings_; }
  const TextList& argument_shardings() const { return argument_shardings_; }
  // By parameter, tokens included; owned by this.
  const std::vector<const ArrayLayout*>& result_layouts() const { return result_layouts_; }
  const std::vector<const ArrayLayout*>& argument_layouts() const { return argument_layouts_; }
  const std::vector<abi::BufferType>& result_types() const { return result_types_; }
  const std::vector<std::int64_t>& result_dims() const { return result_dims_; }
  const std::vector<std::size_t>& result_ndims() const { return result_ndims_; }
  const NamedValues& cost() const { return cost_; }
  // chip_program_of(), made when it is asked for the first time. Thread-safe.
  const std::string& chip_program() const;

 private:
  const ArrayLayout* layout_of(const CompiledParameter& parameter);

  CompiledRef compiled_;
  TextList result_memories_, argument_memories_, result_shardings_, argument_shardings_;
  std::vector<const ArrayLayout*> result_layouts_, argument_layouts_;
  std::map<std::size_t, ArrayLayout> row_major_;  // by number of dimensions
  std::vector<abi::BufferType> result_types_;
  std::vector<std::int64_t> result_dims_;  // of all results, one after the other
  std::vector<std::size_t> result_ndims_;
  NamedValues cost_;
  mutable std::once_flag asked_;
  mutable std::string chip_program_;
};

}  // namespace understudy::pjrt
