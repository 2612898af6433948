// SPDX-License-Identifier: Apache-2.0
// Indexing by values of the run: dynamic slices, gather, scatter.
#include <algorithm>
#include <fmt/format.h>
#include <limits>
#include <optional>
#include <span>

#include "program/ir/reductions.h"
#include "program/lowering/index_vectors.h"
#include "program/lowering/indexed_places.h"
#include "program/lowering/lowering.h"
#include "program/lowering/regular_indexing.h"
#include "program/passes/module/attributes.h"

namespace understudy::program::passes {

namespace {

void lower_dynamic_slice(Lowering& lowering, const Operation& op) {
  lowering.emit_result(op, DynamicSlice{}, lowering.parts(op));
}

void lower_dynamic_update_slice(Lowering& lowering, const Operation& op) {
  lowering.emit_result(op, DynamicUpdateSlice{}, lowering.parts(op));
}

Gather gather_of(const Operation& op) {
  constexpr std::string_view kNumbers = "dimension_numbers";
  Gather work;
  work.offset_dims = dimensions_of(op, kNumbers, "offset_dims");
  work.collapsed_slice_dims = dimensions_of(op, kNumbers, "collapsed_slice_dims");
  work.operand_batching_dims = dimensions_of(op, kNumbers, "operand_batching_dims");
  work.start_indices_batching_dims = dimensions_of(op, kNumbers, "start_indices_batching_dims");
  work.start_index_map = dimensions_of(op, kNumbers, "start_index_map");
  work.index_vector_dim = number_of(op, kNumbers, "index_vector_dim");
  return work;
}

// The result of a gather without the dimensions of its windows; nullopt where these have more than
// one element.
std::optional<TensorType> of_single_elements(const Gather& work, const TensorType& out) {
  TensorType type{out.element, {}};
  for (std::int64_t d = 0; d < out.ndims(); ++d) {
    const std::int64_t size = out.shape[static_cast<std::size_t>(d)];
    if (std::ranges::find(work.offset_dims, d) == work.offset_dims.end())
      type.shape.push_back(size);
    else if (size != 1)
      return std::nullopt;
  }
  return type;
}

// nullopt for a gather of anything but one element by one number each. `out`: of single elements.
std::optional<TakeElements> take_of(const Gather& work, const TensorType& x,
                                    const TensorType& indices, const TensorType& out) {
  if (work.start_index_map.size() != 1 || out.elements() == 0) return std::nullopt;
  const bool has_vectors = work.index_vector_dim + 1 == indices.ndims();
  if (!has_vectors && work.index_vector_dim != indices.ndims()) return std::nullopt;
  const auto d = static_cast<std::size_t>(work.start_index_map[0]);
  const Shape strides = row_major_strides(x.shape);
  TakeElements take{x.shape[d], strides[d], out.shape, Shape(out.shape.size(), 0)};
  for (std::size_t i = 0; i < work.operand_batching_dims.size(); ++i)
    take.strides[static_cast<std::size_t>(work.start_indices_batching_dims[i])] =
        strides[static_cast<std::size_t>(work.operand_batching_dims[i])];
  merge_lines(take);
  return take;
}

// Indices before they were converted from small unsigned numbers, which keeps them: fewer bytes are
// read, and a type that reaches no further than the operand needs no clamp.
Operand unconverted_indices(Lowering& lowering, const Operation& op) {
  Operand indices = lowering.operand(op, 1);
  const auto maker_of = [](const Operation& reader, std::size_t operand) {
    return reader.operands[operand]->owner;
  };
  const Operation* maker = maker_of(op, 1);
  while (maker != nullptr &&
         (maker->name == "stablehlo.reshape" || maker->name == "stablehlo.broadcast_in_dim") &&
         lowering.operand_type(*maker, 0).elements() == indices.type.elements())
    maker = maker_of(*maker, 0);
  if (maker == nullptr || maker->name != "stablehlo.convert" || lowering.in_body() ||
      byte_size(indices.type.element) < 4)
    return indices;
  const Operand small = lowering.operand(*maker, 0);
  const ElementType element = small.type.element;
  if (element == ElementType::ui8 || element == ElementType::ui16)
    indices = {small.at, {element, indices.type.shape}};
  return indices;
}

void emit_gather(Lowering& lowering, const Operation& op, Gather work) {
  const Operand x = lowering.operand(op, 0), indices = lowering.operand(op, 1);
  if (const auto copied = gather_regular(lowering, work, {x, indices}, lowering.result_type(op)))
    return lowering.bind(*op.results[0], *copied);
  if (const auto chosen = gather_from_stack(lowering, work, {x, indices}, lowering.result_type(op)))
    return lowering.bind(*op.results[0], *chosen);
  if (const auto taken = take_by_vectors(lowering, op, work))
    return lowering.bind(*op.results[0], *taken);
  if (const auto rows = gather_by_numbers(lowering, op, work))
    return lowering.bind(*op.results[0], *rows);
  const auto single = of_single_elements(work, lowering.result_type(op));
  if (auto take = single ? take_of(work, x.type, indices.type, *single) : std::nullopt) {
    const Operand taken =
        lowering.emit(*std::move(take), {x, unconverted_indices(lowering, op)}, *single);
    return lowering.bind(*op.results[0], {taken.at, lowering.result_type(op)});
  }
  lowering.emit_result(op, std::move(work), {x, indices});
}

void lower_gather(Lowering& lowering, const Operation& op) {
  Gather work = gather_of(op);
  work.slice_sizes = integers_of(op, "slice_sizes");
  emit_gather(lowering, op, std::move(work));
}

// The slice sizes are an operand. The static result determines all of them except those of dropped
// dimensions, which must be 1.
void lower_dynamic_gather(Lowering& lowering, const Operation& op) {
  Gather work = gather_of(op);
  Shape dropped = work.collapsed_slice_dims;
  dropped.insert(dropped.end(), work.operand_batching_dims.begin(),
                 work.operand_batching_dims.end());
  Shape offsets = work.offset_dims;
  // The window dimensions of the result stand in ascending order.
  std::ranges::sort(offsets);
  auto next = offsets.begin();
  const Shape& result = lowering.result_type(op).shape;
  for (std::int64_t d = 0; d < lowering.operand_type(op, 0).ndims(); ++d) {
    const bool is_dropped = std::ranges::find(dropped, d) != dropped.end();
    work.slice_sizes.push_back(is_dropped ? 1 : result.at(static_cast<std::size_t>(*next++)));
  }
  emit_gather(lowering, op, std::move(work));
}

// Whether a scatter writes one window of few elements, at numbers whose type holds its limits.
bool is_small_update(const Lowering& lowering, const Scatter& work, const Parts& inputs) {
  constexpr std::int64_t kMostElements = 256;
  const TensorType &x = inputs[0].type, &indices = inputs[1].type;
  const bool has_type = indices.element == ElementType::i32 ||
                        indices.element == ElementType::i64 || indices.element == ElementType::ui32;
  return inputs.size() == 3 && (work.overwrite || work.reduction != Reduction::none) &&
         work.input_batching_dims.empty() && has_type && indices.elements() > 0 &&
         indices.elements() ==
             static_cast<std::int64_t>(work.scatter_dims_to_operand_dims.size()) &&
         inputs[2].type.elements() > 0 && inputs[2].type.elements() <= kMostElements &&
         x.elements() <= std::numeric_limits<std::int32_t>::max() && !lowering.in_body();
}

// Such a scatter (x.at[i].set(v) in a loop) as an update of a slice: by what is there already where
// the window is not inside of the operand. Its steps fuse, and small ones become machine code.
Operand update_window(Lowering& lowering, const Scatter& work, const Parts& inputs) {
  const Operand &x = inputs[0], &indices = inputs[1];
  Operand update = inputs[2];
  TensorType window{x.type.element, {}};
  auto next = work.update_window_dims.begin();
  for (std::int64_t d = 0; d < x.type.ndims(); ++d) {
    const bool is_inserted =
        std::ranges::find(work.inserted_window_dims, d) != work.inserted_window_dims.end();
    window.shape.push_back(is_inserted ? 1
                                       : update.type.shape.at(static_cast<std::size_t>(*next++)));
  }
  update.type = window;
  const TensorType number{indices.type.element, {}}, pred{ElementType::pred, {}};
  const auto integer = [&](std::int64_t value) {
    return lowering.integers(number, std::span(&value, 1));
  };
  const Operand zero = integer(0);
  Parts starts(x.type.shape.size(), zero);
  std::optional<Operand> inside;
  const auto require = [&](Direction direction, const Operand& start, const Operand& limit) {
    const Operand holds = lowering.emit(Compare{direction}, {start, limit}, pred);
    inside = inside ? lowering.binary(BinaryOp::logical_and, *inside, holds) : holds;
  };
  for (std::size_t i = 0; i < work.scatter_dims_to_operand_dims.size(); ++i) {
    const auto d = static_cast<std::size_t>(work.scatter_dims_to_operand_dims[i]);
    starts[d] = {indices.at, number};
    starts[d].at.offset += i * static_cast<std::size_t>(byte_size(number.element));
    require(Direction::ge, starts[d], zero);
    require(Direction::le, starts[d], integer(x.type.shape[d] - window.shape[d]));
  }
  Parts place{x};
  place.insert(place.end(), starts.begin(), starts.end());
  const Operand old = lowering.emit(DynamicSlice{}, place, window);
  Operand value =
      work.overwrite ? update : lowering.binary(*function_of(work.reduction), old, update);
  if (inside) value = lowering.emit(Select{}, {*inside, value, old}, window);
  place.insert(place.begin() + 1, value);
  return lowering.emit(DynamicUpdateSlice{}, std::move(place), x.type);
}

void lower_scatter(Lowering& lowering, const Operation& op) {
  constexpr std::string_view kNumbers = "scatter_dimension_numbers";
  Scatter work;
  work.update_window_dims = dimensions_of(op, kNumbers, "update_window_dims");
  work.inserted_window_dims = dimensions_of(op, kNumbers, "inserted_window_dims");
  work.input_batching_dims = dimensions_of(op, kNumbers, "input_batching_dims");
  work.scatter_indices_batching_dims = dimensions_of(op, kNumbers, "scatter_indices_batching_dims");
  work.scatter_dims_to_operand_dims = dimensions_of(op, kNumbers, "scatter_dims_to_operand_dims");
  work.index_vector_dim = number_of(op, kNumbers, "index_vector_dim");
  work.body = lowering.body(op.block());
  // An overwriting body needs no call per element.
  work.overwrite = returns_second(work.body);
  work.reduction = recognise(work.body);
  // Operands: the arrays, the indices, the updates.
  const std::size_t count = op.results.size();
  // Inputs and updates are converted to the element types in which the body computes, and results
  // back: the specification lets the body use a wider type.
  Parts inputs = lowering.parts(op);
  Parts outputs;
  for (std::size_t i = 0; i < count; ++i) {
    const ElementType element = work.body.parameters[i].type.element;
    inputs[i] = lowering.convert(inputs[i], element);
    inputs[count + 1 + i] = lowering.convert(inputs[count + 1 + i], element);
    outputs.push_back({{}, {element, inputs[i].type.shape}});
  }
  work.apart = flag_of(op, "unique_indices", false) ||
               windows_are_apart(lowering, indexing_of(work, inputs[0].type, inputs[count]),
                                 inputs[count + 1].type.shape);
  if (const auto copied = scatter_regular(lowering, work, inputs)) {
    outputs[0] = *copied;
  } else if (is_small_update(lowering, work, inputs)) {
    outputs[0] = update_window(lowering, work, inputs);
  } else if (const auto scattered = scatter_by_numbers(lowering, op, work, inputs)) {
    outputs[0] = *scattered;
  } else {
    for (Operand& output : outputs) output = lowering.make(output.type);
    lowering.emit(std::move(work), std::move(inputs), outputs);
  }
  for (std::size_t i = 0; i < count; ++i)
    lowering.bind(*op.results[i],
                  lowering.convert(outputs[i], lowering.result_type(op, i).element));
}

// Deprecated: index picks whole slices along `dim`, batched over the first batch_dims.
void lower_torch_index_select(Lowering& lowering, const Operation& op) {
  const Operand x = lowering.operand(op, 0);
  const Operand index = lowering.operand(op, 1);
  const std::int64_t dim = integer_of(op, "dim", 0);
  const std::int64_t batch = integer_of(op, "batch_dims", 0);
  Gather work;
  // A batched dimension and `dim` are taken one element at a time; all others whole.
  for (std::int64_t d = 0; d < x.type.ndims(); ++d) {
    const bool batched = d < batch;
    work.slice_sizes.push_back(batched || d == dim ? 1 : x.type.shape[static_cast<std::size_t>(d)]);
    if (batched) {
      work.operand_batching_dims.push_back(d);
      work.start_indices_batching_dims.push_back(d);
    } else if (d < dim) {
      work.offset_dims.push_back(d);
    } else if (d > dim) {
      // The dimensions of the index without its batch dimensions stand in place of `dim`.
      work.offset_dims.push_back(d + index.type.ndims() - batch - 1);
    }
  }
  work.collapsed_slice_dims = {dim};
  work.start_index_map = {dim};
  // Past the last dimension: each index is a scalar.
  work.index_vector_dim = index.type.ndims();
  emit_gather(lowering, op, std::move(work));
}

}  // namespace

void add_indexing(LowerTable& table) {
  table.emplace("stablehlo.dynamic_slice", lower_dynamic_slice);
  table.emplace("stablehlo.dynamic_update_slice", lower_dynamic_update_slice);
  table.emplace("stablehlo.gather", lower_gather);
  table.emplace("stablehlo.dynamic_gather", lower_dynamic_gather);
  table.emplace("stablehlo.scatter", lower_scatter);
  table.emplace("stablehlo.torch_index_select", lower_torch_index_select);
}

}  // namespace understudy::program::passes
