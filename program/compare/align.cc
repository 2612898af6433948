// SPDX-License-Identifier: Apache-2.0
#include "program/compare/align.h"

#include <algorithm>
#include <optional>
#include <unordered_map>

namespace understudy::program::compare {
namespace {

using Keys = std::span<const std::uint64_t>;

// The trace of the search takes (D + 1)^2 numbers.
// 3000 edits need 36 MB of trace; beyond that, anchors are used (the idea of patience diff).
constexpr int kMostEdits = 3000;

// Round d holds the farthest positions in `a` on the diagonals -d to d.
using Rounds = std::vector<std::vector<int>>;

int& at(std::vector<int>& round, int diagonal, int d) {
  return round[static_cast<std::size_t>(diagonal + d)];
}

// The path that ends at (i, j) after d edits: back through the rounds before the last one.
Pairs walk_back(Rounds& rounds, int i, int j, int d) {
  Pairs out;
  for (int e = d; e > 0; --e) {
    std::vector<int>& before = rounds[static_cast<std::size_t>(e - 1)];
    const int diagonal = i - j;
    const auto reach = [&](int other) {
      return other < -(e - 1) || other > e - 1 ? -1 : at(before, other, e - 1);
    };
    // The same choice as in shortest_edits(): the walk must take the branch that the search took.
    const bool came_down =
        diagonal == -e || (diagonal != e && reach(diagonal - 1) < reach(diagonal + 1));
    const int from = came_down ? diagonal + 1 : diagonal - 1;
    const int from_i = reach(from), from_j = from_i - from;
    const int start_i = came_down ? from_i : from_i + 1;
    // The diagonal behind the edit: pairs of equal elements.
    while (i > start_i) out.emplace_back(--i, --j);
    i = from_i;
    j = from_j;
  }
  while (i > 0) out.emplace_back(--i, --j);
  std::reverse(out.begin(), out.end());
  return out;
}

// Myers' greedy search: x[k] is the farthest position in `a` on diagonal k = x - y after d edits.
// Each round is kept, so that the path can be walked back. nullopt beyond kMostEdits.
// E. Myers: An O(ND) Difference Algorithm and Its Variations, Algorithmica 1, 1986. Time is O((n +
// m) D) for D edits.
std::optional<Pairs> shortest_edits(Keys a, Keys b) {
  const int n = static_cast<int>(a.size()), m = static_cast<int>(b.size());
  const int most = std::min(kMostEdits, n + m);
  Rounds rounds;
  // One more on each side than diagonals that are reached: k - 1 and k + 1 need no test.
  std::vector<int> x(static_cast<std::size_t>(2 * most + 3), 0);
  const auto now = [&](int k) -> int& { return x[static_cast<std::size_t>(k + most + 1)]; };
  for (int d = 0; d <= most; ++d) {
    for (int k = -d; k <= d; k += 2) {
      const bool down = k == -d || (k != d && now(k - 1) < now(k + 1));
      // Moving down inserts an element of b, moving right deletes one of a.
      int i = down ? now(k + 1) : now(k - 1) + 1;
      int j = i - k;
      while (i < n && j < m && a[static_cast<std::size_t>(i)] == b[static_cast<std::size_t>(j)]) {
        ++i;
        ++j;
      }
      now(k) = i;
      if (i < n || j < m) continue;
      return walk_back(rounds, i, j, d);
    }
    std::vector<int> round(static_cast<std::size_t>(2 * d + 1), -1);
    for (int k = -d; k <= d; k += 2) at(round, k, d) = now(k);
    rounds.push_back(std::move(round));
  }
  return std::nullopt;
}

// Elements that occur once on each side, in the longest increasing subsequence of both orders.
Pairs unique_anchors(Keys a, Keys b) {
  struct Seen {
    std::uint32_t in_a = 0, in_b = 0, at_a = 0, at_b = 0;
  };
  std::unordered_map<std::uint64_t, Seen> seen;
  for (std::uint32_t i = 0; i < a.size(); ++i) {
    Seen& one = seen[a[i]];
    ++one.in_a;
    one.at_a = i;
  }
  for (std::uint32_t j = 0; j < b.size(); ++j) {
    const auto found = seen.find(b[j]);
    if (found == seen.end()) continue;
    ++found->second.in_b;
    found->second.at_b = j;
  }
  Pairs all;
  for (std::uint32_t i = 0; i < a.size(); ++i) {
    const Seen& one = seen[a[i]];
    if (one.in_a == 1 && one.in_b == 1) all.emplace_back(i, one.at_b);
  }
  // Longest increasing subsequence by piles: the last element of each pile, and predecessors.
  // Patience sorting, O(n log n): the tops grow from left to right.
  std::vector<std::size_t> tops, before(all.size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto pile = std::lower_bound(
        tops.begin(), tops.end(), all[i].second,
        [&](std::size_t top, std::uint32_t value) { return all[top].second < value; });
    before[i] = pile == tops.begin() ? all.size() : *(pile - 1);
    if (pile == tops.end())
      tops.push_back(i);
    else
      *pile = i;
  }
  Pairs out;
  for (std::size_t i = tops.empty() ? all.size() : tops.back(); i != all.size(); i = before[i])
    out.push_back(all[i]);
  std::reverse(out.begin(), out.end());
  return out;
}

void append(const Pairs& pairs, std::uint32_t shift_a, std::uint32_t shift_b, Pairs& out) {
  for (const auto& [i, j] : pairs) out.emplace_back(i + shift_a, j + shift_b);
}

// The parts between anchors are searched too, with what is left of the effort.
Pairs between_anchors(Keys a, Keys b, const Pairs& anchors) {
  Pairs out;
  std::uint64_t effort = std::uint64_t{kMostEdits} * kMostEdits;
  std::uint32_t from_a = 0, from_b = 0;
  const auto gap = [&](std::uint32_t to_a, std::uint32_t to_b) {
    const Keys part_a = a.subspan(from_a, to_a - from_a), part_b = b.subspan(from_b, to_b - from_b);
    // The cost of the worst case of Myers' search is quadratic in the size of the gap.
    const std::uint64_t size = part_a.size() + part_b.size();
    // A gap that is too large stays unpaired, and is shown as deleted and inserted.
    if (part_a.empty() || part_b.empty() || size * size > effort) return;
    effort -= size * size;
    if (const auto pairs = shortest_edits(part_a, part_b)) append(*pairs, from_a, from_b, out);
  };
  for (const auto& [i, j] : anchors) {
    gap(i, j);
    out.emplace_back(i, j);
    from_a = i + 1;
    from_b = j + 1;
  }
  gap(static_cast<std::uint32_t>(a.size()), static_cast<std::uint32_t>(b.size()));
  return out;
}

}  // namespace

// What is equal at both ends needs no search.
Pairs align(std::span<const std::uint64_t> a, std::span<const std::uint64_t> b) {
  Pairs out;
  std::uint32_t begin = 0;
  // Common ends are found in linear time, and typical programs differ in the middle.
  while (begin < a.size() && begin < b.size() && a[begin] == b[begin]) {
    out.emplace_back(begin, begin);
    ++begin;
  }
  std::uint32_t tail = 0;
  while (tail < a.size() - begin && tail < b.size() - begin &&
         a[a.size() - 1 - tail] == b[b.size() - 1 - tail])
    ++tail;
  const Keys middle_a = a.subspan(begin, a.size() - begin - tail);
  const Keys middle_b = b.subspan(begin, b.size() - begin - tail);
  if (!middle_a.empty() && !middle_b.empty()) {
    const auto pairs = shortest_edits(middle_a, middle_b);
    append(pairs ? *pairs : between_anchors(middle_a, middle_b, unique_anchors(middle_a, middle_b)),
           begin, begin, out);
  }
  for (std::uint32_t i = tail; i > 0; --i)
    out.emplace_back(static_cast<std::uint32_t>(a.size()) - i,
                     static_cast<std::uint32_t>(b.size()) - i);
  return out;
}

}  // namespace understudy::program::compare
