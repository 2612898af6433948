// SPDX-License-Identifier: Apache-2.0
// All single values of a struct with fields (json/fields.h), by JSON pointer. Internal to configs.
// Pure functions.
#pragma once

#include <map>
#include <string>

#include "configs/json/fields.h"

namespace understudy::configs {

class LeafCollector {
 public:
  template <class T>
  void operator()(std::string_view name, const T& value) {
    const std::size_t length = at_.size();
    at_ += "/" + std::string(name);
    add(value);
    at_.resize(length);
  }
  std::map<std::string, std::string>& leaves() { return leaves_; }

 private:
  // A plain value, or a list of plain values, is one leaf.
  template <class T>
  void add(const T& value) {
    if constexpr (requires(LeafCollector & own) { fields(own, value); }) {
      fields(*this, value);
    } else {
      JsonWriter out(JsonWriter::Layout::compact);
      write_value(out, value);
      leaves_[at_] = out.take();
    }
  }
  template <class T>
  void add(const std::optional<T>& value) {
    if (value) {
      add(*value);
    } else {
      leaves_[at_] = "null";
    }
  }
  template <class T>
  void add(const std::map<std::string, T>& values) {
    for (const auto& [name, value] : values) (*this)(name, value);
  }
  template <class T>
  requires(!kIsPlain<T>) void add(const std::vector<T>& values) {
    for (std::size_t i = 0; i < values.size(); ++i) (*this)(std::to_string(i), values[i]);
  }

  std::string at_;
  std::map<std::string, std::string> leaves_;
};

template <class T>
std::map<std::string, std::string> leaves_of(const T& value) {
  LeafCollector collector;
  fields(collector, value);
  return std::move(collector.leaves());
}

}  // namespace understudy::configs
