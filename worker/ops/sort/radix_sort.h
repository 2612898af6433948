// SPDX-License-Identifier: Apache-2.0
// Stable sorts of unsigned codes: few by comparison, many digit by digit from the least significant
// one (LSD radix sort, Knuth vol. 3, 5.2.5). Digits that are equal everywhere are skipped. Pure
// functions.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace understudy::worker::ops {

// A code with the position that it came from. Codes of 32 bits and less share a word with it.
struct WideEntry {
  std::uint64_t code = 0;
  std::uint32_t position = 0;
  bool operator<(const WideEntry& other) const {
    return code != other.code ? code < other.code : position < other.position;
  }
};
using Entry = std::uint64_t;

template <class T>
struct EntryOf;
template <>
struct EntryOf<std::uint64_t> {
  using type = WideEntry;
};
template <class T>
struct EntryOf {
  using type = Entry;
};

inline Entry entry_of(std::uint32_t code, std::uint32_t position) {
  return Entry{code} << 32 | position;
}
inline WideEntry entry_of(std::uint64_t code, std::uint32_t position) { return {code, position}; }
inline std::uint32_t position_of(Entry entry) { return static_cast<std::uint32_t>(entry); }
inline std::uint32_t position_of(const WideEntry& entry) { return entry.position; }
inline std::uint64_t code_of(Entry entry) { return entry >> 32; }
inline std::uint64_t code_of(const WideEntry& entry) { return entry.code; }

// Below this a sort by comparison is quicker than counting digits.
inline constexpr std::size_t kFew = 64;

// Sorts `items` by the `bytes` low bytes of digits(item); `scratch` is as long. Elements are equal
// to the sort where digits() is, and keep their order then, unless `items` is short: then by `<`.
template <class T, class Digits>
void radix_sort(std::span<T> items, std::vector<T>& scratch, std::size_t bytes,
                const Digits& digits) {
  if (items.size() <= kFew) return std::sort(items.begin(), items.end());
  scratch.resize(items.size());
  using Counts = std::array<std::uint32_t, 256>;
  std::array<Counts, 8> counts = {};
  for (const T& item : items) {
    const std::uint64_t code = digits(item);
    for (std::size_t d = 0; d < bytes; ++d) ++counts[d][code >> 8 * d & 0xFF];
  }
  T* from = items.data();
  T* to = scratch.data();
  for (std::size_t d = 0; d < bytes; ++d) {
    Counts& next = counts[d];
    if (next[digits(from[0]) >> 8 * d & 0xFF] == items.size()) continue;
    std::uint32_t sum = 0;
    for (std::uint32_t& count : next) sum += std::exchange(count, sum);
    for (std::size_t i = 0; i < items.size(); ++i)
      to[next[digits(from[i]) >> 8 * d & 0xFF]++] = from[i];
    std::swap(from, to);
  }
  if (from != items.data()) std::copy_n(from, items.size(), items.data());
}

}  // namespace understudy::worker::ops
