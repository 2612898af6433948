// SPDX-License-Identifier: Apache-2.0
#include "collectives/algorithms/recipes.h"

#include <array>

#include "fmt/format.h"

#include "collectives/algorithms/schedules.h"
#include "configs/base/error.h"

namespace understudy::collectives {
namespace {

// n members, S bytes of the whole operand (of one block in all_gather), k segments, d the extent of
// an axis, f flows, a axes: steps, messages and bytes of one member.
// A recipe of another algorithm stands in where an algorithm has none of its own for a kind.
constexpr auto kRecipes = std::to_array<Recipe>({
    {"ring", Kind::all_reduce, all_reduce_ring, "2(n-1)", "2(n-1)", "2S(n-1)/n"},
    {"ring", Kind::all_gather, all_gather_ring, "n-1", "n-1", "S(n-1)"},
    {"ring", Kind::reduce_scatter, reduce_scatter_ring, "n-1", "n-1", "S(n-1)/n"},
    {"ring", Kind::all_to_all, all_to_all_pairwise, "n-1", "n-1", "S(n-1)/n"},
    {"ring", Kind::broadcast, broadcast_chain, "n-2+k", "k", "S"},
    {"ring-bidirectional", Kind::all_reduce, all_reduce_both_ways, "2(n-1)", "4(n-1)", "2S(n-1)/n"},
    {"ring-bidirectional", Kind::all_gather, all_gather_both_ways, "n-1", "2(n-1)", "S(n-1)"},
    {"ring-bidirectional", Kind::reduce_scatter, reduce_scatter_both_ways, "n-1", "2(n-1)",
     "S(n-1)/n"},
    {"ring-bidirectional", Kind::all_to_all, all_to_all_both_ways, "floor(n/2)", "n-1", "S(n-1)/n"},
    {"ring-bidirectional", Kind::broadcast, broadcast_both_ways, "n-2+k/2", "k", "S"},
    {"torus", Kind::all_reduce, all_reduce_torus, "2sum(d-1)", "2f sum(d-1)", "2S(n-1)/n"},
    {"torus", Kind::all_gather, all_gather_torus, "sum(d-1)", "f sum(d-1)", "S(n-1)"},
    {"torus", Kind::reduce_scatter, reduce_scatter_torus, "sum(d-1)", "f sum(d-1)", "S(n-1)/n"},
    {"torus", Kind::all_to_all, all_to_all_torus, "sum(floor(d/2))", "f sum(d-1)",
     "S sum((d-1)/d)"},
    {"torus", Kind::broadcast, broadcast_torus, "sum(d-1)-1+k/f", "at most a k", "at most a S"},
    {"halving", Kind::all_reduce, all_reduce_halving, "2log2(n)", "2log2(n)", "2S(n-1)/n"},
    {"halving", Kind::all_gather, all_gather_halving, "log2(n)", "log2(n)", "S(n-1)"},
    {"halving", Kind::reduce_scatter, reduce_scatter_halving, "log2(n)", "log2(n)", "S(n-1)/n"},
    {"halving", Kind::all_to_all, all_to_all_pairwise, "n-1", "n-1", "S(n-1)/n"},
    {"halving", Kind::broadcast, broadcast_tree, "log2(n)-1+k", "at most k log2(n)",
     "at most S log2(n)"},
    {"doubling", Kind::all_reduce, all_reduce_doubling, "log2(n)", "log2(n)", "S log2(n)"},
    {"doubling", Kind::all_gather, all_gather_bruck, "ceil(log2(n))", "ceil(log2(n))", "S(n-1)"},
    {"doubling", Kind::reduce_scatter, reduce_scatter_halving, "log2(n)", "log2(n)", "S(n-1)/n"},
    {"doubling", Kind::all_to_all, all_to_all_bruck, "ceil(log2(n))", "ceil(log2(n))",
     "S log2(n)/2"},
    {"doubling", Kind::broadcast, broadcast_tree, "log2(n)-1+k", "at most k log2(n)",
     "at most S log2(n)"},
});

}  // namespace

std::span<const Recipe> recipes() { return kRecipes; }

const Recipe& recipe_of(std::string_view algorithm, Kind kind) {
  // The table is short: a search costs nothing next to a call.
  for (const Recipe& recipe : kRecipes) {
    if (recipe.algorithm == algorithm && recipe.kind == kind) return recipe;
  }
  throw Error(ErrorKind::usage,
              fmt::format("no schedule for {} with algorithm {}", name_of(kind), algorithm));
}

}  // namespace understudy::collectives
