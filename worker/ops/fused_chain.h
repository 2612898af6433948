// SPDX-License-Identifier: Apache-2.0
// Runs of element-wise steps of a fused loop that keep their values in registers
// (program/kernels/chain_kernels.h). Immutable once made; holds no addresses.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <vector>

#include "program/executable/executable.h"
#include "program/kernels/chain_kernels.h"
#include "worker/ops/fused.h"

namespace understudy::worker::ops {

// One step of a chain before its addresses are known.
struct ChainLink {
  program::kernels::ChainFunction run = nullptr;
  std::optional<FusedPlace> a, b, c, out;
};

// The steps [first, first + count) of a loop's changing steps.
struct ChainRun {
  std::size_t first = 0, count = 0;
  std::vector<ChainLink> links;     // without the end
  std::vector<std::size_t> moving;  // links with an address that depends on the tile
};

// A step with what it was made of.
struct ChainCandidate {
  const program::Instruction* instruction = nullptr;
  const FusedStep* step = nullptr;
};

// Finds the chains among the changing steps of a loop. `shared`: places that hold one value in all
// lanes, with the place of that value. Chains have at least two steps.
class ChainFinder {
 public:
  using Shared = std::map<std::size_t, FusedPlace>;

  ChainFinder(const program::kernels::ChainKernels& kernels, std::vector<ChainCandidate> candidates,
              const Shared& shared);
  std::vector<ChainRun> find();
  // Whether a shared place is read by a step of no chain. Of the last find().
  bool is_read_outside(std::size_t offset) const;

 private:
  bool fits(const ChainCandidate& candidate) const;
  bool follows(std::size_t a, std::size_t b) const;
  bool is_shared(const FusedPlace& place) const;
  // Returns the number of steps that it took.
  std::size_t add_links(ChainRun& run, std::size_t s) const;
  bool is_rotation(const ChainRun& run, std::size_t s) const;
  void add_rotation(ChainRun& run, std::size_t s) const;
  void add_stores(ChainRun& run, std::size_t s) const;
  void add_operation(ChainRun& run, std::size_t s, bool in_accumulator) const;
  std::vector<std::size_t> readers_of(std::size_t s) const;
  bool reads_accumulator(const ChainRun& run, std::size_t s) const;

  const program::kernels::ChainKernels& kernels_;
  std::vector<ChainCandidate> candidates_;
  const Shared& shared_;
  std::vector<bool> in_chain_;
};

}  // namespace understudy::worker::ops
