// SPDX-License-Identifier: Apache-2.0
// Opcodes that move elements. Layouts have no meaning in StableHLO, so a copy to another layout is
// no operation; a bitcast reinterprets memory, so there the layouts decide.
#include <algorithm>
#include <fmt/format.h>
#include <numeric>

#include "program/hlo/convert.h"

namespace understudy::program::hlo {
namespace {

void convert_identity(Converter& converter, const Instruction&) {
  converter.bind(converter.operand(0));
}

// XLA writes a result's sharding on a reshape to the same shape.
void convert_reshape(Converter& converter, const Instruction& in) {
  // Dropped: shard_results() reads the sharding from the HLO root itself.
  if (converter.types_of(in.shape) == std::vector<Type>{converter.single(0).type})
    return convert_identity(converter, in);
  converter.emit_result("stablehlo.reshape", {&converter.single(0)});
}

void convert_transpose(Converter& converter, const Instruction& in) {
  converter.emit_result("stablehlo.transpose", {&converter.single(0)},
                        {list("permutation", in.ints("dimensions"))});
}

void convert_broadcast(Converter& converter, const Instruction& in) {
  converter.emit_result("stablehlo.broadcast_in_dim", {&converter.single(0)},
                        {list("broadcast_dimensions", in.ints("dimensions"))});
}

void convert_reverse(Converter& converter, const Instruction& in) {
  converter.emit_result("stablehlo.reverse", {&converter.single(0)},
                        {list("dimensions", in.ints("dimensions"))});
}

void convert_concatenate(Converter& converter, const Instruction& in) {
  if (in.ints("dimensions").size() != 1) converter.refuse("needs one dimension");
  converter.emit_result("stablehlo.concatenate", converter.all_operands(),
                        {number("dimension", in.ints("dimensions")[0])});
}

// Column `index` of rows of at least that length.
Ints column(const Converter& converter, const Rows& rows, std::size_t index) {
  Ints out;
  for (const Ints& row : rows) {
    if (index >= row.size()) converter.refuse("an attribute has too few numbers");
    out.push_back(row[index]);
  }
  return out;
}

void convert_slice(Converter& converter, const Instruction& in) {
  const Rows& slices = in.rows("slice");
  converter.emit_result("stablehlo.slice", {&converter.single(0)},
                        {list("start_indices", column(converter, slices, 0)),
                         list("limit_indices", column(converter, slices, 1)),
                         list("strides", column(converter, slices, 2))});
}

void convert_pad(Converter& converter, const Instruction& in) {
  const Rows& padding = in.rows("padding");
  converter.emit_result("stablehlo.pad", {&converter.single(0), &converter.single(1)},
                        {list("edge_padding_low", column(converter, padding, 0)),
                         list("edge_padding_high", column(converter, padding, 1)),
                         list("interior_padding", column(converter, padding, 2))});
}

// Start indexes are scalars, or one vector in old modules.
Values starts(Converter& converter, std::size_t first) {
  Values out;
  for (std::size_t i = first; i < converter.operand_count(); ++i)
    out.push_back(&converter.single(i));
  // Several operands, or one scalar, are the indexes themselves.
  if (out.size() != 1 || !out[0]->type.is_tensor() || out[0]->type.tensor.ndims() != 1) return out;
  // No array of XLA has as many; the bound stops a hostile file from adding one slice per index.
  constexpr std::int64_t kMostDimensions = 64;
  Value& vector = *out[0];
  if (vector.type.tensor.shape[0] > kMostDimensions) converter.refuse("too many start indexes");
  const ElementType element = vector.type.tensor.element;
  out.clear();
  for (std::int64_t i = 0; i < vector.type.tensor.shape[0]; ++i) {
    Value& one = *converter
                      .emit("stablehlo.slice", {&vector}, {Type::of(TensorType{element, {1}})},
                            {list("start_indices", {i}), list("limit_indices", {i + 1}),
                             list("strides", {1})})
                      .results[0];
    out.push_back(&converter.reshape(one, {}));
  }
  return out;
}

void convert_dynamic_slice(Converter& converter, const Instruction& in) {
  Values operands{&converter.single(0)};
  const Values indexes = starts(converter, 1);
  operands.insert(operands.end(), indexes.begin(), indexes.end());
  converter.emit_result("stablehlo.dynamic_slice", std::move(operands),
                        {list("slice_sizes", in.ints("dynamic_slice_sizes"))});
}

void convert_dynamic_update_slice(Converter& converter, const Instruction&) {
  Values operands{&converter.single(0), &converter.single(1)};
  const Values indexes = starts(converter, 2);
  operands.insert(operands.end(), indexes.begin(), indexes.end());
  converter.emit_result("stablehlo.dynamic_update_slice", std::move(operands));
}

void convert_gather(Converter& converter, const Instruction& in) {
  std::vector<NamedAttribute> fields;
  for (const std::string_view name :
       {"offset_dims", "collapsed_slice_dims", "operand_batching_dims",
        "start_indices_batching_dims", "start_index_map"})
    fields.emplace_back(name, list_of(in.ints(name)));
  fields.push_back(number("index_vector_dim", in.number("index_vector_dim", 0)));
  converter.emit_result("stablehlo.gather", {&converter.single(0), &converter.single(1)},
                        {structure("dimension_numbers", "gather", std::move(fields)),
                         list("slice_sizes", in.ints("slice_sizes")),
                         flag("indices_are_sorted", in.flag("indices_are_sorted"))});
}

void convert_scatter(Converter& converter, const Instruction& in) {
  if (in.called.size() != 1) converter.refuse("needs one computation");
  std::vector<NamedAttribute> fields;
  for (const std::string_view name :
       {"update_window_dims", "inserted_window_dims", "input_batching_dims",
        "scatter_indices_batching_dims", "scatter_dims_to_operand_dims"})
    fields.emplace_back(name, list_of(in.ints(name)));
  fields.push_back(number("index_vector_dim", in.number("index_vector_dim", 0)));
  Operation& op =
      converter.emit_result("stablehlo.scatter", converter.all_operands(),
                            {structure("scatter_dimension_numbers", "scatter", std::move(fields)),
                             flag("indices_are_sorted", in.flag("indices_are_sorted")),
                             flag("unique_indices", in.flag("unique_indices"))});
  converter.add_region(op, in.called[0], converter.scalars_of(in.called[0]));
}

void convert_size(Converter& converter, const Instruction& in) {
  if (in.ints("dimensions").size() != 1) converter.refuse("needs one dimension");
  converter.emit_result(in.opcode == "get-dimension-size" ? "stablehlo.get_dimension_size"
                                                          : "stablehlo.set_dimension_size",
                        converter.all_operands(), {number("dimension", in.ints("dimensions")[0])});
}

// ---- bitcast

// Dimensions from major to minor.
Ints major_to_minor(const HloShape& shape) {
  Ints order(shape.minor_to_major.rbegin(), shape.minor_to_major.rend());
  // An empty list stands for the default layout, as in HloShape.
  if (!order.empty()) return order;
  order.resize(shape.dimensions.size());
  std::iota(order.begin(), order.end(), 0);
  return order;
}

Shape permuted(const Shape& shape, const Ints& order) {
  Shape out;
  for (const std::int64_t d : order) out.push_back(shape[static_cast<std::size_t>(d)]);
  return out;
}

// Tiles interleave the last dimensions, so a tiled array is as its elements lie only if those
// dimensions stay what they are.
// A TPU tiles the two minor dimensions, (8,128) for f32. Dimensions of size 1 do not change the
// order of elements, so they are left out of the comparison.
bool tiles_fit(const HloShape& from, const HloShape& to) {
  if (from.tiles.empty() && to.tiles.empty()) return true;
  if (from.tiles != to.tiles) return false;
  const auto minor = [](const HloShape& shape) {
    Shape out = permuted(shape.dimensions, major_to_minor(shape));
    std::erase(out, 1);
    constexpr std::size_t kTiled = 2;
    if (out.size() > kTiled) out.erase(out.begin(), out.end() - kTiled);
    return out;
  };
  return minor(from) == minor(to);
}

Value& transposed(Converter& converter, Value& value, const Ints& order) {
  if (std::is_sorted(order.begin(), order.end())) return value;
  const TensorType type{value.type.tensor.element, permuted(value.type.tensor.shape, order)};
  return *converter
              .emit("stablehlo.transpose", {&value}, {Type::of(type)}, {list("permutation", order)})
              .results[0];
}

// The elements in the order of memory, cut into the result's dimensions in the order of memory,
// and those brought into their logical order.
void convert_bitcast(Converter& converter, const Instruction& in) {
  const HloShape& from = converter.operand_instruction(0).shape;
  const HloShape& to = in.shape;
  if (from.kind != HloShape::Kind::array || to.kind != HloShape::Kind::array)
    converter.refuse("expected arrays");
  if (!tiles_fit(from, to)) converter.unsupported(in, "bitcast between tiled layouts");
  Value* value = &transposed(converter, converter.single(0), major_to_minor(from));
  if (from.element != to.element) {
    // A change of width moves elements between dimensions; StableHLO's bitcast_convert would need
    // the minor dimension to tell how.
    if (bit_width(from.element) != bit_width(to.element))
      converter.unsupported(in, "bitcast to an element type of another size");
    value = converter
                .emit("stablehlo.bitcast_convert", {value},
                      {Type::of(TensorType{to.element, value->type.tensor.shape})})
                .results[0]
                .get();
  }
  const Ints order = major_to_minor(to);
  value = &converter.reshape(*value, permuted(to.dimensions, order));
  // `order` maps positions in memory to logical dimensions; the last transpose needs the inverse.
  Ints inverse(order.size());
  for (std::size_t i = 0; i < order.size(); ++i)
    inverse[static_cast<std::size_t>(order[i])] = static_cast<std::int64_t>(i);
  converter.bind({&transposed(converter, *value, inverse)});
}

}  // namespace

void add_movement(ConvertTable& table) {
  table.emplace("add-dependency", convert_identity);
  table.emplace("bitcast", convert_bitcast);
  table.emplace("broadcast", convert_broadcast);
  table.emplace("concatenate", convert_concatenate);
  // Sound only because StableHLO arrays are values: a copy protects a buffer that XLA would
  // otherwise update in place.
  table.emplace("copy", convert_identity);
  table.emplace("domain", convert_identity);
  table.emplace("dynamic-slice", convert_dynamic_slice);
  table.emplace("dynamic-update-slice", convert_dynamic_update_slice);
  table.emplace("gather", convert_gather);
  table.emplace("get-dimension-size", convert_size);
  table.emplace("pad", convert_pad);
  table.emplace("reshape", convert_reshape);
  table.emplace("reverse", convert_reverse);
  table.emplace("scatter", convert_scatter);
  table.emplace("set-dimension-size", convert_size);
  table.emplace("slice", convert_slice);
  table.emplace("transpose", convert_transpose);
}

}  // namespace understudy::program::hlo
