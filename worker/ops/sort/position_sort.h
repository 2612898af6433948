// SPDX-License-Identifier: Apache-2.0
// The order of one line by one key, as positions in the line: all of them, or the first ones. Used
// where further inputs or keys follow the order. Executor thread only.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

#include "worker/ops/sort/key_codes.h"
#include "worker/ops/sort/radix_sort.h"

namespace understudy::worker::ops {

// A line of elements along the sorted dimension: `first` and `stride` in elements.
struct Line {
  std::size_t size = 0, kept = 0;  // kept: of the outputs
  std::size_t stride = 1;
  std::size_t in = 0, out = 0;  // first elements
};

template <class U>
class PositionSort {
  using Stored = typename EntryOf<U>::type;
  using Code = std::conditional_t<sizeof(U) == 8, std::uint64_t, std::uint32_t>;

 public:
  explicit PositionSort(const SortKey& key) : codes_(key) {}

  // Sorts `order` (positions in the line) by this key; equal ones keep their order.
  void operator()(const U* x, const Line& line, std::vector<std::uint32_t>& order) {
    entries_.resize(line.size);
    codes_.with([&](const auto& code) {
      for (std::size_t i = 0; i < line.size; ++i)
        entries_[i] =
            entry_of(Code{code(x[order[i] * line.stride])}, static_cast<std::uint32_t>(i));
    });
    radix_sort(std::span(entries_), scratch_, sizeof(U),
               [](const Stored& e) { return code_of(e); });
    before_.swap(order);
    order.resize(line.size);
    for (std::size_t i = 0; i < line.size; ++i) order[i] = before_[position_of(entries_[i])];
  }

  // The positions of the first line.kept elements, in order. Candidates are collected below a bound
  // that falls as they are found, so nearly all elements cost one comparison.
  void select(const U* x, const Line& line, std::vector<std::uint32_t>& order) {
    codes_.with([&](const auto& code) {
      if (line.kept <= kFewKept) return insert(x, line, code);
      collect(x, line, code);
      std::sort(entries_.begin(), entries_.end());
    });
    order.resize(line.kept);
    for (std::size_t i = 0; i < line.kept; ++i) order[i] = position_of(entries_[i]);
  }

 private:
  static constexpr std::size_t kBlock = 64, kShortBlock = 16;
  // Up to here candidates are inserted into a sorted list one by one.
  static constexpr std::size_t kFewKept = 24;

  template <class ToCode>
  void insert(const U* x, const Line& line, const ToCode& code) {
    entries_.resize(line.kept);
    const auto put = [&](std::size_t i, std::size_t at) {
      const Stored entry = entry_of(Code{code(x[i * line.stride])}, static_cast<std::uint32_t>(i));
      for (; at > 0 && entry < entries_[at - 1]; --at) entries_[at] = entries_[at - 1];
      entries_[at] = entry;
    };
    for (std::size_t i = 0; i < line.kept; ++i) put(i, i);
    auto bound = static_cast<U>(code_of(entries_.back()));
    for (std::size_t first = line.kept; first < line.size; first += kShortBlock) {
      const std::size_t end = std::min(line.size, first + kShortBlock);
      if (!any_below(x, line.stride, first, end, bound, code)) continue;
      for (std::size_t i = first; i < end; ++i) {
        if (code(x[i * line.stride]) >= bound) continue;
        put(i, line.kept - 1);
        bound = static_cast<U>(code_of(entries_.back()));
      }
    }
  }

  template <class ToCode>
  void collect(const U* x, const Line& line, const ToCode& code) {
    const std::size_t room = 2 * line.kept + kBlock;
    entries_.clear();
    entries_.reserve(room + kBlock);
    // Later elements with the bound's code come after it in a stable order: they are left out.
    bool bounded = false;
    U bound = 0;
    for (std::size_t first = 0; first < line.size; first += kBlock) {
      const std::size_t end = std::min(line.size, first + kBlock);
      if (bounded && !any_below(x, line.stride, first, end, bound, code)) continue;
      for (std::size_t i = first; i < end; ++i) {
        const U value = code(x[i * line.stride]);
        if (!bounded || value < bound)
          entries_.push_back(entry_of(Code{value}, static_cast<std::uint32_t>(i)));
      }
      if (entries_.size() < (bounded ? room : line.kept)) continue;
      keep(line.kept);
      bound = static_cast<U>(code_of(entries_[line.kept - 1]));
      bounded = true;
    }
    keep(line.kept);
  }

  void keep(std::size_t count) {
    if (entries_.size() <= count) return;
    const auto last = entries_.begin() + static_cast<std::ptrdiff_t>(count - 1);
    std::nth_element(entries_.begin(), last, entries_.end());
    entries_.resize(count);
  }

  template <class ToCode>
  static bool any_below(const U* x, std::size_t stride, std::size_t first, std::size_t end, U bound,
                        const ToCode& code) {
    // Without an early exit, and with one kind of operation, compilers vectorise it.
    U found = 0;
    if (stride == 1) {
      for (std::size_t i = first; i < end; ++i) found |= static_cast<U>(code(x[i]) < bound ? 1 : 0);
    } else {
      for (std::size_t i = first; i < end; ++i)
        found |= static_cast<U>(code(x[i * stride]) < bound ? 1 : 0);
    }
    return found != 0;
  }

  Codes<U> codes_;
  std::vector<Stored> entries_, scratch_;
  std::vector<std::uint32_t> before_;
};

}  // namespace understudy::worker::ops
