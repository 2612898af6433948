// SPDX-License-Identifier: Apache-2.0
// A buffer of elements cut into one chunk per member, as even as possible: the first
// `elements mod members` chunks hold one element more. Values.
#pragma once

#include <algorithm>
#include <cstddef>

namespace understudy::collectives {

struct Chunks {
  std::size_t elements = 0;
  std::size_t members = 1;

  constexpr std::size_t begin(std::size_t chunk) const {
    return chunk * (elements / members) + std::min(chunk, elements % members);
  }
  constexpr std::size_t size(std::size_t chunk) const {
    return elements / members + (chunk < elements % members ? 1 : 0);
  }
  constexpr std::size_t largest() const { return size(0); }
};

}  // namespace understudy::collectives
