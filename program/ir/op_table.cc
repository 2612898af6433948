// SPDX-License-Identifier: Apache-2.0
#include "program/ir/op_table.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <unordered_map>
#include <vector>

#include "configs/base/suggest.h"

namespace understudy::program {
namespace {

// No upper bound.
constexpr std::uint32_t kAny = std::numeric_limits<std::uint32_t>::max();
// Names for a column of ops.def, which is included below as rows of this table.
constexpr Arity Count(std::uint32_t count) { return {count, count}; }
constexpr Arity AtLeast(std::uint32_t least) { return {least, kAny}; }

// One word per value; "word*" stands for any number, "word+" for at least one.
constexpr Arity arity_of(std::string_view words) {
  Arity arity;
  while (!words.empty()) {
    const std::size_t end = std::min(words.find(' '), words.size());
    const char mark = words[end - 1];
    if (mark != '*') ++arity.least;
    // The upper bound stays unlimited once a word has been.
    arity.most = mark == '*' || mark == '+' || arity.most == kAny ? kAny : arity.most + 1;
    words.remove_prefix(std::min(end + 1, words.size()));
  }
  return arity;
}

constexpr OpRow kOperations[] = {
#define UNDERSTUDY_OP(name, operands, results, regions, rule, attributes, format) \
  {name, arity_of(operands), arity_of(results), regions, operands, results, attributes, format},
#include "program/ir/ops.def"
};

}  // namespace

std::span<const OpRow> op_table() { return kOperations; }

const OpRow* find_op(std::string_view name) {
  static const auto kByName = [] {
    std::unordered_map<std::string_view, const OpRow*> map;
    for (const OpRow& row : kOperations) map.emplace(row.name, &row);
    return map;
  }();
  const auto found = kByName.find(name);
  return found == kByName.end() ? nullptr : found->second;
}

std::string_view similar_op(std::string_view name) {
  // More edits than this suggest an unrelated name; long names would make the distance costly.
  constexpr std::size_t kMostEdits = 3;
  constexpr std::size_t kLongestName = 64;
  if (name.size() > kLongestName) return {};
  std::string_view best;
  std::size_t fewest = kMostEdits + 1;
  for (const OpRow& row : kOperations) {
    const std::size_t edits = edit_distance(name, row.name);
    if (edits < fewest) {
      fewest = edits;
      best = row.name;
    }
  }
  return best;
}

}  // namespace understudy::program
