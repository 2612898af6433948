// SPDX-License-Identifier: Apache-2.0
// Chains that are used often, as machine code: one function for each, with all values in registers.
// A chain begins as steps that call each other (program/kernels/chain); once it has run over enough
// elements it is compiled. Call from one thread at a time: a plan belongs to one launch or to bound
// code, which runs one launch at a time.
#pragma once

#include <cstddef>
#include <memory>
#include <string_view>
#include <vector>

#include "program/kernels/kernel_table.h"
#include "worker/chip/execution.h"
#include "worker/ops/fused/fused_chain.h"

namespace understudy::worker::ops {

namespace chain_code {
struct ChainTable;
struct ChainText;
}  // namespace chain_code

// As ChainKernels::run, of one chain: the steps give the addresses alone. Of a chain that runs by
// rows it does `rows` of them, of `n` elements each, and advances the addresses in `steps`.
using ChainMachineCode = void (*)(program::kernels::ChainStep* steps, std::size_t n,
                                  std::size_t rows);

// Whether this build can make any; the portable instruction set has none.
bool has_machine_code() noexcept;
inline bool has_machine_code(const program::kernels::KernelTable& table) noexcept {
  return has_machine_code() && std::string_view(table.isa) != "portable";
}

class ChainCode {
 public:
  // Vectors of an iteration: they hide the latency of each other's steps.
  static constexpr std::size_t kVectors = 4;
  static constexpr std::size_t kNarrowVectors = 2;  // of narrow chains
  struct Runs {
    bool are_short = false;              // over single vectors, instead of over pieces
    std::size_t columns = 0;             // of a row, where a run has several
    std::size_t row_vectors = kVectors;  // of an iteration over rows
  };
  // *Requires*: `table` is one of the program's. `chains`: how many.
  ChainCode(const program::kernels::KernelTable& table, std::size_t chains, const Runs& runs);
  ~ChainCode();
  ChainCode(const ChainCode&) = delete;
  ChainCode& operator=(const ChainCode&) = delete;

  // What the chain's machine code reads of the steps; null where it has none.
  const ChainAddresses* addresses(std::size_t number) const {
    return states_[number].code != nullptr ? &states_[number].addresses : nullptr;
  }
  // Its function that does not store past the caches; null where it has none.
  ChainMachineCode machine_code(std::size_t number) const { return states_[number].code; }
  // Elements of an iteration of machine code: a run has a multiple.
  std::size_t lanes(const ChainRun& chain) const {
    return chain.is_narrow() ? narrow_lanes(chain) : vectors(chain) * vector_;
  }
  // Of a narrow chain, on every instruction set.
  static std::size_t narrow_lanes(const ChainRun& chain) {
    constexpr std::size_t kBytes = 32;  // of a vector
    return kNarrowVectors * kBytes / chain.lane_bytes;
  }
  // Whether a run of that function may have any other number of elements above `lanes`: its last
  // iteration computes some of the one before it again.
  bool overlaps(std::size_t number) const { return states_[number].overlaps; }
  // Whether that iteration may find what it reads overwritten: it stores the other lanes alone.
  bool masks_stores(std::size_t number) const { return states_[number].masks_stores; }
  // Whether it has run often and did not become machine code.
  bool has_no_code(std::size_t number) const {
    return states_[number].is_decided && states_[number].code == nullptr;
  }
  // Counts a run of chain `number` over `n` elements that the caller does without the chain. False,
  // with nothing counted, where it is decided, or function() would decide it with this run.
  bool count_run_by_steps(std::size_t number, std::size_t n, const ChainCompilation& counts) {
    State& state = states_[number];
    if (state.is_decided || state.elements + n >= counts.hot_elements) return false;
    state.elements += n;
    return true;
  }
  // Whether some function stores past the caches: who runs it calls finish_stream() afterwards.
  bool streams() const { return streams_; }
  // Chain `number` is about to run over `n` elements. Null: by its steps. It is compiled once it
  // has run over `counts.hot_elements` elements. `steps` have the present addresses, `loop` is the
  // chain's.
  ChainMachineCode function(std::size_t number, const ChainRun& chain,
                            const program::kernels::ChainStep* steps, std::size_t n,
                            const program::Instruction& loop, ChainCompilation& counts);

 private:
  struct State {
    ChainMachineCode code = nullptr;
    ChainMachineCode streaming = nullptr;  // stores of these links, which are whole lines
    std::vector<std::size_t> streamed;
    std::size_t elements = 0;
    bool is_decided = false, overlaps = false, masks_stores = false;
    ChainAddresses addresses = {};
    std::shared_ptr<std::vector<chain_code::ChainTable>> tables = {};  // of the code
  };
  class Memory;      // of the functions
  Memory& memory();  // made with the first one

  std::size_t vectors(const ChainRun& chain) const {
    if (chain.by_rows) return chain.folds > 0 ? kVectors : runs_.row_vectors;
    return runs_.are_short ? 1 : kVectors;
  }
  ChainMachineCode present(const State& state, const program::kernels::ChainStep* steps) const;
  void compile_narrow(State& state, const ChainRun& chain, const chain_code::ChainText& text,
                      ChainCompilation& counts);
  void compile_streaming(State& state, chain_code::ChainText& text, bool wide, std::size_t vectors);
  bool ends_within(const ChainRun& chain, std::size_t n) const;
  // Before a run over n elements.
  void compile(State& state, const ChainRun& chain, const program::kernels::ChainStep* steps,
               std::size_t n, const program::Instruction& loop, ChainCompilation& counts);

  const program::kernels::KernelTable& table_;
  const Runs runs_;
  const std::size_t vector_;  // elements of one
  std::vector<State> states_;
  bool streams_ = false;
  std::unique_ptr<Memory> memory_;
};

}  // namespace understudy::worker::ops
