// SPDX-License-Identifier: Apache-2.0
// Index vectors as offsets of elements, block by block. For inner loops of single_elements.cc.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "worker/ops/indexing/single_elements.h"

namespace understudy::worker::ops {

// The numbers of one index vector as an element offset. kLength: of a vector.
template <class Index, std::size_t kLength>
struct Addresses {
  using Unsigned = std::make_unsigned_t<Index>;
  explicit Addresses(const ElementIndices& indices)
      : at(reinterpret_cast<const Index*>(indices.at)) {
    for (std::size_t d = 0; d < kLength; ++d) {
      // No number of the type reaches a larger size.
      const auto most = static_cast<std::uint64_t>(std::numeric_limits<Index>::max());
      const auto size = static_cast<std::uint64_t>(indices.sizes[d]);
      last[d] = static_cast<Index>(std::min(size - 1, most));
      strides[d] = static_cast<std::size_t>(indices.strides[d]);
    }
  }

  std::size_t clamped(std::size_t i) const {
    std::size_t sum = 0;
    for (std::size_t d = 0; d < kLength; ++d)
      sum +=
          static_cast<std::size_t>(std::clamp<Index>(at[i * kLength + d], 0, last[d])) * strides[d];
    return sum;
  }
  // Whether all numbers are inside: a negative one is large without its sign.
  bool inside(std::size_t i, std::size_t& offset) const {
    std::size_t sum = 0;
    bool is_inside = true;
    for (std::size_t d = 0; d < kLength; ++d) {
      const auto value = static_cast<Unsigned>(at[i * kLength + d]);
      is_inside &= value <= static_cast<Unsigned>(last[d]);
      sum += static_cast<std::size_t>(value) * strides[d];
    }
    offset = sum;
    return is_inside;
  }

  const Index* at;
  Index last[kLength];
  std::size_t strides[kLength];
};

// The offsets of a block are found before its elements are moved: on AMD Zen 1, a loop that read
// indices and elements at once took three times as long for some addresses of the arrays.
constexpr std::size_t kOffsets = 512;
constexpr std::uint32_t kOutside = UINT32_MAX;

template <class Index, std::size_t kLength>
[[gnu::always_inline]] inline void offsets_of(const Addresses<Index, kLength>& addresses,
                                              std::size_t first, std::size_t count, bool clamps,
                                              std::uint32_t* offsets) {
  if (clamps) {
    for (std::size_t i = 0; i < count; ++i)
      offsets[i] = static_cast<std::uint32_t>(addresses.clamped(first + i));
  } else {
    for (std::size_t i = 0; i < count; ++i) {
      std::size_t offset;
      const bool is_inside = addresses.inside(first + i, offset);
      offsets[i] = is_inside ? static_cast<std::uint32_t>(offset) : kOutside;
    }
  }
}
// Of numbers of 32 bits without a stride, by vectors.
void plain_offsets_of(const std::int32_t* at, std::int32_t last, std::size_t count, bool clamps,
                      std::uint32_t* offsets);
void plain_offsets_of(const std::uint32_t* at, std::uint32_t last, std::size_t count, bool clamps,
                      std::uint32_t* offsets);

// Calls `use` with the offsets of block after block. *Requires*: every offset is below kOutside.
template <class Index, std::size_t kLength, class Use>
void in_blocks(const Addresses<Index, kLength>& addresses, std::size_t count, bool clamps,
               const Use& use) {
  std::uint32_t offsets[kOffsets];
  for (std::size_t first = 0; first < count; first += kOffsets) {
    const std::size_t n = std::min(kOffsets, count - first);
    if constexpr (kLength == 1 && sizeof(Index) == 4) {
      if (addresses.strides[0] == 1) {
        plain_offsets_of(addresses.at + first, addresses.last[0], n, clamps, offsets);
        use(first, n, offsets);
        continue;
      }
    }
    offsets_of(addresses, first, n, clamps, offsets);
    use(first, n, offsets);
  }
}
template <class Index, std::size_t kLength>
bool has_small_offsets(const Addresses<Index, kLength>& addresses) {
  std::uint64_t last = 0;
  for (std::size_t d = 0; d < kLength; ++d) {
    const auto most = static_cast<std::uint64_t>(addresses.last[d]), stride = addresses.strides[d];
    if (most >= kOutside || stride >= kOutside) return false;
    last += most * stride;
  }
  return last < kOutside;
}

}  // namespace understudy::worker::ops
