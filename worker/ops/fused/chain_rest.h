// SPDX-License-Identifier: Apache-2.0
// The end of a tile, or of a row in a chain that runs row by row, that is no whole piece: the lanes
// of each operand that has its own are copied to a piece of its own, the chain runs over whole
// pieces, and the lanes of its results are copied back. Lanes without an element compute anything.
// Plain data; holds no addresses.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "program/kernels/chain/chain_kernels.h"
#include "worker/ops/fused/fused_step.h"

namespace understudy::worker::ops {

struct ChainLink;

struct ChainRest {
  struct Piece {
    FusedPlace place, copy;
    bool is_read = false, is_written = false;
  };
  template <class Member>
  struct Address {
    std::size_t link = 0;
    Member member = nullptr;            // of the link's step
    std::size_t piece = 0, beyond = 0;  // bytes after its start
  };
  std::size_t lanes = 0;  // of a piece
  std::vector<Piece> pieces;
  std::vector<Address<const std::byte * program::kernels::ChainStep::*>> inputs;
  std::vector<Address<std::byte * program::kernels::ChainStep::*>> outputs;
};

// The rest of a chain of these links. `copies`: the place of the first copy; `lanes`: of a piece.
ChainRest rest_of(std::span<const ChainLink> links, const FusedPlace& copies, std::size_t lanes);
std::size_t copies_bytes(const ChainRest& rest);

// Vectors of `lanes` elements, at least `least` of them, that an iteration of machine code over
// rows of so many columns has; 0 where values of rows that are repeated for all lanes are quicker.
// `has_views`: rows of operands are at a distance from each other.
std::size_t vectors_of_rows(std::size_t columns, std::size_t lanes, std::size_t least,
                            bool has_views);

}  // namespace understudy::worker::ops
