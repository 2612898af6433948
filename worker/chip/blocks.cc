// SPDX-License-Identifier: Apache-2.0
#include "worker/chip/blocks.h"

#include <cstring>

#include "configs/base/error.h"

namespace understudy::worker {

Cut::Cut(const program::TensorType& type, std::int64_t dimension, std::size_t pieces)
    : count(pieces) {
  const auto at = static_cast<std::size_t>(dimension);
  UNDERSTUDY_ASSERT(at < type.shape.size() && pieces > 0);
  // Dimensions before the cut give the rows, the cut dimension's share and all later ones are one
  // contiguous run: each (row, block) is a single memcpy.
  for (std::size_t d = 0; d < at; ++d) outer *= static_cast<std::size_t>(type.shape[d]);
  row_bytes = program::byte_size(type.element) * static_cast<std::size_t>(type.shape[at]) / pieces;
  for (std::size_t d = at + 1; d < type.shape.size(); ++d) {
    row_bytes *= static_cast<std::size_t>(type.shape[d]);
  }
}

void cut_into_blocks(const Cut& cut, std::span<const std::byte> array,
                     std::span<std::byte> blocks) {
  UNDERSTUDY_ASSERT(array.size() == cut.count * cut.block_bytes() && blocks.size() == array.size());
  for (std::size_t row = 0; row < cut.outer && cut.row_bytes > 0; ++row) {
    for (std::size_t block = 0; block < cut.count; ++block) {
      std::memcpy(blocks.data() + block * cut.block_bytes() + row * cut.row_bytes,
                  array.data() + (row * cut.count + block) * cut.row_bytes, cut.row_bytes);
    }
  }
}

void join_blocks(const Cut& cut, std::span<const std::byte> blocks, std::span<std::byte> array) {
  UNDERSTUDY_ASSERT(array.size() == cut.count * cut.block_bytes() && blocks.size() == array.size());
  for (std::size_t row = 0; row < cut.outer && cut.row_bytes > 0; ++row) {
    for (std::size_t block = 0; block < cut.count; ++block) {
      std::memcpy(array.data() + (row * cut.count + block) * cut.row_bytes,
                  blocks.data() + block * cut.block_bytes() + row * cut.row_bytes, cut.row_bytes);
    }
  }
}

}  // namespace understudy::worker
