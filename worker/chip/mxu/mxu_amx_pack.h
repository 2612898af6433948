// SPDX-License-Identifier: Apache-2.0
// Blocks of an operand in the layout of the matrix tiles of AMX, part of mxu_amx.cc: packed a few
// vectors at a time, so that the packing of the next block runs between the tile products of this
// one. Call from the executor thread only.
//
// A tile has 16 rows of 64 bytes. Of the left operand a row of the tile is 32 consecutive elements
// of a row; of the right one, two consecutive elements of 16 columns each. A packed block has
// squares of 32 lines and a depth of 32, two tiles each, the squares of 32 lines together. A line
// is a row of the left operand or a column of the right one; depth runs along the sums. Beyond the
// lines and the depth of the operand there are zeros.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <immintrin.h>

#include "program/ir/element_type.h"

namespace understudy::worker::amx {

#define UNDERSTUDY_AMX \
  __attribute__((target("avx512f,avx512bw,avx512vl,avx512bf16,amx-tile,amx-bf16")))

constexpr std::int64_t kSquare = 32;         // lines, and depth
constexpr std::int64_t kTileElements = 512;  // of 2 bytes
constexpr std::int64_t kSquareElements = 2 * kTileElements;

constexpr std::int64_t squares(std::int64_t size) { return (size + kSquare - 1) / kSquare; }

constexpr __mmask32 kWhole = ~__mmask32{0};
// The first `count` lanes of a square.
inline __mmask32 mask_of(std::int64_t count) {
  return count >= kSquare ? kWhole
         : count <= 0     ? 0
                          : (__mmask32{1} << static_cast<unsigned>(count)) - 1;
}

// Part of an operand, bf16 or f32 that is rounded to it. Strides in elements; one of them is 1.
struct Block {
  const std::byte* at = nullptr;
  std::int64_t lines = 0, depth = 0, line_stride = 0, depth_stride = 0;
};

class Packer {
 public:
  Packer(bool is_right, bool depth_is_dense, program::ElementType element);

  // A packed block takes so many elements.
  static std::int64_t room(std::int64_t lines, std::int64_t depth) {
    return squares(lines) * squares(depth) * kSquareElements;
  }
  // Begins to pack `block` into `out`, in the course of `steps` calls of step().
  void start(const Block& block, std::uint16_t* out, std::int64_t steps);
  [[gnu::always_inline]] void step() {
    for (due_ += units_; due_ >= steps_; due_ -= steps_) unit();
  }
  // Packs at least the first `lines`.
  void finish_lines(std::int64_t lines) {
    if (!depth_is_dense_) return finish();
    while (left_ > 0 && outer_ * (kSquare / 2) < lines) unit();
  }
  // Packs the rest; step() does nothing until the next start.
  void finish() {
    while (left_ > 0) unit();
    units_ = 0;
  }

 private:
  using Unit = void (*)(const Packer&);
  struct Units;
  template <class Load>
  static std::array<Unit, 4> units_of();

  void unit() {
    if (left_ == 0) return;
    run_(*this);
    --left_;
    inner_ += inner_step_;
    if (inner_ < inner_end_) return;
    inner_ = 0;
    ++outer_;
  }

  Unit run_;
  bool depth_is_dense_;
  bool has_rows_;  // units are two rows of a right operand whose lines are dense
  Block block_;
  std::uint16_t* out_ = nullptr;
  std::int64_t deep_ = 0;  // squares along the depth
  // The place of the next unit, see Units; inside a line of memory first.
  std::int64_t outer_ = 0, inner_ = 0, inner_step_ = 1, inner_end_ = 0;
  // `units_` of them are due in `steps_` steps.
  std::int64_t left_ = 0, units_ = 0, steps_ = 1, due_ = 0;
};

}  // namespace understudy::worker::amx
