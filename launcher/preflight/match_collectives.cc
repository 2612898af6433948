// SPDX-License-Identifier: Apache-2.0
#include "launcher/preflight/match_collectives.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <iterator>
#include <utility>
#include <vector>

#include "launcher/preflight/joined_slices.h"
#include "launcher/preflight/part_pool.h"

namespace understudy::launcher {
namespace {

using program::hlo::Ints;
using program::hlo::Rows;

// The order of members within a group is ignored: a decomposition may list them in another order.
bool alike(const CollectivePart& a, const CollectivePart& b) {
  return a.element == b.element && a.in_loop == b.in_loop && same_members(a.groups, b.groups);
}

// Every pair is inside one of the groups.
bool inside(const Rows& pairs, const Rows& groups) {
  return std::ranges::all_of(pairs, [&](const Ints& pair) {
    return std::ranges::any_of(groups, [&](const Ints& group) {
      return std::ranges::all_of(pair, [&](const std::int64_t one) {
        return std::ranges::find(group, one) != group.end();
      });
    });
  });
}

bool is_permute_of(const CollectivePart& permute, const CollectivePart& whole,
                   std::int64_t elements) {
  return permute.kind == "collective-permute" && permute.element == whole.element &&
         permute.elements == elements && inside(permute.groups, whole.groups);
}

// Without anything taken from the compiler's side: it has no trace of them.
void remove_lonely(PartPool& pool) {
  const auto lonely = [](const CollectivePart& one) {
    return one.kind != "collective-permute" && !one.groups.empty() && one.group() == 1;
  };
  pool.each_of_ours([&](const CollectivePart& one) {
    if (!lonely(one)) return false;
    pool.explain({one.kind}, "groups of one chip are removed");
    return true;
  });
}

// Sizes in any order, as the compiler may transpose an array or add dimensions of size 1.
program::Shape sorted_sizes(program::Shape sizes) {
  std::erase(sizes, 1);
  std::ranges::sort(sizes);
  return sizes;
}

// The same sizes but for the scattered one, where the rows of a part are rounded up to whole tiles:
// 8 sublanes of 4 bytes, more of narrower elements, or 128 lanes.
bool is_padded(const CollectivePart& ours, const CollectivePart& padded) {
  const auto bytes = static_cast<std::int64_t>(program::byte_size(ours.element));
  const std::array<std::int64_t, 2> tiles = {std::max<std::int64_t>(8, 32 / bytes), 128};
  const program::Shape from = sorted_sizes(ours.dimensions), to = sorted_sizes(padded.dimensions);
  std::vector<std::int64_t> here, there;
  std::ranges::set_difference(from, to, std::back_inserter(here));
  std::ranges::set_difference(to, from, std::back_inserter(there));
  const std::int64_t group = ours.group();
  if (here.size() != 1 || there.size() != 1 || here[0] % group != 0) return false;
  return std::ranges::any_of(tiles, [&](const std::int64_t tile) {
    return (here[0] / group + tile - 1) / tile * tile * group == there[0];
  });
}

void scatter_by_reduction(PartPool& pool) {
  pool.each_of_ours([&](const CollectivePart& one) {
    if (one.kind != "reduce-scatter") return false;
    const auto all = [&](const CollectivePart& other) {
      return other.kind == "all-reduce" && alike(one, other) && other.elements == one.elements;
    };
    if (!pool.take(all)) return false;
    pool.explain({"reduce-scatter", "all-reduce"},
                 "a reduce-scatter is decomposed into an all-reduce, of which each chip keeps its "
                 "part");
    return true;
  });
}

// The padded parts end at other rows than the program's, so permutations move rows between chips.
void scatter_by_padded_reduction(PartPool& pool) {
  pool.each_of_ours([&](const CollectivePart& one) {
    if (one.kind != "reduce-scatter") return false;
    const auto padded = pool.take([&](const CollectivePart& other) {
      return other.keeps_part && alike(one, other) && is_padded(one, other);
    });
    if (!padded) return false;
    constexpr const char* kWhy =
        "a reduce-scatter is decomposed into an all-reduce of parts padded to whole tiles, and "
        "permutations that move the rows to their chips";
    pool.explain({"reduce-scatter", "all-reduce"}, kWhy);
    const auto row_move = [&](const CollectivePart& other) {
      return other.kind == "collective-permute" && other.element == one.element &&
             other.elements <= padded->elements / one.group() && inside(other.groups, one.groups);
    };
    // As many as are there, at most one per member: how many rows cross a border depends on the
    // padding.
    for (std::int64_t i = 0; i < one.group() && pool.take(row_move); ++i)
      pool.explain({"collective-permute"}, kWhy);
    return true;
  });
}

// Both or none: a scatter alone may belong to another collective of the program.
void reduction_by_scatter_and_gather(PartPool& pool) {
  pool.each_of_ours([&](const CollectivePart& one) {
    if (one.kind != "all-reduce" || one.elements % one.group() != 0) return false;
    const auto both = pool.take_all({[&](const CollectivePart& other) {
                                       return other.kind == "reduce-scatter" && alike(one, other) &&
                                              other.elements == one.elements;
                                     },
                                     [&](const CollectivePart& other) {
                                       return other.kind == "all-gather" && alike(one, other) &&
                                              other.elements == one.elements / one.group();
                                     }});
    if (both)
      pool.explain({"all-reduce", "reduce-scatter", "all-gather"},
                   "an all-reduce is decomposed into a reduce-scatter and an all-gather");
    return both;
  });
}

void gather_by_reduction(PartPool& pool) {
  pool.each_of_ours([&](const CollectivePart& one) {
    if (one.kind != "all-gather" || !pool.take([&](const CollectivePart& other) {
          return other.kind == "all-reduce" && alike(one, other) &&
                 other.elements == one.elements * one.group();
        }))
      return false;
    pool.explain({"all-gather", "all-reduce"},
                 "an all-gather is decomposed into an all-reduce of an operand padded with zeros");
    return true;
  });
}

// One permutation for each other member of the group. Both move what a member sends to one other.
void by_permutations(PartPool& pool) {
  pool.each_of_ours([&](const CollectivePart& one) {
    const bool exchange = one.kind == "all-to-all" || one.kind == "reduce-scatter";
    if (!exchange && one.kind != "all-gather" && one.kind != "collective-broadcast") return false;
    const std::int64_t group = one.group();
    if (group < 2 || (exchange && one.elements % group != 0)) return false;
    const std::int64_t piece = exchange ? one.elements / group : one.elements;
    const std::vector<PartPool::Wanted> wanted(
        static_cast<std::size_t>(group - 1), [&, piece](const CollectivePart& other) {
          return other.in_loop == one.in_loop && is_permute_of(other, one, piece);
        });
    if (!pool.take_all(wanted)) return false;
    pool.explain({one.kind, "collective-permute"},
                 fmt::format("{} is decomposed into permutations", with_article(one.kind)));
    return true;
  });
}

void broadcast_by_reduction(PartPool& pool) {
  pool.each_of_ours([&](const CollectivePart& one) {
    if (one.kind != "collective-broadcast" || !pool.take([&](const CollectivePart& other) {
          return other.kind == "all-reduce" && alike(one, other) && other.elements == one.elements;
        }))
      return false;
    pool.explain({"collective-broadcast", "all-reduce"},
                 "a broadcast is decomposed into an all-reduce of an operand padded with zeros");
    return true;
  });
}

// The compiler reduces narrow numbers in a wider type. Without arithmetic either may be moved.
void in_another_type(PartPool& pool) {
  pool.each_of_ours([&](const CollectivePart& one) {
    const bool reduces = one.kind == "all-reduce" || one.kind == "reduce-scatter";
    const auto other = pool.take([&](const CollectivePart& of) {
      return of.kind == one.kind && of.groups == one.groups && of.in_loop == one.in_loop &&
             of.elements == one.elements && of.element != one.element &&
             is_float(of.element) == is_float(one.element) &&
             (!reduces || program::byte_size(of.element) > program::byte_size(one.element));
    });
    if (!other) return false;
    pool.explain({one.kind}, fmt::format("in {} instead of {}", program::mlir_name(other->element),
                                         program::mlir_name(one.element)));
    return true;
  });
}

// Last: an all-reduce that could be saved was perhaps kept, and is then matched by a rule before.
void summed_before(PartPool& pool, std::vector<CollectivePart> superfluous) {
  std::int64_t saved = 0;
  pool.each_of_ours([&](const CollectivePart& one) {
    const auto at = std::ranges::find(superfluous, one);
    if (at == superfluous.end()) return false;
    superfluous.erase(at);
    ++saved;
    return true;
  });
  if (saved > 0)
    pool.explain({"all-reduce"},
                 fmt::format("{} all-reduce{} saved: their operands are summed before one "
                             "all-reduce",
                             saved, saved == 1 ? " is" : "s are"));
}

// All copies of the body are there, so the compiler runs each as often as our loop does.
void unrolled(PartPool& pool) {
  pool.each_of_ours([&](const CollectivePart& one) {
    // Bounds the list of wanted copies; no compiler unrolls loops of so many rounds.
    constexpr std::int64_t kMost = 1 << 16;
    if (!one.in_loop || !one.iterations || *one.iterations > kMost) return false;
    const std::vector<PartPool::Wanted> copies(
        static_cast<std::size_t>(*one.iterations), [&](const CollectivePart& other) {
          return other.kind == one.kind && other.groups == one.groups && !other.in_loop &&
                 other.element == one.element && other.elements == one.elements;
        });
    if (!pool.take_all(copies)) return false;
    pool.explain({one.kind},
                 fmt::format("the loop around it is unrolled {} times", *one.iterations));
    return true;
  });
}

// An all-to-all of one array may be one of an array for each member.
void in_pieces(PartPool& pool) {
  pool.each_of_ours([&](const CollectivePart& one) {
    const std::int64_t group = one.group();
    if (one.kind != "all-to-all" || group < 2 || one.elements % group != 0) return false;
    const std::vector<PartPool::Wanted> pieces(
        static_cast<std::size_t>(group), [&](const CollectivePart& other) {
          return other.kind == one.kind && other.groups == one.groups &&
                 other.in_loop == one.in_loop && other.element == one.element &&
                 other.elements == one.elements / group;
        });
    if (!pool.take_all(pieces)) return false;
    pool.explain({one.kind}, "the all-to-all has one array for each member of a group");
    return true;
  });
}

}  // namespace

// Greedy: each rule takes from the compiler's parts what accounts for one of ours, and what is
// taken is gone for later rules. So exact matches come first, and rules that need more evidence
// (sizes and groups) come before weaker ones. Cost: parts times parts for each rule.
MatchedCollectives match_collectives(const CollectiveSide& ours, const CollectiveSide& compiler,
                                     std::int64_t chips_per_slice) {
  PartPool pool(in_first_slice(ours.parts, chips_per_slice), compiler.parts);
  pool.remove_equal();
  remove_lonely(pool);
  if (chips_per_slice > 0) over_slices(pool, chips_per_slice);
  for (const auto rule : {scatter_by_reduction, scatter_by_padded_reduction,
                          reduction_by_scatter_and_gather, gather_by_reduction, by_permutations,
                          broadcast_by_reduction, in_another_type, unrolled, in_pieces})
    rule(pool);
  summed_before(pool, in_first_slice(ours.superfluous, chips_per_slice));
  return std::move(pool).result();
}

}  // namespace understudy::launcher
