// SPDX-License-Identifier: Apache-2.0
#include "pjrt/core/named_values.h"

#include <utility>

namespace understudy::pjrt {

abi::NamedValue& NamedValues::entry(std::string name, abi::ValueType type) {
  const std::string& kept = texts_.emplace_back(std::move(name));
  abi::NamedValue& value = values_.emplace_back();
  value.struct_size = sizeof value;
  value.extension_start = nullptr;
  value.name = kept.data();
  value.name_size = kept.size();
  value.type = type;
  // Of scalars; strings and lists replace it.
  value.value_size = 1;
  return value;
}

void NamedValues::add(std::string name, std::string text) {
  abi::NamedValue& value = entry(std::move(name), abi::kString);
  const std::string& kept = texts_.emplace_back(std::move(text));
  value.string_value = kept.data();
  value.value_size = kept.size();
}

void NamedValues::add(std::string name, std::int64_t number) {
  entry(std::move(name), abi::kInt64).int64_value = number;
}

void NamedValues::add(std::string name, std::vector<std::int64_t> list) {
  abi::NamedValue& value = entry(std::move(name), abi::kInt64List);
  const auto& kept = lists_.emplace_back(std::move(list));
  value.int64_array_value = kept.data();
  value.value_size = kept.size();
}

void NamedValues::add(std::string name, float number) {
  entry(std::move(name), abi::kFloat).float_value = number;
}

void NamedValues::add_flag(std::string name, bool flag) {
  entry(std::move(name), abi::kBool).bool_value = flag;
}

}  // namespace understudy::pjrt
