// SPDX-License-Identifier: Apache-2.0
// Fills of a fused loop whose value the chains read where it comes from: a constant, one element
// per row, or one row for all. Such a value takes no lanes of the tile. Pure functions; nothing
// here holds addresses.
#pragma once

#include <cstddef>
#include <vector>

#include "worker/ops/fused/fused_chain.h"
#include "worker/ops/fused/fused_step.h"

namespace understudy::worker::ops {

struct Spread {
  std::size_t fill = 0;  // a step of those that run once, or of each
  bool once = false;
  FusedPlace place;  // what chains read
  // One value for the whole loop. Other steps may read what is filled as well; a value of rows or
  // columns is read by chains alone, or not from its source.
  bool is_constant = false;
  // The source may be overwritten before its readers run: the fill becomes a copy of it, which
  // follows `after` (steps that change, counted from 1; 0: the start).
  bool copies = false;
  std::size_t after = 0;
  struct Reader {
    std::size_t step, input;  // of the steps that change
  };
  std::vector<Reader> readers;
};

// `by_rows`: whether chains can run row by row. `one_row`: the loop has one.
std::vector<Spread> find_spreads(const std::vector<FusedStep>& once,
                                 const std::vector<FusedStep>& each, bool by_rows, bool one_row);

// The steps that change, in the order in which they run with these spreads, as candidates for
// chains; `number` has the place of each among the original ones.
struct Arranged {
  std::vector<FusedStep> steps;
  std::vector<std::size_t> number;
  std::vector<ChainCandidate> candidates;  // without instructions; point into `steps`
};
Arranged arranged(const std::vector<FusedStep>& each, const std::vector<Spread>& spreads);

}  // namespace understudy::worker::ops
