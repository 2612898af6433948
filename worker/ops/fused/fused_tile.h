// SPDX-License-Identifier: Apache-2.0
// One step of a fused loop on one tile.
#pragma once

#include <cstddef>

#include "worker/chip/execution.h"
#include "worker/ops/fused/fused_step.h"

namespace understudy::worker::ops {

// The first element and the size of the present tile.
struct FusedTile {
  std::size_t row = 0, column = 0, rows = 0, columns = 0;
};

// The addresses of one run.
struct FusedBases {
  const std::byte** arguments;  // of the operands of the loop
  std::byte** results;
  const std::byte** joined;  // by FusedPlace::join: where the values of the present tile are
  std::byte* frame;
  std::size_t lanes;

  // Takes VMEM. `beyond`: bytes after the tile's values. `joins`: how many there are.
  FusedBases(const program::Instruction& instruction, Execution& execution, std::size_t frame_bytes,
             std::size_t tile_lanes, std::size_t beyond, std::size_t joins);

  std::size_t shift(const FusedPlace& place, const FusedTile& tile) const {
    return (place.row_offset(tile.row) + (place.by_column ? tile.column * place.element_step : 0)) *
           place.bytes;
  }
  const std::byte* read(const FusedPlace& place, const FusedTile& tile) const {
    if (place.space == program::Space::argument) return arguments[place.index] + shift(place, tile);
    return place.join != 0 ? joined[place.join] : write(place, tile);
  }
  std::byte* write(const FusedPlace& place, const FusedTile& tile) const {
    if (place.space == program::Space::frame) return frame + place.offset * lanes + place.beyond;
    return results[place.index] + shift(place, tile);
  }
};

// Elements of an operand in a tile.
inline std::size_t count_in(const FusedPlace& place, const FusedTile& tile) {
  return (place.by_row ? tile.rows : 1) * (place.by_column ? tile.columns : 1);
}

void run_step(const FusedStep& step, const FusedBases& bases, const FusedTile& tile);
// A step of a chain on the lanes from `first` on.
void run_lanes(const FusedStep& step, const FusedBases& bases, const FusedTile& tile,
               std::size_t first);

}  // namespace understudy::worker::ops
