// SPDX-License-Identifier: Apache-2.0
// chlo.ragged_dot: a dot whose ragged dimension of the lhs falls into groups of unequal sizes. The
// three modes follow jax.lax.ragged_dot_general: the ragged dimension is not contracting (each
// group has a rhs of its own), contracting (each group gives a result of its own), or batching
// (groups change nothing).
#include <algorithm>
#include <fmt/format.h>

#include "program/lowering/lowering.h"
#include "program/passes/module/attributes.h"

namespace understudy::program::passes {

namespace {

constexpr std::string_view kNumbers = "ragged_dot_dimension_numbers";

bool holds(const Shape& list, std::int64_t value) {
  return std::ranges::find(list, value) != list.end();
}

struct Numbers {
  Shape lhs_batch, rhs_batch, lhs_contracting, rhs_contracting;
  Shape lhs_free, rhs_free;  // in the order of the operand
  std::int64_t ragged = 0, group = -1;
};

// Free dimensions are those that are neither batch, nor contracting, nor (in the rhs) the group
// dimension, in ascending order as the result has them.
Numbers numbers_of(Lowering& lowering, const Operation& op) {
  Numbers n;
  n.lhs_batch = dimensions_of(op, kNumbers, "lhs_batching_dimensions");
  n.rhs_batch = dimensions_of(op, kNumbers, "rhs_batching_dimensions");
  n.lhs_contracting = dimensions_of(op, kNumbers, "lhs_contracting_dimensions");
  n.rhs_contracting = dimensions_of(op, kNumbers, "rhs_contracting_dimensions");
  const Shape ragged = dimensions_of(op, kNumbers, "lhs_ragged_dimensions");
  const Shape group = dimensions_of(op, kNumbers, "rhs_group_dimensions");
  if (ragged.size() != 1 || group.size() > 1)
    throw error_at(
        op.location, ErrorKind::input,
        fmt::format("{}: expected one ragged dimension and at most one group dimension", op.name));
  n.ragged = ragged[0];
  if (!group.empty()) n.group = group[0];
  for (std::int64_t d = 0; d < lowering.operand_type(op, 0).ndims(); ++d)
    if (!holds(n.lhs_batch, d) && !holds(n.lhs_contracting, d)) n.lhs_free.push_back(d);
  for (std::int64_t d = 0; d < lowering.operand_type(op, 1).ndims(); ++d)
    if (!holds(n.rhs_batch, d) && !holds(n.rhs_contracting, d) && d != n.group)
      n.rhs_free.push_back(d);
  return n;
}

// Brings dimensions into the given order and merges each list into one dimension.
Operand arranged(Lowering& lowering, const Operand& x, const std::vector<Shape>& lists) {
  const Shape dense = row_major_strides(x.type.shape);
  TensorType type{x.type.element, {}};
  Shape strides, merged;
  for (const Shape& list : lists) {
    std::int64_t size = 1;
    for (const std::int64_t d : list) {
      type.shape.push_back(x.type.shape.at(static_cast<std::size_t>(d)));
      strides.push_back(dense.at(static_cast<std::size_t>(d)));
      size *= type.shape.back();
    }
    merged.push_back(size);
  }
  // At most one copy; merging the dimensions afterwards only renames them.
  Operand result = lowering.gather_strided(x, type, std::move(strides), 0);
  result.type.shape = merged;
  return result;
}

// Group sizes as [batch, groups] in i64; a vector of sizes is shared by all batches.
Operand sizes_of(Lowering& lowering, const Operation& op, std::int64_t batch) {
  Operand sizes = lowering.convert(lowering.operand(op, 2), ElementType::i64);
  const std::int64_t groups = sizes.type.shape.empty() ? 1 : sizes.type.shape.back();
  const TensorType type{ElementType::i64, {batch, groups}};
  // Sizes for each batch already, or a single batch.
  if (sizes.type.elements() == type.elements()) return {sizes.at, type};
  if (sizes.type.ndims() != 1)
    throw error_at(op.location, ErrorKind::input,
                   fmt::format("{}: group sizes {} do not match {} batches", op.name,
                               text_of(sizes.type), batch));
  const Shape last = {1};
  return lowering.broadcast(sizes, last, type);
}

// List positions before and after the ragged dimension.
std::pair<Shape, Shape> split_at(const Shape& list, std::int64_t ragged) {
  const auto at = std::ranges::find(list, ragged);
  return {Shape(list.begin(), at), Shape(at + 1, list.end())};
}

Shape joined(Shape a, const Shape& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

// [B, m, k] x [g, b, k, n] -> [B, m, n], B being batches and the free dimensions before the ragged.
Operand rows_in_groups(Lowering& lowering, const Operation& op, const Numbers& n,
                       const TensorType& result, RaggedDot work) {
  const auto [before, after] = split_at(n.lhs_free, n.ragged);
  const Operand lhs =
      arranged(lowering, lowering.operand(op, 0),
               {joined(n.lhs_batch, before), joined({n.ragged}, after), n.lhs_contracting});
  if (n.group < 0)
    throw error_at(op.location, ErrorKind::input,
                   fmt::format("{}: the rhs has no group dimension", op.name));
  const Operand rhs = arranged(lowering, lowering.operand(op, 1),
                               {{n.group}, n.rhs_batch, n.rhs_contracting, n.rhs_free});
  const Shape& shape = lowering.operand_type(op, 0).shape;
  // Each step along the ragged dimension is this many rows of the merged one.
  work.rows = 1;
  for (const std::int64_t d : after) work.rows *= shape[static_cast<std::size_t>(d)];
  const Operand sizes = sizes_of(lowering, op, lhs.type.shape[0]);
  Operand out =
      lowering.emit(work, {lhs, rhs, sizes},
                    {result.element, {lhs.type.shape[0], lhs.type.shape[1], rhs.type.shape[3]}});
  out.type = result;
  return out;
}

// [b, m, k] x [b, k, n] -> [g, b, m, n].
Operand results_of_groups(Lowering& lowering, const Operation& op, const Numbers& n,
                          const TensorType& result, RaggedDot work) {
  const auto [before, after] = split_at(n.lhs_contracting, n.ragged);
  // Merging them would interleave the groups.
  if (!before.empty())
    throw error_at(
        op.location, ErrorKind::unsupported,
        fmt::format("{}: contracting dimensions before the ragged one are not supported", op.name));
  const Operand lhs =
      arranged(lowering, lowering.operand(op, 0), {n.lhs_batch, n.lhs_free, n.lhs_contracting});
  const Operand rhs =
      arranged(lowering, lowering.operand(op, 1), {n.rhs_batch, n.rhs_contracting, n.rhs_free});
  const Shape& shape = lowering.operand_type(op, 0).shape;
  work.rows = 1;
  for (const std::int64_t d : after) work.rows *= shape[static_cast<std::size_t>(d)];
  const Operand sizes = sizes_of(lowering, op, lhs.type.shape[0]);
  Operand out = lowering.emit(
      work, {lhs, rhs, sizes},
      {result.element,
       {sizes.type.shape[1], lhs.type.shape[0], lhs.type.shape[1], rhs.type.shape[2]}});
  out.type = result;
  return out;
}

// With a ragged batch dimension the groups do not matter: each batch has its own product anyway, so
// a plain dot computes it.
void lower_ragged_dot(Lowering& lowering, const Operation& op) {
  const Numbers n = numbers_of(lowering, op);
  const TensorType& result = lowering.result_type(op);
  if (holds(n.lhs_batch, n.ragged)) {
    Dot work;
    work.lhs_batch = n.lhs_batch;
    work.rhs_batch = n.rhs_batch;
    work.lhs_contracting = n.lhs_contracting;
    work.rhs_contracting = n.rhs_contracting;
    std::tie(work.lhs_precision, work.rhs_precision) = precisions_of(op);
    return lowering.emit_result(op, std::move(work),
                                {lowering.operand(op, 0), lowering.operand(op, 1)});
  }
  RaggedDot work;
  work.contracting = holds(n.lhs_contracting, n.ragged);
  std::tie(work.lhs_precision, work.rhs_precision) = precisions_of(op);
  const auto lower = work.contracting ? results_of_groups : rows_in_groups;
  const Operand out = lower(lowering, op, n, result, work);
  lowering.bind(*op.results[0], out);
}

}  // namespace

void add_ragged_dot(LowerTable& table) { table.emplace("chlo.ragged_dot", lower_ragged_dot); }

}  // namespace understudy::program::passes
