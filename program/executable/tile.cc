// SPDX-License-Identifier: Apache-2.0
#include "program/executable/tile.h"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>

#include "configs/base/diagnosis_id.h"
#include "configs/base/error.h"
#include "program/ir/sizes.h"
#include "program/kernels/row_tree.h"

namespace understudy::program {
namespace {

// Of a tile. In fewer, the calls of kernels and machine code take as long as what they compute.
// Most values are pieces of chains, which are in registers; the others stay in a usual second-level
// cache.
constexpr std::uint64_t kLanes = 2048, kLeastLanes = 512;
// Rows that are reduced run side by side, and their whole frame takes so much at most.
constexpr std::uint64_t kRowsAtOnce = 8, kRowsBytes = 128 * 1024;
constexpr std::uint64_t kAddedLanes = 4096;  // of rows that are added
// Lanes are a multiple: places in the tile are aligned, and a tile is whole pieces of a chain.
constexpr std::uint64_t kUnit = 128;

// The elements of a step's operand that a full tile has.
std::uint64_t elements_in(const Operand& operand, const Tile& tile) {
  return std::min(static_cast<std::uint64_t>(operand.type.shape[0]), tile.rows) *
         std::min(static_cast<std::uint64_t>(operand.type.shape[1]), tile.columns);
}

// The largest part of each input and output that a step reads or writes.
std::uint64_t operand_bytes(const Instruction& instruction, const Fused& work, const Tile& tile) {
  std::vector<std::uint64_t> inputs(instruction.inputs.size()), outputs(instruction.outputs.size());
  const auto look = [&](const Operand& operand, Space space, std::vector<std::uint64_t>& all) {
    if (operand.at.space != space || operand.at.index >= all.size()) return;
    std::uint64_t& bytes = all[operand.at.index];
    bytes = std::max(bytes, elements_in(operand, tile) * byte_size(operand.type.element));
  };
  for (const Instruction& step : work.steps) {
    // A view, and elements at indices, are as many as the step writes, and so are the parts of an
    // array together.
    const bool joins = std::holds_alternative<Join>(step.work);
    for (std::size_t i = 0; i < (joins ? 1 : step.inputs.size()); ++i)
      look(reads_elsewhere(step, i) ? Operand{step.inputs[i].at, step.outputs[0].type}
                                    : step.inputs[i],
           Space::argument, inputs);
    for (const Operand& output : step.outputs) look(output, Space::result, outputs);
  }
  std::uint64_t sum = 0;
  for (const std::uint64_t bytes : inputs) sum = sum_of_bytes(sum, bytes);
  for (const std::uint64_t bytes : outputs) sum = sum_of_bytes(sum, bytes);
  return sum;
}

// Of reductions that go from tile to tile: at most 64 accumulators, or those of a row.
std::uint64_t sums_bytes(const Fused& work) {
  constexpr std::uint64_t kLanes = 64, kLargest = 8;
  std::uint64_t bytes = 0;
  for (const Instruction& step : work.steps) {
    if (!std::holds_alternative<Reduce>(step.work)) continue;
    const StepReduction kind = step_reduction(step);
    if (kind == StepReduction::long_rows) bytes += kLanes * kLargest;
    if (kind == StepReduction::row_blocks) {
      const std::int64_t block = step.inputs[0].type.shape[0] / step.outputs[0].type.shape[0];
      const std::size_t levels = kernels::tree_levels(static_cast<std::size_t>(block));
      const auto columns = static_cast<std::size_t>(work.columns);
      bytes += std::max(row_block_sums(columns, levels), row_block_sums(columns, 1)) * kLargest;
    }
  }
  return bytes;
}

double mebibytes(std::uint64_t bytes) { return static_cast<double>(bytes) / (1024.0 * 1024.0); }

[[noreturn]] void refuse(const Executable& executable, const Instruction& instruction,
                         const Tile& tile, std::uint64_t vmem_bytes) {
  throw Error(
      ErrorKind::capacity,
      fmt::format("RESOURCE_EXHAUSTED: Ran out of memory in memory space vmem. Used {:.2f}M "
                  "of {:.2f}M vmem.",
                  mebibytes(tile.vmem_bytes()), mebibytes(vmem_bytes)))
      .diagnosed(name_of(DiagnosisId::vmem_exhausted))
      .note(
          fmt::format("the fused loop of {} has tiles of {} x {} elements: {} bytes of values and "
                      "2 x {} bytes of operands, as one tile is computed while the next is "
                      "fetched",
                      executable.op_names.at(instruction.op), tile.rows, tile.columns,
                      tile.values_bytes, tile.operand_bytes))
      .note(
          "a whole reduced row must fit in VMEM; try: reduce in two steps over a reshaped row; "
          "shard the reduced dimension; --disable-pass fuse-elementwise");
}

// Filled constants are hardly read: chains of steps have them where they come from.
std::uint64_t filled_bytes(const Fused& work) {
  std::uint64_t bytes = 0;
  for (const Instruction& step : work.steps)
    if (std::holds_alternative<Fill>(step.work) && step.inputs[0].at.space == Space::argument &&
        step.inputs[0].type.elements() == 1)
      bytes += byte_size(step.outputs[0].type.element);
  return bytes;
}

void check(const Executable& executable, const Code& code, std::uint64_t vmem_bytes) {
  for (const Instruction& instruction : code) {
    if (std::holds_alternative<Fused>(instruction.work)) {
      const Tile tile = tile_of(instruction);
      if (tile.vmem_bytes() > vmem_bytes) refuse(executable, instruction, tile, vmem_bytes);
    } else if (const auto* loop = std::get_if<While>(&instruction.work)) {
      check(executable, loop->condition, vmem_bytes);
      check(executable, loop->body, vmem_bytes);
    } else if (const auto* branch = std::get_if<Case>(&instruction.work)) {
      for (const Code& nested : branch->branches) check(executable, nested, vmem_bytes);
    }
  }
}

}  // namespace

std::uint64_t Tile::vmem_bytes() const {
  return sum_of_bytes(values_bytes, sum_of_bytes(operand_bytes, operand_bytes));
}

StepReduction step_reduction(const Instruction& step) {
  const Shape& in = step.inputs[0].type.shape;
  if (step.outputs[0].type.shape[0] != in[0]) return StepReduction::row_blocks;
  return in[1] > longest_row(in[0]) ? StepReduction::long_rows : StepReduction::whole_rows;
}

bool reads_elsewhere(const Instruction& step, std::size_t input) {
  const auto* const copy = std::get_if<StridedCopy>(&step.work);
  return (copy != nullptr && !writes_apart(*copy)) || std::holds_alternative<Join>(step.work) ||
         (std::holds_alternative<TakeElements>(step.work) && input == 0);
}

bool writes_apart(const StridedCopy& copy) {
  return copy.sizes.size() == 1 && copy.in_strides.size() == 1 && copy.out_strides.size() == 1 &&
         copy.in_base == 0 && copy.in_strides[0] >= 0 && copy.in_strides[0] <= 1 &&
         copy.out_strides[0] > 1 && copy.out_strides[0] <= kMostApart && copy.out_base >= 0 &&
         copy.out_base < copy.out_strides[0];
}

bool is_in_runs(const StridedCopy& copy) {
  if (copy.sizes.empty() || copy.out_strides.back() != 1) return false;
  for (std::size_t d = 0; d < copy.sizes.size(); ++d) {
    if (copy.in_strides[d] < 0) return false;
    if (d + 1 < copy.sizes.size() &&
        copy.out_strides[d] / copy.sizes[d + 1] < copy.out_strides[d + 1])
      return false;
  }
  return true;
}

bool keeps_rows(const Fused& work) {
  return std::ranges::any_of(work.steps, [&](const Instruction& step) {
    if (std::holds_alternative<Reduce>(step.work))
      return step_reduction(step) == StepReduction::whole_rows;
    return step.outputs[0].at.space == Space::result && step.outputs[0].type.shape[1] == 1 &&
           work.columns > 1;
  });
}

// Rows of a tile, so that a view follows all of them in one way, where that leaves tiles of nearly
// the same size, and not too small ones.
std::uint64_t rows_beside_views(const Fused& work, std::uint64_t rows) {
  std::uint64_t common = 0;
  for (const Instruction& step : work.steps)
    if (const auto* copy = std::get_if<StridedCopy>(&step.work);
        copy != nullptr && copy->in_strides.back() <= 1 && !writes_apart(*copy))
      common = std::gcd(common, static_cast<std::uint64_t>(copy->sizes[copy->sizes.size() - 2]));
  if (common == 0) return rows;
  const auto columns = static_cast<std::uint64_t>(work.columns);
  for (std::uint64_t r = std::min(rows, common); r * 4 >= rows && r * columns >= kLeastLanes; --r)
    if (common % r == 0) return r;
  return rows;
}

// About so many rows that short ones are whole pieces of a chain together: lanes beyond pieces run
// step by step. The same number where that would take a quarter of the tile, or add a third.
std::uint64_t rows_of_pieces(std::uint64_t columns, std::uint64_t rows) {
  const std::uint64_t unit = kUnit / std::gcd(kUnit, columns);
  const std::uint64_t whole = (rows + unit / 2) / unit * unit;
  return whole * 4 >= rows * 3 && whole * 3 <= rows * 4 ? whole : rows;
}

// Whether a step counts the columns: numbers that a tile of whole rows has once for all tiles.
bool counts_columns(const Fused& work) {
  return std::ranges::any_of(work.steps, [&](const Instruction& step) {
    return std::holds_alternative<Iota>(step.work) &&
           step.outputs[0].type.shape == Shape{1, work.columns};
  });
}

// Loops of bytes alone have more lanes in as many vectors.
std::uint64_t lanes_of(const Fused& work) {
  const auto is_byte = [](const Operand& operand) { return byte_size(operand.type.element) == 1; };
  const bool bytes = std::ranges::all_of(work.steps, [&](const Instruction& step) {
    return std::ranges::all_of(step.inputs, is_byte) && std::ranges::all_of(step.outputs, is_byte);
  });
  return bytes ? 2 * kLanes : kLanes;
}

// Whether a step adds rows of about a tile: it takes several at once where they are whole, and a
// tile that is a part of one would have a short second part.
bool adds_whole_rows(const Fused& work, std::uint64_t wanted) {
  const auto columns = static_cast<std::uint64_t>(work.columns);
  return columns > wanted / 2 && columns < 2 * wanted &&
         std::ranges::any_of(work.steps, [](const Instruction& step) {
           return std::holds_alternative<Reduce>(step.work) &&
                  step_reduction(step) == StepReduction::row_blocks;
         });
}

Tile tile_of(const Fused& work) {
  const bool keeps = keeps_rows(work);
  const auto rows = static_cast<std::uint64_t>(work.rows);
  const auto columns = static_cast<std::uint64_t>(work.columns);
  const std::uint64_t bytes = std::max<std::uint64_t>(
      {work.frame_bytes - std::min(filled_bytes(work), work.frame_bytes), work.frame_bytes / 4, 4});
  const std::uint64_t wanted = lanes_of(work);
  Tile tile;
  const bool adds_rows = adds_whole_rows(work, wanted);
  const bool whole_rows = keeps || columns <= wanted ||
                          (columns * bytes <= kRowsBytes && counts_columns(work)) || adds_rows;
  tile.columns = whole_rows ? columns : wanted;
  if (whole_rows && columns > 0) tile.rows = std::clamp<std::uint64_t>(wanted / columns, 1, rows);
  if (keeps && columns > 0)
    tile.rows = std::max(tile.rows, std::min({kRowsBytes / (columns * bytes), kRowsAtOnce, rows}));
  if (adds_rows) tile.rows = std::clamp<std::uint64_t>(kAddedLanes / columns, 1, rows);
  if (tile.rows < rows) tile.rows = std::min(rows_of_pieces(columns, tile.rows), rows);
  if (tile.rows < rows) tile.rows = rows_beside_views(work, tile.rows);
  tile.lanes = (tile.rows * tile.columns + kUnit - 1) / kUnit * kUnit;
  tile.values_bytes = sum_of_bytes(work.frame_bytes * tile.lanes, sums_bytes(work));
  return tile;
}

Tile tile_of(const Instruction& instruction) {
  const auto& work = std::get<Fused>(instruction.work);
  Tile tile = tile_of(work);
  tile.operand_bytes = operand_bytes(instruction, work, tile);
  return tile;
}

void check_tiles_fit(const Executable& executable, std::uint64_t vmem_bytes) {
  check(executable, executable.code, vmem_bytes);
}

}  // namespace understudy::program
