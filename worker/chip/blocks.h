// SPDX-License-Identifier: Apache-2.0
// Dense arrays cut along one dimension into equal blocks, each block dense: what collectives with a
// dimension send and receive. Pure functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "program/ir/types.h"

namespace understudy::worker {

// The layout of an array of `type` that is cut into `count` blocks along `dimension`: block b is,
// for each of `outer` rows, the `row_bytes` bytes at (row * count + b) * row_bytes.
struct Cut {
  Cut(const program::TensorType& type, std::int64_t dimension, std::size_t count);
  std::size_t outer = 1, count = 1, row_bytes = 0;
  std::size_t block_bytes() const { return outer * row_bytes; }
  // The array already is its blocks one after the other.
  bool is_trivial() const { return outer <= 1 || count <= 1; }
};

// array -> block 0, block 1, ... in `blocks`; and back. Both have the same size.
void cut_into_blocks(const Cut& cut, std::span<const std::byte> array, std::span<std::byte> blocks);
void join_blocks(const Cut& cut, std::span<const std::byte> blocks, std::span<std::byte> array);

}  // namespace understudy::worker
