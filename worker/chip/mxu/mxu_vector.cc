// SPDX-License-Identifier: Apache-2.0
// Products of a matrix and a vector: the matrix is read once, in place, and rounded in registers.
// Where it is dense along the sums, these have 32 lanes, lane l takes elements l, l + 32, ...,
// joined by a fixed tree. Where it is dense across them, each takes eight products at a time,
// joined by a tree. Both give the same bits on every instruction set.
#include <algorithm>

#include "worker/chip/copy.h"
#include "worker/chip/mxu/mxu_batch.h"
#include "worker/chip/mxu/mxu_places.h"
#include "worker/chip/mxu/mxu_vector_loops.h"

namespace understudy::worker {
namespace {

using program::ElementType;

// The vector as it is multiplied: dense f32, rounded to bf16 where the products are of bf16.
const float* vector_in_f32(const BatchUnits& units, ElementType multiply, const MatrixView& view,
                           std::int64_t step, const std::byte* source, std::int64_t k, Vmem& vmem) {
  const auto take = [&](std::int64_t n) { return vmem.take(static_cast<std::uint64_t>(n)); };
  const bool is_dense = view.element == ElementType::f32 && (step == 1 || k == 1);
  if (is_dense && multiply != ElementType::bf16) return reinterpret_cast<const float*>(source);
  if (is_dense) {
    auto* const rounded = reinterpret_cast<float*>(take(4 * k));
    round_to_bf16(reinterpret_cast<const float*>(source), rounded, k);
    return rounded;
  }
  const auto convert = [&](ElementType from, const std::byte* in, ElementType to, std::byte* at) {
    units.kernels.convert(from, to)(in, at, static_cast<std::size_t>(k));
  };
  std::byte* const wide = take(4 * k);
  if (view.element == multiply && (step == 1 || k == 1)) {
    convert(multiply, source, ElementType::f32, wide);
    return reinterpret_cast<const float*>(wide);
  }
  std::byte* const dense = take(16 * k);
  std::byte* const narrow = take(8 * k);
  ops::CopyPlan({k}, {step}, {1}, program::byte_size(view.element)).run(source, dense);
  convert(view.element, dense, multiply, narrow);
  convert(multiply, narrow, ElementType::f32, wide);
  return reinterpret_cast<const float*>(wide);
}

}  // namespace

// Over 40 lines: one decision after the other whether this way may be taken.
bool multiply_vector(const BatchUnits& units, const BatchPlan& plan, const Product& p,
                     const std::byte* lhs, const std::byte* rhs, std::byte* out, Vmem& vmem) {
  // The vector times the transposed matrix is the same sum.
  const bool is_left = p.n == 1;
  if (!is_left && p.m != 1) return false;
  const MatrixView& matrix = is_left ? p.lhs : p.rhs;
  const MatrixView& vector = is_left ? p.rhs : p.lhs;
  const std::int64_t step = is_left ? matrix.column_stride : matrix.row_stride;  // along k
  const std::int64_t across = is_left ? matrix.row_stride : matrix.column_stride;
  const std::int64_t count = is_left ? p.m : p.n;
  const bool has_type = matrix.element == ElementType::f32 || matrix.element == ElementType::bf16;
  const bool goes_across = step != 1 && across == 1 && count >= 8;
  if ((step != 1 && !goes_across) || !has_type ||
      (p.out != ElementType::f32 && p.out != ElementType::bf16))
    return false;
  const Vmem::Scope scope(vmem);
  const std::byte* const source = is_left ? rhs : lhs;
  const std::int64_t vector_step = is_left ? vector.row_stride : vector.column_stride;
  VectorKind kind = matrix.element == ElementType::bf16  ? VectorKind::bf16
                    : plan.multiply == ElementType::bf16 ? VectorKind::rounded_f32
                                                         : VectorKind::f32;
  // Two vectors are read once, so that rounding one of them first would cost a pass over memory.
  if (kind == VectorKind::rounded_f32 && count == 1 && !goes_across &&
      vector.element == ElementType::f32 && vector_step == 1)
    kind = VectorKind::both_rounded;
  const float* const x =
      kind == VectorKind::both_rounded
          ? reinterpret_cast<const float*>(source)
          : vector_in_f32(units, plan.multiply, vector, vector_step, source, p.k, vmem);
  const VectorRows rows{
      is_left ? lhs : rhs, goes_across ? p.k : count,
      (goes_across ? step : across) * static_cast<std::int64_t>(program::byte_size(matrix.element)),
      goes_across ? count : p.k};
  std::byte* const sums =
      p.out == ElementType::f32 ? out : vmem.take(static_cast<std::uint64_t>(count) * 4);
  auto* const to = reinterpret_cast<float*>(sums);
  if (goes_across) {
    multiply_rows_across(rows, kind, x, to);
  } else {
    const bool is_bf16 = kind == VectorKind::bf16;
    const auto room = static_cast<std::uint64_t>(is_bf16 ? 4 * room_floats(p.k) : 0);
    multiply_rows_along(rows, kind, x, to, reinterpret_cast<float*>(vmem.take(room)));
  }
  if (p.out != ElementType::f32)
    units.kernels.convert(ElementType::f32, p.out)(sums, out, static_cast<std::size_t>(count));
  return true;
}

bool multiply_long_vector(const BatchUnits& units, const BatchPlan& plan, const Product& p,
                          const std::byte* lhs, const std::byte* rhs, std::byte* out, Vmem& vmem) {
  const auto count = static_cast<std::uint64_t>(std::max(p.m, p.n));
  if ((p.m != 1 && p.n != 1) || vmem.left() < 64 * kVectorPart + 16 * count) return false;
  const Vmem::Scope scope(vmem);
  std::byte* const sums = vmem.take(4 * count);
  std::byte* const more = vmem.take(4 * count);
  const auto add = units.kernels.accumulate(program::Reduction::sum, ElementType::f32);
  Product part = p;
  part.out = ElementType::f32;
  const auto step = [](const MatrixView& view, std::int64_t stride) {
    return stride * static_cast<std::int64_t>(program::byte_size(view.element));
  };
  for (std::int64_t k = 0; k < p.k; k += kVectorPart) {
    part.k = std::min(kVectorPart, p.k - k);
    if (!multiply_vector(units, plan, part, lhs + k * step(p.lhs, p.lhs.column_stride),
                         rhs + k * step(p.rhs, p.rhs.row_stride), k == 0 ? sums : more, vmem))
      return false;  // only the first: all parts have one form
    if (k > 0) add(sums, more, sums, count);
  }
  units.kernels.convert(ElementType::f32, p.out)(sums, out, count);
  return true;
}

}  // namespace understudy::worker
