// SPDX-License-Identifier: Apache-2.0
// A list of PJRT_NamedValue that owns what its entries point to. Thread-compatible; once filled it
// may be read from any thread.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "pjrt/abi/types.h"

namespace understudy::pjrt {

class NamedValues {
 public:
  NamedValues() = default;
  NamedValues(const NamedValues&) = delete;
  NamedValues& operator=(const NamedValues&) = delete;

  void add(std::string name, std::string value);
  void add(std::string name, std::int64_t value);
  void add(std::string name, std::vector<std::int64_t> value);
  void add(std::string name, float value);
  void add_flag(std::string name, bool value);

  const abi::NamedValue* data() const { return values_.data(); }
  std::size_t size() const { return values_.size(); }

 private:
  abi::NamedValue& entry(std::string name, abi::ValueType type);
  std::deque<std::string> texts_;  // a deque does not move its elements
  std::deque<std::vector<std::int64_t>> lists_;
  std::vector<abi::NamedValue> values_;
};

}  // namespace understudy::pjrt
