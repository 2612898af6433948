// SPDX-License-Identifier: Apache-2.0
// The words of a list in one text, such as the value of an option. Pure functions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace understudy {

// Keeps empty words: "a,,b" has three, and "" has one. Callers that count words need them all.
std::vector<std::string> split(std::string_view text, char separator);
// Without empty words.
std::vector<std::string> nonempty_words(std::string_view text, char separator);

}  // namespace understudy
