// SPDX-License-Identifier: Apache-2.0
// Reductions as steps of fused loops: over trailing dimensions (kept rows times reduced columns),
// or over leading ones (all rows to one).
#include <algorithm>

#include "program/executable/tile.h"
#include "program/ir/reductions.h"
#include "program/kernels/kernels.h"
#include "program/passes/fuse_groups.h"

namespace understudy::program::passes {

namespace {

// Sums of all rows are kept from tile to tile in the second-level cache; narrower ones have no
// vectors.
constexpr std::int64_t kLeastSums = 8, kMostSums = 65536;

// Whether partial results may wait between two tiles. Of a product of complex numbers that would
// change the signs of zeros; small floats are rounded once.
bool waits_between_tiles(ElementType type) {
  return !is_complex(type) && (byte_size(type) > 1 || is_pred(type) || type == ElementType::i8 ||
                               type == ElementType::ui8);
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
  if (work.reduction == Reduction::none || instruction.outputs.size() != 1 ||
      !kernels::reduces_to(in.element, instruction.outputs[0].type.element))
    return std::nullopt;
  const auto is_reduced = [&](std::size_t d) {
    return std::ranges::find(work.dimensions, static_cast<std::int64_t>(d)) !=
           work.dimensions.end();
  };
  LoopSpace space{1, 1};
  std::optional<bool> rows_are_reduced;
  bool in_columns = false;
  for (std::size_t d = 0; d < in.shape.size(); ++d) {
    if (in.shape[d] == 1) continue;
    if (!rows_are_reduced) rows_are_reduced = is_reduced(d);
    const bool is_column = is_reduced(d) != *rows_are_reduced;
    if (in_columns && !is_column) return std::nullopt;
    in_columns = is_column;
    (in_columns ? space.columns : space.rows) *= in.shape[d];
  }
  const bool waits = waits_between_tiles(in.element);
  if (rows_are_reduced == true && in_columns) {
    if (!waits || space.columns < kLeastSums || space.columns > kMostSums) return std::nullopt;
    return space;
  }
  if (rows_are_reduced == true) std::swap(space.rows, space.columns);
  if (space.columns < 2 || (space.columns > kLongestRow && !waits)) return std::nullopt;
  return space;
}

bool reduces_leading(const Instruction& instruction) {
  const Shape& in = instruction.inputs[0].type.shape;
  const auto& reduced = std::get<Reduce>(instruction.work).dimensions;
  const auto first = std::ranges::find_if(in, [](std::int64_t n) { return n != 1; }) - in.begin();
  return instruction.outputs[0].type.elements() > 1 &&
         std::ranges::find(reduced, static_cast<std::int64_t>(first)) != reduced.end();
}

Follows output_follows(const Instruction& instruction) {
  if (!std::holds_alternative<Reduce>(instruction.work)) return Follows::loop;
  const bool is_cut =
      instruction.inputs[0].type.elements() > kLongestRow * instruction.outputs[0].type.elements();
  return is_cut || reduces_leading(instruction) ? Follows::end : Follows::loop;
}

}  // namespace understudy::program::passes
