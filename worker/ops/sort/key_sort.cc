// SPDX-License-Identifier: Apache-2.0
#include "worker/ops/sort/key_sort.h"

#include <algorithm>
#include <cstring>
#include <numeric>

#include "worker/ops/element_units.h"
#include "worker/ops/operands.h"
#include "worker/ops/sort/key_codes.h"
#include "worker/ops/sort/position_sort.h"
#include "worker/ops/sort/radix_sort.h"

namespace understudy::worker::ops {
namespace {

// Selection gains where it keeps less than this part of a line, or at most this many elements of a
// short one.
constexpr std::size_t kSelectBelow = 4, kFewSelected = 8, kShortLine = 32;
bool selects(const Line& line) {
  return line.kept < line.size / kSelectBelow ||
         (line.kept <= kFewSelected && line.size <= kShortLine && line.kept < line.size);
}

template <class U>
const U* elements_at(const Operand& operand, const Execution& execution, const Line& line) {
  return reinterpret_cast<const U*>(execution.address(operand.at)) + line.in;
}

// Whether some element has no place among the others.
template <class U>
bool has_nan(const U* x, const Line& line, const Codes<U>& codes) {
  bool found = false;
  for (std::size_t i = 0; i < line.size; ++i) found |= codes.is_nan(x[i * line.stride]);
  return found;
}

// ---- one key and no other input: codes alone are sorted -----------------------------------------

// Elements that share a code (zeros, NaNs) keep their own bits and their order: writes them anew in
// the order of the input.
template <class U>
void restore_merged(const Codes<U>& codes, const U* x, const Line& line, std::span<const U> sorted,
                    U* out) {
  const auto rewrite = [&](U one, const auto& is) {
    const U code = codes.of_merged(one);
    auto at = static_cast<std::size_t>(std::ranges::lower_bound(sorted, code) - sorted.begin());
    for (std::size_t i = 0; i < line.size && at < line.kept; ++i)
      if (is(x[i * line.stride])) out[at++ * line.stride] = x[i * line.stride];
  };
  if (codes.zero_mask == 0) rewrite(0, [&](U value) { return codes.is_zero(value); });
  if (codes.nan != 0) rewrite(codes.nan, [&](U value) { return codes.is_nan(value); });
}

template <class U>
class ValueSort {
 public:
  explicit ValueSort(const SortKey& key) : codes_(key) {}

  void operator()(const U* x, U* out, const Line& line) {
    sorted_.resize(line.size);
    // Whether any element differs from the one that its code stands for.
    bool merged = false;
    codes_.with([&](const auto& code) {
      for (std::size_t i = 0; i < line.size; ++i) sorted_[i] = code(x[i * line.stride]);
      if (codes_.merges)
        for (std::size_t i = 0; i < line.size; ++i)
          merged |= codes_.element(sorted_[i]) != x[i * line.stride];
    });
    radix_sort(std::span(sorted_), scratch_, sizeof(U),
               [](U value) { return std::uint64_t{value}; });
    for (std::size_t i = 0; i < line.kept; ++i) out[i * line.stride] = codes_.element(sorted_[i]);
    if (merged) restore_merged(codes_, x, line, std::span<const U>(sorted_), out);
  }

 private:
  Codes<U> codes_;
  std::vector<U> sorted_, scratch_;
};

// ---- lines
// ---------------------------------------------------------------------------------------

class KeySort {
 public:
  KeySort(const program::Sort& work, const Instruction& instruction, Execution& execution,
          std::span<const SortKey> keys)
      : instruction_(instruction), execution_(execution), keys_(keys) {
    const auto d = static_cast<std::size_t>(work.dimension);
    const Shape& in = instruction.inputs[0].type.shape;
    line_.size = static_cast<std::size_t>(in[d]);
    line_.kept = static_cast<std::size_t>(instruction.outputs[0].type.shape[d]);
    for (std::size_t i = d + 1; i < in.size(); ++i) line_.stride *= static_cast<std::size_t>(in[i]);
    for (std::size_t i = 0; i < d; ++i) outer_ *= static_cast<std::size_t>(in[i]);
    for (std::size_t i = 0; i < instruction.inputs.size(); ++i)
      moved_.push_back({execution.address(instruction.inputs[i].at),
                        execution.writable(instruction.outputs[i].at),
                        element_bytes(instruction.inputs[i])});
  }

  bool run() {
    if (line_.size >> 32 != 0) return false;
    return with_unsigned(program::byte_size(keys_[0].element), [&](auto unit) {
      using U = decltype(unit);
      for (const SortKey& key : keys_)
        if (key.no_nans && meets_nan(key)) return false;
      if (keys_.size() == 1 && instruction_.inputs.size() == 1) {
        sort_values<U>();
      } else {
        sort_positions<U>();
      }
      return true;
    });
  }

 private:
  template <class Use>
  void for_each_line(const Use& use) {
    Line line = line_;
    for (std::size_t o = 0; o < outer_; ++o)
      for (std::size_t i = 0; i < line.stride; ++i) {
        line.in = o * line.size * line.stride + i;
        line.out = o * line.kept * line.stride + i;
        use(line);
      }
  }

  bool meets_nan(const SortKey& key) {
    const Operand& input = instruction_.inputs[key.input];
    Line all;
    all.size = static_cast<std::size_t>(input.type.elements());
    return with_unsigned(program::byte_size(key.element), [&](auto unit) {
      using U = decltype(unit);
      return has_nan(elements_at<U>(input, execution_, all), all, Codes<U>(key));
    });
  }

  template <class U>
  void sort_values() {
    ValueSort<U> sort(keys_[0]);
    PositionSort<U> some(keys_[0]);
    auto* const to = reinterpret_cast<U*>(execution_.writable(instruction_.outputs[0].at));
    std::vector<std::uint32_t> order;
    for_each_line([&](const Line& line) {
      const U* const x = elements_at<U>(instruction_.inputs[0], execution_, line);
      if (!selects(line)) return sort(x, to + line.out, line);
      some.select(x, line, order);
      permute(line, order);
    });
  }

  // The first key's type decides U; further keys have sorters of their own.
  template <class U>
  void sort_positions() {
    PositionSort<U> first(keys_[0]);
    const bool is_selection = keys_.size() == 1 && selects(line_);
    std::vector<std::uint32_t> order;
    for_each_line([&](const Line& line) {
      const U* const x = elements_at<U>(instruction_.inputs[keys_[0].input], execution_, line);
      if (is_selection) {
        first.select(x, line, order);
      } else {
        order.resize(line.size);
        std::iota(order.begin(), order.end(), 0U);
        // Stable sorts from the least significant key on.
        for (std::size_t k = keys_.size(); k-- > 1;) sort_by(keys_[k], line, order);
        first(x, line, order);
      }
      permute(line, order);
    });
  }

  void sort_by(const SortKey& key, const Line& line, std::vector<std::uint32_t>& order) {
    with_unsigned(program::byte_size(key.element), [&](auto unit) {
      using U = decltype(unit);
      PositionSort<U> sort(key);
      sort(elements_at<U>(instruction_.inputs[key.input], execution_, line), line, order);
    });
  }

  void permute(const Line& line, const std::vector<std::uint32_t>& order) {
    for (const auto& [from, to, bytes] : moved_) {
      if (bytes > 8) {  // c128
        for (std::size_t k = 0; k < line.kept; ++k)
          std::memcpy(to + (line.out + k * line.stride) * bytes,
                      from + (line.in + order[k] * line.stride) * bytes, bytes);
        continue;
      }
      with_unsigned(bytes, [&, from = from, to = to](auto unit) {
        using U = decltype(unit);
        const U* const x = reinterpret_cast<const U*>(from) + line.in;
        U* const y = reinterpret_cast<U*>(to) + line.out;
        for (std::size_t k = 0; k < line.kept; ++k) y[k * line.stride] = x[order[k] * line.stride];
      });
    }
  }

  const Instruction& instruction_;
  Execution& execution_;
  std::span<const SortKey> keys_;
  Line line_;
  std::size_t outer_ = 1;
  struct Moved {
    const std::byte* from;
    std::byte* to;
    std::size_t bytes;
  };
  std::vector<Moved> moved_;  // the operands
};

}  // namespace

bool sort_by_keys(const program::Sort& work, const Instruction& instruction, Execution& execution,
                  std::span<const SortKey> keys) {
  return KeySort(work, instruction, execution, keys).run();
}

}  // namespace understudy::worker::ops
