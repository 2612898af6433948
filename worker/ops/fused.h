// SPDX-License-Identifier: Apache-2.0
// A Fused loop made ready to run: kernels chosen, tile sized, steps split into those that run once
// and those that run for each tile. Immutable; one per loop and launch. Holds no addresses.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "program/executable/executable.h"
#include "program/kernels/kernel_table.h"
#include "worker/chip/execution.h"

namespace understudy::worker::ops {

struct ChainRun;

class FusedPlan {
 public:
  FusedPlan(const program::Fused& work, const program::kernels::KernelTable& kernels);
  ~FusedPlan();

  // *Throws* Error{capacity} where the tile does not fit VMEM.
  void run(const program::Instruction& instruction, Execution& execution) const;

  // Where an operand of a step is, and how it follows the tile.
  struct Place {
    program::Space space = program::Space::frame;
    std::uint32_t index = 0;
    std::size_t offset = 0;  // in the frame: bytes per lane
    std::size_t bytes = 0;   // of an element
    std::size_t width = 1;   // elements per row
    bool by_row = false, by_column = false;
  };
  enum class Kind : std::uint8_t { one, two, choose, fill, iota, fold };
  struct Step {
    Kind kind = Kind::one;
    Place in[3], out;
    std::size_t inputs = 0;
    bool is_shared[3] = {};                       // inputs with one value in all lanes
    std::size_t most = SIZE_MAX;                  // lanes of a fill that anybody reads
    program::kernels::UnaryKernel one = nullptr;  // of a fold: to the accumulator's type
    program::kernels::UnaryKernel narrow = nullptr;
    program::kernels::BinaryKernel two = nullptr;
    program::kernels::SelectKernel choose = nullptr;
    program::kernels::FoldKernel fold = nullptr;
    void (*fill)(const std::byte* one, std::byte* out, std::size_t n) = nullptr;
  };

 private:
  void choose_tile(const program::Fused& work);
  Place place_of(const program::Operand& operand) const;
  Step step_of(const program::Instruction& instruction) const;
  void fold_of(const program::Reduce& work, program::ElementType element, Step& step) const;
  bool varies(const Place& place) const;
  bool varies_by_itself(const Place& place) const;
  void find_chains(const program::Fused& work, const std::vector<std::size_t>& numbers);

  const program::kernels::KernelTable& kernels_;
  std::size_t rows_ = 0, columns_ = 0;            // of the loop
  std::size_t tile_rows_ = 1, tile_columns_ = 1;  // of a full tile
  std::size_t lanes_ = 0;                         // elements of a tile, rounded up
  std::size_t frame_bytes_ = 0;                   // per lane
  std::vector<Step> once_, each_;
  program::kernels::ChainKernels chain_kernels_;
  std::vector<ChainRun> chains_;         // of each_, ascending
  std::size_t links_ = 0;                // of all chains
  std::map<std::size_t, bool> varying_;  // values of the tile, by offset, while steps are read
};

}  // namespace understudy::worker::ops
