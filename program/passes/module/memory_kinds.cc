// SPDX-License-Identifier: Apache-2.0
#include "program/passes/module/memory_kinds.h"

#include <fmt/format.h>
#include <string_view>

#include "configs/base/error.h"
#include "program/ir/source.h"

namespace understudy::program::passes {
namespace {

using Lists = std::vector<std::vector<NamedAttribute>>;

const Attribute* attribute_at(const Lists& lists, std::size_t index, std::string_view name) {
  if (index >= lists.size()) return nullptr;
  for (const auto& [key, value] : lists[index])
    if (key == name) return &value;
  return nullptr;
}

// No kind means the default memory, the device's.
bool is_host(const Lists& lists, std::size_t index, const Location& where) {
  const Attribute* const kind = attribute_at(lists, index, "mhlo.memory_kind");
  const auto* const text = kind == nullptr ? nullptr : kind->get<StringAttribute>();
  if (text == nullptr || text->value == "device") return false;
  if (text->value == "pinned_host" || text->value == "unpinned_host") return true;
  throw error_at(where, ErrorKind::unsupported,
                 fmt::format("unknown memory kind \"{}\"; known: device, pinned_host, "
                             "unpinned_host",
                             text->value));
}

}  // namespace

MemoryKinds memory_kinds_of(const Function& main) {
  MemoryKinds kinds;
  // The number of each result among the tensors.
  // Executables number tensors only; attributes count tokens, too.
  std::vector<std::uint32_t> number;
  std::uint32_t tensors = 0;
  const auto& returned = main.block().terminator()->operands;
  for (std::size_t i = 0; i < returned.size(); ++i) {
    number.push_back(tensors);
    if (!returned[i]->type.is_tensor()) continue;
    if (is_host(main.result_attributes, i, main.block().terminator()->location))
      kinds.host_results.push_back(tensors);
    ++tensors;
  }
  std::uint32_t argument = 0;
  for (std::size_t i = 0; i < main.block().arguments.size(); ++i) {
    const Value& value = *main.block().arguments[i];
    if (!value.type.is_tensor()) continue;
    if (is_host(main.argument_attributes, i, value.location))
      kinds.host_arguments.push_back(argument);
    // jax.jit's donation of an argument to one result.
    const Attribute* const alias = attribute_at(main.argument_attributes, i, "tf.aliasing_output");
    if (const auto* to = alias == nullptr ? nullptr : alias->get<IntegerAttribute>()) {
      if (to->value < 0 || to->value >= static_cast<std::int64_t>(number.size()))
        throw error_at(
            value.location, ErrorKind::input,
            fmt::format("tf.aliasing_output = {}: there are {} results", to->value, number.size()));
      kinds.donors.push_back({argument, number[static_cast<std::size_t>(to->value)]});
    } else if (attribute_at(main.argument_attributes, i, "jax.buffer_donor") != nullptr) {
      kinds.donors.push_back({argument, std::nullopt});
    }
    ++argument;
  }
  return kinds;
}

}  // namespace understudy::program::passes
