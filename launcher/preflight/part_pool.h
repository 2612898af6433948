// SPDX-License-Identifier: Apache-2.0
// What is not yet accounted for while collectives are matched (match_collectives.h). Thread-
// compatible.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "launcher/preflight/match_collectives.h"

namespace understudy::launcher {

class PartPool {
 public:
  using Wanted = std::function<bool(const CollectivePart& of_compiler)>;

  PartPool(std::vector<CollectivePart> ours, std::vector<CollectivePart> compiler);

  // Pairs of both sides with the same kind, groups, type, elements, and place in or out of a loop.
  void remove_equal();
  // Removes those of our parts for which `rule` is true.
  void each_of_ours(const std::function<bool(const CollectivePart& ours)>& rule);
  // Removes and returns a part of the compiler.
  std::optional<CollectivePart> take(const Wanted& wanted);
  // One for each, or none at all.
  bool take_all(const std::vector<Wanted>& wanted);
  void explain(const std::vector<std::string>& kinds, const std::string& reason);
  const std::vector<CollectivePart>& of_compiler() const { return left_.compiler; }

  MatchedCollectives result() && { return std::move(left_); }

 private:
  MatchedCollectives left_;
};

// The same groups with the same members, in whatever order.
bool same_members(program::hlo::Rows a, program::hlo::Rows b);
std::string with_article(std::string_view kind);  // "an all-to-all"

}  // namespace understudy::launcher
