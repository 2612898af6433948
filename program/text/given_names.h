// SPDX-License-Identifier: Apache-2.0
// The names in a list of attributes while it is being read, to find duplicates. Short lists, which
// nearly all are, are searched; long ones are hashed. Thread-compatible.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "program/ir/ir.h"

namespace understudy::program {

class GivenNames {
 public:
  // `entries` outlives this and only grows.
  explicit GivenNames(const std::vector<NamedAttribute>& entries) : entries_(entries) {}

  bool has(std::string_view name) {
    constexpr std::size_t kShort = 16;
    if (entries_.size() <= kShort)
      return std::any_of(entries_.begin(), entries_.end(),
                         [&](const NamedAttribute& entry) { return entry.first == name; });
    for (; hashed_ < entries_.size(); ++hashed_) names_.insert(entries_[hashed_].first);
    return names_.contains(std::string(name));
  }

 private:
  const std::vector<NamedAttribute>& entries_;
  std::size_t hashed_ = 0;  // so many entries are in `names_`
  std::unordered_set<std::string> names_;
};

}  // namespace understudy::program
