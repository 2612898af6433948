// SPDX-License-Identifier: Apache-2.0
// What a reduction must give, bit by bit: for an algorithm that is a schedule, the tree that the
// schedule spells (schedule_test proves which trees those are); for any other, the fold in group
// order.
#pragma once

#include <string>
#include <vector>

#include "collectives/algorithms/cost.h"
#include "collectives/algorithms/recipes.h"
#include "tests/collectives/symbolic_run.h"

namespace understudy::collectives {

inline bool is_schedule(std::string_view algorithm) {
  for (const Recipe& recipe : recipes()) {
    if (recipe.algorithm == algorithm) return true;
  }
  return false;
}

// One tree per item of the result of member 0 (all_reduce) or of all members one after the other
// (reduce_scatter).
inline std::vector<std::string> trees_of(std::string_view algorithm, const Task& task) {
  std::vector<std::string> trees;
  if (!is_schedule(algorithm)) {
    std::string fold = "0";
    for (std::size_t m = 1; m < task.members; ++m) fold = fmt::format("({} {})", fold, m);
    trees.assign(task.items, fold);
    return trees;
  }
  const SymbolicRun run(recipe_of(algorithm, task.kind).make, task, false);
  if (task.kind == Kind::all_reduce) return run.result(0);
  for (std::size_t m = 0; m < task.members; ++m) {
    trees.insert(trees.end(), run.result(m).begin(), run.result(m).end());
  }
  return trees;
}

// The accumulator that a tree gives for one item. Leaves come from `leaf(member)`.
template <class A, class Leaf, class Fold>
A value_of(const std::string& tree, std::size_t& at, const Leaf& leaf, const Fold& fold) {
  if (tree[at] != '(') {
    std::size_t digits = 0;
    const std::size_t member = std::stoul(tree.substr(at), &digits);
    at += digits;
    return leaf(member);
  }
  ++at;  // (
  const A left = value_of<A>(tree, at, leaf, fold);
  ++at;  // the space
  const A right = value_of<A>(tree, at, leaf, fold);
  ++at;  // )
  return fold(left, right);
}

}  // namespace understudy::collectives
