// SPDX-License-Identifier: Apache-2.0
// Data movement. Everything becomes a view (no instruction), a strided copy, or a fill. Strides are
// in elements; negative ones reverse.
#include <algorithm>
#include <fmt/format.h>

#include "configs/base/index.h"
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

void lower_iota(Lowering& lowering, const Operation& op) {
  lowering.emit_result(op, Iota{integer_of(op, "iota_dimension", 0)}, {});
}

// The same bytes with other dimensions.
void lower_reshape(Lowering& lowering, const Operation& op) {
  const Operand x = lowering.operand(op, 0);
  lowering.bind(*op.results[0], Operand{x.at, lowering.result_type(op)});
}

void lower_transpose(Lowering& lowering, const Operation& op) {
  const Operand x = lowering.operand(op, 0);
  const Shape dense = row_major_strides(x.type.shape);
  Shape strides;
  for (const std::int64_t d : integers_of(op, "permutation")) strides.push_back(dense[at(d)]);
  lowering.bind(*op.results[0],
                lowering.gather_strided(x, lowering.result_type(op), std::move(strides), 0));
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

// Where the elements of a value are: element i at base + sum i_d * strides_d.
struct Elements {
  Operand of;
  Shape strides;
  std::int64_t base = 0;
};

Elements elements_of_slice(Lowering& lowering, const Operation& op) {
  const Operand x = lowering.operand(op, 0);
  const std::size_t ndims = x.type.shape.size();
  const Shape starts = integers_or(op, "start_indices", ndims, 0);
  const Shape steps = integers_or(op, "strides", ndims, 1);
  Elements elements{x, row_major_strides(x.type.shape)};
  for (std::size_t d = 0; d < ndims; ++d) {
    elements.base += starts[d] * elements.strides[d];
    elements.strides[d] *= steps[d];
  }
  return elements;
}

// A slice is a base offset and scaled strides; only a slice that is not contiguous is copied.
void lower_slice(Lowering& lowering, const Operation& op) {
  const Elements from = elements_of_slice(lowering, op);
  lowering.bind(*op.results[0], lowering.gather_strided(from.of, lowering.result_type(op),
                                                        from.strides, from.base));
  lowering.remember_slice(*op.results[0]);
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

// A concatenation of known integers is known: programs build shapes and paddings that way.
// Row-major: for each index of the outer dimensions, the rows of the pieces follow each other.
void remember_concatenation(Lowering& lowering, const Parts& pieces, std::size_t dimension,
                            const Operand& out) {
  std::vector<std::vector<std::int64_t>> known;
  for (const Operand& piece : pieces) {
    auto values = lowering.known_integers(piece);
    if (!values) return;
    known.push_back(std::move(*values));
  }
  std::size_t outer = 1;
  for (std::size_t d = 0; d < dimension; ++d) outer *= at(out.type.shape[d]);
  std::vector<std::int64_t> all;
  for (std::size_t row = 0; row < outer; ++row)
    for (const std::vector<std::int64_t>& values : known) {
      const std::size_t length = values.size() / outer;
      const auto begin = values.begin() + static_cast<std::ptrdiff_t>(row * length);
      all.insert(all.end(), begin, begin + static_cast<std::ptrdiff_t>(length));
    }
  lowering.remember(out, std::move(all));
}

// Each piece is copied to its offset in the result.
void lower_concatenate(Lowering& lowering, const Operation& op) {
  const TensorType& type = lowering.result_type(op);
  const std::size_t dimension = at(integer_of(op, "dimension", 0));
  const Parts pieces = lowering.parts(op);
  // A view: the one piece is the result.
  if (pieces.size() == 1) return lowering.bind(*op.results[0], pieces[0]);
  const Operand out = lowering.make(type);
  const Shape strides = row_major_strides(type.shape);
  std::int64_t offset = 0;
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    const Operand& piece = pieces[i];
    // A slice is copied from where it was cut, as in x rolled around. It is not made, but for other
    // users.
    const Value& value = *op.operands[i];
    const Operation* const owner = value.owner;
    const Elements from =
        owner != nullptr && owner->name == "stablehlo.slice" && lowering.may_read_source(value)
            ? elements_of_slice(lowering, *owner)
            : Elements{piece, row_major_strides(piece.type.shape)};
    lowering.emit_copy(
        {piece.type.shape, from.strides, strides, from.base, offset * strides[dimension]}, from.of,
        out);
    offset += piece.type.shape[dimension];
  }
  lowering.bind(*op.results[0], out);
  remember_concatenation(lowering, pieces, dimension, out);
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
  return out;
}

void add_movement(LowerTable& table) {
  table.emplace("stablehlo.constant", lower_constant);
  table.emplace("chlo.constant", lower_constant);
  table.emplace("stablehlo.iota", lower_iota);
  table.emplace("stablehlo.reshape", lower_reshape);
  table.emplace("stablehlo.transpose", lower_transpose);
  table.emplace("stablehlo.broadcast_in_dim", lower_broadcast_in_dim);
  table.emplace("stablehlo.broadcast", lower_broadcast);
  table.emplace("stablehlo.slice", lower_slice);
  table.emplace("stablehlo.reverse", lower_reverse);
  table.emplace("stablehlo.concatenate", lower_concatenate);
  table.emplace("stablehlo.pad", lower_pad);
}

}  // namespace understudy::program::passes
