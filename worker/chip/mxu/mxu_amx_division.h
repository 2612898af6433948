// SPDX-License-Identifier: Apache-2.0
// How a product is divided into blocks that are packed, part of mxu_amx.cc. Pure functions.
#pragma once

#include <algorithm>
#include <cstdint>

#include "worker/chip/mxu/mxu.h"
#include "worker/chip/mxu/mxu_amx_pack.h"

namespace understudy::worker::amx {

// Elements of a packed left block, and sums that wait for the rest of the depth: a quarter, and a
// half, of the second-level cache of these CPUs (2 MiB).
constexpr std::int64_t kLeftElements = 256 << 10, kMostSums = 256 << 10;
// A deeper right block that is dense across the depth would need cache lines of too many rows.
// Where it is dense along the depth, and the left operand has few rows, longer lines are read
// faster.
constexpr std::int64_t kMostDepth = 768, kMostDenseDepth = 3072;
// Columns of a right block; of one whose rows are dense, four cache lines.
constexpr std::int64_t kRightColumns = 64, kDenseRightColumns = 128;

// The sums of one square of the result, 32 rows of 32.
constexpr std::int64_t kSumsOfSquare = kSquare * kSquare;

constexpr std::int64_t rounded_up(std::int64_t size) { return squares(size) * kSquare; }
// The size of a part if `size` is divided into the fewest equal parts of at most `most`.
constexpr std::int64_t part(std::int64_t size, std::int64_t most) {
  const std::int64_t parts = (size + most - 1) / most;
  return rounded_up((size + parts - 1) / parts);
}

// How a product is divided. The columns of the result are divided first, then the rows, then the
// sums: for each such group a left block of rows x depth is packed, and one right block after the
// other of depth x `block` columns.
struct Division {
  explicit Division(const Product& p)
      : depth(part(p.k, p.rhs.row_stride == 1
                            ? std::clamp(kLeftElements / p.m, kMostDepth, kMostDenseDepth)
                            : kMostDepth)),
        rows(part(p.m, kLeftElements / depth / kSquare * kSquare)),
        block(p.rhs.row_stride == 1 ? kRightColumns : kDenseRightColumns),
        columns(depth >= p.k ? p.n : std::min(p.n, kMostSums / rows / block * block)),
        deep((p.k + depth - 1) / depth),
        tall((p.m + rows - 1) / rows),
        wide((p.n + columns - 1) / columns) {}

  std::int64_t left_room() const { return Packer::room(rows, depth); }
  std::int64_t right_room() const { return Packer::room(block, depth); }
  // Without division of the depth: those of one square, while the one before is rounded.
  std::int64_t sums_room() const {
    return deep == 1 ? 2 * kSumsOfSquare : squares(rows) * squares(columns) * kSumsOfSquare;
  }
  std::uint64_t bytes() const {
    return static_cast<std::uint64_t>(4 * (left_room() + right_room()) + 4 * sums_room()) + 1024;
  }

  std::int64_t depth, rows, block, columns;
  std::int64_t deep, tall, wide;  // groups in each direction
};

// Part of the result and of the sums.
struct Group {
  std::int64_t row, rows, column, columns, k, depth;
};

inline Group group_at(const Division& d, const Product& p, std::int64_t index) {
  const std::int64_t k = index % d.deep * d.depth, row = index / d.deep % d.tall * d.rows,
                     column = index / d.deep / d.tall * d.columns;
  return {row, std::min(d.rows, p.m - row), column, std::min(d.columns, p.n - column),
          k,   std::min(d.depth, p.k - k)};
}

}  // namespace understudy::worker::amx
