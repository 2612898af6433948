// SPDX-License-Identifier: Apache-2.0
// Runs of element-wise steps of a fused loop that keep their values in registers
// (program/kernels/chain/chain_kernels.h). Immutable once made; holds no addresses.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "program/executable/executable.h"
#include "program/kernels/chain/chain_kernels.h"
#include "program/kernels/kernel_table.h"
#include "worker/ops/fused/chain_function.h"
#include "worker/ops/fused/chain_rest.h"
#include "worker/ops/fused/fused.h"

namespace understudy::worker::ops {

// One step of a chain before its addresses are known.
struct ChainLink {
  program::kernels::ChainFunction run = nullptr, kernel = nullptr;
  std::optional<FusedPlace> a, b, c, out;
  ChainOperation operation;
  ChainSources from = {};  // of a, b, and c
  // Of a, b, c and the result: how many bytes further on the next tile has its lines, for which
  // machine code asks; or 0.
  static constexpr std::size_t kOut = 3;
  std::array<std::size_t, 4> ahead = {};
  // Stores whole lines of a large array that no step of the loop reads.
  bool may_stream = false;
  // Of a store: machine code combines the value with the lanes at `a` by this function, and stores
  // it only where `keeps` says that a step outside the chain reads it.
  std::optional<program::BinaryOp> folds;
  bool keeps = true;
};

// An address of a link that follows the rows: by one element, or by a whole row.
template <class Member>
struct RowAddress {
  std::size_t link = 0;
  Member member = nullptr;  // of the link's step
  FusedPlace place;

  std::size_t stride(std::size_t columns) const { return place.row_bytes(columns); }
};

// The addresses of a chain that are put into its steps for each tile.
struct ChainAddresses {
  std::vector<std::size_t> links;
  // Those that follow the rows of the tile.
  std::vector<RowAddress<const std::byte * program::kernels::ChainStep::*>> row_inputs;
  std::vector<RowAddress<std::byte * program::kernels::ChainStep::*>> row_outputs;
};

// A step that fills the lanes of a tile for steps of a chain, which run by their kernels: machine
// code reads the value where it comes from.
struct ChainFill {
  FusedStep step;
  std::size_t before = 0;  // a step of the chain: others may have had its place until then
};

// The steps [first, first + count) of a loop's changing steps.
struct ChainRun {
  std::size_t first = 0, count = 0;
  // Of a narrow chain, of integers of 8 and 16 bits and preds, the bytes of the widest one: its
  // links have no functions, so that its steps run by their kernels until it is machine code.
  static constexpr std::size_t kWordBytes = 4;
  std::size_t lane_bytes = kWordBytes;
  bool is_narrow() const { return lane_bytes < kWordBytes; }
  std::vector<ChainLink> links = {};  // without the end
  ChainAddresses moving = {};         // addresses that depend on the tile
  // It runs row by row: an operand has one element per row, or one row for all, or whole rows of a
  // result are reduced.
  bool by_rows = false;
  // It stores something where it reads lanes.
  bool overwrites = false;
  // Reductions of its results that follow it, which its machine code does as well.
  std::size_t folds = 0;
  ChainRest rest = {};                // by rows, of which some end within a piece
  std::vector<ChainFill> fills = {};  // of a narrow chain
};

// Whether it stores something where it reads lanes, so that no lane can be computed again: always,
// or at the addresses that the steps of the links in `used` have.
bool overwrites(const ChainRun& chain, const ChainAddresses& used,
                const program::kernels::ChainStep* steps);

// A step with what it was made of.
struct ChainCandidate {
  const program::Instruction* instruction = nullptr;
  const FusedStep* step = nullptr;
  // Where a filled operand comes from: a value of all lanes, of a row, or of a column.
  std::optional<FusedPlace> spread[kMostInputs] = {};
  bool has_constant_second = false;  // operand, which all lanes share
};

// Makes a chain run row by row.
void run_by_rows(ChainRun& run);

// Finds the chains among the changing steps of a loop. Chains have at least two steps, or
// one with a value of rows or columns, or of bf16 or f16, or one that machine code does as well as
// its kernel and that reads a constant or is reduced. Where a narrow chain has more steps than one
// in words, it is that.
class ChainFinder {
 public:
  // *Requires*: table and candidates outlive it. `held`: where pieces can be held.
  ChainFinder(const program::kernels::KernelTable& table,
              std::span<const ChainCandidate> candidates, const FusedPlace& held);
  std::vector<ChainRun> find();
  // Of the last find(): whether a step runs in a chain always, which no step of a narrow one does.
  bool is_in_chain(std::size_t candidate) const { return in_chain_[candidate]; }
  std::size_t held_bytes() const { return held_bytes_; }

 private:
  bool fits(std::size_t s) const;
  bool fits_strided(std::size_t s) const;
  ChainRun wide_run(std::size_t s) const;
  ChainRun narrow_run(std::size_t s) const;
  std::size_t narrow_bytes(std::size_t s) const;
  bool spreads_in(std::size_t s) const;
  bool is_quick(std::size_t s) const;
  bool is_quick_code(std::size_t s) const;
  bool follows(std::size_t a, std::size_t b) const;
  bool reads_pair_of(std::size_t first, std::size_t s) const;
  // Whether all lanes, or those of a row, share the operand.
  bool is_shared(std::size_t s, std::size_t input) const;

  const program::kernels::KernelTable& table_;
  program::kernels::ChainKernels kernels_;
  std::span<const ChainCandidate> candidates_;
  FusedPlace held_;
  std::size_t held_bytes_ = 0;  // of all chains, which share the pieces
  std::vector<bool> in_chain_;
};

}  // namespace understudy::worker::ops
