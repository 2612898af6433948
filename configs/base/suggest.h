// SPDX-License-Identifier: Apache-2.0
// Suggestions for misspelt names. Pure functions.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace understudy {

// The number of insertions, deletions, replacements and swaps of neighbours between two words.
std::size_t edit_distance(std::string_view from, std::string_view to);

// The candidates that `word` may be a misspelling of: at most three, nearest first, then those with
// the longer common prefix, then in the given order; empty if none is near.
std::vector<std::string> nearest(std::string_view word, std::span<const std::string> candidates);

// "; did you mean "a" or "b"?", or "" when nothing is near.
std::string did_you_mean(std::string_view word, std::span<const std::string> candidates);

// "a", "a and b", "a, b and c" with the given last word.
std::string join_words(std::span<const std::string> words, std::string_view last = "and");

}  // namespace understudy
