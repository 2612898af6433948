// SPDX-License-Identifier: Apache-2.0
#include "launcher/metrics/contributors.h"

#include <algorithm>
#include <cstdint>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <set>

namespace understudy::launcher {
namespace {

using program::analysis::ArgumentGroup;
using program::analysis::Axis;

// Chips that are listed one by one where their coordinates are no box.
constexpr std::size_t kMostListed = 8;

std::string text_of(const Axis& axis, const std::set<std::int64_t>& at) {
  const bool in_a_row = *at.rbegin() - *at.begin() + 1 == static_cast<std::int64_t>(at.size());
  if (at.size() > 2 && in_a_row)
    return fmt::format("{}={} to {}", axis.name, *at.begin(), *at.rbegin());
  return fmt::format("{}={}", axis.name, fmt::join(at, ","));
}

// Whether moving along this axis alone leads to another shard.
// Axes along which the argument is replicated would only repeat the same shards in the text.
// Quadratic in the chips, which is small beside one run of the program.
bool is_along(const ArgumentGroup& group, const std::vector<Axis>& axes, std::size_t axis) {
  const std::size_t chips = group.shard_of.size();
  for (std::size_t a = 0; a < chips; ++a)
    for (std::size_t b = a + 1; b < chips; ++b) {
      bool beside = group.shard_of[a] != group.shard_of[b];
      for (std::size_t i = 0; beside && i < axes.size(); ++i)
        beside = (axes[i].coordinate[a] == axes[i].coordinate[b]) == (i != axis);
      if (beside) return true;
    }
  return false;
}

}  // namespace

std::string coordinates_of(const ArgumentGroup& group, const std::vector<bool>& shards,
                           const std::vector<Axis>& axes) {
  std::vector<std::size_t> chips;
  for (std::size_t p = 0; p < group.shard_of.size(); ++p)
    if (shards[static_cast<std::size_t>(group.shard_of[p])]) chips.push_back(p);
  std::vector<std::string> words;
  std::size_t box = 1;
  for (std::size_t i = 0; i < axes.size(); ++i) {
    std::set<std::int64_t> at;
    for (const std::size_t chip : chips) at.insert(axes[i].coordinate[chip]);
    box *= at.size();
    if (static_cast<std::int64_t>(at.size()) < axes[i].size && is_along(group, axes, i))
      words.push_back(text_of(axes[i], at));
  }
  if (box == chips.size() && !words.empty()) return fmt::format("{}", fmt::join(words, " "));
  // No box of coordinates: the chips themselves.
  std::vector<std::string> listed;
  for (const std::size_t chip : chips) {
    if (listed.size() == kMostListed) break;
    std::vector<std::string> at;
    for (const Axis& axis : axes)
      at.push_back(fmt::format("{}={}", axis.name, axis.coordinate[chip]));
    listed.push_back(fmt::format("({})", fmt::join(at, " ")));
  }
  const std::size_t more = chips.size() - listed.size();
  return fmt::format("{}{}", fmt::join(listed, ", "),
                     more > 0 ? fmt::format(" and {} more chips", more) : "");
}

}  // namespace understudy::launcher
