// SPDX-License-Identifier: Apache-2.0
// Shape refinement: the sizes that a program leaves open ("?"), from the real types of operands and
// from integers that are known while lowering. Calls are inlined, so every call of a function with
// open arguments is refined on its own. One row per operation whose result can be open; operations
// that hand their operands through (while, case, call, tuple, barriers) need none.
#include <algorithm>
#include <fmt/format.h>

#include "configs/base/index.h"
#include "program/ir/sizes.h"
#include "program/lowering/exported_calls.h"
#include "program/passes/module/attributes.h"

namespace understudy::program::passes {

namespace {

// ---- shapes of operands ------------------------------------------------------------------------

// Element by element: all operands that are no scalars agree.
Shape agreeing(const Open& open, std::size_t) {
  Shape shape;
  for (std::size_t i = 0; i < open.op.operands.size(); ++i) {
    const Shape& own = open.shape(i);
    // Scalars go with every shape: bounds of clamp, predicates of select.
    if (own.empty()) continue;
    open.require(shape.empty() || own == shape,
                 fmt::format("operand shapes [{}] and [{}] differ", fmt::join(shape, ", "),
                             fmt::join(own, ", ")));
    shape = own;
  }
  return shape;
}
Shape first(const Open& open, std::size_t) { return open.shape(0); }
Shape second(const Open& open, std::size_t) { return open.shape(1); }
Shape own(const Open& open, std::size_t result) { return open.shape(result); }

// numpy's rule: shapes align on the right, and 1 broadcasts.
Shape broadcast_together(const Open& open, std::size_t) {
  Shape all;
  for (std::size_t i = 0; i < open.op.operands.size(); ++i) {
    Shape next = open.shape(i);
    // The shorter shape gets leading ones.
    if (next.size() < all.size()) next.insert(next.begin(), all.size() - next.size(), 1);
    if (all.size() < next.size()) all.insert(all.begin(), next.size() - all.size(), 1);
    for (std::size_t d = 0; d < all.size(); ++d) {
      open.require(all[d] == next[d] || all[d] == 1 || next[d] == 1,
                   fmt::format("sizes {} and {} do not broadcast", all[d], next[d]));
      if (all[d] == 1) all[d] = next[d];
    }
  }
  return all;
}

// ---- shapes that are values --------------------------------------------------------------------

std::int64_t product(const Shape& shape) { return TensorType{ElementType::pred, shape}.elements(); }

Shape dynamic_reshape(const Open& open, std::size_t) {
  Shape shape = open.known(1);
  const bool fits = std::ranges::all_of(shape, [](auto size) { return size >= 0; }) &&
                    product(shape) == product(open.shape(0));
  open.require(fits, fmt::format("cannot reshape [{}] to [{}]", fmt::join(open.shape(0), ", "),
                                 fmt::join(shape, ", ")));
  return shape;
}

// At most one size is open: it is what the other sizes leave of the elements.
Shape reshape(const Open& open, std::size_t) {
  Shape shape = open.op.results[0]->type.tensor.shape;
  std::int64_t others = 1;
  for (const std::int64_t size : shape)
    if (size != kDynamic) others = checked_multiply(others, size);
  const std::int64_t all = product(open.shape(0));
  for (std::int64_t& size : shape)
    // An empty dimension leaves the open size undetermined; the check below decides.
    if (size == kDynamic) size = others == 0 ? 0 : all / others;
  open.require(product(shape) == all,
               fmt::format("cannot reshape [{}] to [{}]", fmt::join(open.shape(0), ", "),
                           fmt::join(shape, ", ")));
  return shape;
}

// Sizes of 1 spread, others must be the same.
Shape dynamic_broadcast(const Open& open, std::size_t) {
  Shape shape = open.known(1);
  const Shape dimensions = integers_of(open.op, "broadcast_dimensions");
  const Shape& from = open.shape(0);
  for (std::size_t d = 0; d < dimensions.size(); ++d)
    open.require(from.at(d) == 1 || from[d] == shape.at(at(dimensions[d])),
                 fmt::format("[{}] does not broadcast to [{}]", fmt::join(from, ", "),
                             fmt::join(shape, ", ")));
  return shape;
}

Shape first_value(const Open& open, std::size_t) { return open.known(0); }
Shape third_value(const Open& open, std::size_t) { return open.known(2); }

Shape set_dimension_size(const Open& open, std::size_t) {
  Shape shape = open.shape(0);
  std::int64_t& size = shape.at(at(integer_of(open.op, "dimension", 0)));
  const std::int64_t wanted = open.known(1).at(0);
  open.require(wanted >= 0 && wanted <= size,
               fmt::format("size {} is out of range for a dimension of size {}", wanted, size));
  size = wanted;
  return shape;
}

// ---- pieces ------------------------------------------------------------------------------------

Shape dynamic_slice(const Open& open, std::size_t) { return integers_of(open.op, "slice_sizes"); }

// size + low + high + (size - 1) * interior, where an empty dimension has no interior.
Shape padded(const Open& open, const Shape& low, const Shape& high, const Shape& interior) {
  Shape shape = open.shape(0);
  for (std::size_t d = 0; d < shape.size(); ++d) {
    const std::int64_t inner = std::max<std::int64_t>(shape[d] - 1, 0) * interior.at(d);
    shape[d] += low.at(d) + high.at(d) + inner;
    open.require(shape[d] >= 0 && interior[d] >= 0,
                 "the padding gives a negative size or has a negative interior");
  }
  return shape;
}
Shape pad(const Open& open, std::size_t) {
  const std::size_t ndims = open.shape(0).size();
  return padded(open, integers_or(open.op, "edge_padding_low", ndims, 0),
                integers_or(open.op, "edge_padding_high", ndims, 0),
                integers_or(open.op, "interior_padding", ndims, 0));
}
Shape dynamic_pad(const Open& open, std::size_t) {
  return padded(open, open.known(2), open.known(3), open.known(4));
}

Shape transpose(const Open& open, std::size_t) {
  Shape shape;
  for (const std::int64_t d : integers_of(open.op, "permutation"))
    shape.push_back(open.shape(0).at(at(d)));
  return shape;
}

Shape concatenate(const Open& open, std::size_t) {
  Shape shape = open.shape(0);
  const std::size_t dimension = at(integer_of(open.op, "dimension", 0));
  for (std::size_t i = 1; i < open.op.operands.size(); ++i)
    shape.at(dimension) += open.shape(i).at(dimension);
  return shape;
}

Shape broadcast(const Open& open, std::size_t) {
  Shape shape = integers_of(open.op, "broadcast_sizes");
  shape.insert(shape.end(), open.shape(0).begin(), open.shape(0).end());
  return shape;
}

Shape bitcast_convert(const Open& open, std::size_t) {
  Shape shape = open.shape(0);
  const int from = bit_width(open.op.operands[0]->type.tensor.element);
  const int to = bit_width(open.op.results[0]->type.tensor.element);
  // To a narrower type: each element becomes a row in a new last dimension.
  if (from > to) shape.push_back(from / to);
  // To a wider type: a row becomes one element.
  if (from < to && !shape.empty()) shape.pop_back();
  return shape;
}

// ---- the table ---------------------------------------------------------------------------------

constexpr InferRow kShapes[] = {
    {"stablehlo.map", agreeing},
    {"stablehlo.bitcast_convert", bitcast_convert},
    {"stablehlo.sort", own},
    {"stablehlo.scatter", own},
    {"stablehlo.all_reduce", own},
    {"stablehlo.collective_permute", own},
    {"stablehlo.collective_broadcast", own},
    {"stablehlo.reverse", first},
    {"stablehlo.dynamic_update_slice", first},
    {"stablehlo.select_and_scatter", first},
    {"stablehlo.cholesky", first},
    {"stablehlo.triangular_solve", second},
    {"stablehlo.rng", third_value},
    {"stablehlo.reshape", reshape},
    {"stablehlo.dynamic_reshape", dynamic_reshape},
    {"stablehlo.dynamic_broadcast_in_dim", dynamic_broadcast},
    {"stablehlo.dynamic_iota", first_value},
    {"stablehlo.set_dimension_size", set_dimension_size},
    {"stablehlo.dynamic_slice", dynamic_slice},
    {"stablehlo.pad", pad},
    {"stablehlo.dynamic_pad", dynamic_pad},
    {"stablehlo.transpose", transpose},
    {"stablehlo.concatenate", concatenate},
    {"stablehlo.broadcast", broadcast},
    {"stablehlo.custom_call", infer_custom_call},
};

Infer row_of(std::string_view name) {
  for (const std::span<const InferRow> rows :
       {std::span<const InferRow>(kShapes), slice_shapes(), algebra_shapes()})
    for (const InferRow& row : rows)
      if (row.name == name) return row.infer;
  // Families of names, which need no rows of their own.
  if (name.starts_with("chlo.broadcast_")) return broadcast_together;
  return is_elementwise(name) || name.starts_with("chlo.") ? agreeing : nullptr;
}

// Operations with shape operands, and the first of those operands.
constexpr std::pair<std::string_view, std::size_t> kShapeOperands[] = {
    {"stablehlo.dynamic_reshape", 1},    {"stablehlo.dynamic_broadcast_in_dim", 1},
    {"stablehlo.dynamic_iota", 0},       {"stablehlo.dynamic_pad", 2},
    {"stablehlo.real_dynamic_slice", 1}, {"stablehlo.dynamic_gather", 2},
    {"stablehlo.dynamic_conv", 2},
};

bool knows_shape_operands(const Lowering& lowering, const Operation& op) {
  for (const auto& [name, first] : kShapeOperands) {
    if (name != op.name) continue;
    for (std::size_t i = first; i < op.operands.size(); ++i)
      if (!lowering.known_operand(op, i)) return false;
    return true;
  }
  return false;
}

bool is_open(const Type& type) { return type.is_tensor() && !type.tensor.is_static(); }

}  // namespace

Shape Open::known(std::size_t i) const {
  if (auto values = lowering.known_operand(op, i)) return std::move(*values);
  // Some formats have no locations of operands.
  throw error_at(op.operand_locations.size() > i ? op.operand_locations[i] : op.location,
                 ErrorKind::unsupported,
                 fmt::format("{}: the shape of its result depends on operand {}, which is only "
                             "known at run time",
                             op.name, i));
}

void Open::require(bool holds, const std::string& why) const {
  if (!holds) throw error_at(op.location, ErrorKind::input, fmt::format("{}: {}", op.name, why));
}

// Runs before an operation is lowered: infers static types of results with dynamic dimensions, and
// checks results of operations with known shape operands against them. Operations without a row
// (calls, loops) get their types from what they contain.
void Lowering::refine(const Operation& op) {
  const bool any =
      std::ranges::any_of(op.operands, [](const Value* value) { return is_open(value->type); }) ||
      std::ranges::any_of(op.results, [](const auto& value) { return is_open(value->type); });
  // Most operations are static, so this test comes before the search of the tables.
  if (!any && !knows_shape_operands(*this, op)) return;
  const Infer infer = row_of(op.name);
  if (infer == nullptr) return;
  for (std::size_t i = 0; i < op.results.size(); ++i) {
    const Type& written = op.results[i]->type;
    if (!written.is_tensor()) continue;
    const TensorType found{written.tensor.element, infer({*this, op}, i)};
    const bool agrees = std::ranges::equal(
        written.tensor.shape, found.shape,
        [](std::int64_t said, std::int64_t is) { return said == kDynamic || said == is; });
    if (!agrees)
      throw error_at(op.location, ErrorKind::input,
                     fmt::format("{}: result {} is declared as {}, but is {}", op.name, i,
                                 text_of(written), text_of(found)));
    // Sizes may come from values, which the verifier has not seen.
    if (is_too_large(found))
      throw error_at(op.location, ErrorKind::input,
                     fmt::format("{}: result {} is {}: an array may have at most 1 PiB", op.name, i,
                                 text_of(found)));
    if (is_open(written)) refined_[op.results[i].get()] = found;
  }
}

}  // namespace understudy::program::passes
