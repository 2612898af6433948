// SPDX-License-Identifier: Apache-2.0
#include "program/op_table.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <unordered_map>
#include <vector>

namespace understudy::program {
namespace {

constexpr std::uint32_t kAny = std::numeric_limits<std::uint32_t>::max();
constexpr Arity Count(std::uint32_t count) { return {count, count}; }
constexpr Arity AtLeast(std::uint32_t least) { return {least, kAny}; }

constexpr OpRow kRows[] = {
#define UNDERSTUDY_OP(name, operands, results, regions, runs, rule, format) \
  {name, operands, results, regions, runs, Rule::rule, format},
#include "program/ops.def"
};

std::size_t edits_between(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t corner = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t changed = corner + (a[i - 1] == b[j - 1] ? 0 : 1);
      corner = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, changed});
    }
  }
  return row[b.size()];
}

}  // namespace

std::span<const OpRow> op_table() { return kRows; }

const OpRow* find_op(std::string_view name) {
  static const auto kByName = [] {
    std::unordered_map<std::string_view, const OpRow*> map;
    for (const OpRow& row : kRows) map.emplace(row.name, &row);
    return map;
  }();
  const auto found = kByName.find(name);
  return found == kByName.end() ? nullptr : found->second;
}

std::string_view similar_op(std::string_view name) {
  constexpr std::size_t kMostEdits = 3;
  constexpr std::size_t kLongestName = 64;
  if (name.size() > kLongestName) return {};
  std::string_view best;
  std::size_t fewest = kMostEdits + 1;
  for (const OpRow& row : kRows) {
    const std::size_t edits = edits_between(name, row.name);
    if (edits < fewest) {
      fewest = edits;
      best = row.name;
    }
  }
  return best;
}

}  // namespace understudy::program
