// SPDX-License-Identifier: Apache-2.0
// Copies that repeat their input along some dimensions, as broadcast_in_dim makes them, in the
// space of a fused loop.
#include "program/passes/fuse_groups.h"

namespace understudy::program::passes {

namespace {

// Shorter runs of rows with one way to follow the loop take longer than the copy alone.
constexpr std::int64_t kLeastRun = 64;

}  // namespace

bool is_repetition(const Instruction& instruction) {
  const auto& copy = std::get<StridedCopy>(instruction.work);
  const std::size_t rank = copy.sizes.size();
  if (rank < 2 || copy.in_base != 0 || copy.out_base != 0) return false;
  if (copy.sizes[rank - 2] * copy.sizes[rank - 1] < kLeastRun) return false;
  std::int64_t in = 1, out = 1;
  std::size_t terms = 0;
  for (std::size_t d = rank; d-- > 0;) {
    if (copy.out_strides[d] != out) return false;
    out *= copy.sizes[d];
    if (copy.in_strides[d] == 0) continue;
    if (copy.in_strides[d] != in) return false;
    in *= copy.sizes[d];
    ++terms;
  }
  // The last dimension may be divided, and be a term as well.
  return in > 1 && terms <= kMostRowTerms && in < out &&
         in == instruction.inputs[0].type.elements() &&
         out == instruction.outputs[0].type.elements();
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
