// SPDX-License-Identifier: Apache-2.0
// A Fused loop made ready to run: kernels chosen, tile sized, steps split into those that run once
// and those that run for each tile. Immutable but for the machine code of its chains and the
// addresses of its last run, so that one thread at a time runs it; one per loop.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "program/executable/executable.h"
#include "program/kernels/kernel_table.h"
#include "worker/chip/execution.h"
#include "worker/ops/fused/fused_step.h"

namespace understudy::worker::ops {

class ChainCode;
class LastRun;
struct ChainFill;
struct ChainLink;
struct ChainRun;
struct Spread;

class FusedPlan {
 public:
  // *Requires*: `loop` is a fused loop.
  FusedPlan(const program::Instruction& loop, const program::kernels::KernelTable& kernels);
  ~FusedPlan();
  FusedPlan(FusedPlan&& other) noexcept;

  // Whether the loop is a chain over one tile, so that its machine code is all that a run needs.
  bool is_one_chain() const;
  // Whether it is, has run often and did not become machine code.
  bool has_no_code() const;
  // Whether its machine code, if there is any, is not all that a run needs.
  bool needs_more_than_code() const;
  // ChainCode::count_run_by_steps() of the only chain. *Requires*: is_one_chain().
  bool count_run_by_steps(const ChainCompilation& counts) const;
  // *Throws* Error{capacity} where the tile does not fit VMEM.
  void run(const program::Instruction& instruction, Execution& execution) const;

 private:
  struct Run;
  // Smaller arrays are in the second-level cache where they are in use.
  static constexpr std::size_t kLeastFetched = 512 << 10;  // bytes

  void choose_tile(const program::Fused& work);
  void choose_runs(const std::vector<FusedStep>& steps);
  bool varies(const FusedPlace& place) const;
  bool varies_by_itself(const FusedPlace& place) const;
  void number_joins(FusedStep& step);
  bool reads_in_place(FusedStep& step);
  void find_fetched();
  void ask_ahead();
  bool asks_ahead(const FusedPlace& place);
  bool is_whole(const FusedPlace& place) const;
  std::size_t tile_bytes(const FusedPlace& place) const;
  bool is_all_chain() const;
  void find_folds();
  bool folds_in(ChainRun& chain, FusedStep& step);
  std::size_t most_folded_rows() const;
  bool is_read_elsewhere(const ChainRun& chain, const FusedStep& reduction) const;
  void join_tiles();
  bool keeps_tiles_apart(const ChainLink& link) const;
  bool joins_rows(std::size_t most_lanes) const;
  bool has_rest(const FusedPlace& place) const;
  void find_streams();
  bool is_read(const FusedPlace& result) const;
  bool may_stream(const ChainRun& chain, const FusedPlace& out) const;
  bool runs_by_rows(const program::Fused& work);
  void find_chains(const program::Fused& work, const std::vector<std::size_t>& numbers);
  std::size_t take_beyond(std::size_t bytes);
  void place_copy(Spread& spread);
  void place_sums(FusedStep& step);
  void place_rests();
  ChainRun* narrow_reader_of(const Spread& spread, const std::vector<std::size_t>& position,
                             std::vector<ChainRun>& chains) const;
  ChainFill fill_of(const Spread& spread, const ChainRun& chain,
                    const std::vector<std::size_t>& number) const;
  bool try_chains(const program::Fused& work, const std::vector<std::size_t>& numbers,
                  std::vector<Spread>& spreads);
  bool is_constant(const FusedPlace& place) const;

  std::vector<bool> constants_;                   // arguments of the loop that are constants
  std::size_t rows_ = 0, columns_ = 0;            // of the loop
  std::size_t tile_rows_ = 1, tile_columns_ = 1;  // of a full tile
  std::size_t run_rows_ = 1;                      // no tile goes beyond a multiple of so many rows
  // Of the tiles that machine code runs as one, and what their rows are a multiple of.
  std::size_t step_rows_ = 1, step_columns_ = 1, step_unit_ = 1;
  std::size_t lanes_ = 0;         // elements of a tile, rounded up
  std::size_t frame_bytes_ = 0;   // per lane
  std::size_t copies_bytes_ = 0;  // of values of rows, sums and held pieces, after the lanes
  std::vector<FusedStep> once_, each_;
  // Large arguments, which a tile reads part by part: all, and those for which no machine code
  // asks.
  std::vector<FusedPlace> fetched_, unasked_;
  const program::kernels::KernelTable& kernels_;  // one of the program's tables
  program::kernels::ChainKernels chain_kernels_;
  std::vector<ChainRun> chains_;     // of each_, ascending
  std::size_t links_ = 0;            // of all chains
  std::unique_ptr<ChainCode> code_;  // of those that are used often
  std::size_t row_vectors_ = 4;      // of an iteration of machine code over rows
  bool has_rest_ = false;            // a chain has lanes beyond whole pieces
  bool fills_pieces_ = false;        // they run step by step, which reads constants from all lanes
  // One tile of less than a piece, but of whole vectors: its chains run as machine code only.
  bool is_short_ = false;
  std::unique_ptr<LastRun> last_;  // where one chain is all of the loop
  std::size_t joins_ = 0;
  // Values of the tile, by offset, while steps are read: whether tiles change them, where those
  // that are read in place are, and which joins make them.
  std::map<std::size_t, bool> varying_;
  std::map<std::size_t, FusedPlace> in_place_;
  std::map<std::size_t, std::size_t> joined_;
};

}  // namespace understudy::worker::ops
