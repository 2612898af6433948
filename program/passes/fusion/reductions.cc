// SPDX-License-Identifier: Apache-2.0
// Reductions as steps of fused loops: over trailing dimensions (kept rows times reduced columns),
// over leading ones (all rows to one) or over middle ones (each block of rows to one).
#include "program/ir/reductions.h"

#include <algorithm>
#include <vector>

#include "program/executable/tile.h"
#include "program/kernels/kernels.h"
#include "program/passes/fusion/groups.h"

namespace understudy::program::passes {

namespace {

// Sums of rows are kept from tile to tile in the second-level cache; narrower ones have no vectors.
constexpr std::int64_t kLeastSums = 8, kMostSums = 65536;

// Whether partial results may wait between two tiles. Of a product of complex numbers that would
// change the signs of zeros; small floats are rounded once.
bool waits_between_tiles(ElementType type) {
  return !is_complex(type) && (byte_size(type) > 1 || is_pred(type) || type == ElementType::i8 ||
                               type == ElementType::ui8);
}

// Dimensions of more than one element, those side by side that are all reduced or all kept taken
// as one.
struct DimensionRun {
  bool is_reduced = false;
  std::int64_t size = 1;
};
std::vector<DimensionRun> dimension_runs(const Instruction& instruction) {
  const Shape& in = instruction.inputs[0].type.shape;
  const auto& reduced = std::get<Reduce>(instruction.work).dimensions;
  std::vector<DimensionRun> runs;
  for (std::size_t d = 0; d < in.size(); ++d) {
    if (in[d] == 1) continue;
    const bool is_reduced =
        std::ranges::find(reduced, static_cast<std::int64_t>(d)) != reduced.end();
    if (runs.empty() || runs.back().is_reduced != is_reduced) runs.push_back({is_reduced, 1});
    runs.back().size *= in[d];
  }
  return runs;
}

}  // namespace

// bf16 and f16 are rounded once after either. The sign of a complex zero may differ.
std::optional<BinaryOp> combining_function(const Instruction& instruction) {
  const auto& work = std::get<Reduce>(instruction.work);
  if (instruction.outputs.size() != 1) return std::nullopt;
  const TensorType& in = instruction.inputs[0].type;
  const TensorType& out = instruction.outputs[0].type;
  const bool has_kernel = in.element == out.element && !is_complex(in.element);
  if (!has_kernel || in.elements() != out.elements()) return std::nullopt;
  return function_of(work.reduction);
}

std::optional<LoopSpace> reduction_space(const Instruction& instruction) {
  if (combining_function(instruction)) return LoopSpace{instruction.outputs[0].type.elements(), 0};
  const auto& work = std::get<Reduce>(instruction.work);
  const TensorType& in = instruction.inputs[0].type;
  if (work.reduction == Reduction::none || instruction.outputs.size() != 1 || in.elements() == 0 ||
      !kernels::reduces_to(in.element, instruction.outputs[0].type.element))
    return std::nullopt;
  const std::vector<DimensionRun> runs = dimension_runs(instruction);
  const bool waits = waits_between_tiles(in.element);
  if (const auto blocks = row_blocks(instruction)) {
    const std::int64_t columns = runs.back().size;
    if (!waits || columns < kLeastSums || columns > kMostSums) return std::nullopt;
    return LoopSpace{in.elements() / columns, columns};
  }
  if (runs.empty() || runs.size() > 2 || !runs.back().is_reduced) return std::nullopt;
  const std::int64_t columns = runs.back().size;
  const std::int64_t rows = in.elements() / columns;
  if (columns > longest_row(rows) && !waits) return std::nullopt;
  return LoopSpace{rows, columns};
}

std::optional<std::int64_t> row_blocks(const Instruction& instruction) {
  const std::vector<DimensionRun> runs = dimension_runs(instruction);
  const std::size_t n = runs.size();
  if (n < 2 || n > 3 || runs[n - 1].is_reduced) return std::nullopt;
  return n == 3 ? runs[0].size : 1;
}

Follows output_follows(const Instruction& instruction) {
  if (is_apart(instruction)) return Follows::apart;
  if (!std::holds_alternative<Reduce>(instruction.work)) return Follows::loop;
  const std::int64_t rows = instruction.outputs[0].type.elements();
  const bool is_cut = instruction.inputs[0].type.elements() > longest_row(rows) * rows;
  return is_cut || row_blocks(instruction) ? Follows::end : Follows::loop;
}

}  // namespace understudy::program::passes
