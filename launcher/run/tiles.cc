// SPDX-License-Identifier: Apache-2.0
#include "launcher/run/tiles.h"

#include <algorithm>
#include <cstring>
#include <numeric>

#include "configs/base/error.h"

namespace understudy::launcher {
namespace {

using program::Parameter;
using program::Shape;

std::int64_t product(const Shape& shape, std::size_t begin) {
  return std::accumulate(shape.begin() + static_cast<std::ptrdiff_t>(begin), shape.end(),
                         std::int64_t{1}, std::multiplies<>());
}

// The part of a tile that holds elements of the array. The last tiles of a dimension may be padded
// at their end, or hold nothing at all (program::passes::padded_local_type).
struct Extent {
  Shape first, sizes;  // in the whole array
};
Extent extent_of(const Parameter& parameter, std::int64_t tile) {
  const Shape& local = parameter.local.shape;
  Extent extent{Shape(local.size()), Shape(local.size())};
  for (std::size_t d = local.size(); d-- > 0;) {
    const std::int64_t count = parameter.sharding.tiles[d], size = parameter.global.shape[d];
    extent.first[d] = std::min(tile % count * local[d], size);
    extent.sizes[d] = std::min(local[d], size - extent.first[d]);
    tile /= count;
  }
  return extent;
}

// Calls copy(offset in the whole array, offset in the tile, bytes) for each run of bytes that is
// contiguous in both. Trailing dimensions that are not cut, plus the innermost cut one, form one
// run.
template <class Copy>
void for_each_run(const Parameter& parameter, std::int64_t tile, const Copy& copy) {
  const Shape& global = parameter.global.shape;
  const Shape& local = parameter.local.shape;
  const Extent extent = extent_of(parameter, tile);
  const auto width = static_cast<std::int64_t>(byte_size(parameter.global.element));
  std::size_t rows = global.size();  // outer dimensions to iterate over; the rest is one run
  while (rows > 0 && global[rows - 1] == local[rows - 1]) --rows;
  if (rows > 0) --rows;  // the innermost cut dimension is still contiguous
  const std::int64_t run = product(extent.sizes, rows) * width;
  if (product(extent.sizes, 0) == 0) return;

  Shape index(rows, 0);
  for (;;) {
    // Row-major offsets of the current run in the whole array and in the tile.
    std::int64_t in_whole = 0, in_tile = 0;
    for (std::size_t d = 0; d < global.size(); ++d) {
      const std::int64_t at = d < rows ? index[d] : 0;
      in_whole = in_whole * global[d] + extent.first[d] + at;
      in_tile = in_tile * local[d] + at;
    }
    copy(static_cast<std::size_t>(in_whole * width), static_cast<std::size_t>(in_tile * width),
         static_cast<std::size_t>(run));
    std::size_t d = rows;
    // Odometer: increments the innermost outer dimension and carries over.
    while (d > 0 && ++index[d - 1] == extent.sizes[d - 1]) index[--d] = 0;
    if (d == 0) return;
  }
}

// The number of tiles of one replica's array (or of the array that all replicas share).
std::int64_t tiles_of_one(const Parameter& parameter) {
  return product(parameter.sharding.tiles, 0);
}

bool own_arrays(const Parameter& parameter, std::int64_t replicas) {
  return parameter.sharding.per_replica && replicas > 1;
}

}  // namespace

Shape shape_of_all_replicas(const Parameter& parameter, std::int64_t replicas) {
  Shape shape = parameter.global.shape;
  if (parameter.sharding.per_replica) shape.insert(shape.begin(), replicas);
  return shape;
}

// Replicas are numbered slowest: all tiles of replica 0, then those of replica 1.
// Padding at the end of the last tiles stays zero. Each tile is written as one file, which the
// worker of its chip reads.
std::vector<Bytes> cut(const program::Array& whole, const Parameter& parameter,
                       std::int64_t replicas) {
  const auto one = static_cast<std::size_t>(parameter.global.bytes());
  const auto tile_bytes = static_cast<std::size_t>(parameter.local.bytes());
  const std::int64_t arrays = parameter.sharding.per_replica ? replicas : 1;
  // Without a replica axis every replica gets a copy of the same array.
  const bool same_for_all = whole.type.shape == parameter.global.shape;
  UNDERSTUDY_ASSERT(whole.bytes.size() ==
                    one * static_cast<std::size_t>(same_for_all ? 1 : arrays));
  std::vector<Bytes> tiles;
  for (std::int64_t array = 0; array < arrays; ++array) {
    const std::byte* from =
        whole.bytes.data() + (same_for_all ? 0 : one * static_cast<std::size_t>(array));
    for (std::int64_t tile = 0; tile < tiles_of_one(parameter); ++tile) {
      Bytes bytes(tile_bytes);
      for_each_run(parameter, tile, [&](std::size_t in_whole, std::size_t in_tile, std::size_t n) {
        std::memcpy(bytes.data() + in_tile, from + in_whole, n);
      });
      tiles.push_back(std::move(bytes));
    }
  }
  return tiles;
}

program::Array join(const std::vector<Bytes>& tiles, const Parameter& parameter,
                    std::int64_t replicas) {
  const bool own = own_arrays(parameter, replicas);
  const auto one = static_cast<std::size_t>(parameter.global.bytes());
  const std::int64_t arrays = own ? replicas : 1;
  UNDERSTUDY_ASSERT(static_cast<std::int64_t>(tiles.size()) == arrays * tiles_of_one(parameter));
  program::Array whole{parameter.global, Bytes(one * static_cast<std::size_t>(arrays))};
  if (own) whole.type.shape = shape_of_all_replicas(parameter, replicas);
  std::size_t next = 0;
  for (std::int64_t array = 0; array < arrays; ++array) {
    std::byte* to = whole.bytes.data() + one * static_cast<std::size_t>(array);
    for (std::int64_t tile = 0; tile < tiles_of_one(parameter); ++tile) {
      const Bytes& bytes = tiles[next++];
      UNDERSTUDY_ASSERT(bytes.size() == static_cast<std::size_t>(parameter.local.bytes()));
      for_each_run(parameter, tile, [&](std::size_t in_whole, std::size_t in_tile, std::size_t n) {
        std::memcpy(to + in_whole, bytes.data() + in_tile, n);
      });
    }
  }
  return whole;
}

}  // namespace understudy::launcher
