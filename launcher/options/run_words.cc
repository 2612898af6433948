// SPDX-License-Identifier: Apache-2.0
// Options of the form INDEX=VALUE.
#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <set>

#include "configs/base/error.h"
#include "launcher/options/run_options.h"

namespace understudy::launcher {
namespace {

[[noreturn]] void refuse(const char* option, const char* form, const std::string& word) {
  throw Error(ErrorKind::usage, fmt::format("{}: expected {}, got '{}'", option, form, word));
}

// The number in word[begin, end); nullopt if these characters are no non-negative number.
std::optional<std::int64_t> index_of(const std::string& word, std::size_t begin, std::size_t end) {
  std::int64_t index = 0;
  const auto [stop, code] = std::from_chars(word.data() + begin, word.data() + end, index);
  if (code != std::errc() || stop != word.data() + end || index < 0) return std::nullopt;
  return index;
}

}  // namespace

std::pair<std::int64_t, std::string> parse_arg(const std::string& word) {
  const std::size_t at = word.find('=');
  if (at == std::string::npos || at + 1 == word.size()) refuse("--arg", "I=FILE.npy", word);
  const std::optional<std::int64_t> index = index_of(word, 0, at);
  if (!index) refuse("--arg", "I=FILE.npy", word);
  return {*index, word.substr(at + 1)};
}

std::pair<std::int64_t, std::vector<std::int64_t>> parse_shape(const std::string& word) {
  const char* const form = "I=SIZES (for example 0=8x128)";
  const std::size_t equals = word.find('=');
  if (equals == std::string::npos) refuse("--shape", form, word);
  const std::optional<std::int64_t> index = index_of(word, 0, equals);
  if (!index) refuse("--shape", form, word);
  std::vector<std::int64_t> sizes;
  for (std::size_t begin = equals + 1; begin < word.size();) {
    const std::size_t end = std::min(word.find('x', begin), word.size());
    const std::optional<std::int64_t> size = index_of(word, begin, end);
    if (!size || end + 1 == word.size()) refuse("--shape", form, word);
    sizes.push_back(*size);
    begin = end + 1;
  }
  return {*index, std::move(sizes)};
}

std::pair<std::int64_t, std::int64_t> parse_carry(const std::string& word) {
  const std::size_t at = word.find(':');
  if (at == std::string::npos) refuse("--carry", "RESULT:ARGUMENT", word);
  const std::optional<std::int64_t> result = index_of(word, 0, at);
  const std::optional<std::int64_t> argument = index_of(word, at + 1, word.size());
  if (!result || !argument) refuse("--carry", "RESULT:ARGUMENT", word);
  return {*result, *argument};
}

std::pair<std::vector<std::int64_t>, std::string> parse_program(const std::string& word,
                                                                const char* option) {
  const bool of_ranks = std::string_view(option) == "--program";
  const char* const form =
      of_ranks ? "RANKS=FILE (3=b.mlir, 0,4-6=b.mlir)" : "STEPS=FILE (3=b.mlir, 0,4-6=b.mlir)";
  const std::size_t equals = word.find('=');
  if (equals == std::string::npos || equals + 1 == word.size()) refuse(option, form, word);
  std::set<std::int64_t> ranks;
  // Each part between commas is "N" or "FIRST-LAST". The loop bound makes an empty last part an
  // error.
  for (std::size_t begin = 0; begin < equals + 1;) {
    const std::size_t end = std::min(word.find(',', begin), equals);
    const std::size_t dash = std::min(word.find('-', begin), end);
    const std::optional<std::int64_t> first = index_of(word, begin, dash);
    const std::optional<std::int64_t> last = dash == end ? first : index_of(word, dash + 1, end);
    // Bounds the loop below for input such as 0-9999999999.
    constexpr std::int64_t kMostRanks = 1 << 20;
    if (!first || !last || *first > *last || *last >= kMostRanks) refuse(option, form, word);
    for (std::int64_t rank = *first; rank <= *last; ++rank) ranks.insert(rank);
    begin = end + 1;
  }
  return {{ranks.begin(), ranks.end()}, word.substr(equals + 1)};
}

}  // namespace understudy::launcher
