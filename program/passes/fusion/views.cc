// SPDX-License-Identifier: Apache-2.0
// Copies of rows at regular places, as broadcast_in_dim and slice make them, elements at indices of
// each row, and rows at indices, in the space of a fused loop.
#include <algorithm>
#include <initializer_list>

#include "program/passes/fusion/groups.h"

namespace understudy::program::passes {

namespace {

// Shorter runs of rows that follow the loop in one way, and shorter parts of rows, take longer than
// the copy alone.
constexpr std::int64_t kLeastRun = 64, kShortestPart = 16;
// A transpose reads each line of memory again for the next row. Up to this many rows of a line, or
// bytes, it does so from a cache, or no more often than a copy beside the loop is written and read.
constexpr std::int64_t kMostReadAgain = 3, kMostCachedBytes = 512 * 1024;
// Loops of fewer elements, and calls for shorter lines, take longer than the gather alone.
constexpr std::int64_t kLeastTaken = 64, kShortestLine = 16;

// Divides the last dimension into one of `columns` elements and one of the parts before it.
void divide_last(std::int64_t columns, Shape& sizes, std::initializer_list<Shape*> all_strides) {
  const std::int64_t parts = sizes.back() / columns;
  if (parts == 1) return;
  const auto last = static_cast<std::ptrdiff_t>(sizes.size()) - 1;
  sizes.back() = columns;
  sizes.insert(sizes.begin() + last, parts);
  for (Shape* const strides : all_strides)
    strides->insert(strides->begin() + last, strides->back() * columns);
}

bool leaves_caches(const Instruction& instruction) {
  const auto& copy = std::get<StridedCopy>(instruction.work);
  std::int64_t rows = 1, elements = 1;  // of a line; in all
  for (std::size_t d = 0; d < copy.sizes.size(); ++d) {
    if (copy.in_strides[d] == 0) continue;
    elements *= copy.sizes[d];
    if (copy.in_strides[d] < copy.in_strides.back()) rows *= copy.sizes[d];
  }
  const auto bytes = static_cast<std::int64_t>(byte_size(instruction.inputs[0].type.element));
  return rows > kMostReadAgain && elements * bytes > kMostCachedBytes;
}

}  // namespace

bool is_row_spread(const StridedCopy& copy) {
  return copy.sizes.size() == 2 && copy.in_base == 0 && copy.out_base == 0 &&
         copy.in_strides == Shape{1, 0} && copy.out_strides == Shape{copy.sizes[1], 1};
}
bool is_column_spread(const StridedCopy& copy) {
  return copy.sizes.size() == 2 && copy.in_base == 0 && copy.out_base == 0 &&
         copy.in_strides == Shape{0, 1} && copy.out_strides == Shape{copy.sizes[1], 1};
}

bool spreads_rows(const Instruction& copy) {
  const auto& work = std::get<StridedCopy>(copy.work);
  return is_row_spread(work) && copy.inputs[0].type.elements() == work.sizes[0];
}
bool spreads_columns(const Instruction& copy) {
  const auto& work = std::get<StridedCopy>(copy.work);
  return is_column_spread(work) && copy.inputs[0].type.elements() == work.sizes[1];
}

bool is_row_view(const Instruction& instruction) {
  const auto& copy = std::get<StridedCopy>(instruction.work);
  const std::size_t rank = copy.sizes.size();
  if (rank == 0 || copy.out_base != 0 || copy.in_strides[rank - 1] > kMostElementStep ||
      leaves_caches(instruction))
    return false;
  std::int64_t in = 1, out = 1;
  std::size_t terms = 0;
  bool has_gaps = false;  // the rows are parts of longer ones, or have others between them
  for (std::size_t d = rank; d-- > 0;) {
    if (copy.out_strides[d] != out || copy.in_strides[d] < 0) return false;
    out *= copy.sizes[d];
    if (copy.in_strides[d] == 0) continue;
    has_gaps = has_gaps || copy.in_strides[d] != in;
    in *= copy.sizes[d];
    ++terms;
  }
  // The last dimension may be divided, and be a term as well.
  if (in == 1 || terms > kMostRowTerms || out != instruction.outputs[0].type.elements())
    return false;
  const std::int64_t columns = copy.sizes[rank - 1];
  if (has_gaps) return copy.in_strides[rank - 1] > 0 && columns >= kShortestPart;
  return rank > 1 && in < out && copy.sizes[rank - 2] * columns >= kLeastRun;
}

StridedCopy with_columns(const StridedCopy& copy, std::int64_t columns) {
  StridedCopy divided = copy;
  if (copy.sizes.size() == 1) {  // a view has rows
    divided.sizes = {1, copy.sizes[0]};
    divided.in_strides = {0, copy.in_strides[0]};
    divided.out_strides = {copy.sizes[0], 1};
  }
  divide_last(columns, divided.sizes, {&divided.in_strides, &divided.out_strides});
  return divided;
}

std::optional<LoopSpace> take_space(const Instruction& instruction) {
  const auto& take = std::get<TakeElements>(instruction.work);
  const std::int64_t elements = instruction.outputs[0].type.elements();
  if (elements < kLeastTaken || take.sizes.empty()) return std::nullopt;
  const bool is_one_line = take.sizes.size() == 1;
  if (is_one_line && take.strides[0] == 0) return LoopSpace{elements, 0};
  // The last dimension may be divided, and be a term as well.
  const auto terms = std::ranges::count_if(take.strides, [](std::int64_t s) { return s != 0; });
  if (terms > static_cast<std::ptrdiff_t>(kMostRowTerms) || take.sizes.back() < kShortestLine)
    return std::nullopt;
  return LoopSpace{elements / take.sizes.back(), take.sizes.back(), true};
}

TakeElements with_columns(const TakeElements& take, std::int64_t columns) {
  TakeElements divided = take;
  divide_last(columns, divided.sizes, {&divided.strides});
  return divided;
}

// The gather of jnp.take(x, i, axis=0): whole rows, which are all but the first dimension. Loops
// reduce bytes and f16 more slowly than the reduction alone.
std::optional<LoopSpace> row_gather_space(const Instruction& instruction) {
  const auto& work = std::get<Gather>(instruction.work);
  const Shape& in = instruction.inputs[0].type.shape;
  const TensorType &indices = instruction.inputs[1].type, &out = instruction.outputs[0].type;
  const bool has_vectors = work.index_vector_dim + 1 == indices.ndims();
  if (byte_size(out.element) == 1 || out.element == ElementType::f16 ||
      work.start_index_map != Shape{0} || work.collapsed_slice_dims != Shape{0} ||
      !work.operand_batching_dims.empty() || out.elements() < kLeastTaken || in[0] == 0 ||
      (!has_vectors && work.index_vector_dim != indices.ndims()) ||
      !std::equal(in.begin() + 1, in.end(), work.slice_sizes.begin() + 1))
    return std::nullopt;
  const auto windows = static_cast<std::size_t>(out.ndims()) - work.offset_dims.size();
  for (std::size_t d = 0; d < work.offset_dims.size(); ++d)
    if (work.offset_dims[d] != static_cast<std::int64_t>(windows + d)) return std::nullopt;
  const std::int64_t rows = indices.elements(), columns = out.elements() / rows;
  if (columns < 2) return std::nullopt;
  return LoopSpace{rows, columns, false};
}

TakeElements take_of_rows(const Instruction& gather, const LoopSpace& space) {
  return {gather.inputs[0].type.shape[0], space.columns, {space.rows, space.columns}, {0, 1}};
}

}  // namespace understudy::program::passes
