// SPDX-License-Identifier: Apache-2.0
// Data movement. Everything becomes a view (no instruction), a strided copy, or a fill. Strides are
// in elements; negative ones reverse.
#include <algorithm>
#include <fmt/format.h>

#include "configs/base/index.h"
#include "program/executable/tile.h"
#include "program/lowering/lowering.h"
#include "program/lowering/pad.h"
#include "program/passes/module/attributes.h"

namespace understudy::program::passes {

namespace {

// Splats become fills: a large one would otherwise be stored in full in every executable.
void lower_constant(Lowering& lowering, const Operation& op) {
  const Attribute* value = op.find("value");
  const auto* dense = value == nullptr ? nullptr : value->get<DenseAttribute>();
  if (dense == nullptr || dense->data == nullptr)
    throw error_at(op.location, ErrorKind::unsupported,
                   fmt::format("{}: only dense values are supported", op.name));
  const TensorType& type = lowering.result_type(op);
  // A fill of one element saves no bytes.
  if (!dense->is_splat || type.elements() == 1)
    return lowering.bind(*op.results[0], lowering.constant(type, *dense->data));
  // Nothing to fill; an empty buffer stands for it.
  if (type.elements() == 0) return lowering.bind(*op.results[0], lowering.make(type));
  const Operand one = lowering.constant({type.element, {}}, *dense->data);
  const Operand all = lowering.fill(one, type);
  lowering.bind(*op.results[0], all);
  const auto known = lowering.known_integers(one);
  // Splats of shapes are followed too; more elements than this are data (see known.cc).
  if (known && type.elements() <= 64)
    lowering.remember(all, std::vector<std::int64_t>(at(type.elements()), known->front()));
}

// The same bytes with other dimensions.
void lower_reshape(Lowering& lowering, const Operation& op) {
  const Operand x = lowering.operand(op, 0);
  lowering.bind(*op.results[0], Operand{x.at, lowering.result_type(op)});
}

// Of arrays that were joined along a new dimension, which goes elsewhere among the others: they are
// joined there instead (jnp.stack).
std::optional<Operand> joined_elsewhere(Lowering& lowering, const Operand& x,
                                        const Shape& permutation, const TensorType& type) {
  const Origins::Joined* const joined = lowering.origins().joined(x);
  if (joined == nullptr || joined->pieces.size() > at(kMostApart)) return std::nullopt;
  const auto along = static_cast<std::int64_t>(joined->dimension);
  Shape others = permutation;
  std::erase(others, along);
  if (!std::ranges::is_sorted(others)) return std::nullopt;
  const auto place = std::ranges::find(permutation, along) - permutation.begin();
  Parts pieces;
  for (const Operand& piece : joined->pieces) {
    if (piece.type.shape[joined->dimension] != 1) return std::nullopt;
    TensorType moved{type.element, type.shape};
    moved.shape[static_cast<std::size_t>(place)] = 1;
    pieces.push_back({piece.at, std::move(moved)});
  }
  return join_pieces(lowering, pieces, static_cast<std::size_t>(place), type);
}

void lower_transpose(Lowering& lowering, const Operation& op) {
  const Operand x = lowering.operand(op, 0);
  const Shape permutation = integers_of(op, "permutation");
  if (const auto joined = joined_elsewhere(lowering, x, permutation, lowering.result_type(op)))
    return lowering.bind(*op.results[0], *joined);
  const Operation* const maker = op.operands[0]->owner;
  if (maker != nullptr && maker->name == "stablehlo.dot_general")
    if (const auto product =
            transposed_product(lowering, *maker, permutation, lowering.result_type(op)))
      return lowering.bind(*op.results[0], *product);
  const Origins::Elements from = lowering.origins().elements_of(x);
  Shape strides;
  for (const std::int64_t d : permutation) strides.push_back(from.strides[at(d)]);
  lowering.bind(*op.results[0], lowering.gather_strided(from.of, lowering.result_type(op),
                                                        std::move(strides), from.base));
}

void lower_broadcast_in_dim(Lowering& lowering, const Operation& op) {
  lowering.bind(*op.results[0],
                lowering.broadcast(lowering.operand(op, 0), integers_of(op, "broadcast_dimensions"),
                                   lowering.result_type(op)));
}

// Deprecated: new dimensions in front.
void lower_broadcast(Lowering& lowering, const Operation& op) {
  const Operand x = lowering.operand(op, 0);
  const TensorType& type = lowering.result_type(op);
  Shape dimensions;
  for (auto d = type.ndims() - x.type.ndims(); d < type.ndims(); ++d) dimensions.push_back(d);
  lowering.bind(*op.results[0], lowering.broadcast(x, dimensions, type));
}

// Starts at the last element of each reversed dimension and walks it with a negative stride.
void lower_reverse(Lowering& lowering, const Operation& op) {
  const Operand x = lowering.operand(op, 0);
  Shape strides = row_major_strides(x.type.shape);
  std::int64_t base = 0;
  for (const std::int64_t d : integers_of(op, "dimensions")) {
    // Nothing to reverse; an empty dimension would start before its first element.
    if (x.type.shape[at(d)] <= 1) continue;
    base += (x.type.shape[at(d)] - 1) * strides[at(d)];
    strides[at(d)] = -strides[at(d)];
  }
  lowering.bind(*op.results[0],
                lowering.gather_strided(x, lowering.result_type(op), std::move(strides), base));
}

void lower_pad(Lowering& lowering, const Operation& op) {
  const Operand x = lowering.operand(op, 0);
  const std::size_t ndims = x.type.shape.size();
  const Padding padding{integers_or(op, "edge_padding_low", ndims, 0),
                        integers_or(op, "edge_padding_high", ndims, 0),
                        integers_or(op, "interior_padding", ndims, 0)};
  lowering.bind(*op.results[0],
                pad(lowering, x, lowering.operand(op, 1), padding, lowering.result_type(op)));
}

// Fills a result around the box that `copy` will write. Small results are filled as a whole: one
// instruction instead of two per dimension.
void fill_around(Lowering& lowering, const StridedCopy& copy, const Padding& padding,
                 const Operand& value, const Operand& out) {
  constexpr std::int64_t kLeastBytes = 64 << 10;
  const Shape& shape = out.type.shape;
  std::int64_t copied = 1;
  for (const std::int64_t size : copy.sizes) copied *= size;
  const bool is_box = std::ranges::all_of(padding.interior, [](auto n) { return n == 0; });
  if (!is_box || out.type.bytes() < kLeastBytes || copied < out.type.elements() / 2) {
    lowering.emit(Fill{}, {value}, {out});
    return;
  }
  const Shape strides = row_major_strides(shape);
  StridedCopy edge{shape, Shape(shape.size(), 0), strides, 0, 0};
  // Dimension by dimension: below and above the box, along it in the dimensions before.
  for (std::size_t d = 0; d < shape.size(); ++d) {
    const std::int64_t low = std::max<std::int64_t>(padding.low[d], 0);
    const std::int64_t base = edge.out_base;
    edge.sizes[d] = low;
    lowering.emit_copy(edge, value, out);
    edge.sizes[d] = shape[d] - low - copy.sizes[d];
    edge.out_base = base + (low + copy.sizes[d]) * strides[d];
    lowering.emit_copy(edge, value, out);
    edge.sizes[d] = copy.sizes[d];
    edge.out_base = base + low * strides[d];
  }
}

}  // namespace

Operand pad(Lowering& lowering, const Operand& x, const Operand& value, const Padding& padding,
            const TensorType& type) {
  // jnp.fft.irfft, for one, pads by nothing.
  const auto is_zero = [](std::int64_t n) { return n == 0; };
  if (x.type == type && std::ranges::all_of(padding.low, is_zero) &&
      std::ranges::all_of(padding.interior, is_zero))
    return x;
  const Shape in_strides = row_major_strides(x.type.shape);
  const Shape out_strides = row_major_strides(type.shape);
  StridedCopy copy;
  for (std::size_t d = 0; d < type.shape.size(); ++d) {
    const std::int64_t step = padding.interior[d] + 1;
    const std::int64_t low = padding.low[d];
    // Negative padding cuts elements off: only elements first..last of x are inside the result.
    const std::int64_t first = low >= 0 ? 0 : (-low + step - 1) / step;
    const std::int64_t room = type.shape[d] - 1 - low;
    const std::int64_t last = room < 0 ? -1 : std::min(x.type.shape[d] - 1, room / step);
    // No element of x lies inside the result, which is padding only.
    if (last < first) return lowering.fill(value, type);
    copy.sizes.push_back(last - first + 1);
    copy.in_strides.push_back(in_strides[d]);
    copy.out_strides.push_back(out_strides[d] * step);
    copy.in_base += first * in_strides[d];
    copy.out_base += (low + first * step) * out_strides[d];
  }
  // Nothing but cropped: a slice.
  if (copy.sizes == type.shape)
    return lowering.gather_strided(x, type, std::move(copy.in_strides), copy.in_base);
  const Operand out = lowering.make(type);
  fill_around(lowering, copy, padding, value, out);
  lowering.emit_copy(std::move(copy), x, out);
  remember_padded(lowering, x, value, padding, out);
  remember_spread(lowering, x, value, padding, out);
  return out;
}

void lower_iota(Lowering& lowering, const Operation& op) {
  const std::int64_t dimension = integer_of(op, "iota_dimension", 0);
  const Operand counted = lowering.emit(Iota{dimension}, {}, lowering.result_type(op));
  lowering.origins().remember_iota(counted, at(dimension));
  lowering.bind(*op.results[0], counted);
}

void add_movement(LowerTable& table) {
  table.emplace("stablehlo.constant", lower_constant);
  table.emplace("chlo.constant", lower_constant);
  table.emplace("stablehlo.iota", lower_iota);
  table.emplace("stablehlo.reshape", lower_reshape);
  table.emplace("stablehlo.transpose", lower_transpose);
  table.emplace("stablehlo.broadcast_in_dim", lower_broadcast_in_dim);
  table.emplace("stablehlo.broadcast", lower_broadcast);
  table.emplace("stablehlo.reverse", lower_reverse);
  table.emplace("stablehlo.pad", lower_pad);
}

}  // namespace understudy::program::passes
