// SPDX-License-Identifier: Apache-2.0
#include "configs/base/words.h"

#include <algorithm>

namespace understudy {

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> words;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(separator, begin), text.size());
    words.emplace_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return words;
}

std::vector<std::string> nonempty_words(std::string_view text, char separator) {
  std::vector<std::string> words = split(text, separator);
  std::erase_if(words, [](const std::string& word) { return word.empty(); });
  return words;
}

}  // namespace understudy
