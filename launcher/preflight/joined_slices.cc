// SPDX-License-Identifier: Apache-2.0
#include "launcher/preflight/joined_slices.h"

#include <algorithm>
#include <optional>

namespace understudy::launcher {
namespace {

using program::hlo::Ints;
using program::hlo::Rows;

constexpr const char* kWhy =
    "over slices: reduced and gathered inside each slice; communication between slices does "
    "not appear as a collective of the scheduled module";

// Process ids of joined slices count on: slice s has the ids from s * chips.
bool beyond_slice(const Rows& groups, std::int64_t chips) {
  return std::ranges::any_of(groups, [&](const Ints& group) {
    return std::ranges::any_of(
        group, [&](const std::int64_t one) { return one / chips != group.front() / chips; });
  });
}

// What the groups are inside the first slice.
Rows restricted(const Rows& groups, std::int64_t chips) {
  Rows out;
  for (Ints group : groups) {
    std::erase_if(group, [&](const std::int64_t one) { return one >= chips; });
    if (!group.empty()) out.push_back(std::move(group));
  }
  return out;
}

bool reduces(const CollectivePart& one) {
  return one.kind == "all-reduce" || one.kind == "reduce-scatter";
}

std::int64_t largest(const Rows& groups) {
  std::size_t most = 0;
  for (const Ints& group : groups) most = std::max(most, group.size());
  return static_cast<std::int64_t>(most);
}

// An all-gather brings the parts of a reduction together again.
// Optional: after a reduce-scatter the program itself may want only the part.
void take_gather(PartPool& pool, const CollectivePart& reduced, const Rows& inside) {
  const std::int64_t group = largest(inside);
  if (pool.take([&](const CollectivePart& other) {
        return other.kind == "all-gather" && other.element == reduced.element &&
               other.elements * group == reduced.elements && same_members(other.groups, inside);
      }))
    pool.explain({"all-gather"}, kWhy);
}

bool take_reduction(PartPool& pool, const CollectivePart& one, std::int64_t elements,
                    const Rows& inside) {
  const auto found = pool.take([&](const CollectivePart& other) {
    return reduces(other) && other.element == one.element && other.in_loop == one.in_loop &&
           other.elements == elements && same_members(other.groups, inside);
  });
  if (!found) return false;
  pool.explain({one.kind, found->kind}, kWhy);
  take_gather(pool, *found, inside);
  return true;
}

bool over(const CollectivePart& one, std::int64_t chips) {
  return reduces(one) && beyond_slice(one.groups, chips);
}

// The parts of the other slices arrive first, so each chip gathers as many more elements.
bool take_larger_gather(PartPool& pool, const CollectivePart& one, const Rows& inside) {
  // The number of slices that the group spans is the quotient of the two group sizes.
  const std::int64_t elements = one.elements * (one.group() / largest(inside));
  if (!pool.take([&](const CollectivePart& other) {
        return other.kind == one.kind && other.element == one.element &&
               other.in_loop == one.in_loop && other.elements == elements &&
               same_members(other.groups, inside);
      }))
    return false;
  pool.explain({one.kind}, kWhy);
  return true;
}

bool crosses(const Ints& pair, std::int64_t chips) {
  return pair.front() / chips != pair.back() / chips;
}

// Accounts for one whose groups go beyond a slice.
bool take_part(PartPool& pool, const CollectivePart& one, std::int64_t chips) {
  const bool permutes = one.kind == "collective-permute";
  const Rows inside = restricted(one.groups, chips);
  // One member in each slice, or only pairs of two slices: only the exchange is left.
  const bool only_exchange =
      permutes
          ? std::ranges::all_of(one.groups, [&](const Ints& pair) { return crosses(pair, chips); })
          : largest(inside) <= 1;
  if (only_exchange) {
    pool.explain({one.kind}, kWhy);
    return true;
  }
  if (reduces(one)) return take_reduction(pool, one, one.elements, inside);
  return one.kind == "all-gather" && take_larger_gather(pool, one, inside);
}

// Small all-reduces are joined into one array, padded to whole rows of 128 or tiles of 1024.
void take_joined(PartPool& pool, std::int64_t chips) {
  std::vector<CollectivePart> left;
  pool.each_of_ours([&](const CollectivePart& one) {
    if (over(one, chips)) left.push_back(one);
    return false;
  });
  for (const CollectivePart& first : left) {
    const auto joined = [&](const CollectivePart& one) {
      return over(one, chips) && one.groups == first.groups && one.element == first.element &&
             one.in_loop == first.in_loop;
    };
    std::int64_t sum = 0;
    for (const CollectivePart& one : left) sum += joined(one) ? one.elements : 0;
    const Rows inside = restricted(first.groups, chips);
    // 128 lanes, and 8 sublanes of 128 lanes: the tile of a TPU's vector register.
    for (const std::int64_t tile : {std::int64_t{1}, std::int64_t{128}, std::int64_t{1024}}) {
      if (!take_reduction(pool, first, (sum + tile - 1) / tile * tile, inside)) continue;
      pool.each_of_ours(joined);
      break;
    }
  }
}

}  // namespace

std::vector<CollectivePart> in_first_slice(std::vector<CollectivePart> parts,
                                           std::int64_t chips_per_slice) {
  if (chips_per_slice <= 0) return parts;
  for (CollectivePart& one : parts)
    if (!beyond_slice(one.groups, chips_per_slice))
      one.groups = restricted(one.groups, chips_per_slice);
  return parts;
}

// Single collectives first: what they leave is what the compiler may have joined.
void over_slices(PartPool& pool, std::int64_t chips) {
  pool.each_of_ours([&](const CollectivePart& one) {
    return beyond_slice(one.groups, chips) && take_part(pool, one, chips);
  });
  take_joined(pool, chips);
}

}  // namespace understudy::launcher
