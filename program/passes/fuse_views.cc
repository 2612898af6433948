// SPDX-License-Identifier: Apache-2.0
// Copies of rows at regular places, as broadcast_in_dim and slice make them, in the space of a
// fused loop.
#include "program/passes/fuse_groups.h"

namespace understudy::program::passes {

namespace {

// Shorter runs of rows that follow the loop in one way, and shorter parts of rows, take longer than
// the copy alone.
constexpr std::int64_t kLeastRun = 64, kShortestPart = 16;

}  // namespace

bool is_row_view(const Instruction& instruction) {
  const auto& copy = std::get<StridedCopy>(instruction.work);
  const std::size_t rank = copy.sizes.size();
  if (rank < 2 || copy.out_base != 0 || copy.in_strides[rank - 1] > 1) return false;
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
  if (has_gaps) return copy.in_strides[rank - 1] == 1 && columns >= kShortestPart;
  return in < out && copy.sizes[rank - 2] * columns >= kLeastRun;
}

StridedCopy with_columns(const StridedCopy& copy, std::int64_t columns) {
  StridedCopy divided = copy;
  const std::int64_t parts = copy.sizes.back() / columns;
  if (parts == 1) return divided;
  const auto last = static_cast<std::ptrdiff_t>(copy.sizes.size()) - 1;
  divided.sizes.back() = columns;
  divided.sizes.insert(divided.sizes.begin() + last, parts);
  divided.in_strides.insert(divided.in_strides.begin() + last, copy.in_strides.back() * columns);
  divided.out_strides.insert(divided.out_strides.begin() + last, columns);
  return divided;
}

}  // namespace understudy::program::passes
