// SPDX-License-Identifier: Apache-2.0
#include "configs/base/suggest.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

namespace understudy {

std::size_t edit_distance(std::string_view from, std::string_view to) {
  // Rows i-2, i-1 and i of the table of Damerau and Levenshtein (optimal string alignment).
  std::vector<std::size_t> before(to.size() + 1), last(to.size() + 1), row(to.size() + 1);
  for (std::size_t j = 0; j <= to.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= from.size(); ++i) {
    before.swap(last);
    last.swap(row);
    row[0] = i;
    for (std::size_t j = 1; j <= to.size(); ++j) {
      const std::size_t replaced = last[j - 1] + (from[i - 1] == to[j - 1] ? 0 : 1);
      row[j] = std::min({replaced, last[j] + 1, row[j - 1] + 1});
      const bool swapped = i > 1 && j > 1 && from[i - 1] == to[j - 2] && from[i - 2] == to[j - 1];
      if (swapped) row[j] = std::min(row[j], before[j - 2] + 1);
    }
  }
  return row[to.size()];
}

std::vector<std::string> nearest(std::string_view word, std::span<const std::string> candidates) {
  constexpr std::size_t kMost = 3;
  // One error per three letters, at least one: more suggestions would be noise.
  const std::size_t limit = std::max<std::size_t>(1, word.size() / 3);
  std::vector<std::pair<std::size_t, const std::string*>> near;
  for (const std::string& candidate : candidates) {
    const std::size_t distance = edit_distance(word, candidate);
    if (distance <= limit) near.emplace_back(distance, &candidate);
  }
  const auto common_start = [word](const std::string& name) {
    return std::ranges::mismatch(word, name).in1 - word.begin();
  };
  std::ranges::stable_sort(near, {}, [&](const auto& entry) {
    return std::pair(entry.first, -common_start(*entry.second));
  });
  std::vector<std::string> names;
  for (const auto& entry : near) {
    if (names.size() < kMost) names.push_back(*entry.second);
  }
  return names;
}

std::string did_you_mean(std::string_view word, std::span<const std::string> candidates) {
  std::vector<std::string> names = nearest(word, candidates);
  if (names.empty()) return "";
  for (std::string& name : names) name = fmt::format("\"{}\"", name);
  return fmt::format("; did you mean {}?", join_words(names, "or"));
}

std::string join_words(std::span<const std::string> words, std::string_view last) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i != 0) text += i + 1 == words.size() ? fmt::format(" {} ", last) : ", ";
    text += words[i];
  }
  return text;
}

}  // namespace understudy
