// SPDX-License-Identifier: Apache-2.0
#include "launcher/preflight/part_pool.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <tuple>
#include <utility>

namespace understudy::launcher {

PartPool::PartPool(std::vector<CollectivePart> ours, std::vector<CollectivePart> compiler) {
  left_.ours = std::move(ours);
  left_.compiler = std::move(compiler);
}

// By counts in a map: a program may have thousands of equal parts, and pairwise search would be
// quadratic.
void PartPool::remove_equal() {
  const auto key = [](const CollectivePart& one) {
    return std::tuple(one.kind, one.groups, one.element, one.elements, one.in_loop);
  };
  std::map<decltype(key(std::declval<CollectivePart>())), std::int64_t> there;
  for (const CollectivePart& one : left_.compiler) ++there[key(one)];
  std::map<decltype(key(std::declval<CollectivePart>())), std::int64_t> matched;
  std::erase_if(left_.ours, [&](const CollectivePart& one) {
    const auto found = there.find(key(one));
    if (found == there.end() || found->second == 0) return false;
    --found->second;
    ++matched[key(one)];
    return true;
  });
  std::erase_if(left_.compiler, [&](const CollectivePart& one) {
    const auto found = matched.find(key(one));
    return found != matched.end() && found->second-- > 0;
  });
}

void PartPool::each_of_ours(const std::function<bool(const CollectivePart&)>& rule) {
  std::erase_if(left_.ours, rule);
}

std::optional<CollectivePart> PartPool::take(const Wanted& wanted) {
  const auto found = std::ranges::find_if(left_.compiler, wanted);
  if (found == left_.compiler.end()) return std::nullopt;
  CollectivePart part = std::move(*found);
  left_.compiler.erase(found);
  return part;
}

bool PartPool::take_all(const std::vector<Wanted>& wanted) {
  std::vector<CollectivePart> before = left_.compiler;
  for (const Wanted& one : wanted)
    // All or nothing: parts that were taken for an incomplete match are put back.
    if (!take(one)) {
      left_.compiler = std::move(before);
      return false;
    }
  return true;
}

void PartPool::explain(const std::vector<std::string>& kinds, const std::string& reason) {
  for (const std::string& kind : kinds) {
    std::vector<std::string>& known = left_.reasons[kind];
    if (std::ranges::find(known, reason) == known.end()) known.push_back(reason);
  }
}

bool same_members(program::hlo::Rows a, program::hlo::Rows b) {
  for (auto* groups : {&a, &b}) {
    for (program::hlo::Ints& group : *groups) std::ranges::sort(group);
    std::ranges::sort(*groups);
  }
  return a == b;
}

std::string with_article(std::string_view kind) {
  return fmt::format("{} {}", kind.starts_with("a") ? "an" : "a", kind);
}

}  // namespace understudy::launcher
